"""Times as sources write them, read without guessing.

A time without an offset is used only when the source's own rule names its zone; otherwise it is unknown.
feedparser is not asked: it takes such times for UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

# Clocks differ, so a little of the future is believed; more is taken for now.
MAX_AHEAD = timedelta(minutes=15)
# Before the web there was no publishing on it: 1970 is an unset field, not a date.
_EARLIEST_YEAR = 1990
# No date format is longer; hostile ones are.
_MAX_LENGTH = 64

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_ZONES = {
    "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "KST": 9, "JST": 9,
    "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
}  # fmt: skip

_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,9})?)?"
_ZONE = r"(?:\s*(?P<zone>[A-Za-z]{1,5}|(?:GMT|UTC)?[+-]\d{1,2}:?(?:\d{2})?))?(?:\s*\([^)]*\))?"
# 2026-08-21, 2026-08-21T19:00:00.000Z, 2026.08.21 오후 7:00, 2026/08/21 19:00 KST
_ISO = re.compile(
    rf"(?P<year>\d{{4}})[-./]\s?(?P<month>\d{{1,2}})[-./]\s?(?P<day>\d{{1,2}})\.?"
    rf"(?:(?:[Tt]|\s+)(?P<half>오전|오후|[AaPp][Mm])?\s*{_CLOCK}\s*(?P<half_after>[AaPp][Mm])?{_ZONE})?",
    re.ASCII,
)
# 20260821190000
_COMPACT = re.compile(
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})",
    re.ASCII,
)
# Fri, 21 Aug 2026 21:12:12 +0000
_RFC822 = re.compile(
    rf"(?:\w{{2,9}}\.?,?\s+)?(?P<day>\d{{1,2}})[\s-]+(?P<month>[A-Za-z]{{3,9}})\.?,?[\s-]+(?P<year>\d{{4}}|\d{{2}})"
    rf"\s+{_CLOCK}{_ZONE}"
)


def parse_time(raw: str, *, naive_timezone: str = "", now: datetime | None = None) -> datetime | None:
    """A written time as aware UTC, to the second; None when it cannot be read or its zone is unknown.

    ``naive_timezone`` (an IANA name) is the source's rule for times without an offset. With ``now``, a time
    more than 15 minutes ahead becomes ``now``.
    """
    text = " ".join(raw.split()) if len(raw) <= _MAX_LENGTH else ""
    found = _ISO.fullmatch(text) or _COMPACT.fullmatch(text) or _RFC822.fullmatch(text)
    at = _moment(found.groupdict(), naive_timezone) if found else None
    return at if at is None or now is None else clamped(at, now)


def clamped(at: datetime, now: datetime) -> datetime:
    """``at``, or ``now`` when it lies more than 15 minutes ahead."""
    return now.astimezone(UTC).replace(microsecond=0) if at > now + MAX_AHEAD else at


def from_epoch(seconds: float) -> datetime | None:
    """Unix seconds as aware UTC; None outside the years that can be meant."""
    try:
        at = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return at if at.year >= _EARLIEST_YEAR else None


def _moment(parts: dict[str, str | None], naive_timezone: str) -> datetime | None:
    zone = parts.get("zone")
    tz = _offset(zone) if zone else _zone_rule(naive_timezone)
    if tz is None:
        return None
    half = (parts.get("half") or parts.get("half_after") or "").lower()
    try:
        local = datetime(
            _year(parts["year"] or ""),
            _month(parts["month"] or ""),
            int(parts["day"] or 0),
            _hour(int(parts.get("hour") or 0), half),
            int(parts.get("minute") or 0),
            min(int(parts.get("second") or 0), 59),  # a leap second
            tzinfo=tz,
        )
        at = local.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return at if at.year >= _EARLIEST_YEAR else None


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else 2000 + int(text)


def _month(text: str) -> int:
    return int(text) if text.isdecimal() else _MONTHS.get(text[:3].lower(), 0)


def _hour(hour: int, half: str) -> int:
    if half in ("오후", "pm"):
        return hour % 12 + 12
    return hour % 12 if half in ("오전", "am") else hour


def _offset(zone: str) -> tzinfo | None:
    name = zone.upper()
    if name in _ZONES:
        return timezone(timedelta(hours=_ZONES[name]))
    found = re.fullmatch(r"(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})?", name, re.ASCII)
    if not found:
        return None
    hours, minutes = int(found[2]), int(found[3] or 0)
    if hours > 14 or minutes > 59:
        return None
    return timezone((1 if found[1] == "+" else -1) * timedelta(hours=hours, minutes=minutes))


def _zone_rule(name: str) -> tzinfo | None:
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
