"""Pulses of one hour and one direction are one line; the public lists keep them one by one."""

from datetime import timedelta

import pytest
from django.utils.translation import override

from knowledge.models import Candle, Market, Premium
from knowledge.queries import records
from knowledge.queries.charts import PULSE_POINTS, around_pulses
from knowledge.queries.pulse_groups import grouped_pulses, outlets_at
from tests.factories.knowledge import NOON, make_pulse, make_source, make_unit

pytestmark = pytest.mark.django_db


def test_what_fell_within_one_hour_is_told_together_with_the_largest_move() -> None:
    for number, size in enumerate((-5.2, -12.9, -7.0)):
        asset = make_unit(f"coin-{number}", f"코인{number}")
        make_pulse(asset, f"k{number}", NOON - timedelta(minutes=5 + number), magnitude_pct=size)
    make_pulse(
        make_unit("riser", "오름"), "up", NOON - timedelta(minutes=9), direction="up", magnitude_pct=30.0
    )
    make_pulse(make_unit("later", "나중"), "next", NOON + timedelta(minutes=1))
    premium = {"kind": "premium", "magnitude_pct": -3.1}
    make_pulse(make_unit("gap", "간격"), "gap", NOON - timedelta(minutes=3), **premium)
    groups = grouped_pulses(records.pulses(NOON))
    assert [(f"{group.hour:%H:%M}", len(group.pulses), group.size) for group in groups] == [
        ("12:00", 1, "−12.5%"),
        ("11:00", 3, "−12.9%"),
        ("11:00", 1, "+30.0%"),
        ("11:00", 1, "−3.1%p"),
    ]
    together = groups[1]
    assert together.together == "3개 자산 동반 하락"
    assert [pulse["magnitudePct"] for pulse in together.pulses] == [-12.9, -7.0, -5.2]
    with override("en"):
        assert together.together == "3 assets fell together"


def test_a_pulse_is_drawn_with_what_was_before_and_after_it() -> None:
    asset = make_unit("btc")
    make_pulse(asset, "k1")
    market = Market.objects.create(venue="upbit", symbol="KRW-BTC", asset=asset)
    other = Market.objects.create(venue="binance", symbol="BTCUSDT", asset=asset)
    for hour in range(-60, 60):
        for where, price in ((market, 1000.0 + hour), (other, 1.0)):
            same = dict.fromkeys(("open", "high", "low", "close"), price)
            at = NOON + timedelta(hours=hour)
            Candle.objects.create(market=where, interval="1h", at=at, **same, volume=1.0)
    found = around_pulses({"price": ["k1", "unknown"]})
    assert list(found) == ["k1"]
    assert len(found["k1"]) == PULSE_POINTS
    assert found["k1"][-1] == (NOON + timedelta(hours=12), 1012.0)
    assert found["k1"][0].at > NOON - timedelta(hours=36)


def test_a_pulse_of_the_premium_is_drawn_with_the_premium() -> None:
    asset = make_unit("btc")
    make_pulse(asset, "k1", kind="premium", magnitude_pct=-3.0)
    legs = {
        "upbit_krw": 1,
        "upbit_at": NOON,
        "binance_usd": 1,
        "binance_at": NOON,
        "usdkrw": 1,
        "usdkrw_at": NOON,
    }
    for hour in (-40, -1, 1):
        Premium.objects.create(asset=asset, at=NOON + timedelta(hours=hour), value=0.01 * hour, **legs)
    assert [value for _at, value in around_pulses({"premium": ["k1"]})["k1"]] == [-1.0, 1.0]


def test_outlets_are_told_by_name_and_shared_hosts_by_their_own() -> None:
    make_source("dawn", name="새벽경제", homepage="https://www.dawn.example", url="https://feeds.example/1")
    for number in (1, 2):
        make_source(f"tv-{number}", name=f"방송{number}", homepage=f"https://www.tv.example/{number}")
    addresses = {
        "https://dawn.example/news/1": "새벽경제",
        "https://www.tv.example/watch?v=1": "tv.example",
        "https://api.upbit.com/v1/candles/days?market=KRW-BTC": "업비트",
        "https://data-api.binance.vision/api/v3/klines": "바이낸스",
        "https://unknown.example/": "unknown.example",
    }
    assert outlets_at(addresses) == addresses
