"""One bar against its past: which horizon moved so far that it is news (design: pulses, rules 2 to 4)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from knowledge.pulses.bars import (
    Bar,
    BarHistory,
    BarRules,
    Direction,
    Extremum,
    Horizon,
    Window,
    window_ending_with,
)

WICK_FACTOR = 2.5  # a price that did not last to the close counts only from this many floors


@dataclass(frozen=True, slots=True)
class TriggeringMove:
    """A triggering move of bars that `rules` are for: `move` is a signed fraction, `z` its size in typical moves,
    `score` what horizons compete by."""

    rules: BarRules
    bar: Bar
    horizon: Horizon
    extremum: Extremum
    price: float
    move: float
    z: float
    volume_ratio: float | None

    @property
    def direction(self) -> Direction:
        return "up" if self.move > 0 else "down"

    @property
    def closed_at(self) -> datetime:
        return self.bar.at + self.rules.step

    @property
    def measured_from(self) -> datetime:
        return self.closed_at - self.horizon.bars * self.rules.step

    @property
    def score(self) -> tuple[float, bool]:
        return abs(self.z) * self.horizon.weight, self.extremum == "close"


def triggering_moves(history: BarHistory) -> Iterator[TriggeringMove]:
    """Every move that ends with the newest bar and is large enough, in any direction and over any horizon."""
    rules, sigma = history.rules, history.sigma
    if sigma is None:
        return
    for horizon in rules.horizons:
        window = window_ending_with(history.bars, horizon, rules.step)
        if window is None:
            continue
        ratio = _volume_ratio(window, horizon, history.usual_volume)
        for extremum, price in window.prices().items():
            move = price / window.reference - 1
            if (extremum == "high" and move <= 0) or (extremum == "low" and move >= 0):
                continue
            z = math.log(price / window.reference) / (sigma * math.sqrt(horizon.bars))
            needed = horizon.floor * (1 if extremum == "close" else WICK_FACTOR)
            if abs(z) >= rules.trigger_z and abs(move) >= needed:
                yield TriggeringMove(rules, history.bars[-1], horizon, extremum, price, move, z, ratio)


def _volume_ratio(window: Window, horizon: Horizon, usual: float | None) -> float | None:
    """Volume per bar of the window against the usual bar; None where no volume is known."""
    total = math.fsum(bar.volume for bar in window.bars)
    return total / horizon.bars / usual if usual and total else None
