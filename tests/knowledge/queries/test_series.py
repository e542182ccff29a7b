"""Series as the public JSON says them."""

from datetime import timedelta
from decimal import Decimal

import orjson
import pytest
from django.conf import settings
from django.test import Client

from knowledge import curation
from knowledge.models import SeriesInput, Status, Unit
from knowledge.publications.builder import build
from knowledge.queries import series
from knowledge.series.values import json_number
from tests.factories.knowledge import NOON, make_source, make_unit
from tests.factories.series import make_series, observe

pytestmark = pytest.mark.django_db


def test_a_record_says_value_time_unit_source_and_change() -> None:
    topic = make_unit("bok-rate", "한국은행 기준금리", type="topic")
    made = make_series(
        "bok-base-rate",
        holder=topic,
        label="기준금리",
        label_en="Base rate",
        aliases=["금리"],
        licence="출처 표시",
        licence_en="Attribution",
    )
    bank = make_source("bank", name="한국은행", name_en="Bank of Korea", homepage="https://bok.example/")
    SeriesInput.objects.update(source=bank)
    observe("bok-base-rate", NOON, 2.5, period="2026-11-20")
    observe("bok-base-rate", NOON - timedelta(days=1), 2.75)
    (record,) = series.records(NOON)
    assert record == {
        "id": "series:bok-base-rate",
        "label": "기준금리",
        "labelEn": "Base rate",
        "aliases": ["금리"],
        "unit": "%",
        "cadence": "business_daily",
        "holder": "topic:bok-rate",
        "latest": {
            "at": "2026-11-20T12:00:00+09:00",
            "period": "2026-11-20",
            "value": Decimal("2.5"),
            "stale": False,
        },
        "changes": {
            "previous": {"since": "2026-11-19T12:00:00+09:00", "points": Decimal("-0.25")},
            "day": None,
            "week": None,
            "year": None,
        },
        "source": {"label": "한국은행", "labelEn": "Bank of Korea", "url": "https://bok.example/"},
        "licence": made.licence,
        "licenceEn": "Attribution",
        "redistributable": True,
        "updatedAt": "2026-11-20T12:00:00+09:00",
        "url": "/number/bok-base-rate",
    }


@pytest.mark.parametrize(
    ("value", "decimals", "written"),
    [
        ("987654321012345500000.000000000000", 0, b"987654321012345500000"),
        ("0.000001230000", 8, b"0.00000123"),
        ("142000000.000000000000", 8, b"142000000"),
        ("2.500000000000", 2, b"2.5"),
        ("-0.001000000000", 2, b"0"),
        ("0.000000000000", 2, b"0"),
        ("-0.000000000000", 2, b"0"),
        ("9999999999999999999999999999.123456789012", 8, b"9999999999999999999999999999.12345679"),
    ],
)
def test_numbers_are_written_in_plain_digits(value: str, decimals: int, written: bytes) -> None:
    number = series.rounded(Decimal(value), decimals)
    assert orjson.dumps(number, default=json_number) == written


def test_a_series_is_public_with_its_holder_and_stands_with_the_survivor() -> None:
    former, survivor = make_unit("old", "옛 주제", type="topic"), make_unit("new", "새 주제", type="topic")
    make_series("rate", holder=former)
    curation.merge(former, survivor, now=NOON)
    (record,) = series.records(NOON)
    assert record["holder"] == "topic:new"
    assert [each.slug for each in series.shown_series(survivor)] == ["rate"]
    Unit.objects.filter(pk=survivor.pk).update(status=Status.RETRACTED)
    assert series.records(NOON) == []


def test_indexes_say_which_series_a_unit_holds(client: Client) -> None:
    topic = make_unit("mining", "채굴", type="topic")
    make_series("difficulty", holder=topic, position=1)
    make_series("hashrate", holder=topic, unit="H/s", decimals=0)
    observe("hashrate", NOON, 6.1e20)
    build(now=NOON)
    (record,) = client.get("/api/canonical/topics.json").json()["topics"]
    assert record["series"] == ["series:hashrate", "series:difficulty"]
    answer = client.get("/api/series.json")
    assert answer.json()["count"] == 2
    assert b'"value":610000000000000000000' in answer.content
    make_series("fees", holder=topic, position=2)
    assert {"topics", "series"} <= set(build(now=NOON + timedelta(minutes=1)))


def test_only_what_is_calculated_here_names_this_service() -> None:
    """Values whose source was deleted are nobody's rather than ours."""
    for slug, key in (("kimchi-premium", "premium:btc"), ("us-10y", "DGS10")):
        make_series(slug, key)
        observe(key, NOON, 1.0)
    told = {record["id"]: record["source"] for record in series.records(NOON)}
    assert told["series:us-10y"] is None
    assert (told["series:kimchi-premium"] or {}).get("label") == settings.SERVICE_NAME


def test_a_change_too_small_to_be_seen_is_no_negative_zero() -> None:
    make_series("us-10y", unit="index")
    observe("us-10y", NOON - timedelta(days=1), 100_000.0)
    observe("us-10y", NOON, 99_999.999)
    (record,) = series.records(NOON)
    assert str((record["changes"]["previous"] or {})["percent"]) == "0"


def test_names_in_english_are_those_in_korean_where_there_are_none() -> None:
    make_series("us-10y", licence="CC BY 4.0")
    SeriesInput.objects.update(source=make_source("bank", name="FRED"))
    observe("us-10y", NOON, 1.0)
    (record,) = series.records(NOON)
    assert ((record["source"] or {})["labelEn"], record["licenceEn"]) == ("FRED", "CC BY 4.0")


def test_the_largest_and_the_smallest_value_say_their_change_in_plain_digits() -> None:
    make_series("us-10y", unit="USD", decimals=8)
    observe("us-10y", NOON - timedelta(days=1), 0.000000000001)
    observe("us-10y", NOON, 9e27)
    (record,) = series.records(NOON)
    written = orjson.dumps(record["changes"], default=json_number)
    assert b'"percent":9' + b"0" * 41 in written
    assert b"e+" not in written
