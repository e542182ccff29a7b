"""How sure a pulse is: its size, its volume, a second venue, the press (design: pulses, rule 6). Pure."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from operator import attrgetter
from typing import Literal

from knowledge.pulses.bars import MAX_MISSING_BARS, Bar, window_ending_with
from knowledge.pulses.headlines import Headline
from knowledge.pulses.signals import TriggeringMove

Scope = Literal["global", "local", "unknown"]

SAME_MOVE = 0.6  # the second venue confirms a move when it went at least this share of the way
PRESS_WINDOW = timedelta(hours=2)
PRESS_FULL = 4  # outlets
THIN_VOLUME = 1.5  # below this many usual volumes a move is doubted
THIN_FACTOR = 0.7
COLLAPSE_FACTOR = 0.5  # after a collapse every tick is a large percentage


def scope_of(move: TriggeringMove, elsewhere: Sequence[Bar]) -> Scope:
    """Whether a second venue (its bars in time order) moved alike over the same window, by the same extremum.

    Percentages are compared, so its quote currency does not matter. Without bars for the window, or with an outage in
    them, it says nothing either way.
    """
    stop = bisect_right(elsewhere, move.bar.at, key=attrgetter("at"))
    bars = elsewhere[max(0, stop - move.horizon.bars - MAX_MISSING_BARS - 1) : stop]
    longest = (MAX_MISSING_BARS + 1) * move.rules.step
    if not bars or bars[-1].at != move.bar.at:
        return "unknown"
    if any(later.at - earlier.at > longest for earlier, later in pairwise(bars)):
        return "unknown"
    window = window_ending_with(bars, move.horizon, move.rules.step)
    if window is None:
        return "unknown"
    moved = window.prices()[move.extremum] / window.reference - 1
    return "global" if moved / move.move >= SAME_MOVE else "local"


def outlets_naming(headlines: Sequence[Headline], move: TriggeringMove) -> int:
    """Distinct outlets naming the asset from two hours before the bar opened to two hours after it closed."""
    first, last = move.bar.at - PRESS_WINDOW, move.closed_at + PRESS_WINDOW
    return len({headline.outlet for headline in headlines if first <= headline.at <= last})


def confidence(move: TriggeringMove, *, scope: Scope, outlets: int, collapsed: bool) -> float:
    """0 to 1 in two decimals. Independent evidence is joined as a noisy-or over a prior of .30.

    An unknown volume neither helps nor harms; a known and thin one costs three tenths.
    """
    ratio = move.volume_ratio
    size = _clamp((abs(move.z) - 5) / 7)
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
