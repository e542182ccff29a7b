"""Names, ids and addresses that lead to units."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from http import HTTPStatus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.models import Status
from knowledge.queries.names import candidates, exactly_named, locate, reference_of
from tests.factories.knowledge import make_event, make_unit


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
