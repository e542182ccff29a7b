"""The kimchi premium: three legs that belong together, or none."""

from datetime import UTC, datetime, timedelta

import pytest

from knowledge import curation
from knowledge.models import Candle, Interval, Market, Observation, Premium, Series, Unit, Venue
from knowledge.series import premium
from tests.factories.knowledge import make_unit
from tests.factories.series import make_series, observe

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 20, 3, 5, tzinfo=UTC)
HOUR = timedelta(hours=1)
LAST_CLOSED = NOW.replace(minute=0) - HOUR


@pytest.fixture
def bitcoin() -> Unit:
    return make_unit("btc", "비트코인", symbol="BTC")


def close(asset: Unit, venue: Venue, price: float, at: datetime = LAST_CLOSED) -> None:
    market, _created = Market.objects.get_or_create(
        venue=venue, symbol=f"{venue}-{asset.slug}", defaults={"asset": asset}
    )
    numbers = dict.fromkeys(("open", "high", "low", "close"), price)
    Candle.objects.create(market=market, interval=Interval.HOUR, at=at, volume=1.0, **numbers)


def rate(value: float, at: datetime, key: str = "USDKRW") -> None:
    if not Series.objects.exists():
        make_series("usd-krw", "731Y001/0000001", "USDKRW", unit="KRW")
    observe(key, at, value)


def recorded(asset: Unit, now: datetime) -> Premium | None:
    premium.record_all(now=now)
    return Premium.objects.filter(asset=asset).first()


def legs(asset: Unit) -> None:
    close(asset, Venue.UPBIT, 143_000_000.0)
    close(asset, Venue.BINANCE, 100_000.0)
    rate(1_400.0, datetime(2026, 11, 19, tzinfo=UTC))


def test_the_premium_is_stored_with_its_legs_and_their_times(bitcoin: Unit) -> None:
    legs(bitcoin)
    stored = recorded(bitcoin, now=NOW)
    assert stored is not None
    assert stored.value == pytest.approx(143_000_000 / (100_000 * 1_400) - 1)
    assert stored.at == stored.upbit_at == stored.binance_at == NOW.replace(minute=0)
    assert (stored.usdkrw, stored.usdkrw_at) == (1_400.0, datetime(2026, 11, 19, tzinfo=UTC))


def test_the_same_legs_again_change_nothing(bitcoin: Unit) -> None:
    legs(bitcoin)
    assert recorded(bitcoin, now=NOW) == recorded(bitcoin, now=NOW + 10 * timedelta(minutes=1))
    assert Premium.objects.count() == 1


def test_a_revised_leg_revises_the_premium(bitcoin: Unit) -> None:
    legs(bitcoin)
    recorded(bitcoin, now=NOW)
    Observation.objects.filter(input__key="USDKRW").update(value=1_300.0)
    revised = recorded(bitcoin, now=NOW)
    assert revised is not None
    assert Premium.objects.get().value == revised.value == pytest.approx(0.1)


@pytest.mark.parametrize("missing", ["upbit", "binance", "rate"])
def test_without_a_leg_there_is_no_premium(missing: str, bitcoin: Unit) -> None:
    legs(bitcoin)
    if missing == "rate":
        Observation.objects.all().delete()
    else:
        Candle.objects.filter(market__venue=missing).delete()
    assert recorded(bitcoin, now=NOW) is None
    assert not Premium.objects.exists()


def test_legs_more_than_ten_minutes_apart_are_refused(bitcoin: Unit) -> None:
    legs(bitcoin)
    Candle.objects.filter(market__venue=Venue.BINANCE).update(at=LAST_CLOSED - HOUR)
    assert recorded(bitcoin, now=NOW) is None
    Candle.objects.filter(market__venue=Venue.BINANCE).update(at=LAST_CLOSED - timedelta(minutes=10))
    assert recorded(bitcoin, now=NOW) is not None


def test_a_rate_older_than_four_days_is_refused(bitcoin: Unit) -> None:
    legs(bitcoin)
    limit = NOW.replace(minute=0) - timedelta(days=4)
    Observation.objects.update(at=limit - timedelta(seconds=1))
    assert recorded(bitcoin, now=NOW) is None
    Observation.objects.update(at=limit)
    assert recorded(bitcoin, now=NOW) is not None


def test_bars_that_are_open_or_long_gone_are_no_leg(bitcoin: Unit) -> None:
    legs(bitcoin)
    Candle.objects.filter(market__venue=Venue.UPBIT).update(at=NOW.replace(minute=0))
    assert recorded(bitcoin, now=NOW) is None
    Candle.objects.update(at=NOW - 7 * HOUR)
    assert recorded(bitcoin, now=NOW) is None


def test_the_bank_of_koreas_rate_stands_in_and_the_newer_one_counts(bitcoin: Unit) -> None:
    legs(bitcoin)
    Observation.objects.update(at=NOW - timedelta(days=6))
    rate(1_380.0, datetime(2026, 11, 18, tzinfo=UTC), key="731Y001/0000001")
    stored = recorded(bitcoin, now=NOW)
    assert stored is not None
    assert stored.usdkrw == 1_380.0
    rate(1_390.0, datetime(2026, 11, 18, 8, tzinfo=UTC))
    newest = premium.newest_rate(NOW)
    assert newest is not None
    assert newest.value == 1_390.0


def test_a_rate_that_cannot_be_one_is_passed_over(bitcoin: Unit) -> None:
    legs(bitcoin)
    rate(0.0, datetime(2026, 11, 20, tzinfo=UTC))
    stored = recorded(bitcoin, now=NOW)
    assert stored is not None
    assert stored.usdkrw == 1_400.0


def test_an_asset_that_was_merged_goes_on_under_the_key_of_its_series(bitcoin: Unit) -> None:
    legs(bitcoin)
    curation.merge(bitcoin, make_unit("bitcoin", "비트코인(새)"), now=NOW)
    assert premium.record_all(now=NOW) == 1
    assert Observation.objects.filter(input__key="premium:btc").count() == 1


def test_every_asset_on_both_venues_is_recorded(bitcoin: Unit) -> None:
    ether, doge = make_unit("eth", "이더리움"), make_unit("doge", "도지코인")
    legs(bitcoin)
    close(ether, Venue.UPBIT, 5_000_000.0)
    close(ether, Venue.BINANCE, 3_500.0)
    close(doge, Venue.UPBIT, 500.0)
    assert premium.record_all(now=NOW) == 2
    assert set(Premium.objects.values_list("asset__slug", flat=True)) == {"btc", "eth"}
