"""A series' newest value, and when it is too old to be shown as today's."""

from datetime import timedelta

import pytest

from knowledge.models import Observation, Series
from knowledge.series.observations import latest
from tests.factories.knowledge import NOON

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def point(key: str, age: timedelta, value: float = 1.0) -> None:
    series, _created = Series.objects.get_or_create(key=key)
    Observation.objects.create(series=series, at=NOON - age, value=value, fetched_at=NOON)


def test_the_newest_value_holds_and_the_future_does_not_count() -> None:
    point("USDKRW", 2 * DAY, 1390.0)
    point("USDKRW", DAY, 1400.0)
    point("USDKRW", -DAY, 9999.0)
    found = latest("USDKRW", now=NOON)
    assert found is not None
    assert (found.value, found.at, found.stale) == (1400.0, NOON - DAY, False)


def test_a_series_without_values_says_nothing() -> None:
    Series.objects.create(key="DGS10")
    assert latest("DGS10", now=NOON) is None


@pytest.mark.parametrize(
    ("key", "fresh", "stale"),
    [
        ("USDKRW", 4 * DAY, 6 * DAY),
        ("CPIAUCSL", 60 * DAY, 90 * DAY),
        ("bitcoin.fee.fastest", timedelta(hours=1), timedelta(hours=3)),
        ("defi.tvl", 2 * DAY, 4 * DAY),
        ("something new", 4 * DAY, 6 * DAY),
    ],
)
def test_how_long_a_value_is_carried_forward_depends_on_its_cadence(
    key: str, fresh: timedelta, stale: timedelta
) -> None:
    point(key, stale)
    old = latest(key, now=NOON)
    point(key, fresh)
    new = latest(key, now=NOON)
    assert old is not None
    assert new is not None
    assert (old.stale, new.stale) == (True, False)
