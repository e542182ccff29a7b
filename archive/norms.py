"""How unusual a number is: its distance from what it usually was, 50 in the middle."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log1p
from statistics import median

from archive.metrics import Metric, numeric_metrics

NORM_DAYS = 28
COLD_BELOW_DAYS = 7
NEUTRAL = 50.0
NORM_SLOPE = 20.0
MAD_TO_SIGMA = 1.4826
EPSILON_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Norm:
    """What a metric usually was: over ``days`` sealed days, counts as log1p."""

    days: int = 0
    median: float = 0.0
    mad: float = 0.0

    @property
    def is_cold(self) -> bool:
        return self.days < COLD_BELOW_DAYS


def scale(metric: Metric, value: float) -> float:
    """A value as norms see it: counts by their order of magnitude."""
    return log1p(value) if metric.is_count else float(value)


def norm_of(metric: Metric, values: Sequence[float]) -> Norm:
    """The norm of raw values of the last sealed days."""
    if not values:
        return Norm()
    scaled = [scale(metric, value) for value in values]
    middle = median(scaled)
    return Norm(len(scaled), middle, median(abs(value - middle) for value in scaled))


def norms_of(history: Iterable[Mapping[str, Mapping[str, float]]]) -> dict[str, Norm]:
    """Norms from what was heard on each of the last days: ``{service: {metric: value}}`` a day."""
    days = list(history)[:NORM_DAYS]
    return {
        f"{service.slug}.{metric.name}": norm_of(
            metric,
            [day[service.slug][metric.name] for day in days if metric.name in day.get(service.slug, {})],
        )
        for service, metric in numeric_metrics()
    }


def normal_score(metric: Metric, value: float, norm: Norm) -> float:
    """0..100: 50 is as usual, 20 points a robust standard deviation; 50 while there are too few days."""
    if norm.is_cold:
        return NEUTRAL
    epsilon = EPSILON_SHARE * max(abs(norm.median), 1.0)
    deviation = (scale(metric, value) - norm.median) / (MAD_TO_SIGMA * norm.mad + epsilon)
    return clamp(NEUTRAL + NORM_SLOPE * deviation, 0, 100)


def clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)
