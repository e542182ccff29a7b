"""Closed bars and the memory of them that the price rules need. Pure: no clock, no database, no network."""

from __future__ import annotations

import math
import statistics
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from operator import attrgetter

LEAST_PRICE, LARGEST_NUMBER = 1e-18, 1e24  # far beyond any market, and their ratios still are ordinary floats
MAX_MISSING_BARS = 3  # a longer hole is an outage: no move is measured across it
HIGH_LOOKBACK = timedelta(days=30)
VALUE_LOOKBACK = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Bar:
    """One closed candle. `at` is its opening time (aware, kept in UTC); prices are in the market's quote
    currency, `volume` in the asset, `value` is the turnover in KRW where it is known.

    Raises ValueError for a naive time, a price that no market quotes, a high below the low, a
    negative amount.
    """

    at: datetime
    open: float
    high: float
    low: float
    close: float
    volume: float = 0.0
    value: float | None = None

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise ValueError("a bar's time must carry its zone")
        object.__setattr__(self, "at", self.at.astimezone(UTC))
        prices = (self.open, self.high, self.low, self.close)
        if not all(LEAST_PRICE <= price <= LARGEST_NUMBER for price in prices):
            raise ValueError("prices must be above zero and no larger than a market quotes")
        if self.high < self.low:
            raise ValueError("the high is below the low")
        amounts = (self.volume,) if self.value is None else (self.volume, self.value)
        if not all(0 <= amount <= LARGEST_NUMBER for amount in amounts):
            raise ValueError("volume and value must be neither negative nor larger than a market trades")


@dataclass(frozen=True, slots=True)
class Horizon:
    """A look-back of `bars` bars, the smallest close-to-close move that matters (a fraction) and its
    weight."""

    bars: int
    floor: float
    weight: float


@dataclass(frozen=True, slots=True)
class BarRules:
    """A bar length with the numbers of the rules for it (design: pulses, rules 1 to 4)."""

    name: str
    step: timedelta
    sigma_bars: int
    sigma_floor: float
    bars_needed: int
    trigger_z: float
    horizons: tuple[Horizon, ...]

    def hours(self, horizon: Horizon) -> int:
        return round(horizon.bars * self.step / timedelta(hours=1))


HOUR = BarRules(
    name="1h",
    step=timedelta(hours=1),
    sigma_bars=336,
    sigma_floor=0.0035,
    bars_needed=48,
    trigger_z=5.0,
    horizons=(Horizon(1, 0.04, 1.0), Horizon(4, 0.06, 0.9), Horizon(24, 0.10, 0.8)),
)
DAY = BarRules(
    name="1d",
    step=timedelta(days=1),
    sigma_bars=90,
    sigma_floor=0.012,
    bars_needed=30,  # a third of the window: below that a median of daily moves is noise
    trigger_z=3.5,
    horizons=(Horizon(1, 0.08, 1.0), Horizon(3, 0.14, 0.9)),
)
INTERVALS = {interval.name: interval for interval in (HOUR, DAY)}


def closed_in_order(bars: Iterable[Bar], interval: BarRules, now: datetime | None = None) -> list[Bar]:
    """The bars sorted by time, one per opening time (the first given wins), without those still open at
    `now`."""
    first_of_each: dict[datetime, Bar] = {}
    for bar in bars:
        first_of_each.setdefault(bar.at, bar)
    ordered = sorted(first_of_each.values(), key=attrgetter("at"))
    return ordered if now is None else [bar for bar in ordered if bar.at + interval.step <= now]


def infer_interval(bars: Sequence[Bar]) -> BarRules:
    """The interval whose step is the commonest spacing. Raises ValueError when that is neither an hour nor
    a day."""
    times = sorted({bar.at for bar in bars})
    if len(times) < 2:
        raise ValueError("at least two bars are needed to see their spacing")
    spacing = statistics.mode(later - earlier for earlier, later in pairwise(times))
    for interval in INTERVALS.values():
        if interval.step == spacing:
            return interval
    raise ValueError(f"bars are {spacing} apart; only hour and day bars are understood")


@dataclass(frozen=True, slots=True)
class Window:
    """The bars of one look-back and the close it is measured against."""

    reference: float
    bars: Sequence[Bar]


def window_ending_with(bars: Sequence[Bar], count: int, step: timedelta) -> Window | None:
    """The window of `count` steps that ends with the last of `bars` (time order, no hole over three bars).

    Upbit leaves out bars without a trade, so the close `count` steps ago is the last one known at that time.
    None where the bars do not reach back so far.
    """
    target = bars[-1].at - count * step
    start = bisect_right(bars, target, key=attrgetter("at"))
    return Window(bars[start - 1].close, bars[start:]) if start else None


class BarHistory:
    """What the rules remember of one market. Bars come in time order, each later than the one before.

    `sigma` and `usual_volume` describe the bars *before* the newest one, so a move is never part of its own
    measure. Both are None until there are enough bars.
    """

    def __init__(self, interval: BarRules) -> None:
        self.interval = interval
        self.bars: list[Bar] = []  # since the last outage, no more than the longest horizon looks back
        self.sigma: float | None = None
        self.usual_volume: float | None = None
        self._moves: deque[float] = deque(maxlen=interval.sigma_bars)
        self._volumes: deque[float] = deque(maxlen=interval.sigma_bars)
        self._highs: deque[tuple[datetime, float]] = deque()
        self._values: deque[tuple[datetime, float | None]] = deque()

    def append(self, bar: Bar) -> None:
        self._measure()
        if self.bars:
            self._remember_move(self.bars[-1], bar)
        self._volumes.append(bar.volume)
        self._remember_high(bar)
        self._values.append((bar.at, bar.value))
        while self._values[0][0] <= bar.at - VALUE_LOOKBACK:
            self._values.popleft()
        self.bars.append(bar)
        del self.bars[: -(max(horizon.bars for horizon in self.interval.horizons) + MAX_MISSING_BARS + 1)]

    def window(self, horizon: Horizon) -> Window | None:
        return window_ending_with(self.bars, horizon.bars, self.interval.step)

    def high_30d(self) -> float:
        """The highest price of the last 30 days."""
        return self._highs[0][1]

    def value_24h(self) -> float | None:
        """KRW traded in the last 24 hours; None where a bar's value is unknown."""
        values = [value for _, value in self._values]
        return None if None in values else sum(value for value in values if value is not None)

    def _measure(self) -> None:
        if len(self._volumes) < self.interval.bars_needed or not self._moves:
            return
        self.sigma = 1.4826 * statistics.median(self._moves)
        self.usual_volume = statistics.median(self._volumes)

    def _remember_move(self, previous: Bar, bar: Bar) -> None:
        steps = (bar.at - previous.at) / self.interval.step
        if steps > MAX_MISSING_BARS + 1:
            self.bars.clear()
        else:
            self._moves.append(abs(math.log(bar.close / previous.close)) / math.sqrt(max(steps, 1.0)))

    def _remember_high(self, bar: Bar) -> None:
        while self._highs and self._highs[-1][1] <= bar.high:
            self._highs.pop()  # a later and higher bar outlives it: the front stays the maximum
        self._highs.append((bar.at, bar.high))
        while self._highs[0][0] <= bar.at - HIGH_LOOKBACK:
            self._highs.popleft()
