"""Every chart of the public pages: where its line or its bars, its marks and its labels stand.

``templates/feeds/chart.html`` draws it. Texts and marks are placed in per cent and have the size of the page's text
at any width; only the line and the bars are stretched to it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from knowledge.models import Cadence
from knowledge.queries.charts import POINTS_MIN, Point
from knowledge.queries.numbers import ShownNumber

WIDTH, HEIGHT = 1000, 300
TOP, SHARE = 14.0, 65.0  # per cent of the picture's height: where the values begin, and how much is theirs
ROWS_MAX = 200
HINTS_MAX = 32
# Points further apart than this share of the chart have a gap between them, where the cadence has none.
GAP_SHARE = 1 / 40
GAP_MIN = timedelta(days=2)
# Values that mostly stay as they were, such as a base rate, hold until they change.
STEPS_AT_MOST = 1 / 4
BAR_SHARE = 0.8  # of the room that a bar has
NEAR = WIDTH / 12  # within which the line before its last point may cross what is written there
SPARK_WIDTH, SPARK_HEIGHT, SPARK_MARGIN = 100, 24, 2
DAY_LENGTH = len("2026-11-22")


class ChartPoint(Protocol):
    """What can be drawn; a bar without a value is a gap."""

    @property
    def at(self) -> datetime: ...
    @property
    def value(self) -> Decimal | float | None: ...


class ChartWords(NamedTuple):
    """What a chart says: its ``title``, how a reading's value and time are written, and the words around them.

    ``key`` makes its ids unique on the page.
    """

    key: str
    title: str
    amount: Callable[[Any], str]
    dated: Callable[[Any], str]
    say: Mapping[str, str]


class Hint(NamedTuple):
    """A part of the picture that says, when it is pointed at, which value was when."""

    x: int
    width: int
    said: str


class ChartBar(NamedTuple):
    """``y`` is its upper end; ``kind`` is up, down (below zero) or gap (no value)."""

    x: int
    width: int
    y: int
    height: int
    kind: str
    said: str


class Last(NamedTuple):
    """The newest reading, marked in the picture at ``left`` and ``top``; ``below`` where its value stands under it."""

    left: str
    top: str
    value: str
    below: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """``high`` and ``low`` are the values at the ends of the axis, ``low`` empty where there is one value only.

    ``dates`` are the first, the middle and the last; ``rows`` dates and values, the newest first. ``zero`` is the
    height of zero in per cent, where it lies between the ends.
    """

    words: ChartWords
    high: str
    low: str
    last: Last
    dates: tuple[str, str, str]
    rows: Sequence[tuple[str, str]]
    zero: str = ""
    line: str = ""
    hints: Sequence[Hint] = ()
    bars: Sequence[ChartBar] = ()


def number_chart_of(number: ShownNumber, rows: int = ROWS_MAX) -> Chart | None:
    """The chart of a number's readings."""
    words = ChartWords(number.series.slug, number.label, number.amount, number.dated, number.say)
    return line_chart(number.readings, words, step=Cadence(number.series.cadence).step, rows=rows)


def line_chart(
    readings: Sequence[ChartPoint], words: ChartWords, *, step: timedelta, rows: int = ROWS_MAX
) -> Chart | None:
    """A line through readings that are ``step`` apart, oldest first, of which ``rows`` are in the table; None for fewer
    than three."""
    if len(readings) < POINTS_MIN:
        return None
    values = [_number(each) for each in readings]
    scale = Scale(min(values), max(values))
    places = list(zip(_xs(readings), map(scale.y, values), strict=True))
    x, y = places[-1]
    before = [other for at, other in places if x - NEAR <= at < x]
    return Chart(
        words,
        words.amount(readings[values.index(scale.high)]),
        words.amount(readings[values.index(scale.low)]) if scale.low < scale.high else "",
        Last(_left(x), _top(y), words.amount(readings[-1]), bool(before) and sum(before) / len(before) < y),
        _dates(readings, words),
        _rows(readings, words, rows),
        zero=_top(scale.y(0)) if scale.low < 0 < scale.high else "",
        line=_line(readings, places, max(GAP_MIN, step)),
        hints=list(_hints(readings, [x for x, _y in places], words)),
    )


def bar_chart(readings: Sequence[ChartPoint], words: ChartWords, *, rows: int = ROWS_MAX) -> Chart | None:
    """A bar from zero for each reading, oldest first, in places of one width; None for fewer than three that are not
    zero."""
    known = [each for each in readings if each.value is not None]
    if sum(each.value != 0 for each in known) < POINTS_MIN:
        return None
    values = [_number(each) for each in known]
    scale = Scale(min(0.0, *values), max(0.0, *values))
    room = WIDTH / len(readings)
    last = scale.y(values[-1])
    return Chart(
        words,
        words.amount(max(known, key=_number)) if scale.high else "0",
        words.amount(min(known, key=_number)) if scale.low else "0",
        Last("", _top(last), words.amount(known[-1]), values[-1] < 0),
        _dates(readings, words),
        _rows(known, words, rows),
        zero=_top(scale.y(0)) if scale.low < 0 < scale.high else "",
        bars=[
            _bar(each, round(place * room), round(room * BAR_SHARE), scale, words)
            for place, each in enumerate(readings)
        ],
    )


def spark_of(points: Sequence[Point]) -> str:
    """The points of a small line, as ``<polyline points>`` takes them; empty for fewer than three."""
    if len(points) < POINTS_MIN:
        return ""
    values = [point.value for point in points]
    scale = Scale(min(values), max(values))
    inner = SPARK_HEIGHT - 2 * SPARK_MARGIN
    return " ".join(
        f"{x * SPARK_WIDTH / WIDTH:.0f},{SPARK_MARGIN + inner * scale.y(value) / HEIGHT:.0f}"
        for x, value in zip(_xs(points), values, strict=True)
    )


class Scale(NamedTuple):
    """The values at the ends of the axis of a chart."""

    low: float
    high: float

    def y(self, value: float) -> int:
        """How far below the upper end a value stands; in the middle where there is one value only."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round((1 - share) * HEIGHT)


def _number(reading: ChartPoint) -> float:
    return 0.0 if reading.value is None else float(reading.value)


def _xs(readings: Sequence[ChartPoint]) -> list[int]:
    """Where each reading stands in time between the first and the last."""
    begin = readings[0].at
    span = (readings[-1].at - begin).total_seconds() or 1.0
    return [round((each.at - begin).total_seconds() / span * WIDTH) for each in readings]


def _left(x: int) -> str:
    return f"{100 * x / WIDTH:.1f}%"


def _top(y: int) -> str:
    return f"{TOP + SHARE * y / HEIGHT:.1f}%"


def _dates(readings: Sequence[ChartPoint], words: ChartWords) -> tuple[str, str, str]:
    """Days where the chart is of days, and minutes where it is shorter. The middle one is of the reading nearest to the
    middle of the time."""
    begin, end = readings[0].at, readings[-1].at
    middle = begin + (end - begin) / 2
    nearest = min(readings, key=lambda each: abs(each.at - middle))
    length = DAY_LENGTH if end - begin > GAP_MIN else None
    first, half, last = (words.dated(each)[:length] for each in (readings[0], nearest, readings[-1]))
    # A label stands in the middle, so its reading has to be there too.
    return first, half if abs(nearest.at - middle) * 20 <= end - begin else "", last


def _rows(readings: Sequence[ChartPoint], words: ChartWords, rows: int) -> list[tuple[str, str]]:
    return [(words.dated(each), words.amount(each)) for each in readings[::-1][:rows]]


def _hints(readings: Sequence[ChartPoint], xs: Sequence[int], words: ChartWords) -> Iterator[Hint]:
    """Parts of the width around some readings, evenly chosen with the last among them, each as far as halfway to the
    next."""
    every = -(-len(readings) // HINTS_MAX)
    chosen = range((len(readings) - 1) % every, len(readings), every)
    edges = [0, *((xs[one] + xs[other]) // 2 for one, other in pairwise(chosen)), WIDTH]
    for place, (left, right) in zip(chosen, pairwise(edges), strict=True):
        yield Hint(left, right - left, _said(readings[place], words))


def _said(reading: ChartPoint, words: ChartWords) -> str:
    return f"{words.dated(reading)} {words.amount(reading)}"


def _bar(reading: ChartPoint, x: int, width: int, scale: Scale, words: ChartWords) -> ChartBar:
    zero = scale.y(0)
    if reading.value is None:
        return ChartBar(x, width, zero - 1, 2, "gap", words.dated(reading))
    at = scale.y(_number(reading))
    kind = "down" if reading.value < 0 else "up"
    return ChartBar(x, width, min(zero, at), max(abs(zero - at), 1), kind, _said(reading, words))


def _line(readings: Sequence[ChartPoint], places: Sequence[tuple[int, int]], gap: timedelta) -> str:
    """The path: straight from point to point, in steps where values hold, broken where there are none."""
    gap = max(gap, (readings[-1].at - readings[0].at) * GAP_SHARE)
    changes = sum(one.value != other.value for one, other in pairwise(readings))
    in_steps = changes <= len(readings) * STEPS_AT_MOST
    x, y = places[0]
    parts = [f"M{x},{y}h0"]
    for (before, then), (former, at) in zip(pairwise(readings), pairwise(places), strict=True):
        right, down = at[0] - former[0], at[1] - former[1]
        if then.at - before.at > gap:
            parts.append(f"M{at[0]},{at[1]}h0")
        elif in_steps:
            parts.append(f"h{right}v{down}" if down else f"h{right}")
        elif right or down:
            parts.append(f"l{right},{down}")
    return "".join(parts)
