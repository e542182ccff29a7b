"""How many documents and videos speak of a unit, as its record and its page say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db import connection, transaction

from knowledge.models import SourceKind, Unit

# A unit speaks for those merged into it, a creator's own channel speaks of the creator, and the members of an
# event's published clusters speak of the event (a cluster has an event only once it is published). One statement:
# popular units have more documents than a process should hold.
_COUNTED = """
spoken AS (
    SELECT family.survivor, mention.document_id
    FROM family JOIN knowledge_mention mention ON mention.unit_id = family.member
    UNION
    SELECT family.survivor, document.id
    FROM family JOIN knowledge_source source ON source.creator_id = family.member
    JOIN knowledge_document document ON document.source_id = source.id
    UNION
    SELECT family.survivor, membership.document_id
    FROM family JOIN knowledge_eventcluster cluster ON cluster.event_id = family.member
    JOIN knowledge_clusterdocument membership ON membership.cluster_id = cluster.id
), counted AS (
    SELECT family.survivor, count(document.id) AS documents,
           count(document.id) FILTER (WHERE document.kind = %(video)s) AS videos
    FROM (SELECT DISTINCT survivor FROM family) family
    LEFT JOIN spoken USING (survivor)
    LEFT JOIN knowledge_document document ON document.id = spoken.document_id AND NOT document.withdrawn
    GROUP BY family.survivor
)
"""

# Rows that keep their counts are not written.
_RECOUNT = f"""
WITH family AS (
    SELECT id AS member, coalesce(merged_into_id, id) AS survivor
    FROM knowledge_unit WHERE id = ANY (%(survivors)s) OR merged_into_id = ANY (%(survivors)s)
), {_COUNTED}
UPDATE knowledge_unit unit SET document_count = counted.documents, video_count = counted.videos
FROM counted
WHERE unit.id = counted.survivor
  AND (unit.document_count, unit.video_count) IS DISTINCT FROM (counted.documents, counted.videos)
"""  # noqa: S608

_COUNT = f"""
WITH family AS (SELECT unnest(%(members)s::bigint[]) AS member, 0 AS survivor), {_COUNTED}
SELECT documents, videos FROM counted
"""  # noqa: S608


class Counts(NamedTuple):
    """How many public documents speak of something, and how many of them are videos."""

    documents: int
    videos: int


def count_of(members: Iterable[int]) -> Counts:
    """What a unit would count that spoke for exactly these (keys)."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"members": list(members), "video": SourceKind.VIDEO.value})
        row = cursor.fetchone()
    return Counts(*row) if row else Counts(0, 0)


@transaction.atomic
def recount(units: Iterable[int]) -> int:
    """Count the documents of these units (keys) again, a merged one's for its survivor.

    Returns how many records changed.
    """
    wanted = set(units)
    if not wanted:
        return 0
    everyone = Unit.objects.get_queryset()
    survivors = sorted({row.merged_into_id or row.pk for row in everyone.filter(pk__in=wanted)})
    # Always in key order, so that two workers who count the same units wait rather than deadlock.
    locked = list(
        everyone.filter(pk__in=survivors).order_by("pk").select_for_update().values_list("pk", flat=True)
    )
    with connection.cursor() as cursor:
        cursor.execute(_RECOUNT, {"survivors": locked, "video": SourceKind.VIDEO.value})
        return int(cursor.rowcount)
