"""The change over a year of what is measured month by month, in per cent: values of a series of its own.

A series that the canon declares with the input ``year:<slug>`` follows the series with that slug. All of it is
calculated anew whenever values of that one come: where one was corrected, both years that it stands in are.
"""

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

from knowledge.models import PER_CENT, Cadence, Observation, SeriesInput
from knowledge.sources.base import ObservationItem

KEY = "year:{}"
_PLACE = Decimal("0.1")  # as offices of statistics state it


def input_that_follows(of: SeriesInput) -> SeriesInput | None:
    """The input for the changes of what this one says, None where the canon declares no such series."""
    if of.series is None or of.series.cadence != Cadence.MONTHLY:
        return None
    key = KEY.format(of.series.slug)
    return SeriesInput.objects.select_related("series").filter(key=key, series__isnull=False).first()


def changes(of: SeriesInput, key: str) -> Iterator[ObservationItem]:
    """What each month's value is above that of the same month a year before, at the time of the later one."""
    rows = Observation.objects.filter(input=of, newest=True, value__gt=0).exclude(period="").order_by("at")
    values: dict[str, Decimal] = {}
    for at, period, value in rows.values_list("at", "period", "value"):
        values[period] = value
        if (former := values.get(_year_before(period))) is not None:
            change = ((value / former - 1) * 100).quantize(_PLACE, ROUND_HALF_UP)
            yield ObservationItem(key, at, float(change), PER_CENT, period)


def _year_before(period: str) -> str:
    year, dash, month = period.partition("-")
    return f"{int(year) - 1:04}{dash}{month}"
