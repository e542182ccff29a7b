from dataclasses import replace
from datetime import timedelta

import pytest

from knowledge.models import Venue
from knowledge.pulses.detector import PulseEvent
from knowledge.pulses.summary import format_price, summary_en, summary_ko
from tests.factories.candles import MONDAY

FALL = PulseEvent(
    id="0" * 16,
    asset="BTC",
    interval="1h",
    direction="down",
    magnitude_pct=-33.9,
    move=-0.339,
    started_at=MONDAY,
    detected_at=MONDAY + timedelta(hours=1),
    extended_at=MONDAY + timedelta(hours=1),
    ended_at=None,
    horizon_hours=24,
    extremum="low",
    confidence=0.8,
    scope="unknown",
    price=88_266_000.0,
    volume_ratio=8.34,
    collapsed=False,
)
RISE = replace(
    FALL, direction="up", magnitude_pct=5.17, extremum="close", horizon_hours=1, price=37_928_000.0
)


def test_a_fall_that_did_not_last_is_told_as_a_moment() -> None:
    assert summary_ko(FALL, label="비트코인", venue=Venue.UPBIT) == (
        "비트코인이 24시간 새 한때 33.9% 급락(업비트 기준 88,266,000원). 거래량 평소의 8.3배."
    )
    assert summary_en(FALL, label="Bitcoin", venue=Venue.UPBIT) == (
        "Bitcoin briefly fell 33.9% in 24 hours (low of 88,266,000 KRW on Upbit). Volume 8.3 times the usual."
    )


def test_a_rise_is_told_in_both_languages() -> None:
    assert summary_ko(RISE, label="리플", venue=Venue.UPBIT).startswith(
        "리플이 1시간 새 5.2% 급등(업비트 기준 37,928,000원)"
    )
    assert summary_en(RISE, label="XRP", venue=Venue.UPBIT).startswith(
        "XRP rose 5.2% in 1 hour (37,928,000 KRW on Upbit)"
    )


def test_three_days_are_days() -> None:
    slow = replace(RISE, horizon_hours=72)
    assert "3일 새" in summary_ko(slow, label="비트코인", venue=Venue.UPBIT)
    assert "in 3 days" in summary_en(slow, label="Bitcoin", venue=Venue.UPBIT)


def test_a_move_seen_in_korea_only_says_so() -> None:
    local = replace(FALL, scope="local")
    assert summary_ko(local, label="비트코인", venue=Venue.UPBIT).endswith("국내 거래소 한정.")
    assert summary_en(local, label="Bitcoin", venue=Venue.UPBIT).endswith("Korean exchanges only.")


def test_an_unknown_volume_is_not_mentioned() -> None:
    silent = replace(FALL, volume_ratio=None)
    assert "거래량" not in summary_ko(silent, label="비트코인", venue=Venue.UPBIT)
    assert "Volume" not in summary_en(silent, label="Bitcoin", venue=Venue.UPBIT)


def test_a_large_volume_has_no_decimals() -> None:
    assert "거래량 평소의 1,825배." in summary_ko(
        replace(FALL, volume_ratio=1825.4), label="루나", venue=Venue.UPBIT
    )


def test_a_depeg_is_no_sharp_fall() -> None:
    depeg = replace(FALL, magnitude_pct=-1.21, extremum="close", price=1383.0)
    assert "테더가 24시간 새 1.2% 하락(업비트 기준 1,383원)" in summary_ko(
        depeg, label="테더", venue=Venue.UPBIT
    )


def test_a_capped_size_says_that_it_was_more() -> None:
    capped = replace(RISE, magnitude_pct=100.0, collapsed=True)
    assert "100.0% 넘게 급등" in summary_ko(capped, label="루나", venue=Venue.UPBIT)
    assert "rose over 100.0%" in summary_en(capped, label="Luna", venue=Venue.UPBIT)


def test_a_foreign_venue_quotes_in_dollars() -> None:
    foreign = replace(RISE, price=0.7123)
    assert "(바이낸스 기준 0.7123달러)" in summary_ko(foreign, label="리플", venue=Venue.BINANCE)
    assert "(0.7123 USD on Binance)" in summary_en(foreign, label="XRP", venue=Venue.BINANCE)


@pytest.mark.parametrize(
    ("price", "quote", "shown"),
    [
        (143_500_000.0, "KRW", "143,500,000"),
        (712.0, "KRW", "712"),
        (12.345, "KRW", "12.35"),
        (0.5, "KRW", "0.5"),
        (0.00001234, "KRW", "0.00001234"),
        (61234.567, "USD", "61,235"),
        (2345.678, "USD", "2,345.68"),
    ],
)
def test_a_price_has_the_decimals_of_its_size(price: float, quote: str, shown: str) -> None:
    assert format_price(price, quote) == shown
