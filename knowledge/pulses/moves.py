"""One bar against its past: what moved so far that it is news, and how sure that is (pulses, rules 2-4 and 6). Pure."""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from operator import attrgetter
from typing import Literal

from knowledge.pulses.bars import MAX_MISSING_BARS, Bar, BarHistory, BarRules, Direction, Extremum, Horizon
from knowledge.pulses.headlines import Headline

Scope = Literal["global", "local", "unknown"]

WICK_FACTOR = 2.5  # a price that did not last to the close counts only from this many floors
SAME_MOVE = 0.6  # the second venue confirms a move when it went at least this share of the way
PRESS_WINDOW = timedelta(hours=2)
PRESS_FULL = 4  # outlets
THIN_VOLUME = 1.5  # below this many usual volumes a move is doubted
THIN_FACTOR = 0.7
COLLAPSE_FACTOR = 0.5  # after a collapse every tick is a large percentage


def window_ending_with(bars: Sequence[Bar], horizon: Horizon, step: timedelta) -> Sequence[Bar]:
    """The bar whose close a look-back is measured against, and then the look-back's bars to the last of `bars` (time
    order, no hole over three bars). Empty where the bars do not reach back so far.

    Upbit leaves out bars without a trade, so that close is the last one known at that time.
    """
    target = bars[-1].at - horizon.bars * step
    start = bisect_right(bars, target, key=attrgetter("at"))
    return bars[start - 1 :] if start else ()


def prices(bars: Sequence[Bar]) -> dict[Extremum, float]:
    high, low = max(bar.high for bar in bars), min(bar.low for bar in bars)
    return {"close": bars[-1].close, "high": high, "low": low}


@dataclass(frozen=True, slots=True)
class TriggeringMove:
    """A triggering move of bars that `rules` are for: `move` is a signed fraction, `z` its size in typical moves,
    `score` what horizons compete by; `volume_ratio` is None where no volume is known."""

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
    rules, sigma, usual = history.rules, history.sigma, history.usual_volume
    if sigma is None:
        return
    for horizon in rules.horizons:
        window = window_ending_with(history.bars, horizon, rules.step)
        if not window:
            continue
        reference, bars = window[0].close, window[1:]
        volume = math.fsum(bar.volume for bar in bars)
        ratio = volume / horizon.bars / usual if usual and volume else None
        for extremum, price in prices(bars).items():
            move = price / reference - 1
            if (extremum == "high" and move <= 0) or (extremum == "low" and move >= 0):
                continue
            z = math.log(price / reference) / (sigma * math.sqrt(horizon.bars))
            needed = horizon.floor * (1 if extremum == "close" else WICK_FACTOR)
            if abs(z) >= rules.trigger_z and abs(move) >= needed:
                yield TriggeringMove(rules, history.bars[-1], horizon, extremum, price, move, z, ratio)


def scope_of(move: TriggeringMove, elsewhere: Sequence[Bar]) -> Scope:
    """Whether a second venue (its bars in time order) moved alike over the same window, by the same extremum.

    Percentages are compared, so its quote currency does not matter. Without bars for the window, or with an outage in
    them, it says nothing either way.
    """
    stop = bisect_right(elsewhere, move.bar.at, key=attrgetter("at"))
    bars = elsewhere[max(0, stop - move.horizon.bars - MAX_MISSING_BARS - 1) : stop]
    longest = (MAX_MISSING_BARS + 1) * move.rules.step
    whole = all(later.at - earlier.at <= longest for earlier, later in pairwise(bars))
    if not bars or bars[-1].at != move.bar.at or not whole:
        return "unknown"
    window = window_ending_with(bars, move.horizon, move.rules.step)
    if not window:
        return "unknown"
    moved = prices(window[1:])[move.extremum] / window[0].close - 1
    return "global" if moved / move.move >= SAME_MOVE else "local"


def confidence(
    move: TriggeringMove, *, scope: Scope, headlines: Sequence[Headline], collapsed: bool
) -> float:
    """0 to 1 in two decimals. Independent evidence is joined as a noisy-or over a prior of .30.

    An unknown volume neither helps nor harms; a known and thin one costs three tenths. Outlets of headlines count once
    each, from two hours before the bar opened to two hours after it closed.
    """
    first, last = move.bar.at - PRESS_WINDOW, move.closed_at + PRESS_WINDOW
    outlets = {headline.outlet for headline in headlines if first <= headline.at <= last}
    ratio = move.volume_ratio
    size = _clamp((abs(move.z) - 5) / 7)
    volume = _clamp(math.log2(ratio) / 3) if ratio else 0.0
    venue = 1.0 if scope == "global" else 0.0
    press = _clamp(len(outlets) / PRESS_FULL)
    doubt = 0.70 * (1 - 0.45 * size) * (1 - 0.35 * volume) * (1 - 0.30 * venue) * (1 - 0.25 * press)
    sure = 1 - doubt
    if ratio is not None and ratio < THIN_VOLUME:
        sure *= THIN_FACTOR
    if collapsed:
        sure *= COLLAPSE_FACTOR
    return round(sure, 2)


def _clamp(value: float) -> float:
    return min(max(value, 0.0), 1.0)
