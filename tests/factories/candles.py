"""Made-up candles: a calm market to which a test adds its moves."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from knowledge.pulses.bars import HOUR, Bar, BarRules

MONDAY = datetime(2031, 3, 3, tzinfo=UTC)
CALM_HOURS = 60  # more than the 48 that the rules ask for


def bars_of(
    closes: Iterable[float], *, start: datetime = MONDAY, interval: BarRules = HOUR, volume: float = 10.0
) -> list[Bar]:
    """Bars with these closes; each opens at the close before and has no wicks."""
    bars: list[Bar] = []
    for place, close in enumerate(closes):
        opened = bars[-1].close if bars else close
        at = start + place * interval.step
        bars.append(Bar(at, opened, max(opened, close), min(opened, close), close, volume))
    return bars


def calm(count: int = CALM_HOURS, price: float = 100.0) -> list[float]:
    """Closes that go a tenth of a percent up and down and end where they began."""
    return [price * (1.001 if place % 2 else 1.0) for place in range(count - 1)] + [price]


def after_calm(*closes: float, interval: BarRules = HOUR, volume: float = 10.0) -> list[Bar]:
    """A calm market at 100, then these closes."""
    return bars_of([*calm(), *closes], interval=interval, volume=volume)


def changed(bars: Sequence[Bar], place: int, **values: float) -> list[Bar]:
    """The bars with one of them replaced; `place` counts as in a list."""
    copy = list(bars)
    copy[place] = replace(copy[place], **values)  # type: ignore[arg-type]
    return copy
