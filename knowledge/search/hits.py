"""What search hands out: passages with their subjects, and the unit on whose page each stands."""

from collections import Counter
from collections.abc import Collection, Iterable

from knowledge.models import Mention, SourceKind, Unit
from knowledge.models.search import SearchPassage


def load_passages(ids: Iterable[int]) -> dict[int, SearchPassage]:
    """Passages by id, in one query: with ``unit``, ``document`` (``source``, ``source.creator``) or ``post``
    (``persona.entity``), so that reading them runs no further one."""
    rows = SearchPassage.objects.defer("tsv").select_related(
        "unit", "document__source__creator", "post__persona__entity"
    )
    return rows.in_bulk(list(ids))


def unit_hit(unit: Unit) -> SearchPassage:
    """A public unit as a hit that no passage brought: its summary, without a score."""
    hit = SearchPassage(
        kind=unit.kind,
        title=unit.label,
        text=unit.summary or unit.summary_en,
        lang="ko" if unit.summary else "en",
        published_at=unit.occurred_at,
        unit=unit,
    )
    hit.landing_unit = unit
    return hit


def find_landing_units(passages: Collection[SearchPassage]) -> None:
    """Set ``landing_unit`` of each passage; one query for all documents."""
    spoken_of = _chief_units({row.document_id for row in passages if row.document_id is not None})
    for passage in passages:
        passage.landing_unit = _landing_unit(passage, spoken_of)


def _landing_unit(passage: SearchPassage, spoken_of: dict[int, Unit]) -> Unit | None:
    if passage.post is not None:
        return passage.post.persona.entity
    document = passage.document
    if document is None:
        return passage.unit
    if document.pk in spoken_of:
        return spoken_of[document.pk]
    creator = document.source.creator if document.kind == SourceKind.VIDEO else None
    return creator if creator is not None and creator.is_public else None


def _chief_units(document_ids: set[int]) -> dict[int, Unit]:
    """The public unit each document mentions most, the earlier one among equals; see ``Unit.survivor``."""
    counts: dict[int, Counter[Unit]] = {}
    mentions = Mention.objects.filter(document__in=document_ids).select_related("unit__merged_into")
    for mention in mentions.order_by("document_id", "start"):
        unit = mention.unit.survivor
        if unit.is_public:
            counts.setdefault(mention.document_id, Counter())[unit] += 1
    # A Counter keeps first-seen order among equal counts.
    return {document_id: counted.most_common(1)[0][0] for document_id, counted in counts.items()}
