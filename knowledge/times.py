"""Times as texts, RFC 3339 in whole seconds."""

from datetime import UTC, datetime

from django.utils import timezone


def iso_kst(moment: datetime) -> str:
    """``2026-03-01T09:00:00+09:00``: with the offset of the service's own time zone, as the public JSON has it."""
    return moment.astimezone(timezone.get_default_timezone()).isoformat(timespec="seconds")


def iso_utc(moment: datetime) -> str:
    """``2026-03-01T00:00:00Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
