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
from knowledge.queries.names import (
    MENDED,
    Located,
    candidates,
    locate,
    nearest_ids,
    nearest_units,
    reference_of,
)
from knowledge.queries.units import aliases_of
from knowledge.search import typos
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


# What is nearly a name
@pytest.fixture
def names_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are read before the answer, not beside it."""
    monkeypatch.setattr(typos, "_version", None)
    monkeypatch.setattr(typos, "_seconds", 0.0)


def near(name: str, *, limit: int = 5) -> list[str]:
    return [one.unit.public_id for one in candidates(name, limit=limit)]


@pytest.mark.django_db
def test_names_that_begin_so_stand_before_those_that_hold_it_and_the_best_known_before_its_equals() -> None:
    make_unit("arb", "아비트럼")
    make_unit("bsv", "비트코인에스브이")
    make_unit("bch", "비트코인캐시", document_count=3)
    make_unit("btc", "비트코인", document_count=9)
    found = candidates("비트")
    assert [one.unit.slug for one in found] == ["btc", "bch", "bsv", "arb"]
    assert found[0].confidence == found[2].confidence > found[3].confidence


@pytest.mark.django_db
def test_a_label_or_ticker_that_begins_so_stands_before_another_name_that_does() -> None:
    make_unit("bnb", "비앤비", aliases=["바이낸스코인"], document_count=9)
    make_unit("binance", "바이낸스", type=UnitType.COMPANY)
    make_unit("bix", "박스코인", symbol="바이낸쓰")
    assert near("바이낸") == ["entity:binance", "asset:bix", "asset:bnb"]
    assert near("바이낸쓰") == ["asset:bix"]


@pytest.mark.django_db
def test_a_beginning_stands_before_a_slip() -> None:
    make_unit("ripple-labs", "리플랩스", type=UnitType.COMPANY)
    make_unit("ripe", "리플라", document_count=9)
    make_unit("lipo", "이풀라", document_count=99)
    assert set(near("리플")) == {"entity:ripple-labs", "asset:ripe"}


@pytest.mark.django_db
@pytest.mark.usefixtures("names_read")
def test_short_names_tickers_and_names_of_several_are_offered_to_who_mistypes_them() -> None:
    make_unit("xrp", "엑스알피", symbol="DOGX").aliases.create(surface="리플", ambiguous=True)
    make_unit("tron", "트론")
    assert [(one.unit.slug, one.matched_on) for one in candidates("리풀")] == [("xrp", "spelling")]
    assert candidates("리풀")[0].confidence < MENDED
    assert near("도그엑스") == []
    assert near("dgox") == ["asset:xrp"]
    assert near("날씨") == [], "a word of the language is no slip"


@pytest.mark.django_db
@pytest.mark.usefixtures("names_read")
def test_phrases_help_by_their_beginning_and_when_mistyped_where_no_name_does() -> None:
    tax = make_unit("crypto-tax", "가상자산 과세", type=UnitType.TOPIC)
    tax.asked_as = ["코인 세금", "crypto tax"]
    tax.save()
    for written in ("코인 세금", "코인세", "crypto taxes", "crypto ta", "cripto tax"):
        assert near(written) == ["topic:crypto-tax"], written
    make_unit("coinsec", "코인세이프", type=UnitType.COMPANY)
    assert near("코인세") == ["entity:coinsec"]


@pytest.mark.django_db
@pytest.mark.usefixtures("names_read")
def test_who_writes_an_id_nearly_right_is_told_ids_before_names_that_resemble_it() -> None:
    make_unit("btc", "비트코인", aliases=["Bitcoin"])
    make_unit("bttc", "비트토렌트", symbol="LTCC")
    assert nearest_ids("asset:btcc")[0] == "asset:btc"
    assert nearest_ids("asset:bitcoin")[0] == "asset:btc"
    assert [unit.slug for unit in nearest_units("/asset/bitcoin")] == ["btc"]
    assert nearest_units("/asset/zzzzzzz") == []
