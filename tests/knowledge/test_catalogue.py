"""Lists in pages that survive inserts, and names that lead to units."""

from __future__ import annotations

import base64
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.catalogue.cursors import CursorError, Place, ranked_page
from knowledge.catalogue.listings import events, topics
from knowledge.catalogue.naming import Standing, candidates, exactly_named, locate, reference_of
from knowledge.catalogue.units import aliases_of, companions_of, documents_of_event, pulses
from knowledge.linking.service import link_documents
from knowledge.models import EventUnit, Pulse, Status, Unit, UnitType
from tests.factories.knowledge import NOON, make_document, make_source, make_unit


def make_event(slug: str, hours: int = 0, *subjects: Unit) -> Unit:
    at = NOON - timedelta(hours=hours)
    event = make_unit(slug, f"사건 {slug}", type=UnitType.EVENT, occurred_at=at)
    for unit in subjects:
        EventUnit.objects.create(event=event, unit=unit)
    return event


def merge(loser: Unit, survivor: Unit) -> None:
    loser.merged_into = survivor
    loser.save()


# Cursors
@given(st.text(max_size=100))
def test_a_cursor_is_refused_unless_this_list_handed_it_out(forged: str) -> None:
    place = Place("list", ("a",))
    if forged:
        with pytest.raises(CursorError):
            place.key(forged, str, int)


@given(st.lists(st.one_of(st.none(), st.integers(), st.text(max_size=5), st.booleans()), max_size=5))
def test_a_cursor_with_forged_contents_is_refused(contents: list[object]) -> None:
    cursor = base64.urlsafe_b64encode(orjson.dumps([str(one) for one in contents])).decode()
    with pytest.raises(CursorError):
        Place("list").key(cursor, datetime, int)


def test_a_cursor_gives_back_its_key_to_the_same_list_with_the_same_filters_only() -> None:
    place = Place("list", ("btc", 7))
    cursor = place.after(NOON, 5, "가")
    assert place.key(cursor, datetime, int, str) == [NOON, 5, "가"]
    for other in (Place("list", ("eth", 7)), Place("other", ("btc", 7))):
        with pytest.raises(CursorError):
            other.key(cursor, datetime, int, str)


@pytest.mark.parametrize(
    "key", [2**63, "a\0b", datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)]
)
def test_a_forged_key_that_the_database_could_not_take_is_refused(key: object) -> None:
    place = Place("list")
    with pytest.raises(CursorError):
        place.key(place.after(key), type(key))


def test_a_ranking_goes_on_after_the_last_record_wherever_it_stands_now() -> None:
    place = Place("ranking")
    first = ranked_page(["a", "b", "c", "d"], 2, place, "", str)
    assert first.rows == ["a", "b"]
    assert ranked_page(["new", "a", "b", "c", "d"], 2, place, first.next_cursor, str).rows == ["c", "d"]
    assert ranked_page(["a", "c", "d"], 2, place, first.next_cursor, str).rows == ["d"]


# Lists
@pytest.mark.django_db
def test_pages_of_events_neither_repeat_nor_hide_when_one_is_published_between() -> None:
    for hours in range(5):
        make_event(f"e{hours}", hours)
    first = events(limit=2)
    make_event("newest", -1)
    second = events(limit=2, cursor=first.next_cursor)
    third = events(limit=2, cursor=second.next_cursor)
    assert [one.slug for page in (first, second, third) for one in page.rows] == [
        "e0",
        "e1",
        "e2",
        "e3",
        "e4",
    ]
    assert third.next_cursor == ""


@pytest.mark.django_db
def test_events_of_the_same_moment_are_all_shown_in_both_orders() -> None:
    for number in range(5):
        make_event(f"e{number}")
    for order in ("newest", "oldest"):
        shown, cursor = [], ""
        while True:
            page = events(order=order, limit=2, cursor=cursor)
            shown += [one.slug for one in page.rows]
            if not (cursor := page.next_cursor):
                break
        assert sorted(shown) == ["e0", "e1", "e2", "e3", "e4"]


@pytest.mark.django_db
def test_events_are_filtered_by_subjects_days_and_what_is_public() -> None:
    coin, topic = make_unit(), make_unit("etf", "ETF", type=UnitType.TOPIC)
    former = make_unit("xbt", "옛이름")
    both, old = make_event("both", 1, coin, topic), make_event("old", 100, former)
    Unit.objects.get_queryset().filter(pk=make_event("draft", 1, coin).pk).update(status=Status.DRAFT)
    merge(former, coin)
    assert [one.pk for one in events(entity=coin).rows] == [both.pk, old.pk]
    assert [one.pk for one in events(entity=coin, topic=topic).rows] == [both.pk]
    assert [one.pk for one in events(since=NOON - timedelta(hours=2)).rows] == [both.pk]
    assert [one.pk for one in events(until=NOON - timedelta(hours=2)).rows] == [old.pk]


@pytest.mark.django_db
def test_trending_topics_follow_the_documents_of_the_window() -> None:
    for slug, label in (("etf", "현물ETF"), ("halving", "반감기"), ("quiet", "조용한주제")):
        make_unit(slug, label, type=UnitType.TOPIC)
    source = make_source()
    link_documents(
        [
            make_document(source, "1", title="반감기 소식", content_sha256="1"),
            make_document(source, "2", title="반감기와 현물ETF", content_sha256="2"),
            make_document(
                source, "3", title="현물ETF 옛일", published_at=NOON - timedelta(days=9), content_sha256="3"
            ),
        ]
    )
    page = topics(order="trending", now=NOON, limit=2)
    assert [one.slug for one in page.rows] == ["halving", "etf"]
    link_documents(
        [make_document(source, "4", title="조용한주제가 뜬다", published_at=NOON + timedelta(minutes=1))]
    )
    later = NOON + timedelta(minutes=2)
    assert [
        one.slug for one in topics(order="trending", now=later, limit=2, cursor=page.next_cursor).rows
    ] == ["quiet"]


@pytest.mark.django_db
def test_topics_are_listed_by_label_and_by_age() -> None:
    for slug, label in (("b", "나"), ("a", "가"), ("c", "다")):
        make_unit(slug, label, type=UnitType.TOPIC)
    make_unit("draft", "라", type=UnitType.TOPIC, status=Status.DRAFT)
    first = topics(order="alphabetical", now=NOON, limit=2)
    rest = topics(order="alphabetical", now=NOON, limit=2, cursor=first.next_cursor)
    assert [one.slug for one in first.rows + rest.rows] == ["a", "b", "c"]
    assert {one.slug for one in topics(order="newest", now=NOON).rows} == {"a", "b", "c"}


@pytest.mark.django_db
def test_pulses_are_those_of_the_window_and_the_filters() -> None:
    coin = make_unit()
    for number, (direction, size) in enumerate([("up", 5.0), ("down", -6.0), ("up", 7.0)]):
        Pulse.objects.create(
            key=str(number),
            asset=coin,
            direction=direction,
            magnitude_pct=size,
            horizon_hours=4,
            started_at=NOON,
            detected_at=NOON - timedelta(hours=number * 2),
            confidence=0.5 + number / 10,
            summary="움직임",
        )
    assert [one.key for one in pulses(hours=3, now=NOON).rows] == ["0", "1"]
    assert [one.key for one in pulses(hours=72, now=NOON, direction="up", min_confidence=0.6).rows] == ["2"]
    first = pulses(hours=72, now=NOON, limit=2)
    assert [one.key for one in pulses(hours=72, now=NOON, limit=2, cursor=first.next_cursor).rows] == ["2"]
    Unit.objects.get_queryset().update(status=Status.RETRACTED)
    assert pulses(hours=72, now=NOON).rows == []


# Names
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
    assert located.standing is Standing.PUBLIC
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
    assert locate("asset:draft").standing is Standing.UNKNOWN
    assert locate("초안").standing is Standing.UNKNOWN
    assert locate("asset:gone").standing is Standing.WITHDRAWN
    assert candidates("초안코인") == candidates("철회코인") == []


@pytest.mark.django_db
def test_a_mistyped_name_brings_the_one_it_comes_closest_to() -> None:
    make_unit("gaoncoin", "가온코인", aliases=["가온코인"])
    found = candidates("가온코안")
    assert [(one.unit.slug, one.matched_on) for one in found] == [("gaoncoin", "spelling")]


@pytest.mark.django_db
def test_merged_units_lend_their_names_documents_and_company_to_the_survivor() -> None:
    coin, former = make_unit(aliases=["Bitcoin"]), make_unit("xbt", "엑스비티", aliases=["XBT"])
    exchange = make_unit("maru", "마루거래소", type=UnitType.COMPANY)
    document = make_document(make_source(), title="엑스비티, 마루거래소에 서다")
    link_documents([document])
    event = make_event("e", 1, former)
    merge(former, coin)
    assert aliases_of(coin) == ["Bitcoin", "XBT", "엑스비티"]
    assert companions_of(coin, 5) == [exchange]
    assert [one.pk for one in events(entity=coin).rows] == [event.pk]
    assert documents_of_event(event, 5) == []
