"""Sixty days at a glance: a bar a day, and the calendar's months. Pure."""

from calendar import Calendar as MonthCalendar
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext

from archive.days import ONE_DAY
from archive.page_words import month_in_words, mood_of
from archive.published import ManifestDay

STRIP_DAYS = 60


class StripDay(NamedTuple):
    """A day as charts take it: ``value`` is None without a file, or without the number in it."""

    at: datetime
    value: int | None


@dataclass(frozen=True, slots=True)
class Strip:
    """One measure over the last days."""

    name: str
    label: str
    days: Sequence[StripDay]  # oldest first

    @property
    def title(self) -> str:
        """In the language of the page: ``기분 지수: 최근 60일, 범위 −27~35``."""
        known = [day.value for day in self.days if day.value is not None]
        said = {"label": self.label, "days": len(self.days)}
        if not known:
            return gettext("%(label)s: 최근 %(days)s일") % said
        said |= {"low": _signed(min(known)), "high": _signed(max(known))}
        return gettext("%(label)s: 최근 %(days)s일, 범위 %(low)s~%(high)s") % said


def _signed(number: int) -> str:
    return f"{number:,}".replace("-", "−")


def last_days(last: date) -> list[date]:
    """The days of a strip, oldest first."""
    return [last - back * ONE_DAY for back in range(STRIP_DAYS - 1, -1, -1)]


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day in the calendar: with a file, a gap between files, or outside what the archive covers."""

    day: date
    item: ManifestDay | None
    is_gap: bool
    mood: str

    @property
    def in_words(self) -> str:
        """In the language of the page, its visible number first: ``8일, 잔잔함 (11월)``."""
        said = {"day": self.day.day, "mood": mood_of(self.mood), "month": date_format(self.day, "F")}
        return gettext("%(day)s일, %(mood)s (%(month)s)") % said


@dataclass(frozen=True, slots=True)
class Month:
    year: int
    month: int
    weeks: list[list[CalendarDay | None]]

    @property
    def in_words(self) -> str:
        return month_in_words(self.year, self.month)


def months(items: Mapping[date, ManifestDay], moods: Mapping[date, str], count: int) -> list[Month]:
    """The newest ``count`` months that the archive touches, newest first; weeks begin on Sunday, as in Korea."""
    if not items:
        return []
    first, last = min(items), max(items)
    names = sorted({(last.year, last.month), *((day.year, day.month) for day in items)}, reverse=True)
    return [_month(year, month, items, moods, first, last) for year, month in names[:count]]


def _month(
    year: int,
    month: int,
    items: Mapping[date, ManifestDay],
    moods: Mapping[date, str],
    first: date,
    last: date,
) -> Month:
    weeks: list[list[CalendarDay | None]] = []
    for week in MonthCalendar(firstweekday=6).monthdatescalendar(year, month):
        weeks.append(
            [
                CalendarDay(
                    day, items.get(day), day not in items and first < day < last, moods.get(day, "unknown")
                )
                if day.month == month
                else None
                for day in week
            ]
        )
    return Month(year, month, weeks)
