"""Kimchi premiums → premium pulses: a premium far from what it was in the last 30 days. Pure.

1. Every value is held against the median of those of the 30 days before it, once there are values of 10 days.
2. A pulse opens when it is off by 2 percentage points or more, and by 5 times the usual spread (1.4826 times the median
   distance from the median).
3. While it is open, half as much again extends it, and less is absorbed.
4. It closes when the premium is back within half of what opens a pulse, 24 hours after its last extension, or 72 hours
   after it opened. The same direction opens again only after it was back, or half as far off again.
5. Confidence is .30 joined with .45 for the size (full at twice what opens a pulse) and .30 for the days known of 30.
Price pulses are none of this module's: neither kind extends, absorbs or hides the other.
"""

import hashlib
import statistics
from bisect import bisect_left, insort
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from operator import attrgetter
from typing import NamedTuple

from knowledge.pulses.bars import Direction
from knowledge.pulses.detector import LONGEST_LIFE, QUIET_AFTER, has_grown

WINDOW = timedelta(days=30)
DAYS_NEEDED = 10
LEAST_DISTANCE = 2.0  # percentage points
SPREADS = 5 * 1.4826  # of a normal spread, in median distances
BACK_WITHIN = 0.5  # of what opens a pulse


class PremiumPoint(NamedTuple):
    """A premium in per cent at a moment (aware)."""

    at: datetime
    percent: float


@dataclass(frozen=True, slots=True)
class PremiumPulse:
    """A premium far from its median. ``distance`` is signed, in percentage points, and told, like ``percent``,
    ``median`` and ``confidence``, as of the last extension (``extended_at``); ``ended_at`` is None while it is open.
    """

    id: str
    direction: Direction
    distance: float
    percent: float
    median: float
    confidence: float
    detected_at: datetime
    extended_at: datetime
    ended_at: datetime | None = None

    @property
    def ends_by(self) -> datetime:
        """When it ends unless it is extended before, or the premium comes back."""
        return min(self.extended_at + QUIET_AFTER, self.detected_at + LONGEST_LIFE)


def detect_premium_pulses(points: Iterable[PremiumPoint], *, asset: str) -> list[PremiumPulse]:
    """All pulses of an asset's premiums (in any order), oldest first."""
    usual = _Usual()
    sides = (_Side(asset, "up"), _Side(asset, "down"))
    for point in sorted(points):
        for side in sides:
            side.close_in_time(point.at)
        if usual.is_known_before(point.at):
            measured = usual.measure(point)
            for side in sides:
                side.take(measured)
        usual.add(point)
    return sorted((pulse for side in sides for pulse in side.pulses), key=attrgetter("detected_at"))


class _Measured(NamedTuple):
    """A point with its distance from the median, and how much of that opens a pulse."""

    point: PremiumPoint
    distance: float
    needed: float
    median: float
    days: int


class _Usual:
    """The premiums of the last 30 days, in the order of time and of size."""

    def __init__(self) -> None:
        self._points: deque[PremiumPoint] = deque()
        self._in_order: list[float] = []
        self._days: Counter[date] = Counter()

    def add(self, point: PremiumPoint) -> None:
        self._points.append(point)
        insort(self._in_order, point.percent)
        self._days[point.at.astimezone(UTC).date()] += 1

    def is_known_before(self, at: datetime) -> bool:
        while self._points and self._points[0].at <= at - WINDOW:
            old = self._points.popleft()
            del self._in_order[bisect_left(self._in_order, old.percent)]
            day = old.at.astimezone(UTC).date()
            self._days[day] -= 1
            if not self._days[day]:
                del self._days[day]
        return len(self._days) >= DAYS_NEEDED

    def measure(self, point: PremiumPoint) -> _Measured:
        median, needed = statistics.median(self._in_order), LEAST_DISTANCE
        distance = point.percent - median
        if abs(distance) >= LEAST_DISTANCE * BACK_WITHIN:  # nearer ones are back whatever the spread
            spread = statistics.median(abs(percent - median) for percent in self._in_order)
            needed = max(LEAST_DISTANCE, SPREADS * spread)
        return _Measured(point, distance, needed, median, len(self._days))


class _Side:
    """The pulses of one direction."""

    def __init__(self, asset: str, direction: Direction) -> None:
        self.asset, self.direction = asset, direction
        self.pulses: list[PremiumPulse] = []
        self._was_back = True

    def close_in_time(self, at: datetime) -> None:
        latest = self._open()
        if latest and latest.ends_by <= at:
            self.pulses[-1] = replace(latest, ended_at=latest.ends_by)

    def take(self, measured: _Measured) -> None:
        latest, size = self._open(), measured.distance if self.direction == "up" else -measured.distance
        if size >= measured.needed:
            grown = bool(self.pulses) and has_grown(measured.distance, self.pulses[-1].distance)
            if latest and grown:
                told = self._described(measured)
                self.pulses[-1] = replace(told, id=latest.id, detected_at=latest.detected_at)
            elif latest is None and (self._was_back or grown):
                self.pulses.append(self._described(measured))
                self._was_back = False
        elif size < BACK_WITHIN * measured.needed:
            self._was_back = True
            if latest:
                self.pulses[-1] = replace(latest, ended_at=measured.point.at)

    def _open(self) -> PremiumPulse | None:
        return self.pulses[-1] if self.pulses and self.pulses[-1].ended_at is None else None

    def _described(self, measured: _Measured) -> PremiumPulse:
        at = measured.point.at
        # No price pulse has this name, and the same values give it again.
        name = f"premium|{self.asset}|{self.direction}|{at.astimezone(UTC).isoformat()}"
        return PremiumPulse(
            id=hashlib.sha256(name.encode()).hexdigest()[:16],
            direction=self.direction,
            distance=measured.distance,
            percent=measured.point.percent,
            median=measured.median,
            confidence=_confidence(measured),
            detected_at=at,
            extended_at=at,
        )


def _confidence(measured: _Measured) -> float:
    size = min(max(abs(measured.distance) / measured.needed - 1, 0.0), 1.0)
    known = min(measured.days / WINDOW.days, 1.0)
    return round(1 - 0.70 * (1 - 0.45 * size) * (1 - 0.30 * known), 2)
