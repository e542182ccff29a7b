"""Premium pulses: a premium far from its 30-day median, told once, beside price pulses and never mixed with them."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from archive.context import context_of
from knowledge import curation
from knowledge.models import Candle, HeldValue, Market, Premium, Pulse, PulseKind, Status, Unit, Venue
from knowledge.pulses.premium_recording import record_premium_pulses
from knowledge.pulses.premiums import PremiumPoint, PremiumPulse, detect_premium_pulses
from knowledge.pulses.recording import record_price_pulses
from knowledge.queries import charts
from knowledge.series import premium
from tests.factories.candles import bars_of, calm
from tests.factories.knowledge import make_pulse, make_unit
from tests.factories.series import make_series

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOW = datetime(2026, 11, 20, 3, tzinfo=UTC)
CALM = [1.0, 1.1, 0.9, 1.2, 0.8] * 144  # thirty days of hours


def points(values: Iterable[float], until: datetime = NOW, step: timedelta = HOUR) -> list[PremiumPoint]:
    every = list(values)
    first = until - step * (len(every) - 1)
    return [PremiumPoint(first + step * n, value) for n, value in enumerate(every)]


def found(*tail: float, calm: Iterable[float] = CALM, step: timedelta = HOUR) -> list[PremiumPulse]:
    return detect_premium_pulses(points([*calm, *tail], step=step), asset="asset:btc")


def test_a_premium_two_points_off_its_median_is_a_pulse_of_that_many_points() -> None:
    (pulse,) = found(3.6)
    assert (pulse.direction, round(pulse.distance, 2), round(pulse.median, 2)) == ("up", 2.6, 1.0)
    assert (pulse.detected_at, pulse.ended_at) == (NOW, None)
    assert 0.5 < pulse.confidence < 0.75
    assert found(2.9) == []


def test_a_premium_that_vanishes_falls() -> None:
    (pulse,) = found(-3.0)
    assert (pulse.direction, round(pulse.distance, 2)) == ("down", -4.0)


def test_where_premiums_swing_more_must_happen() -> None:
    restless = [0.0, 1.0, 2.0, 3.0, 4.0] * 144  # median 2, median distance 1: 7.4 points
    assert found(9.3, calm=restless) == []
    (pulse,) = found(9.5, calm=restless)
    assert round(pulse.distance, 1) == 7.5


def test_ten_days_must_be_known_before() -> None:
    # By days, as a history that was filled in has them.
    assert found(9.0, calm=[1.0] * 9, step=DAY) == []
    assert len(found(9.0, calm=[1.0] * 10, step=DAY)) == 1
    assert found(9.0, calm=CALM[: 24 * 8]) == []


def test_half_as_much_again_extends_and_less_is_absorbed() -> None:
    (pulse,) = found(3.1, 3.5, 4.2, 4.0)
    assert round(pulse.distance, 1) == 3.2
    assert (pulse.detected_at, pulse.extended_at) == (NOW - 3 * HOUR, NOW - HOUR)


def test_it_ends_when_the_premium_is_back_and_may_come_again() -> None:
    first, second = found(3.5, 2.5, 1.5, 3.5)
    assert (first.detected_at, first.ended_at) == (NOW - 3 * HOUR, NOW - HOUR)
    assert (second.detected_at, second.ended_at) == (NOW, None)
    assert first.id != second.id


def test_a_premium_that_stays_is_told_once() -> None:
    (pulse,) = found(*[3.5] * 120)
    assert pulse.ended_at == pulse.detected_at + DAY
    once, again = found(*[3.5] * 30, 4.9)
    assert (once.ended_at, again.detected_at) == (once.detected_at + DAY, NOW)


def test_whatever_happens_it_ends_after_three_days() -> None:
    rising = [3.5 * 1.51 ** (n // 20) for n in range(100)]
    assert found(*rising)[0].ended_at == NOW - 99 * HOUR + 3 * DAY


def test_both_directions_may_be_open() -> None:
    assert [pulse.direction for pulse in found(3.5, -3.5)] == ["up", "down"]


def test_point_by_point_says_what_all_at_once_says() -> None:
    every = points([*CALM, 3.5, 4.9, 1.0, -2.5, -2.0, 1.0, 5.0])
    whole = detect_premium_pulses(every, asset="asset:btc")
    grown: dict[str, PremiumPulse] = {}
    for stop in range(len(CALM), len(every) + 1):
        grown |= {pulse.id: pulse for pulse in detect_premium_pulses(every[:stop], asset="asset:btc")}
    assert list(grown.values()) == whole
    assert detect_premium_pulses(reversed(every), asset="asset:btc") == whole


# In the database


@pytest.fixture
def bitcoin(db: None) -> Unit:
    asset = make_unit("btc", "비트코인", symbol="BTC")
    for venue, symbol in ((Venue.UPBIT, "KRW-BTC"), (Venue.BINANCE, "BTCUSDT")):
        Market.objects.create(venue=venue, symbol=symbol, asset=asset)
    return asset


def premiums(asset: Unit, *tail: float) -> None:
    legs = {"upbit_krw": 1.0, "binance_usd": 1.0, "usdkrw": 1.0}
    Premium.objects.bulk_create(
        Premium(asset=asset, at=at, value=percent / 100, upbit_at=at, binance_at=at, usdkrw_at=at, **legs)
        for at, percent in points([*CALM, *tail])
    )


def test_it_is_published_with_its_legs_once(bitcoin: Unit) -> None:
    premiums(bitcoin, 6.2)
    assert record_premium_pulses(now=NOW) == 1
    pulse = Pulse.objects.published().get()
    assert (pulse.kind, pulse.direction, pulse.magnitude_pct) == (PulseKind.PREMIUM, "up", 5.2)
    assert (pulse.detected_at, pulse.horizon_hours, pulse.scope) == (NOW, 720, "local")
    assert pulse.summary == "비트코인 김치 프리미엄 +6.2%, 30일 중앙값(+1.0%)보다 5.2%p 높음."
    assert pulse.summary_en == (
        "BTC kimchi premium at +6.2%, 5.2 percentage points above its 30-day median (+1.0%)."
    )
    assert [source["url"].split("?")[0] for source in pulse.sources] == [
        "https://api.upbit.com/v1/candles/minutes/60",
        "https://data-api.binance.vision/api/v3/klines",
    ]
    assert record_premium_pulses(now=NOW) == 0


def test_a_retracted_one_stays_away(bitcoin: Unit) -> None:
    premiums(bitcoin, 6.2)
    record_premium_pulses(now=NOW)
    curation.set_status(Pulse.objects.get(), Status.RETRACTED)
    record_premium_pulses(now=NOW + HOUR)
    assert not Pulse.objects.published().exists()


def test_a_history_that_is_filled_in_raises_no_old_pulse(bitcoin: Unit) -> None:
    premiums(bitcoin, 6.2)
    assert record_premium_pulses(now=NOW + 8 * DAY) == 0


def test_a_price_pulse_neither_extends_nor_absorbs_it_nor_the_other_way_round(bitcoin: Unit) -> None:
    premiums(bitcoin, 9.2)
    record_premium_pulses(now=NOW)
    closes = [*calm(), 100.0, 109.0]
    Candle.objects.bulk_create(
        Candle(
            market=Market.objects.get(venue=Venue.UPBIT),
            interval="1h",
            **{name: getattr(bar, name) for name in ("at", "open", "high", "low", "close", "volume")},
        )
        for bar in bars_of(closes, start=NOW - len(closes) * HOUR, volume=1_000_000.0)
    )
    assert record_price_pulses(now=NOW) == 1
    assert record_premium_pulses(now=NOW) == 0
    price, off = Pulse.objects.order_by("magnitude_pct").reverse()
    assert (price.kind, price.direction, price.magnitude_pct) == (PulseKind.PRICE, "up", 9.0)
    assert (off.kind, off.direction, off.magnitude_pct) == (PulseKind.PREMIUM, "up", 8.2)
    assert price.key != off.key


def test_a_premium_that_a_rule_took_for_a_mistake_is_no_pulse(bitcoin: Unit) -> None:
    premiums(bitcoin, 99_900.0)
    series = make_series("kimchi-premium", "premium:btc", holder=bitcoin, most=500)
    last = Premium.objects.latest("at")
    premium.observe([last], now=NOW)
    assert HeldValue.objects.get().input == series.inputs.get()
    assert record_premium_pulses(now=NOW) == 0


def test_the_premium_of_a_merged_asset_is_told_of_the_one_that_stands(bitcoin: Unit) -> None:
    """Its markets and its series stay with the unit that they were made for."""
    premiums(bitcoin, 6.2)
    survivor = make_unit("bitcoin", "비트코인(새)", symbol="XBT")
    curation.merge(bitcoin, survivor, now=NOW)
    assert record_premium_pulses(now=NOW) == 1
    assert Pulse.objects.get().asset == survivor
    assert Pulse.objects.get().summary.startswith("비트코인(새) 김치 프리미엄")
    assert len(charts.premiums_of(survivor, now=NOW)) == 14 * 24


def test_the_city_counts_prices_only(bitcoin: Unit) -> None:
    make_pulse(bitcoin, "price", NOW)
    make_pulse(bitcoin, "premium", NOW, kind=PulseKind.PREMIUM)
    day = NOW.date()
    assert context_of(day)["pulsesDown"] == 1


def test_every_face_says_points(bitcoin: Unit, client: Client) -> None:
    premiums(bitcoin, 6.2)
    record_premium_pulses(now=NOW)
    assert "+5.2%p" in client.get("/asset/btc").content.decode()
    assert "+5.2%p" in client.get("/asset/btc.md").content.decode()
    assert "+5.2%p" in client.get("/rss.xml").content.decode()
