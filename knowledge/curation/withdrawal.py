"""Taking documents down, as rights holders ask: one by one, or all of a source's for good.

What showed or counted them follows in the same transaction: counts, search, the links of pulses, waiting event
candidates and, by a signal, the answers that quote them.
"""

from collections.abc import Iterable

from django.db import connection, transaction
from django.utils.translation import gettext as _

from knowledge.curation.decisions import CurationError
from knowledge.models import ClusterStatus, Document, EventCluster, Mention, Source
from knowledge.models.candidates import WAITING
from knowledge.search import indexing
from knowledge.signals import documents_removed

BATCH = 500  # documents a transaction: the rest of the service goes on meanwhile

# One statement, because a pulse may link several of the addresses.
_UNLINK = """
WITH links AS (
    SELECT pulse.id, link, coalesce(link->>'url' = ANY (%(urls)s), false) AS gone, place
    FROM knowledge_pulse pulse, jsonb_array_elements(sources) WITH ORDINALITY AS links (link, place)
), kept AS (
    SELECT id, coalesce(jsonb_agg(link ORDER BY place) FILTER (WHERE NOT gone), '[]') AS sources
    FROM links GROUP BY id HAVING bool_or(gone)
)
UPDATE knowledge_pulse pulse SET sources = kept.sources FROM kept WHERE kept.id = pulse.id
"""


def effect_of_deleting(source: Source) -> dict[str, int]:
    """How many rows ``delete_documents_of`` would take away or touch at this moment.

    ``documents``, ``mentions``, ``units`` whose counts change, ``events`` that stay with fewer documents, and undecided
    ``candidates`` of which some or all documents go.
    """
    mentions = Mention.objects.filter(document__source=source)
    clusters = EventCluster.objects.filter(members__document__source=source)
    return {
        "documents": Document.objects.filter(source=source).count(),
        "mentions": mentions.count(),
        "units": mentions.values("unit").distinct().count(),
        "events": clusters.filter(status=ClusterStatus.PUBLISHED).values("event").distinct().count(),
        "candidates": clusters.filter(status__in=WAITING).distinct().count(),
    }


@transaction.atomic
def withdraw(documents: Iterable[int]) -> int:
    """Take documents (keys) out of public sight; they stay stored, so that the next fetch does not bring them back.

    Returns how many were public before.
    """
    public = Document.objects.published().filter(pk__in=list(documents)).order_by("pk").select_for_update()
    urls = dict(public.values_list("pk", "url"))
    if not urls:
        return 0
    keys = list(urls)
    Document.objects.filter(pk__in=keys).update(withdrawn=True)
    indexing.remove(indexing.DOCUMENTS, keys)
    with connection.cursor() as cursor:
        cursor.execute(_UNLINK, {"urls": list(urls.values())})
    documents_removed.send(Document, keys=keys)
    return len(keys)


@transaction.atomic
def restore(documents: Iterable[int]) -> int:
    """Show withdrawn documents again; how many there were."""
    withdrawn = Document.objects.filter(pk__in=list(documents), withdrawn=True).order_by("pk")
    keys = list(withdrawn.select_for_update().values_list("pk", flat=True))
    Document.objects.filter(pk__in=keys).update(withdrawn=False)
    indexing.index_documents(keys)
    return len(keys)


def delete_documents_of(source: Source) -> int:
    """Delete every document of a source that is switched off, with all that hangs on them; how many went.

    Raises CurationError while the source is on, for its next run would bring them back. Should it be switched on
    again one day, it begins anew.
    """
    if Source.objects.filter(pk=source.pk, enabled=True).exists():
        raise CurationError(_("먼저 출처를 끄세요. 켜 둔 출처는 다음 수집 때 문서를 다시 가져옵니다."))
    deleted = 0
    keys = Document.objects.filter(source=source).order_by("pk").values_list("pk", flat=True)
    while batch := list(keys[:BATCH]):
        with transaction.atomic():
            withdraw(batch)
            clusters = EventCluster.objects.filter(members__document__in=batch)
            touched = list(clusters.values_list("pk", flat=True))
            Document.objects.filter(pk__in=batch).delete()
            # An event outlives its documents; a candidate without any is nothing.
            empty = EventCluster.objects.filter(pk__in=touched, members__isnull=True, announced__isnull=True)
            empty.exclude(status=ClusterStatus.PUBLISHED).delete()
        deleted += len(batch)
    Source.objects.filter(pk=source.pk).update(
        first_success_at=None, etag="", last_modified="", body_sha256=""
    )
    return deleted
