"""What a series says now: its newest value, carried forward with a flag once it is older than its kind may be."""

from dataclasses import dataclass
from datetime import datetime

from knowledge.models import Observation, Series
from knowledge.series.labels import facts_of


@dataclass(frozen=True, slots=True)
class Latest:
    """The newest value of a series at ``at``. ``stale`` values may be shown only as such."""

    value: float
    at: datetime
    stale: bool


def latest(series: Series | str, *, now: datetime) -> Latest | None:
    """The value that holds at ``now``, given the series or its key; None while there is none yet."""
    key = series if isinstance(series, str) else series.key
    newest = Observation.objects.filter(series__key=key, at__lte=now).order_by("-at").first()
    if newest is None:
        return None
    stale = now - newest.at > facts_of(key).cadence.value
    return Latest(newest.value, newest.at, stale)
