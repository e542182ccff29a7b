"""How many documents and videos speak of a unit, as its record and its page say, and how many of each week.

Triggers keep the pairs of documents and units and note each pair that came or went. ``fold`` brings the notes into the
counts of units: whoever writes documents locks no unit, and a popular one is never counted from its beginning.
"""

import logging
from collections.abc import Iterable
from typing import NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Max, Q

from knowledge.models import Document, DocumentUnit, DocumentUnitChange

logger = logging.getLogger(__name__)

FOLD_LOCK = 0x6D61_6461_6E67_0002
RANGE = 20_000  # documents whose pairs are compared in one statement

# A unit speaks for those merged into it, so that a document which names both counts once. What a document had before
# follows from what it has and what came and went: a statement sees the pairs exactly as the notes that it sees say.
# All of it by weeks, and one for documents without a time: a document that moved to another has left its own.
_WEEK = "date_trunc('week', {row}.published_at AT TIME ZONE %(zone)s)::date"
_STEPPED = f"""
named AS (
    SELECT COALESCE(unit.merged_into_id, unit.id) AS survivor, document_id, step, video,
           {_WEEK.format(row="taken")} AS week
    FROM taken JOIN knowledge_unit unit ON unit.id = taken.unit_id
), anew AS (
    SELECT DISTINCT survivor FROM named WHERE document_id IS NULL
), moved AS (
    SELECT survivor, week, document_id, sum(step) AS pairs, COALESCE(sum(step) FILTER (WHERE video), 0) AS videos
    FROM named
    WHERE document_id IS NOT NULL AND survivor NOT IN (SELECT survivor FROM anew)
    GROUP BY survivor, week, document_id
), stepped AS (
    SELECT survivor, week,
           sum((present.pairs > 0)::int - (present.pairs > moved.pairs)::int) AS documents,
           sum((present.videos > 0)::int - (present.videos > moved.videos)::int) AS videos
    FROM moved CROSS JOIN LATERAL (
        SELECT count(*) AS pairs, count(*) FILTER (WHERE pair.video) AS videos
        FROM knowledge_documentunit pair JOIN knowledge_unit member ON member.id = pair.unit_id
        WHERE pair.document_id = moved.document_id AND moved.survivor IN (member.id, member.merged_into_id)
          AND {_WEEK.format(row="pair")} IS NOT DISTINCT FROM moved.week
    ) AS present
    GROUP BY survivor, week
)
"""  # noqa: S608

# Rows that keep their counts are not written. Locked in key order, so that nobody deadlocks with another writer.
_FOLD = f"""
WITH taken AS (
    DELETE FROM knowledge_documentunitchange RETURNING unit_id, document_id, published_at, step, video
), {_STEPPED}, counted AS (
    SELECT survivor, {_WEEK.format(row="pair")} AS week, count(DISTINCT pair.document_id) AS documents,
           count(DISTINCT pair.document_id) FILTER (WHERE pair.video) AS videos
    FROM anew JOIN knowledge_unit member ON survivor = COALESCE(member.merged_into_id, member.id)
    LEFT JOIN knowledge_documentunit pair ON pair.unit_id = member.id
    GROUP BY 1, 2
), fresh AS (
    SELECT survivor, sum(documents) AS documents, sum(videos) AS videos, 0 AS kept FROM counted GROUP BY survivor
    UNION ALL
    SELECT survivor, sum(documents), sum(videos), 1 FROM stepped GROUP BY survivor
    HAVING (sum(documents), sum(videos)) <> (0, 0)
), weekly AS (
    INSERT INTO knowledge_unitweek AS stored (unit_id, week, documents)
    SELECT survivor, week, sum(documents) FROM (
        SELECT survivor, week, documents FROM stepped
        UNION ALL
        SELECT survivor, week, documents FROM counted
        UNION ALL
        SELECT unit_id, week, -documents FROM knowledge_unitweek WHERE unit_id IN (SELECT survivor FROM anew)
    ) AS step
    WHERE week IS NOT NULL GROUP BY survivor, week HAVING sum(documents) <> 0
    ORDER BY survivor, week
    ON CONFLICT (unit_id, week) DO UPDATE SET documents = stored.documents + EXCLUDED.documents
), locked AS MATERIALIZED (
    SELECT id FROM knowledge_unit WHERE id IN (SELECT survivor FROM fresh) ORDER BY id FOR NO KEY UPDATE
)
UPDATE knowledge_unit unit
SET document_count = GREATEST(kept * unit.document_count + fresh.documents, 0),
    video_count = GREATEST(kept * unit.video_count + fresh.videos, 0)
FROM locked JOIN fresh ON survivor = locked.id
WHERE unit.id = locked.id
  AND (unit.document_count, unit.video_count) IS DISTINCT FROM (
      GREATEST(kept * unit.document_count + fresh.documents, 0), GREATEST(kept * unit.video_count + fresh.videos, 0)
  )
"""  # noqa: S608

# What the pairs say, less what the notes will still add, less what is kept.
_MISCOUNTED = f"""
WITH taken AS (
    SELECT unit_id, document_id, published_at, step, video FROM knowledge_documentunitchange
), {_STEPPED}, missing AS (
    SELECT COALESCE(member.merged_into_id, member.id) AS survivor, {_WEEK.format(row="pair")} AS week,
           count(DISTINCT pair.document_id) AS documents,
           count(DISTINCT pair.document_id) FILTER (WHERE pair.video) AS videos
    FROM knowledge_unit member JOIN knowledge_documentunit pair ON pair.unit_id = member.id
    GROUP BY 1, 2
    UNION ALL
    SELECT survivor, week, -documents, -videos FROM stepped
)
SELECT DISTINCT survivor FROM (
    SELECT survivor, week, documents, 0 AS videos FROM missing WHERE week IS NOT NULL
    UNION ALL
    SELECT unit_id, week, -documents, 0 FROM knowledge_unitweek JOIN knowledge_unit unit ON unit.id = unit_id
    WHERE unit.merged_into_id IS NULL
    UNION ALL
    SELECT survivor, NULL, documents, videos FROM missing
    UNION ALL
    SELECT id, NULL, -document_count, -video_count FROM knowledge_unit WHERE merged_into_id IS NULL
) AS weeks_and_totals
WHERE survivor NOT IN (SELECT survivor FROM anew)
GROUP BY survivor, week HAVING (sum(documents), sum(videos)) <> (0, 0)
"""  # noqa: S608

_PAIRS = "SELECT document_id, unit_id, published_at, video FROM "
_STORED = f"{_PAIRS} knowledge_documentunit WHERE document_id = ANY (%(documents)s)"
_DUE = f"{_PAIRS} knowledge_pairs_due(%(documents)s)"
_ASTRAY = f"SELECT document_id FROM (({_STORED} EXCEPT {_DUE}) UNION ({_DUE} EXCEPT {_STORED})) AS astray"  # noqa: S608


class Counts(NamedTuple):
    """How many public documents speak of something, and how many of them are videos."""

    documents: int
    videos: int


def count_of(members: Iterable[int]) -> Counts:
    """What a unit would count that spoke for exactly these (keys)."""
    pairs = DocumentUnit.objects.filter(unit__in=list(members))
    videos = Count("document", distinct=True, filter=Q(video=True))
    return Counts(**pairs.aggregate(documents=Count("document", distinct=True), videos=videos))


@transaction.atomic
def fold() -> int:
    """Bring every pair that came or went into the counts of units; how many records changed.

    What is counted is deleted in the same statement, so that each is counted once. While another process folds
    nothing is done.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [FOLD_LOCK])
        if not cursor.fetchone()[0]:
            return 0
        cursor.execute(_FOLD, {"zone": settings.TIME_ZONE})
        return int(cursor.rowcount)


def verify() -> tuple[int, int]:
    """Compare all pairs with their reasons and all counts with the pairs, and put right what differs.

    Nothing ever should; what does is a line of ERROR. Gives how many documents had other units than they should have,
    and how many units other counts.
    """
    documents = _paired_anew()
    with connection.cursor() as cursor:
        cursor.execute(_MISCOUNTED, {"zone": settings.TIME_ZONE})
        units = [pk for (pk,) in cursor.fetchall()]
    DocumentUnitChange.objects.bulk_create(DocumentUnitChange(unit_id=pk) for pk in units)
    if documents or units:
        logger.error("repaired the units of %d documents and the counts of %d units", documents, len(units))
    fold()
    return documents, len(units)


def _paired_anew() -> int:
    """Put the pairs right that differ from their reasons; of how many documents they were."""
    last = Document.objects.aggregate(last=Max("pk"))["last"] or 0
    repaired = 0
    for start in range(0, last + 1, RANGE):
        rows = Document.objects.filter(pk__range=(start, start + RANGE - 1))
        with connection.cursor() as cursor:
            cursor.execute(_ASTRAY, {"documents": list(rows.values_list("pk", flat=True))})
            if astray := sorted({pk for (pk,) in cursor.fetchall()}):
                cursor.execute("SELECT knowledge_pair(%s)", [astray])
        repaired += len(astray)
    return repaired
