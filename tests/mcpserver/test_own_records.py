"""What the tools say of no records at all, and of the few that a test makes."""

from datetime import UTC, datetime

import pytest

from knowledge.models import UnitType
from tests.factories.knowledge import make_unit
from tests.mcpserver.wire import lesson, record

pytestmark = [pytest.mark.urls("tests.mcpserver.urls"), pytest.mark.django_db]


def test_a_whole_number_may_be_written_with_a_point() -> None:
    for slug in ("one", "two"):
        make_unit(slug, f"가온 {slug}")
    assert len(record("resolve_entity", name="가온", limit=1.0)["candidates"]) == 1


def test_an_archive_without_days_says_so() -> None:
    assert "no day is sealed yet" in lesson("get_city_day")


def test_the_record_of_exactly_that_name_stands_first_where_it_fits_the_filters() -> None:
    make_unit(symbol="BTC", summary="처음 나온 가상자산이다.")
    make_unit("fork", "새벽 분리", type=UnitType.EVENT, occurred_at=datetime(2026, 3, 1, tzinfo=UTC))
    [item] = record("search", query="btc", kinds=["entity"])["items"]
    assert (item["id"], item["snippet"]) == ("asset:btc", "처음 나온 가상자산이다.")
    assert record("search", query="btc", kinds=["news", "event"])["items"] == []
    assert record("search", query="btc", since="2020-01-01")["items"] == []
    for bounds, found in (({"since": "2026-03-01"}, 1), ({"until": "2026-02-01"}, 0)):
        assert len(record("search", query="새벽분리", **bounds)["items"]) == found
