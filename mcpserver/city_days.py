"""Sealed city days as tools show them: one read from its file, or many from the manifest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import orjson
from django.conf import settings

from archive import bodies
from archive.days import ONE_DAY, day_of, is_over, parse_day
from archive.published import DAYS_MAX, Calendar, ManifestDay, calendars
from mcpserver.arguments import YEARS, nearest_day
from mcpserver.protocol import echo
from mcpserver.records import Record, absolute
from mcpserver.teaching import Lesson

RANGE_DAYS_DEFAULT = 14
# What the words of a day mean, and how anybody finds out whether its file is what was sealed.
VERIFY = "GET file: its SHA-256 is sha256, and integrity.prevSha256 in it is that of the day before."
LATE = "late: sealed after 00:35 in Seoul, so signals may have come after their day."
REHEARSAL = "rehearsal: made of invented signals to try the city, not of a real day."
MISSING = "missing: services whose own signal of the day did not come."


def item_of(written: str | None, argument: str = "date", *, now: datetime) -> ManifestDay:
    """The day that ``2026-11-19`` or ``city:2026-11-19`` names; the newest without one. Raises Lesson."""
    calendar = calendars.get()
    if not calendar.items:
        raise none_sealed(argument)
    if written is None:
        return calendar.items[0]
    day = day_of_text(written, argument, calendar)
    item = calendar.by_day.get(day)
    if item is None:
        raise _no_such_day(day, calendar, argument, now)
    return item


def none_sealed(argument: str) -> Lesson:
    wait = "Next: wait until after midnight in Seoul, when the first day is sealed."
    return Lesson(argument, "no day is sealed yet.", wait=wait, outcome="unknown")


def day_of_text(written: str, argument: str, calendar: Calendar) -> date:
    """The day that is written, with or without ``city:``, or that of an RFC 3339 time. Raises Lesson."""
    day = parse_day(written.strip().removeprefix("city:")) or _day_of_time(written)
    if day is None or day.year not in YEARS:
        raise _no_day(written, calendar, argument)
    return day


def _day_of_time(written: str) -> date | None:
    """The day in Seoul at a time that says its offset."""
    try:
        return day_of(datetime.fromisoformat(written))
    except (ValueError, OverflowError):
        return None


def _no_day(written: str, calendar: Calendar, argument: str) -> Lesson:
    meant = nearest_day(written.strip().removeprefix("city:"))
    day = date.fromisoformat(meant) if meant else calendar.items[0].day
    nearest = [day] if day in calendar.by_day else calendar.nearest(day)
    return Lesson(
        argument,
        f'"{echo(written)}" is no day of the calendar.',
        expected="a day YYYY-MM-DD.",
        changes={argument: _written(nearest[0], argument)},
    )


def _no_such_day(day: date, calendar: Calendar, argument: str, now: datetime) -> Lesson:
    nearest = calendar.nearest(day)
    ends = "a day is, at the midnight in Seoul that ends it"
    return Lesson(
        argument,
        f"there is no file for {day}." if is_over(day, now) else f"{day} is not sealed yet: {ends}.",
        expected=f"a day that has a file; nearest: {', '.join(f'city:{known}' for known in nearest)}.",
        changes={argument: _written(nearest[0], argument)},
        outcome="unknown",
    )


def _written(day: date, argument: str) -> str:
    return f"city:{day}" if argument == "id" else day.isoformat()


@dataclass(frozen=True, slots=True)
class DayRange:
    """The sealed days of a stretch of the calendar, newest first, and those between first and last without a file."""

    items: list[ManifestDay]
    gaps: list[date]
    first: date
    last: date


def range_of(start: str | None, end: str | None) -> DayRange:
    """The days from ``start`` to ``end``, both included; without one of them two weeks. Raises Lesson."""
    calendar = calendars.get()
    if not calendar.items:
        raise none_sealed("from" if start else "to")
    last, first = calendar.items[0].day, calendar.items[-1].day
    until = day_of_text(end, "to", calendar) if end else last
    since = day_of_text(start, "from", calendar) if start else until - ONE_DAY * (RANGE_DAYS_DEFAULT - 1)
    if since > until:
        first_given = max(until, since - ONE_DAY * (DAYS_MAX - 1))
        raise Lesson(
            "from",
            f"{since} is after {until}: nothing lies between them.",
            expected="a day that is not after to.",
            changes={"from": str(first_given), "to": str(since)},
        )
    if (until - since).days >= DAYS_MAX:
        raise Lesson(
            "from",
            f"these are more than {DAYS_MAX} days.",
            expected=f"at most {DAYS_MAX} days.",
            changes={"from": str(until - ONE_DAY * (DAYS_MAX - 1))},
        )
    return DayRange(
        [item for item in calendar.items if since <= item.day <= until],
        [day for day in calendar.gaps if since <= day <= until],
        first,
        last,
    )


def file_of(item: ManifestDay, missing: Sequence[str]) -> Record:
    """Where a day's file is, what is in it and how to prove it; what is usual is left out."""
    flags: Record = {"late": item.late, "rehearsal": item.rehearsal, "missing": list(missing)}
    found: Record = {
        "date": item.day.isoformat(),
        "status": item.status,
        "file": f"{settings.CITY_URL}/api/archive?date={item.day.isoformat()}",
        "bytes": item.size,
        "sha256": item.sha256,
    }
    if item.revision > 1:
        found["revision"] = item.revision
    return found | {name: value for name, value in flags.items() if value}


def notes_on(files: Sequence[Record]) -> list[str]:
    """What the words in these records mean."""
    words = {"late": LATE, "rehearsal": REHEARSAL, "missing": MISSING}
    return [VERIFY, *(said for word, said in words.items() if any(word in one for one in files))]


def content_of(item: ManifestDay) -> dict[str, Any]:
    """The day's file as a value. Raises DayUnreadable (503)."""
    found: dict[str, Any] = orjson.loads(bodies.day_body(item).plain)
    return found


def page_of(item: ManifestDay) -> str:
    return f"/city/{item.day.isoformat()}"


def head_of(item: ManifestDay) -> Record:
    day = item.day.isoformat()
    return {
        "id": f"city:{day}",
        "kind": "city",
        "title": f"{day} ({item.status})",
        "url": absolute(page_of(item)),
        "updated_at": item.sealed_at.isoformat(timespec="seconds"),
    }


def state_of(city: Mapping[str, Any]) -> Record:
    """The city's state in one flat record; null where a day does not know."""
    economy, energy, weather = city["economy"], city["energy"], city["weather"]
    return {
        **{name: city["population"][name] for name in ("residents", "visitors", "awake")},
        "mood": city["mood"]["score"],
        "mood_label": city["mood"]["label"],
        "economy": economy["index"],
        "economy_change_pct": economy["changePct"],
        "energy_balance": energy["balance"],
        "brownout": energy["brownout"],
        "weather": weather["condition"],
        "temperature_c": weather["temperatureC"],
        "wind_ms": weather["windMs"],
        **{name: city[name]["score"] for name in ("safety", "culture", "learning")},
    }
