"""The records of the public indexes: the contract's names in its order, and only what is public."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from knowledge import curation
from knowledge.models import Alias, EventUnit, OutboxEntry, Status, Unit, UnitType
from knowledge.queries import records
from knowledge.queries.serializers import EntityRecordSerializer, EventRecordSerializer, TopicRecordSerializer
from knowledge.queries.series_serializers import PulseRecordSerializer
from knowledge.queries.units import subjects_of
from tests.factories.knowledge import NOON, make_persona, make_pulse, make_unit

pytestmark = pytest.mark.django_db

MORNING = datetime(2026, 11, 20, 0, 30, 15, 999_000, tzinfo=UTC)  # 09:30:15 in Seoul


UNITS = [("entity", "bok"), ("topic", "mining"), ("event", "cut")]


def ids(found: list[Any]) -> list[str]:
    return [record["id"] for record in found]


def test_an_entity_begins_with_the_fields_of_the_contract_in_their_order() -> None:
    make_unit("btc", "비트코인", symbol="BTC", summary="요약", aliases=["Bitcoin"], updated_at=MORNING)
    Unit.objects.update(video_count=2, document_count=7)
    (record,) = records.entities(NOON)
    assert list(record)[:6] == ["id", "label", "aliases", "type", "videoCount", "updatedAt"]
    assert record["id"] == "asset:btc"
    assert record["aliases"] == ["Bitcoin"]
    assert (record["videoCount"], record["documentCount"]) == (2, 7)
    assert (record["url"], record["symbol"], record["summary"]) == ("/asset/btc", "BTC", "요약")


def test_times_carry_the_offset_of_seoul() -> None:
    make_unit(type=UnitType.EVENT, occurred_at=MORNING)
    (record,) = records.events(NOON)
    assert record["occurredAt"] == "2026-11-20T09:30:15+09:00"
    assert datetime.fromisoformat(record["updatedAt"]).utcoffset() == timedelta(hours=9)


def test_topics_and_events_begin_with_the_fields_of_the_contract_in_their_order() -> None:
    make_unit("kimchi-premium", "김치 프리미엄", type=UnitType.TOPIC)
    make_unit("2022-05-luna", "루나 사태", type=UnitType.EVENT)
    (topic,), (event,) = records.topics(NOON), records.events(NOON)
    assert list(topic)[:6] == ["id", "label", "aliases", "documentCount", "videoCount", "updatedAt"]
    assert list(event)[:10] == [
        *("id", "label", "aliases", "occurredAt", "summary", "entities", "topics"),
        *("documentCount", "videoCount", "updatedAt"),
    ]
    assert event["occurredAt"] == "2026-11-20T12:00:00+09:00"


def test_every_record_tells_its_english_title_and_summary_or_null() -> None:
    for slug, kind in [("bok", UnitType.ORGANISATION), ("mining", UnitType.TOPIC), ("cut", UnitType.EVENT)]:
        make_unit(slug, slug, type=kind, label_en=f"The {slug}", summary_en=f"What the {slug} is.")
        make_unit(f"{slug}-untold", f"{slug} 둘", type=kind)
    told = [*records.entities(NOON), *records.topics(NOON), *records.events(NOON)]
    assert {record["id"]: (record["labelEn"], record["summaryEn"]) for record in told} == {
        **{f"{prefix}:{slug}": (f"The {slug}", f"What the {slug} is.") for prefix, slug in UNITS},
        **{f"{prefix}:{slug}-untold": (None, None) for prefix, slug in UNITS},
    }
    assert all((record["category"], record["country"]) == (None, None) for record in told)


def test_records_are_sorted_by_id_and_prefixed_by_type() -> None:
    for slug, kind in [("z", "person"), ("a", "company"), ("m", "asset"), ("c", "creator"), ("b", "product")]:
        make_unit(slug, slug, type=kind)
    assert ids(records.entities(NOON)) == ["asset:m", "creator:c", "entity:a", "entity:b", "entity:z"]


def test_nothing_but_published_survivors_appears() -> None:
    survivor = make_unit("btc", "비트코인")
    make_unit("xbt", "엑스비티", merged_into=survivor)
    for slug, kind in [("a", "asset"), ("t", "topic"), ("e", "event")]:
        make_unit(f"{slug}-draft", "초안", type=kind, status=Status.DRAFT)
        make_unit(f"{slug}-gone", "철회", type=kind, status=Status.RETRACTED)
    assert ids(records.entities(NOON)) == ["asset:btc"]
    assert list(records.topics(NOON)) == []
    assert list(records.events(NOON)) == []


def test_a_survivor_answers_to_all_names_of_what_was_merged_into_it() -> None:
    survivor = make_unit("btc", "비트코인", aliases=["Bitcoin", "비트"])
    loser = make_unit("xbt", "엑스비티", aliases=["XBT"])
    Alias.objects.create(unit=loser, surface="Bitcoin", ambiguous=True)
    Alias.objects.create(unit=loser, surface="비트코인", ambiguous=True)
    Alias.objects.create(unit=survivor, surface="옛 이름", active=False)
    curation.merge(loser, survivor, now=NOON)
    (record,) = records.entities(NOON)
    assert record["aliases"] == ["Bitcoin", "비트", "엑스비티", "XBT"]


def test_an_event_names_public_units_only_and_survivors_for_merged_ones() -> None:
    event = make_unit("halving", "반감기", type=UnitType.EVENT)
    survivor, loser = make_unit("btc", "비트코인"), make_unit("xbt", "엑스비티")
    curation.merge(loser, survivor, now=NOON)
    topic = make_unit("mining", "채굴", type=UnitType.TOPIC)
    draft = make_unit("draft", "초안", status=Status.DRAFT)
    for unit in (loser, survivor, topic, draft):
        EventUnit.objects.create(event=event, unit=unit)
    (record,) = records.events(NOON)
    assert (record["entities"], record["topics"]) == (["asset:btc"], ["topic:mining"])


def test_a_merged_event_leaves_its_units_to_the_survivor() -> None:
    survivor = make_unit("halving", "반감기", type=UnitType.EVENT)
    loser = make_unit("halving-2", "반감기 둘", type=UnitType.EVENT)
    EventUnit.objects.create(event=loser, unit=make_unit())
    curation.merge(loser, survivor, now=NOON)
    (record,) = records.events(NOON)
    assert record["entities"] == ["asset:btc"]


def test_an_ai_persona_says_what_it_is_and_others_do_not() -> None:
    sage = make_unit("sage", "마당 현자", type=UnitType.CREATOR)
    make_persona(sage, disclosure="기계가 쓴 글입니다")
    make_unit("human", "사람", type=UnitType.CREATOR)
    human, persona = records.entities(NOON)
    assert persona["isAiPersona"] is True
    assert persona["glyph"] == "◆"
    assert "AI persona" in persona["disclosure"]
    assert "기계가 쓴 글입니다" in persona["disclosure"]
    assert not {"isAiPersona", "glyph", "disclosure"} & set(human)


def test_a_pulse_begins_with_the_fields_of_the_contract_in_their_order() -> None:
    make_pulse(make_unit(symbol="BTC"))
    (record,) = records.pulses(NOON)
    assert list(record)[:8] == [
        *("id", "asset", "direction", "magnitudePct", "detectedAt", "summary", "confidence", "sources")
    ]
    assert (record["id"], record["asset"], record["direction"]) == ("pulse:k1", "asset:btc", "down")
    assert record["magnitudePct"] == -12.5
    assert record["sources"] == [{"url": "https://paper.example/1"}]
    assert record["endedAt"] is None


def test_pulses_are_newest_first_and_public_only() -> None:
    asset, hidden = make_unit(), make_unit("draft", "초안", status=Status.DRAFT)
    make_pulse(asset, "older", NOON - timedelta(hours=2))
    make_pulse(asset, "newer", NOON - timedelta(hours=1))
    make_pulse(asset, "retracted", NOON, status=Status.RETRACTED)
    make_pulse(hidden, "of-a-draft", NOON)
    make_pulse(asset, "long-past", NOON - timedelta(days=9))
    assert ids(records.pulses(NOON)) == ["pulse:newer", "pulse:older"]


def test_the_records_of_pulses_do_not_change_by_the_hour() -> None:
    make_pulse(make_unit(), detected_at=NOON - timedelta(hours=167))
    assert ids(records.pulses(NOON + timedelta(hours=2))) == ["pulse:k1"]


def test_an_odd_source_does_not_hide_the_pulses() -> None:
    odd = [1, None, {"url": 3}, {"link": "x"}, {"url": "javascript:alert(1)"}]
    make_pulse(make_unit(), sources=odd)
    assert records.pulses(NOON)[0]["sources"] == []


@pytest.fixture
def everything() -> None:
    """A record of every kind, with all that it can hold."""
    persona = make_persona(make_unit("sage", "마당 현자", type=UnitType.CREATOR))
    btc = make_unit("btc", "비트코인", symbol="BTC", website="https://bitcoin.example", aliases=["Bitcoin"])
    curation.merge(make_unit("xbt", "엑스비티", aliases=["XBT"]), btc, now=NOON)
    topic = make_unit("mining", "채굴", type=UnitType.TOPIC, summary="요약", aliases=["mining"])
    event = make_unit("halving", "반감기", type=UnitType.EVENT, occurred_at=MORNING, aliases=["halving"])
    former = make_unit("halving-2", "반감기 둘", type=UnitType.EVENT)
    EventUnit.objects.create(event=event, unit=topic)
    EventUnit.objects.create(event=former, unit=btc)
    curation.merge(former, event, now=NOON)
    make_pulse(btc, ended_at=NOON + timedelta(hours=5))
    make_pulse(persona.entity, "k2", NOON - timedelta(hours=3))


@pytest.mark.usefixtures("everything")
def test_a_units_own_record_is_the_one_of_its_index() -> None:
    built = [*records.entities(NOON), *records.topics(NOON), *records.events(NOON)]
    assert len(built) == Unit.objects.published().count() == 4
    for record in built:
        unit = Unit.objects.get(prefix=record["id"].partition(":")[0], slug=record["id"].partition(":")[2])
        own = records.record_of(unit, subjects_of(unit))
        assert json.dumps(own) == json.dumps(record), "as text, so that the order of the keys counts"


@pytest.mark.usefixtures("everything")
def test_the_schema_has_the_fields_of_the_records_in_their_order() -> None:
    kinds: list[tuple[list[Any], Any]] = [
        (records.entities(NOON), EntityRecordSerializer),
        (records.topics(NOON), TopicRecordSerializer),
        (records.events(NOON), EventRecordSerializer),
        (records.pulses(NOON), PulseRecordSerializer),
    ]
    for built, schema in kinds:
        described = list(schema().fields)
        assert set().union(*built) == set(described)
        for record in built:
            assert list(record) == [name for name in described if name in record]


def test_the_number_of_queries_does_not_grow_with_the_rows(django_assert_num_queries: Any) -> None:
    for number in range(30):
        make_unit(f"u{number}", f"단위{number}", aliases=[f"별칭{number}"])
    with django_assert_num_queries(4):
        assert len(list(records.entities(NOON))) == 30


def test_a_retracted_unit_lends_its_names_to_nobody() -> None:
    survivor, loser = make_unit("btc", "비트코인"), make_unit("xbt", "엑스비티", aliases=["XBT"])
    curation.merge(loser, survivor, now=NOON)
    OutboxEntry.objects.all().delete()
    curation.set_status(loser, Status.RETRACTED)
    (record,) = records.entities(NOON)
    assert record["aliases"] == []
    assert OutboxEntry.objects.filter(scope="entity").exists(), "the record changed, so it is published again"
