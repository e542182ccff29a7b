"""Closed bars and the memory of them that the price rules need. Pure: no clock, no database, no network."""

import math
import statistics
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from operator import attrgetter
from typing import Literal

Direction = Literal["up", "down"]
Extremum = Literal["close", "high", "low"]

LEAST_PRICE, LARGEST_NUMBER = 1e-18, 1e24  # far beyond any market, and their ratios still are ordinary floats
MAX_MISSING_BARS = 3  # a longer hole is an outage: no move is measured across it
HIGH_LOOKBACK = timedelta(days=30)
VALUE_LOOKBACK = timedelta(hours=24)
STABLECOIN_FLOOR = 0.01  # a coin that promises a price: 1 % is a depeg; sigma's floor shrinks with it


@dataclass(frozen=True, slots=True)
class Bar:
    """One closed candle. `at` is its opening time (aware, kept in UTC); prices are in the market's quote currency,
    `volume` in the asset, `value` is the turnover in KRW where it is known.

    Raises ValueError for a naive time, a price that no market quotes, a high below the low, a negative amount.
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
    """A look-back of `bars` bars, the smallest close-to-close move that matters (a fraction) and its weight."""

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

    def for_stablecoin(self) -> "BarRules":
        return replace(
            self,
            sigma_floor=self.sigma_floor * (STABLECOIN_FLOOR / self.horizons[0].floor),
            horizons=tuple(replace(horizon, floor=STABLECOIN_FLOOR) for horizon in self.horizons),
        )


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
    """The bars sorted by time, one per opening time (the first given wins), without those still open at `now`."""
    closed = [bar for bar in bars if now is None or bar.at + interval.step <= now]
    return sorted({bar.at: bar for bar in reversed(closed)}.values(), key=attrgetter("at"))


class BarHistory:
    """What the rules remember of one market. Bars come in time order, each later than the one before.

    `sigma` and `usual_volume` describe the bars *before* the newest one, so a move is never part of its own
    measure. Both are None until there are enough bars.
    """

    def __init__(self, rules: BarRules) -> None:
        self.rules = rules
        self.bars: list[Bar] = []  # since the last outage, no more than the longest horizon looks back
        self.sigma: float | None = None
        self.usual_volume: float | None = None
        self._moves: deque[float] = deque(maxlen=rules.sigma_bars)
        self._volumes: deque[float] = deque(maxlen=rules.sigma_bars)
        self._month: deque[Bar] = deque()

    def append(self, bar: Bar) -> None:
        if len(self._volumes) >= self.rules.bars_needed and self._moves:
            self.sigma = max(1.4826 * statistics.median(self._moves), self.rules.sigma_floor)
            self.usual_volume = statistics.median(self._volumes)
        if self.bars:
            steps = (bar.at - self.bars[-1].at) / self.rules.step
            if steps > MAX_MISSING_BARS + 1:
                self.bars.clear()
            else:
                move = abs(math.log(bar.close / self.bars[-1].close))
                self._moves.append(move / math.sqrt(max(steps, 1.0)))
        self._volumes.append(bar.volume)
        self._month.append(bar)
        while self._month[0].at <= bar.at - HIGH_LOOKBACK:
            self._month.popleft()
        self.bars.append(bar)
        del self.bars[: -(max(horizon.bars for horizon in self.rules.horizons) + MAX_MISSING_BARS + 1)]

    def high_30d(self) -> float:
        return max(bar.high for bar in self._month)

    def value_24h(self) -> float | None:
        """KRW traded in the last 24 hours; None where a bar's value is unknown."""
        since = self._month[-1].at - VALUE_LOOKBACK
        values = [bar.value for bar in takewhile(lambda bar: bar.at > since, reversed(self._month))]
        return None if None in values else sum(value for value in values if value is not None)
