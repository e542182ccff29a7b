"""Numbers as readers see them."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from knowledge.models import Series
from knowledge.queries.amounts import age, amount, gloss, measured, movement
from knowledge.queries.number_words import WORDS
from knowledge.series.values import Change, Latest

NOON = datetime(2026, 11, 20, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "unit", "decimals", "korean", "english"),
    [
        ("1384.50", "KRW", 2, "1,384.5원", "1,384.5 won"),
        ("0.00001234", "KRW", 8, "0.00001234원", "0.00001234 won"),
        ("124000000", "KRW", 8, "124,000,000원", "124,000,000 won"),
        ("92345678901.4", "USD", 0, "92,345,678,901달러", "92,345,678,901 US dollars"),
        ("2.5", "%", 2, "2.50%", "2.50%"),
        ("0.001", "%", 2, "0%", "0%"),
        ("123999876.54321", "KRW", 8, "123,999,877원", "123,999,877 won"),
        ("912.5678", "KRW", 8, "912.568원", "912.568 won"),
        ("-1.234", "%", 2, "−1.23%", "−1.23%"),
        ("812345678901234567890", "H/s", 0, "812.35 EH/s", "812.35 EH/s"),
        ("1050000000000000000000", "H/s", 0, "1,050 EH/s", "1,050 EH/s"),
        ("999", "H/s", 0, "999 H/s", "999 H/s"),
        ("109780000000000", "1", 0, "109,780,000,000,000", "109,780,000,000,000"),
        ("61000", "transactions", 0, "61,000건", "61,000 transactions"),
        ("4.2", "furlong", 1, "4.2 furlong", "4.2 furlong"),
    ],
)
def test_an_amount_has_grouped_digits_and_its_unit_and_is_never_scientific(
    value: str, unit: str, decimals: int, korean: str, english: str
) -> None:
    assert amount(Decimal(value), unit, decimals) == korean
    assert amount(Decimal(value), unit, decimals, "en") == english


@pytest.mark.parametrize(
    ("value", "unit", "korean", "english"),
    [
        ("99999999", "KRW", "", ""),
        ("124000000", "KRW", "약 1억 2,400만 원", "about 124.0 million won"),
        ("100000000", "KRW", "약 1억 원", "about 100.0 million won"),
        ("92345678901", "USD", "약 923억 4,568만 달러", "about 92.3 billion US dollars"),
        ("-4106000000000", "KRW", "약 −4조 1,060억 원", "about −4.1 trillion won"),
        ("109780000000000", "1", "약 109조 7,800억", "about 109.8 trillion"),
        ("999999999", "KRW", "약 10억 원", "about 1.0 billion won"),
        ("999999999999", "KRW", "약 1조 원", "about 1.0 trillion won"),
        ("960000000", "KRW", "약 9억 6,000만 원", "about 960.0 million won"),
    ],
)
def test_a_large_number_is_said_in_words_too(value: str, unit: str, korean: str, english: str) -> None:
    assert gloss(Decimal(value), unit) == korean
    assert gloss(Decimal(value), unit, "en") == english


def test_a_change_has_a_sign_a_mark_and_a_word() -> None:
    won, rate = Series(unit="KRW", decimals=2), Series(unit="%", decimals=2)
    up = movement(Change(NOON, absolute=Decimal("2.1"), percent=0.152), won)
    assert up == ("▲", "+2.1원 (+0.15%)", "+0.15%", "상승", "rise")
    down = movement(Change(NOON, points=Decimal("-0.25")), rate, "en")
    assert down == ("▼", "−0.25 percentage points", "−0.25 pp", "down", "fall")
    assert movement(Change(NOON, points=Decimal("0.001")), rate) == ("–", "", "", "변동 없음", "")
    no_share = movement(Change(NOON, absolute=Decimal(3)), Series(unit="index"))
    assert (no_share.size, no_share.brief) == ("+3", "+3")
    slight = movement(Change(NOON, absolute=Decimal(500), percent=0.0004), won)
    assert (slight.size, slight.brief) == ("+500원", "+500원")
    hashes = Series(unit="H/s")
    assert movement(Change(NOON, absolute=Decimal(10) ** 15), hashes).word == "변동 없음"
    assert movement(Change(NOON, absolute=Decimal(10) ** 17), hashes).size == "+100 PH/s"


def test_when_a_value_was_measured_is_its_period_or_the_minute_in_seoul() -> None:
    assert measured(NOON, "") == "2026년 11월 20일 12:00 KST"
    assert measured(NOON, "", "en") == "20 November 2026 12:00 KST"
    assert measured(NOON, "2026-10") == "2026년 10월"
    assert measured(NOON, "2026-10-05", "en") == "5 October 2026"
    assert measured(NOON, "2026-10-05") == "2026년 10월 5일"
    assert measured(NOON, "2026Q3") == "2026Q3"


def test_an_overdue_value_says_its_age() -> None:
    latest = Latest(NOON, "", Decimal(1), NOON, stale=True)
    assert age(latest, NOON + timedelta(days=9, hours=3)) == "9일 전 값"
    assert age(latest, NOON + timedelta(hours=5)) == "5시간 전 값"
    assert age(latest, NOON + timedelta(days=9), "en") == "value of 9 days ago"
    assert age(latest._replace(stale=False), NOON + timedelta(days=9)) == ""


def test_both_languages_have_the_same_words() -> None:
    assert WORDS["ko"].keys() == WORDS["en"].keys()
    assert not [
        word for word in WORDS["en"].values() if not word.isascii() and word != "한국어" and "’" in word
    ]
