"""Names, ids and addresses that lead to units."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge import curation
from knowledge.linking.store import units_named
from knowledge.models import Series, Status, Unit, UnitType
from knowledge.queries.names import Located, candidates, locate, reference_of
from knowledge.queries.units import aliases_of
from knowledge.search.exact_names import OF_SERIES, exactly_named
from tests.factories.knowledge import NOON, make_event, make_unit
from tests.factories.series import make_series


@pytest.mark.parametrize(
    ("written", "reference"),
    [
        ("asset:btc", "asset:btc"),
        (" /asset/btc ", "asset:btc"),
        ("/asset/btc/", "asset:btc"),
        ("/asset/btc.md", "asset:btc"),
        ("http://localhost:8000/topic/etf?x=1", "topic:etf"),
        ("/ask/q/abc", "answer:abc"),
        ("/city/2026-11-19", "city:2026-11-19"),
        ("/number/usd-krw.md", "series:usd-krw"),
        ("https://elsewhere.example/asset/btc", "https://elsewhere.example/asset/btc"),
        ("http://[", "http://["),
        ("//[", "//["),
        ("/asset/%00", "/asset/%00"),
        ("/", "/"),
        ("비트코인", "비트코인"),
    ],
)
def test_an_address_of_a_page_is_as_good_as_its_id(written: str, reference: str) -> None:
    assert reference_of(written) == reference


@given(st.text(max_size=200))
def test_any_text_has_a_reference(text: str) -> None:
    assert reference_of(text) == reference_of(reference_of(text)) or text.strip().startswith(("/", "http"))


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["비트코인", "비트 코인", "BTC", "btc", "Bitcoin", "bit-coin"])
def test_a_unit_is_located_by_label_symbol_and_alias(name: str) -> None:
    make_unit(symbol="BTC", aliases=["Bitcoin"])
    located = locate(name)
    assert located.status is HTTPStatus.OK
    assert located.unit is not None
    assert located.unit.public_id == "asset:btc"


@pytest.mark.django_db
def test_a_name_is_looked_up_by_one_query_and_what_is_no_name_by_none(
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    make_unit(symbol="BTC")
    candidates("비트코인")
    with django_assert_num_queries(1):
        assert [one.unit.slug for one in exactly_named("btc")] == ["btc"]
    with django_assert_num_queries(0):
        assert exactly_named("아무것도 아닌 말") == []


@pytest.mark.django_db
def test_a_new_symbol_is_a_name_at_once_and_the_former_is_none() -> None:
    unit = make_unit(symbol="BTC")
    assert locate("BTC").unit == unit
    unit.symbol = "XBT"
    unit.save()
    assert locate("XBT").unit == unit
    assert locate("BTC").unit is None


@pytest.mark.django_db
def test_an_event_is_named_by_its_headline() -> None:
    event = make_event("e")
    assert [one.unit for one in exactly_named("사건  E")] == [event]


@pytest.mark.django_db
def test_drafts_are_unknown_and_retracted_units_withdrawn() -> None:
    make_unit("draft", "초안코인", status=Status.DRAFT, aliases=["초안"])
    make_unit("gone", "철회코인", status=Status.RETRACTED)
    assert locate("asset:draft").status is HTTPStatus.NOT_FOUND
    assert locate("초안").status is HTTPStatus.NOT_FOUND
    assert locate("asset:gone").status is HTTPStatus.GONE
    assert candidates("초안코인") == candidates("철회코인") == []


@pytest.mark.django_db
def test_a_mistyped_name_brings_the_one_it_comes_closest_to() -> None:
    make_unit("gaoncoin", "가온코인", aliases=["가온코인"])
    found = candidates("가온코안")
    assert [(one.unit.slug, one.matched_on) for one in found] == [("gaoncoin", "spelling")]


def held(slug: str, label: str, *names: str, **fields: str) -> Unit:
    """A topic that holds a series of these names."""
    topic = make_unit(f"topic-{slug}", f"{label}의 주제", type=UnitType.TOPIC, **fields)
    make_series(slug, holder=topic, label=label, label_en=f"{slug} in English", aliases=list(names))
    return topic


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["기준 금리", "Base-Rate", "bok-base-rate", "bok-base-rate in English"])
def test_the_name_of_a_series_leads_to_the_unit_that_holds_it(name: str) -> None:
    topic = held("bok-base-rate", "한국은행 금리", "기준금리", "base rate")
    assert [(one.unit, one.matched_on) for one in exactly_named(name)] == [(topic, "series")]
    assert candidates(name)[0].confidence == OF_SERIES
    assert locate(name).unit == topic


@pytest.mark.django_db
def test_the_name_of_a_series_is_in_no_text_and_no_alias() -> None:
    topic = held("bok-base-rate", "한국은행 금리", "기준금리")
    assert units_named("기준금리 인상") == []
    assert aliases_of(topic) == []


@pytest.mark.django_db
def test_a_unit_of_that_name_stands_before_one_that_holds_a_series_so_named() -> None:
    held("hash", "해시레이트", "채굴")
    own = make_unit("mining", "채굴", type=UnitType.TOPIC)
    assert [one.unit for one in exactly_named("채굴")] == [own]


@pytest.mark.django_db
def test_a_series_changes_its_names_its_holder_and_goes() -> None:
    topic, other = held("us-10y", "10년물"), make_unit("other", "다른 주제", type=UnitType.TOPIC)
    series = Series.objects.get(slug="us-10y")
    series.aliases = ["ten-year"]
    series.save()
    assert locate("ten year").unit == topic
    series.holder = other
    series.save()
    assert locate("10년물").unit == other
    curation.merge(other, topic, now=NOON)
    assert locate("10년물").unit == topic
    curation.set_status(topic, Status.RETRACTED)
    assert locate("10년물").unit is None
    series.delete()
    assert exactly_named("ten-year") == []


@pytest.mark.django_db
@pytest.mark.parametrize("written", ["series:us-10y", "SERIES:us-10y", "/number/us-10y", "/number/us-10y.md"])
def test_the_id_of_a_series_leads_to_its_holder(written: str) -> None:
    topic = held("us-10y", "10년물")
    located = locate(written)
    assert (located.status, located.unit, located.series) == (HTTPStatus.OK, topic, "series:us-10y")
    assert [(one.unit, one.matched_on) for one in candidates(written)] == [(topic, "id")]


@pytest.mark.django_db
def test_the_id_of_no_series_and_of_one_that_is_not_public_lead_nowhere() -> None:
    held("hidden", "숨은 수", status=Status.DRAFT)
    for written in ("series:hidden", "series:none", "series:"):
        assert locate(written) == Located(HTTPStatus.NOT_FOUND)
        assert candidates(written) == []
