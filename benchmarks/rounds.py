"""Rivals in turns: what else the machine does weighs on all of them, and each round gives ratios."""

from collections.abc import Callable, Mapping
from statistics import median

Rates = dict[str, list[float]]


def in_turns(measures: Mapping[str, Callable[[], float]], rounds: int) -> Rates:
    """What each measures, a round at a time, each round begun by another; a first round only warms up."""
    rates: Rates = {name: [] for name in measures}
    for turn in range(rounds + 1):
        for name in rotated(list(measures), turn):
            found = measures[name]()
            if turn:
                rates[name].append(found)
    return rates


def rotated(names: list[str], turn: int) -> list[str]:
    return names[turn % len(names) :] + names[: turn % len(names)]


def ratio(rates: Rates, one: str, other: str) -> float:
    """The median of the rounds' ratios."""
    return median(mine / theirs for mine, theirs in zip(rates[one], rates[other], strict=True))
