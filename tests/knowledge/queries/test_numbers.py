"""Numbers for pages: which, how many, and with how many points."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge import curation
from knowledge.models import Observation, SeriesInput, Status, UnitType
from knowledge.queries.charts import PIECES, SPARK_POINTS
from knowledge.queries.numbers import few_numbers, listed_groups, number_of, numbers_of
from tests.factories.knowledge import NOON, make_unit
from tests.factories.series import make_series, observe

pytestmark = pytest.mark.django_db
MINUTES = timedelta(minutes=10)


def observe_many(key: str, count: int, step: timedelta, value: Any = lambda place: 100 + place % 7) -> None:
    of = SeriesInput.objects.get(key=key)
    Observation.objects.bulk_create(
        Observation(input=of, at=NOON - place * step, value=value(place), fetched_at=NOON)
        for place in range(count)
    )


def test_a_chart_has_a_few_hundred_points_with_the_ends_and_the_extremes() -> None:
    make_series("fees", cadence="live", unit="sat/vB")
    peaks = {1234: 9999, 2345: -5}
    observe_many("fees", 5000, MINUTES, lambda place: peaks.get(place, 100 + place % 50))
    number = number_of("fees", now=NOON)
    assert number
    points = number.readings
    assert 200 < len(points) <= 2 * PIECES + 4
    assert [points[0].at, points[-1].at] == [NOON - 4999 * MINUTES, NOON]
    assert [point.at for point in points] == sorted(point.at for point in points)
    values = [point.value for point in points]
    assert (max(values), min(values)) == (9999, -5)
    assert isinstance(values[0], Decimal)


def test_a_short_series_is_drawn_whole_and_one_that_stopped_to_its_end() -> None:
    make_series("rate")
    for day in range(300):
        observe("rate", NOON - timedelta(days=2000 + day), day)
    number = number_of("rate", now=NOON)
    assert number
    assert len(number.readings) == 300
    assert number.age == "2000일 전 값"
    assert [len(number_of("rate", now=NOON, span=span).readings) for span in ("30", "all")] == [31, 300]  # type: ignore[union-attr]


def test_an_exchanges_prices_are_drawn_by_closes_of_days() -> None:
    make_series("price-maru", cadence="live", unit="KRW", redistributable=False)
    observe_many("price-maru", 600, MINUTES)
    number = number_of("price-maru", now=NOON)
    assert number
    assert len(number.readings) == 6
    assert number.csv_path == ""


def test_an_asset_shows_what_it_holds_and_the_premium_that_its_topic_holds() -> None:
    bitcoin = make_unit("btc", "비트코인")
    topic = make_unit("kimchi-premium", "김치 프리미엄", type=UnitType.TOPIC)
    make_series("kimchi-premium", "premium:btc", holder=topic)
    make_series("price-btc", holder=bitcoin)
    make_series("bitcoin-height", holder=bitcoin, position=2)
    slugs = [number.series.slug for number in numbers_of(bitcoin, now=NOON)]
    assert slugs == ["price-btc", "bitcoin-height", "kimchi-premium"]
    curation.set_status(topic, Status.RETRACTED)
    assert len(numbers_of(bitcoin, now=NOON)) == 2


def test_the_first_number_of_a_unit_has_a_chart_the_others_a_line() -> None:
    topic = make_unit("mining", "채굴", type=UnitType.TOPIC)
    for place in range(8):
        make_series(f"mine-{place}", holder=topic, position=place, cadence="daily")
        observe_many(f"mine-{place}", 60, timedelta(days=1))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        first, *others = numbers_of(topic, now=NOON)
    assert len(first.readings) == 60
    assert not first.spark
    assert {len(number.spark) for number in others} == {SPARK_POINTS}
    assert {len(number.readings) for number in others} == {0}
    few = len(asked)
    assert few <= 7


def test_a_list_of_hundreds_asks_no_more_than_one_of_two() -> None:
    def asked(**wanted: Any) -> tuple[int, list[Any]]:
        with CaptureQueriesContext(connection) as queries:
            groups = listed_groups(now=NOON, **wanted)
        return len(queries), groups

    holder = make_unit("mano", "마노")
    for slug in ("usd-krw", "price-mano"):
        make_series(slug, holder=holder)
        observe(slug, NOON, 1)
    few, _groups = asked()
    for number in range(70):
        make_series(f"price-{number}", holder=holder)
        observe(f"price-{number}", NOON, number)
    many, groups = asked()
    assert many == few <= 5
    assert [(each.group.key, each.size, len(each.numbers), each.has_more) for each in groups] == [
        ("macro", 1, 1, False),
        ("price", 71, 8, True),
    ]
    paged = [asked(group="price", page=page)[1][0] for page in (1, 2)]
    assert [(len(each.numbers), each.has_more) for each in paged] == [(60, True), (11, False)]
    assert len({number.series.slug for each in paged for number in each.numbers}) == 71


def test_a_strip_leaves_out_what_has_no_value() -> None:
    for slug in ("usd-krw", "fear-greed", "price-btc"):
        make_series(slug)
    observe("fear-greed", NOON, 25)
    observe("usd-krw", NOON, 1384.5)
    shown = few_numbers(("usd-krw", "bok-base-rate", "price-btc", "fear-greed"), now=NOON)
    assert [number.series.slug for number in shown] == ["usd-krw", "fear-greed"]
