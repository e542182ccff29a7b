"""One bar against its past: which horizon moved so far that it is news (design: pulses, rules 2 to 4)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from knowledge.pulses.bars import Bar, BarHistory, BarRules, Horizon, Window

Direction = Literal["up", "down"]
Extremum = Literal["close", "high", "low"]

GROWTH_TO_EXTEND = 1.5  # a move is told again once it is half as large again
WICK_FACTOR = 2.5  # a price that did not last to the close counts only from this many floors
STABLECOIN_FLOOR = 0.01  # a coin that promises a price: 1 % is a depeg; sigma's floor shrinks with it


@dataclass(frozen=True, slots=True)
class TriggeringMove:
    """A triggering move: `move` is a signed fraction, `z` its size in typical moves, `score` what horizons
    compete by."""

    direction: Direction
    bar: Bar
    horizon: Horizon
    extremum: Extremum
    price: float
    move: float
    z: float
    volume_ratio: float | None

    @property
    def score(self) -> tuple[float, bool]:
        return abs(self.z) * self.horizon.weight, self.extremum == "close"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What counts as large here: the interval's numbers, tightened for a stablecoin."""

    interval: BarRules
    stablecoin: bool = False

    def floor(self, horizon: Horizon) -> float:
        return STABLECOIN_FLOOR if self.stablecoin else horizon.floor

    def sigma(self, measured: float) -> float:
        least = self.interval.sigma_floor
        if self.stablecoin:
            least *= STABLECOIN_FLOOR / self.interval.horizons[0].floor
        return max(measured, least)


@dataclass(frozen=True, slots=True)
class Told:
    """What an ended pulse has said already: a move of `size` (a positive fraction) that was over at
    `until`."""

    until: datetime
    size: float


def signals(
    history: BarHistory, thresholds: Thresholds, told: Mapping[Direction, Told]
) -> dict[Direction, TriggeringMove]:
    """The strongest triggering move of the newest bar in each direction.

    The two directions are weighed apart, because a crash that is still inside the 24 h window would else
    hide its own rebound. Three days reach back over a pulse that ended after one, so a window that does
    must have grown as much as an extension would: the same move is not news twice.
    """
    found: dict[Direction, TriggeringMove] = {}
    if history.sigma is None:
        return found
    sigma = thresholds.sigma(history.sigma)
    for horizon in history.interval.horizons:
        window = history.window(horizon)
        if window is None:
            continue
        for signal in _triggered(history, window, horizon, thresholds, sigma):
            best = found.get(signal.direction)
            stale = _is_told(signal, history.interval, told.get(signal.direction))
            if not stale and (best is None or signal.score > best.score):
                found[signal.direction] = signal
    return found


def _triggered(
    history: BarHistory, window: Window, horizon: Horizon, thresholds: Thresholds, sigma: float
) -> Iterator[TriggeringMove]:
    ratio = volume_ratio(window.bars, horizon, history.usual_volume)
    for extremum, price in _prices(window):
        move = price / window.reference - 1
        z = math.log(price / window.reference) / (sigma * math.sqrt(horizon.bars))
        needed = thresholds.floor(horizon) * (1 if extremum == "close" else WICK_FACTOR)
        if abs(z) >= thresholds.interval.trigger_z and abs(move) >= needed:
            direction: Direction = "up" if move > 0 else "down"
            yield TriggeringMove(direction, history.bars[-1], horizon, extremum, price, move, z, ratio)


def _prices(window: Window) -> Iterator[tuple[Extremum, float]]:
    yield "close", window.bars[-1].close
    high, low = max(bar.high for bar in window.bars), min(bar.low for bar in window.bars)
    if high > window.reference:
        yield "high", high
    if low < window.reference:
        yield "low", low


def _is_told(signal: TriggeringMove, interval: BarRules, told: Told | None) -> bool:
    if told is None:
        return False
    measured_from = signal.bar.at + interval.step - signal.horizon.bars * interval.step
    return measured_from < told.until and abs(signal.move) < GROWTH_TO_EXTEND * told.size


def volume_ratio(bars: Sequence[Bar], horizon: Horizon, usual: float | None) -> float | None:
    """Volume per bar of the window against the usual bar; None where no volume is known."""
    total = math.fsum(bar.volume for bar in bars)
    return total / horizon.bars / usual if usual and total else None
