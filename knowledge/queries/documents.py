"""The records of documents, for whoever takes all of them."""

from collections.abc import Iterator
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef

from knowledge.models import Document, DocumentUnit, Source, Unit
from knowledge.queries.serializers import DocumentRecord
from knowledge.times import iso_kst

COLUMNS = ("pk", "kind", "lang", "title", "url", "published_at", "source__name", "linked")
AT_ONCE = 2_000


def all_documents() -> Iterator[DocumentRecord]:
    """Every public document of the outlets that do not object, by id, read a few at a time: they may be a million."""
    ids = _public_ids()
    linked = ArraySubquery(DocumentUnit.objects.filter(document=OuterRef("pk")).values("unit"))
    rows = Document.objects.published().filter(source__in_bulk=True).annotate(linked=linked).order_by("pk")
    for row in rows.values_list(*COLUMNS, named=True).iterator(chunk_size=AT_ONCE):
        yield _record(row, ids)


def _public_ids() -> dict[int, str]:
    """The public id of each unit, its survivor's where it was merged; none for what is not public."""
    published = Unit.objects.published()
    ids = {pk: f"{prefix}:{slug}" for pk, prefix, slug in published.values_list("pk", "prefix", "slug")}
    merged = Unit.objects.filter(merged_into__isnull=False).values_list("pk", "merged_into")
    return ids | {pk: ids[survivor] for pk, survivor in merged if survivor in ids}


def _record(row: Any, ids: dict[int, str]) -> DocumentRecord:
    return {
        "id": f"document:{row.pk}",
        "kind": row.kind,
        "lang": row.lang,
        "title": row.title,
        "url": row.url,
        "publishedAt": iso_kst(row.published_at) if row.published_at else None,
        "source": row.source__name,
        "units": sorted({ids[unit] for unit in row.linked if unit in ids}),
    }


def objecting_outlets() -> list[str]:
    """The names of the outlets whose documents are in no list that is handed out."""
    return list(Source.objects.filter(in_bulk=False).order_by("name").values_list("name", flat=True))
