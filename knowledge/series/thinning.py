"""Points of tickers are kept for some days, then one a day: 190 markets have 80,000 in a day."""

from datetime import UTC, datetime, timedelta

from django.db import connection

KEPT = timedelta(days=8)
# The last of a day that ends at midnight UTC stays, with its former revisions. Days are read in the order of the index
# (compared point by point the years of a market take minutes), and what goes is found by its keys.
_THIN = """
DELETE FROM knowledge_observation WHERE id = ANY (ARRAY(
    SELECT id FROM (
        SELECT point.id, point.at, max(point.at) FILTER (WHERE point.newest) OVER (
            PARTITION BY point.input_id, date_trunc('day', point.at - interval '1 microsecond', 'UTC')
        ) AS last
        FROM knowledge_observation point JOIN knowledge_seriesinput input ON input.id = point.input_id
        WHERE input.key ~ '^(upbit|binance):' AND point.at <= %s
    ) AS placed WHERE at < last
))
"""


def thin(*, now: datetime) -> int:
    """Delete what is past its keeping; how many points went."""
    ended = (now - KEPT).astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    with connection.cursor() as cursor:
        cursor.execute(_THIN, [ended])
        return int(cursor.rowcount)
