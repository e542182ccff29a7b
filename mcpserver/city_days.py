"""A sealed city day as tools show it, read from its file."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import orjson

from archive import bodies
from archive.days import parse_day
from archive.published import Calendar, ManifestDay, calendars
from mcpserver.arguments import nearest_day
from mcpserver.protocol import echo
from mcpserver.records import Record, absolute
from mcpserver.teaching import Lesson


def item_of(written: str | None, argument: str = "date") -> ManifestDay:
    """The day that ``2026-11-19`` or ``city:2026-11-19`` names; the newest without one. Raises Lesson."""
    calendar = calendars.get()
    if not calendar.items:
        raise none_sealed(argument)
    if written is None:
        return calendar.items[0]
    day = parse_day(written.strip().removeprefix("city:"))
    if day is None:
        raise _no_day(written, calendar, argument)
    item = calendar.by_day.get(day)
    if item is None:
        raise _no_such_day(day, calendar, argument)
    return item


def none_sealed(argument: str) -> Lesson:
    wait = "Next: wait until after midnight in Seoul, when the first day is sealed."
    return Lesson(argument, "no day is sealed yet.", wait=wait, outcome="unknown")


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


def _no_such_day(day: date, calendar: Calendar, argument: str) -> Lesson:
    nearest = calendar.nearest(day)
    return Lesson(
        argument,
        f"there is no file for {day.isoformat()}.",
        expected=f"a day that has one; nearest: {', '.join(f'city:{known}' for known in nearest)}.",
        changes={argument: _written(nearest[0], argument)},
        outcome="unknown",
    )


def _written(day: date, argument: str) -> str:
    return f"city:{day}" if argument == "id" else day.isoformat()


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
