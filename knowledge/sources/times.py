"""Times as sources write them, read without guessing.

A time without an offset is used only when the source's own rule names its zone; otherwise it is unknown.
feedparser is not asked: it takes such times for UTC.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

# Clocks differ, so a little of the future is believed; more is taken for now.
MAX_AHEAD = timedelta(minutes=15)
# Before the web there was no publishing on it: 1970 is an unset field, not a date.
EARLIEST_YEAR = 1990
# No date format is longer; hostile ones are.
_MAX_LENGTH = 64

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
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
    if not found:
        return None
    try:
        at = _moment(defaultdict(str, found.groupdict(default="")), naive_timezone)
    except (ValueError, OverflowError, OSError, ZoneInfoNotFoundError):
        return None
    if at.year < EARLIEST_YEAR:
        return None
    return now.astimezone(UTC).replace(microsecond=0) if now and at > now + MAX_AHEAD else at


def _moment(parts: Mapping[str, str], naive_timezone: str) -> datetime:
    year, month, hour = parts["year"], parts["month"], int(parts["hour"] or 0)
    half = (parts["half"] or parts["half_after"]).lower()
    if half:
        hour = hour % 12 + (12 if half in ("오후", "pm") else 0)
    local = datetime(
        int(year) if len(year) == 4 else 2000 + int(year),
        int(month) if month.isdecimal() else _MONTHS.index(month[:3].lower()) + 1,
        int(parts["day"]),
        hour,
        int(parts["minute"] or 0),
        min(int(parts["second"] or 0), 59),  # a leap second
        tzinfo=_offset(parts["zone"].upper()) if parts["zone"] else ZoneInfo(naive_timezone),
    )
    return local.astimezone(UTC)


def _offset(zone: str) -> tzinfo:
    if zone in _ZONES:
        return timezone(timedelta(hours=_ZONES[zone]))
    found = re.fullmatch(r"(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})?", zone, re.ASCII)
    if not found or int(found[2]) > 14 or int(found[3] or 0) > 59:
        raise ValueError("no zone")
    minutes = int(found[2]) * 60 + int(found[3] or 0)
    return timezone(timedelta(minutes=-minutes if found[1] == "-" else minutes))
