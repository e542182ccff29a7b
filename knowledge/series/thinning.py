"""Points of tickers are kept for some days, then one a day: 190 markets have 80,000 in a day."""

from datetime import UTC, datetime, timedelta

from django.db import connection

KEPT = timedelta(days=8)
# The last of a day that ends at midnight UTC stays, with its former revisions.
_THIN = """
DELETE FROM knowledge_observation point USING knowledge_seriesinput input
WHERE point.input_id = input.id AND input.key ~ '^(upbit|binance):' AND point.at <= %s AND EXISTS (
    SELECT FROM knowledge_observation later
    WHERE later.input_id = point.input_id AND later.newest AND later.at > point.at
        AND later.at <= date_trunc('day', point.at - interval '1 microsecond', 'UTC') + interval '1 day'
)
"""


def thin(*, now: datetime) -> int:
    """Delete what is past its keeping; how many points went."""
    ended = (now - KEPT).astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    with connection.cursor() as cursor:
        cursor.execute(_THIN, [ended])
        return int(cursor.rowcount)
