"""What a series says: the input that counts, how old its value is, how it moved, and which points are given."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import knowledge
from knowledge.models import Cadence, Series
from knowledge.series.values import Change, Latest, figures_of, points_of
from tests.factories.knowledge import NOON
from tests.factories.series import make_series, observe

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def latest(series: Series, *, now: datetime) -> Latest | None:
    (figures,) = figures_of([series], now=now)
    return figures.latest


def test_a_series_without_a_value_says_nothing() -> None:
    (figures,) = figures_of([make_series()], now=NOON)
    assert (figures.latest, figures.input) == (None, None)
    assert figures.changes == {"previous": None, "day": None, "week": None, "year": None}


def test_the_newest_value_by_now_counts_in_its_newest_revision() -> None:
    series = make_series()
    observe("us-10y", NOON - 2 * DAY, 4.1)
    observe("us-10y", NOON - DAY, 4.2, newest=False)
    observe("us-10y", NOON - DAY, 4.3, revision=2)
    observe("us-10y", NOON + DAY, 9.9)
    found = latest(series, now=NOON)
    assert found is not None
    assert (found.value, found.at, found.stale) == (Decimal("4.3"), NOON - DAY, False)


@pytest.mark.parametrize("cadence", Cadence)
def test_a_value_is_stale_once_it_is_older_than_its_cadence_allows(cadence: Cadence) -> None:
    series = make_series(cadence=cadence)
    observe("us-10y", NOON, 1.0)
    on_time, late = (latest(series, now=NOON + cadence.stale_after + much) for much in (0 * DAY, DAY / 24))
    assert on_time is not None
    assert late is not None
    assert (on_time.stale, late.stale) == (False, True)
    series.stale_after_hours = 24 * 365
    patient = latest(series, now=NOON + cadence.stale_after + DAY)
    assert patient is not None
    assert not patient.stale


def test_the_first_input_that_is_fresh_counts() -> None:
    series = make_series("usd-krw", "bank", "europe", unit="KRW")
    observe("bank", NOON - 2 * DAY, 1390.0)
    observe("europe", NOON - DAY, 1400.0)
    (fresh,) = figures_of([series], now=NOON)
    assert fresh.input is not None
    assert fresh.input.key == "bank"
    (late,) = figures_of([series], now=NOON + 3.5 * DAY)
    assert late.input is not None
    assert late.input.key == "europe", "the bank's is overdue, and the other is not"
    (both_late,) = figures_of([series], now=NOON + 30 * DAY)
    assert both_late.input is not None
    assert both_late.input.key == "europe", "of two that are overdue the newer one"


def test_a_number_changes_absolutely_and_in_per_cent() -> None:
    series = make_series("usd-krw", unit="KRW", cadence="daily")
    for age, value in ((0, 1400.0), (1, 1330.0), (7, 1250.0), (365, 1000.0)):
        observe("usd-krw", NOON - age * DAY, value)
    (figures,) = figures_of([series], now=NOON)
    assert figures.changes == {
        "previous": Change(NOON - DAY, Decimal(70), pytest.approx(5.263, abs=0.001)),
        "day": None,
        "week": Change(NOON - 7 * DAY, Decimal(150), 12.0),
        "year": Change(NOON - 365 * DAY, Decimal(400), 40.0),
    }


def test_a_rate_changes_by_percentage_points() -> None:
    series = make_series("base-rate", unit="%")
    observe("base-rate", NOON, 2.5)
    observe("base-rate", NOON - 7 * DAY, 2.75)
    (figures,) = figures_of([series], now=NOON)
    assert figures.changes["week"] == Change(NOON - 7 * DAY, points=Decimal("-0.25"))


def test_there_is_no_change_where_no_point_was_within_the_cadence_of_that_time() -> None:
    series = make_series("usd-krw", unit="KRW", cadence="daily")
    observe("usd-krw", NOON, 1400.0)
    observe("usd-krw", NOON - 10 * DAY, 1300.0)
    (figures,) = figures_of([series], now=NOON)
    assert figures.changes["week"] is None
    assert figures.changes["previous"] is not None
    monthly = make_series("cpi", unit="index", cadence="monthly")
    observe("cpi", NOON, 110.0)
    observe("cpi", NOON - 30 * DAY, 109.0)
    (figures,) = figures_of([monthly], now=NOON)
    assert figures.changes["week"] is None, "months have no week"


@pytest.mark.parametrize(
    ("newest", "week_before"), [("2026-03-10", "2026-03-03"), ("2026-11-03", "2026-10-27")]
)
def test_a_week_before_is_the_same_weekday_though_the_clocks_were_changed(
    newest: str, week_before: str
) -> None:
    series = make_series()
    new_york = ZoneInfo("America/New_York")
    last = datetime.fromisoformat(newest)
    for back in range(10):
        day = last - back * DAY
        observe("us-10y", day.replace(tzinfo=new_york), float(back), period=f"{day:%Y-%m-%d}")
    (figures,) = figures_of([series], now=last.replace(tzinfo=new_york) + DAY)
    change = figures.changes["week"]
    assert change is not None
    assert f"{change.since.astimezone(new_york):%Y-%m-%d}" == week_before


@pytest.mark.parametrize(
    ("slug", "newest", "next_comes"),
    [
        # Friday's yields stand until Tuesday's come on Wednesday, where Monday is a holiday.
        ("us-10y", "2026-09-04T00:00-04:00", "2026-09-09T16:15-04:00"),
        # The dollar's days of a week come together on Monday, after a holiday on Tuesday.
        ("broad-dollar", "2026-10-02T00:00-04:00", "2026-10-13T16:15-04:00"),
        ("cpi-us", "2026-09-01T00:00-04:00", "2026-11-13T08:30-05:00"),
    ],
)
def test_a_number_is_not_overdue_before_its_publisher_gives_the_next(
    slug: str, newest: str, next_comes: str
) -> None:
    records = json.loads((Path(knowledge.__file__).parent / "canon" / "series.json").read_bytes())["series"]
    (record,) = (record for record in records if record["slug"] == slug)
    series = make_series(slug, cadence=record["cadence"], stale_after_hours=record.get("stale_after_hours"))
    observe(slug, datetime.fromisoformat(newest), 1.0)
    asked_again = timedelta(hours=6)
    found = latest(series, now=datetime.fromisoformat(next_comes) + asked_again)
    assert found is not None
    assert not found.stale


def test_of_a_price_that_stopped_the_week_before_is_one_point_a_day_by_now() -> None:
    """A market is halted for days, and what was before is thinned meanwhile."""
    series = make_series("price-btc", unit="KRW", cadence="live", redistributable=False)
    stopped = NOON - 3 * DAY
    observe("price-btc", stopped, 120.0)
    observe("price-btc", stopped - 7 * DAY - timedelta(hours=5), 100.0)
    (figures,) = figures_of([series], now=stopped)
    assert figures.changes["week"] is None, "it was to have a point within the hour"
    (figures,) = figures_of([series], now=NOON)
    assert figures.changes["week"] == Change(
        stopped - 7 * DAY - timedelta(hours=5), Decimal(20), pytest.approx(20.0)
    )


def test_a_change_from_nothing_has_no_per_cent() -> None:
    series = make_series("waiting", unit="transactions", cadence="live")
    observe("waiting", NOON, 5.0)
    observe("waiting", NOON - DAY / 24, 0.0)
    (figures,) = figures_of([series], now=NOON)
    assert figures.changes["previous"] == Change(NOON - DAY / 24, Decimal(5), None)


def test_many_series_are_read_in_three_queries() -> None:
    many = [make_series(f"s{number}") for number in range(5)]
    for series in many:
        observe(series.slug, NOON, 1.0)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert [each.latest is not None for each in figures_of(many, now=NOON)] == [True] * 5
    assert len(queries) == 3


def test_points_are_given_oldest_first_between_two_times() -> None:
    series = make_series()
    for age in range(5):
        observe("us-10y", NOON - age * DAY, float(age))
    (figures,) = figures_of([series], now=NOON)
    found = points_of(figures, now=NOON, first=NOON - 3 * DAY, last=NOON - DAY)
    assert [int(point.value) for point in found] == [3, 2, 1]


def test_of_what_may_not_be_passed_on_the_closes_of_days_are_given() -> None:
    series = make_series("price-btc", unit="KRW", cadence="live", redistributable=False)
    midnight = datetime(2026, 11, 20, tzinfo=UTC)
    for at, value in (
        (midnight - timedelta(days=500), 1.0),
        (midnight - timedelta(hours=1), 2.0),
        (midnight, 3.0),
        (midnight + timedelta(hours=1), 4.0),
        (midnight + timedelta(hours=2), 5.0),
    ):
        observe("price-btc", at, value)
    now = midnight + timedelta(hours=3)
    (figures,) = figures_of([series], now=now)
    assert [int(point.value) for point in points_of(figures, now=now)] == [3, 5]
