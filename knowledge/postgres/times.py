"""Times as Postgres writes them, read by Python's own parser.

Django reads each by a regular expression, which is half of the time that it takes to fetch 20,000 units.
"""

from datetime import UTC, datetime

from psycopg.abc import Buffer
from psycopg.types.datetime import TimestamptzLoader


class TimeLoader(TimestamptzLoader):
    """A ``timestamptz`` as a datetime in UTC, the time zone of the service's connections."""

    timezone = UTC  # which Django compares with its own

    def load(self, data: Buffer) -> datetime:
        """Raises psycopg.DataError for what no datetime can hold: infinity, years before 1 and after 9999."""
        try:
            return datetime.fromisoformat(bytes(data).decode()).astimezone(UTC)
        except (ValueError, OverflowError):
            return super().load(data).astimezone(UTC)
