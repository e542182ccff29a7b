"""The chart of a number: where its line and its labels stand. ``templates/knowledge/number_chart.html`` draws it.

The line is stretched to the reader's width; texts and marks are placed in per cent, so that they keep their size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import NamedTuple

from knowledge.models import Cadence
from knowledge.queries.charts import Point, SeriesPoint
from knowledge.queries.numbers import ShownNumber

WIDTH, HEIGHT = 1000, 300
TOP, SHARE = 14.0, 60.0  # per cent of the picture's height: where the line begins, and how much is its own
POINTS_MIN = 2
ROWS_MAX = 200
# Points further apart than this share of the chart have a gap between them, where the cadence has none.
GAP_SHARE = 1 / 40
GAP_MIN = timedelta(days=2)
# Values that mostly stay as they were, such as a base rate, hold until they change.
STEPS_AT_MOST = 1 / 4
EDGE = 35.0  # per cent of the width within which a label begins or ends at its point
SPARK_WIDTH, SPARK_HEIGHT, SPARK_MARGIN = 100, 24, 2


class Mark(NamedTuple):
    """A reading with where it is drawn (``x`` and ``y`` in units of the chart), its value and its date in words."""

    x: int
    y: int
    value: str
    date: str

    @property
    def left(self) -> str:
        return f"{100 * self.x / WIDTH:.1f}%"

    @property
    def top(self) -> str:
        return f"{TOP + SHARE * self.y / HEIGHT:.1f}%"

    @property
    def anchor(self) -> str:
        share = 100 * self.x / WIDTH
        return "start" if share < EDGE else "end" if share > 100 - EDGE else "middle"


@dataclass(frozen=True, slots=True)
class Chart:
    """``lowest`` is None where all values are the same, ``middle`` where no point is about there.

    ``rows`` are dates and values, the newest first.
    """

    line: str
    first: Mark
    middle: Mark | None
    last: Mark
    highest: Mark
    lowest: Mark | None
    rows: Sequence[tuple[str, str]]


def chart_of(number: ShownNumber, rows: int = ROWS_MAX) -> Chart | None:
    """The chart of a number's readings; None for fewer than two."""
    if len(number.readings) < POINTS_MIN:
        return None
    places = _places(number)
    highest, lowest = min(places, key=lambda at: at.y), max(places, key=lambda at: at.y)
    middle = min(places, key=lambda at: abs(2 * at.x - WIDTH))
    return Chart(
        _line(number, places),
        places[0],
        middle if EDGE < 100 * middle.x / WIDTH < 100 - EDGE else None,
        places[-1],
        highest,
        lowest if lowest.y != highest.y else None,
        [(number.dated(each), number.amount(each)) for each in number.readings[::-1][:rows]],
    )


def spark_of(points: Sequence[Point]) -> str:
    """The points of a small line, as ``<polyline points>`` takes them; empty for fewer than two."""
    if len(points) < POINTS_MIN:
        return ""
    xs, ys = _shares(points)
    inner = SPARK_HEIGHT - 2 * SPARK_MARGIN
    return " ".join(
        f"{x * SPARK_WIDTH:.0f},{SPARK_MARGIN + inner * (1 - y):.0f}" for x, y in zip(xs, ys, strict=True)
    )


def _shares(points: Sequence[Point] | Sequence[SeriesPoint]) -> tuple[list[float], list[float]]:
    """Where each point stands between the first and the last, and between the lowest and the highest."""
    begin, values = points[0].at, [float(point.value) for point in points]
    span = (points[-1].at - begin).total_seconds() or 1.0
    low, spread = min(values), max(values) - min(values)
    xs = [(point.at - begin).total_seconds() / span for point in points]
    return xs, [(value - low) / spread if spread else 0.5 for value in values]


def _places(number: ShownNumber) -> list[Mark]:
    readings = number.readings
    long = readings[-1].at - readings[0].at > GAP_MIN
    xs, ys = _shares(readings)
    return [
        Mark(
            round(x * WIDTH),
            round((1 - y) * HEIGHT),
            number.amount(each),
            number.dated(each)[: len("2026-11-22")] if long else number.dated(each),
        )
        for each, x, y in zip(readings, xs, ys, strict=True)
    ]


def _line(number: ShownNumber, places: Sequence[Mark]) -> str:
    """The path: straight from point to point, in steps where values hold, broken where there are none."""
    readings = number.readings
    span = readings[-1].at - readings[0].at
    gap = max(GAP_MIN, Cadence(number.series.cadence).step, span * GAP_SHARE)
    changes = sum(one.value != other.value for one, other in pairwise(readings))
    in_steps = changes <= len(readings) * STEPS_AT_MOST
    parts = [f"M{places[0].x},{places[0].y}h0"]
    for (former, at), (before, then) in zip(pairwise(places), pairwise(readings), strict=True):
        if then.at - before.at > gap:
            parts.append(f"M{at.x},{at.y}h0")
        elif in_steps:
            parts.append(f"H{at.x}" if at.y == former.y else f"H{at.x}V{at.y}")
        else:
            parts.append(f"L{at.x},{at.y}")
    return "".join(parts)
