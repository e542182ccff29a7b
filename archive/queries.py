"""What pages, feeds and tools ask of the archive."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.utils.translation import gettext

from archive import bodies
from archive.day_file import state_of
from archive.days import ONE_DAY, start_of
from archive.metrics import SLUGS
from archive.models import Snapshot
from archive.published import Calendar, ManifestDay, calendars
from archive.strips import Month, Strip, StripDay, last_days, months

MONTHS_SHOWN = 3


@dataclass(frozen=True)
class Day:
    """A sealed day with its neighbours; ``document`` is its file as a value."""

    item: ManifestDay
    document: dict[str, Any]
    before: date | None
    after: date | None

    @cached_property
    def state(self) -> dict[str, Any]:
        return state_of(self.document)


def day(wanted: date) -> Day | None:
    """The newest revision of a day; None when it has no file. Raises DayUnreadable."""
    calendar = calendars.get()
    item = calendar.by_day.get(wanted)
    return _day(calendar, item) if item else None


def latest() -> Day | None:
    """The newest day; None while the archive is empty. Raises DayUnreadable."""
    calendar = calendars.get()
    return _day(calendar, calendar.items[0]) if calendar.items else None


def _day(calendar: Calendar, item: ManifestDay) -> Day:
    document = json.loads(bodies.day_body(item).plain)
    before = max((known for known in calendar.by_day if known < item.day), default=None)
    after = min((known for known in calendar.by_day if known > item.day), default=None)
    return Day(item, document, before, after)


def nearest(wanted: date) -> list[date]:
    return calendars.get().nearest(wanted)


def unheard(days: Collection[date]) -> dict[date, list[str]]:
    """Of each of these days that is sealed, the services whose own signal did not come."""
    rows = Snapshot.objects.published().filter(day__in=days).values_list("day", "facts__heard")
    return {day: [slug for slug in SLUGS if slug not in (heard or {})] for day, heard in rows}


def strips(last: date) -> list[Strip]:
    """Mood, economy and energy of the sixty days that end with ``last``."""
    days = last_days(last)
    rows = Snapshot.objects.published().filter(day__range=(days[0], days[-1]))
    cities = dict(rows.values_list("day", "facts__state__city"))

    def values(section: str, name: str) -> list[StripDay]:
        return [
            StripDay(start_of(day), cities[day][section][name] if day in cities else None) for day in days
        ]

    return [
        Strip("mood", gettext("기분 지수"), values("mood", "score")),
        Strip("economy", gettext("경제 지수"), values("economy", "index")),
        Strip("energy", gettext("전력 여유"), values("energy", "balance")),
    ]


def calendar_months() -> list[Month]:
    """The newest months of the calendar, with each day's mood."""
    items = calendars.get().by_day
    if not items:
        return []
    since = max(items) - 31 * MONTHS_SHOWN * ONE_DAY
    rows = Snapshot.objects.published().filter(day__gte=since)
    moods = dict(rows.values_list("day", "facts__state__city__mood__label"))
    return months(items, moods, MONTHS_SHOWN)
