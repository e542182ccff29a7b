"""Times as texts, RFC 3339 in whole seconds, and texts as times."""

from datetime import UTC, datetime

from django.utils import timezone


def iso_kst(moment: datetime) -> str:
    """``2026-03-01T09:00:00+09:00``: with the offset of the service's own time zone, as the public JSON has it."""
    return moment.astimezone(timezone.get_default_timezone()).isoformat(timespec="seconds")


def iso_utc(moment: datetime) -> str:
    """``2026-03-01T00:00:00Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(text: str) -> datetime:
    """The time that a text in RFC 3339 names, in UTC. Raises ValueError for one without an offset."""
    named = datetime.fromisoformat(text)
    if named.tzinfo is None:
        raise ValueError(f"{text} has no offset")
    return named.astimezone(UTC)
