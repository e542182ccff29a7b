"""How sure a pulse is: its size, its volume, a second venue, the press (design: pulses, rule 6). Pure."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from operator import attrgetter
from typing import Literal

from knowledge.pulses.bars import MAX_MISSING_BARS, Bar, BarRules, closed_in_order, window_ending_with
from knowledge.pulses.signals import TriggeringMove

Scope = Literal["global", "local", "unknown"]

SAME_MOVE = 0.6  # the second venue confirms a move when it went at least this share of the way
PRESS_WINDOW = timedelta(hours=2)
PRESS_FULL = 4  # outlets
THIN_VOLUME = 1.5  # below this many usual volumes a move is doubted
THIN_FACTOR = 0.7
COLLAPSE_FACTOR = 0.5  # after a collapse every tick is a large percentage


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """A document that names the asset: when it was published (aware) and by whom."""

    at: datetime
    outlet: str
    url: str = ""


class SecondVenue:
    """The same asset's bars elsewhere. Percentages are compared, so its quote currency does not matter."""

    def __init__(self, bars: Iterable[Bar], interval: BarRules) -> None:
        self.interval = interval
        self._bars = closed_in_order(bars, interval)

    def move(self, signal: TriggeringMove) -> float | None:
        """The venue's own move over the signal's window and extremum; None where its bars do not cover it."""
        stop = bisect_right(self._bars, signal.bar.at, key=attrgetter("at"))
        reach = signal.horizon.bars + MAX_MISSING_BARS + 1
        bars = self._bars[max(0, stop - reach) : stop]
        if not bars or bars[-1].at != signal.bar.at or self._has_outage(bars):
            return None
        window = window_ending_with(bars, signal.horizon.bars, self.interval.step)
        return None if window is None else _extreme(signal, window.bars) / window.reference - 1

    def _has_outage(self, bars: Sequence[Bar]) -> bool:
        longest = (MAX_MISSING_BARS + 1) * self.interval.step
        return any(later.at - earlier.at > longest for earlier, later in pairwise(bars))


def _extreme(signal: TriggeringMove, bars: Sequence[Bar]) -> float:
    if signal.extremum == "high":
        return max(bar.high for bar in bars)
    return min(bar.low for bar in bars) if signal.extremum == "low" else bars[-1].close


def scope_of(signal: TriggeringMove, venue: SecondVenue | None) -> Scope:
    """Whether a second venue moved alike; a venue without bars for the window says nothing either way."""
    elsewhere = None if venue is None else venue.move(signal)
    if elsewhere is None:
        return "unknown"
    return "global" if elsewhere / signal.move >= SAME_MOVE else "local"


def outlets_naming(documents: Sequence[NamedDocument], signal: TriggeringMove, interval: BarRules) -> int:
    """Distinct outlets naming the asset from two hours before the bar opened to two hours after it closed."""
    first = signal.bar.at - PRESS_WINDOW
    last = signal.bar.at + interval.step + PRESS_WINDOW
    return len({document.outlet for document in documents if first <= document.at <= last})


def confidence(signal: TriggeringMove, *, scope: Scope, outlets: int, collapsed: bool = False) -> float:
    """0 to 1 in two decimals. Independent evidence is joined as a noisy-or over a prior of .30.

    An unknown volume neither helps nor harms; a known and thin one costs three tenths.
    """
    ratio = signal.volume_ratio
    size = _clamp((abs(signal.z) - 5) / 7)
    volume = _clamp(math.log2(ratio) / 3) if ratio else 0.0
    venue = 1.0 if scope == "global" else 0.0
    press = _clamp(outlets / PRESS_FULL)
    doubt = 0.70 * (1 - 0.45 * size) * (1 - 0.35 * volume) * (1 - 0.30 * venue) * (1 - 0.25 * press)
    sure = 1 - doubt
    if ratio is not None and ratio < THIN_VOLUME:
        sure *= THIN_FACTOR
    if collapsed:
        sure *= COLLAPSE_FACTOR
    return round(sure, 2)


def _clamp(value: float) -> float:
    return min(max(value, 0.0), 1.0)
