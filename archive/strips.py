"""Sixty days at a glance: small SVG bar strips and the calendar's months. Pure."""

from calendar import Calendar as MonthCalendar
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape

from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from archive.days import ONE_DAY
from archive.page_words import month_in_words, mood_of
from archive.published import ManifestDay

STRIP_DAYS = 60
BAR, STEP, STRIP_HEIGHT = 8, 10, 64


@dataclass(frozen=True, slots=True)
class Strip:
    """One measure over the last days; a day without a file, or without the number, is a gap."""

    name: str
    label: str
    values: Sequence[tuple[date, int | None]]  # oldest first

    @property
    def known(self) -> list[tuple[date, int]]:
        return [(day, value) for day, value in self.values if value is not None]

    @property
    def latest(self) -> int | None:
        return self.known[-1][1] if self.known else None

    @property
    def low(self) -> int:
        return min([0, *(value for _day, value in self.known)])

    @property
    def high(self) -> int:
        """At least ten above the lowest, so that a calm fortnight does not look like a mountain range."""
        return max([self.low + 10, *(value for _day, value in self.known)])

    def svg(self) -> str:
        """Bars from the zero line; a gap is an empty place with a tick."""
        width = len(self.values) * STEP
        return (
            f'<svg class="strip {self.name}" viewBox="0 0 {width} {STRIP_HEIGHT}" role="img" '
            f'preserveAspectRatio="none" aria-labelledby="strip-{self.name}" xmlns="http://www.w3.org/2000/svg">'
            f'<title id="strip-{self.name}">{escape(self._title())}</title>'
            f'<path class="zero" d="M0 {self._y(0)}h{width}"/>{"".join(self._bars())}</svg>'
        )

    @property
    def picture(self) -> str:
        return mark_safe(self.svg())  # noqa: S308  it escapes what it is given

    def _title(self) -> str:
        if not self.known:
            return f"{self.label}: {gettext('값이 없음')}"
        values = [value for _day, value in self.known]
        said = gettext("최근 %(days)d일, 가장 낮은 값 %(low)d, 가장 높은 값 %(high)d")
        return f"{self.label}: {said % {'days': len(self.values), 'low': min(values), 'high': max(values)}}"

    def _y(self, value: float) -> int:
        share = (value - self.low) / (self.high - self.low)
        return round((1 - share) * (STRIP_HEIGHT - 4)) + 2

    def _bars(self) -> Iterator[str]:
        for at, (_day, value) in enumerate(self.values):
            x = at * STEP + (STEP - BAR) // 2
            if value is None:
                yield f'<path class="gap" d="M{x} {self._y(0)}h{BAR}"/>'
                continue
            top, bottom = sorted((self._y(value), self._y(0)))
            sign = "down" if value < 0 else "up"
            yield f'<rect class="{sign}" x="{x}" y="{top}" width="{BAR}" height="{max(bottom - top, 1)}"/>'


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
    def mood_in_words(self) -> str:
        return mood_of(self.mood)


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
