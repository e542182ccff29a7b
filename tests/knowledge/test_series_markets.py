"""Every market in won: opened for assets of the canon, closed when they go, chosen for bars, thinned."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge.ingestion.runs import ingest
from knowledge.models import (
    FetchRun,
    HeldValue,
    Market,
    MarketCandidate,
    Observation,
    Series,
    SeriesInput,
    SeriesPattern,
    Source,
    Unit,
    Venue,
)
from knowledge.series import bars, markets, thinning, values
from knowledge.sources.http.client import HttpClient
from rehearsal.bodies import binance_tickers, upbit_markets, upbit_tickers
from tests.factories.knowledge import NOON, make_pulse, make_source, make_unit
from tests.fakes.replay import Replay

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SECOND = timedelta(seconds=1)
PRICE = {
    "slug": "price-<asset>",
    "label": "<label> 원화 가격",
    "label_en": "<ticker> price in won",
    "unit": "KRW",
    "cadence": "live",
    "holder": "<holder>",
    "inputs": [{"source": "upbit_tickers", "key": "upbit:<symbol>"}],
    "licence": "업비트",
    "least": 0,
    "largest_jump": 1000,
}
PREMIUM = PRICE | {
    "slug": "kimchi-premium-<asset>",
    "unit": "%",
    "cadence": "hourly",
    "inputs": [{"source": "premium", "key": "premium:<asset>"}],
    "markets": "both",
    "except": ["asset:btc"],
}


class Exchange:
    """Upbit and Binance as a test has them answer, each by one source."""

    def __init__(self, replay: Replay, http: HttpClient) -> None:
        self.replay, self.http = replay, http
        self.lists = self._source("upbit_markets", "/upbit/market/all", stablecoins=["USDT"])
        self.tickers = self._source("upbit_tickers", "/upbit/ticker/all")
        self.abroad = self._source("binance_tickers", "/binance/ticker/24hr")

    def _source(self, adapter: str, path: str, **settings: Any) -> Source:
        slug = adapter.replace("_", "-")
        return make_source(slug, kind="price", adapter=adapter, url=self.replay.url(path), settings=settings)

    def run(self, source: Source, body: bytes, now: datetime = NOON) -> FetchRun:
        path = source.url.removeprefix(self.replay.origin)
        self.replay.serve(path, body, content_type="application/json")
        source.refresh_from_db()
        row = ingest(source, now=now, http=self.http)
        assert row.cause == "", f"{row.cause}: {row.detail}"
        return row

    def list(self, *symbols: str, now: datetime = NOON, **how: Any) -> FetchRun:
        return self.run(self.lists, upbit_markets(*symbols, **how), now)

    def tick(self, *tickers: tuple[str, float, float, datetime], now: datetime = NOON) -> FetchRun:
        return self.run(self.tickers, upbit_tickers(*tickers), now)

    def tick_abroad(self, *tickers: tuple[str, float, datetime], now: datetime = NOON) -> FetchRun:
        return self.run(self.abroad, binance_tickers(*tickers), now)


@pytest.fixture
def exchange(replay: Replay, http: HttpClient) -> Exchange:
    SeriesPattern.objects.create(slug=PRICE["slug"], record=PRICE)
    SeriesPattern.objects.create(slug=PREMIUM["slug"], record=PREMIUM)
    return Exchange(replay, http)


def asset(symbol: str, **fields: Any) -> Unit:
    return make_unit(symbol.lower(), f"{symbol} 코인", symbol=symbol, **fields)


def live(venue: Venue = Venue.UPBIT) -> set[str]:
    return set(Market.objects.filter(venue=venue, delisted_at=None).values_list("symbol", flat=True))


def test_a_listed_asset_gets_its_market_and_its_series(exchange: Exchange) -> None:
    ether = asset("ETH")
    asset("USDT")
    run = exchange.list("KRW-ETH", "KRW-USDT", warned=["KRW-ETH"])
    assert (run.fetched, run.created, run.updated) == (2, 2, 0)
    market = Market.objects.get(symbol="KRW-ETH")
    assert (market.asset, market.listed_at, market.warnings, market.stablecoin) == (
        ether,
        None,
        ["WARNING"],
        False,
    )
    assert Market.objects.get(symbol="KRW-USDT").stablecoin
    series = Series.objects.get(slug="price-eth")
    assert (series.label, series.holder, series.inputs.get().key) == (
        "ETH 코인 원화 가격",
        ether,
        "upbit:KRW-ETH",
    )
    assert not Series.objects.filter(slug__startswith="kimchi").exists()  # it does not trade abroad yet
    exchange.tick_abroad(("ETHUSDT", 4_000.0, NOON))
    assert Series.objects.get(slug="kimchi-premium-eth").holder == ether


def test_a_market_of_nobody_or_of_several_waits_for_an_editor(exchange: Exchange) -> None:
    asset("AAA")
    make_unit("aaa-2", "다른 AAA", symbol="AAA")
    asset("HID", status="retracted")
    exchange.list("KRW-AAA", "KRW-NEW", "KRW-HID")
    assert not live()
    found = {row.symbol: row for row in MarketCandidate.objects.awaiting()}
    assert set(found) == {"KRW-AAA", "KRW-NEW", "KRW-HID"}
    assert found["KRW-AAA"].reason == "이 심볼을 쓰는 자산이 여럿입니다: AAA 코인, 다른 AAA"
    assert (found["KRW-NEW"].name, found["KRW-NEW"].name_en) == ("KRW-NEW 코인", "KRW-NEW coin")
    MarketCandidate.objects.filter(symbol="KRW-HID").update(dismissed_at=NOON)
    exchange.list("KRW-AAA", "KRW-HID", now=NOON + HOUR)
    assert [row.symbol for row in MarketCandidate.objects.awaiting()] == ["KRW-AAA"]
    assert MarketCandidate.objects.filter(symbol="KRW-HID").exists()


def test_a_candidate_whose_asset_came_is_opened_though_the_list_is_the_same(exchange: Exchange) -> None:
    exchange.list("KRW-NEW")
    asset("NEW")
    run = exchange.list("KRW-NEW", now=NOON + HOUR)
    assert (run.outcome, run.created) == ("unchanged", 1)
    assert live() == {"KRW-NEW"}
    assert not MarketCandidate.objects.exists()


def test_a_market_that_waited_for_its_asset_was_not_listed_when_that_came(exchange: Exchange) -> None:
    """Or its pulses would be silent for two days."""
    asset("OLD")
    exchange.list("KRW-NEW")
    asset("NEW")
    exchange.list("KRW-NEW", "KRW-OLD", now=NOON + HOUR)
    assert Market.objects.get(symbol="KRW-NEW").listed_at is None
    assert Market.objects.get(symbol="KRW-OLD").listed_at == NOON + HOUR
    for hours in (2, 3):
        at = NOON + hours * HOUR
        exchange.tick_abroad(("NEWUSDT", 1.0, at), *([("OLDUSDT", 1.0, at)] if hours == 3 else []), now=at)
    assert Market.objects.get(symbol="OLDUSDT").listed_at is None  # it may have traded there for years


def test_an_asset_with_long_names_keeps_no_other_market_away(exchange: Exchange) -> None:
    make_unit("long", "긴" * 200, symbol="LONG")
    make_unit("s" * 96, "슬러그", symbol="SLUG")
    asset("AAA")
    exchange.list("KRW-LONG", "KRW-SLUG", "KRW-AAA")
    assert len(live()) == 3
    names = dict(Series.objects.values_list("slug", "label"))
    assert set(names) == {"price-long", "price-aaa"}
    assert names["price-long"].endswith("긴 원화 가격")


def test_a_candidate_is_opened_once_whoever_decides(exchange: Exchange) -> None:
    exchange.list("KRW-NEW")
    candidate, again = MarketCandidate.objects.get(), MarketCandidate.objects.get()
    unit = asset("OTHER")
    assert markets.open_candidate(candidate, unit) is not None
    Market.objects.update(delisted_at=NOON)
    assert markets.open_candidate(again, unit) is None


def test_a_market_that_goes_is_closed_and_keeps_its_history(exchange: Exchange) -> None:
    for symbol in ("AAA", "BBB"):
        asset(symbol)
    exchange.list("KRW-AAA", "KRW-BBB")
    exchange.tick(("KRW-AAA", 1.0, 5.0, NOON), ("KRW-BBB", 2.0, 5.0, NOON))
    run = exchange.list("KRW-AAA", now=NOON + HOUR)
    assert run.updated == 1
    gone = Market.objects.get(symbol="KRW-BBB")
    assert gone.delisted_at == NOON + HOUR
    assert not gone.hourly
    assert Series.objects.get(slug="price-bbb").inputs.get().observations.count() == 1
    row = exchange.tick(("KRW-AAA", 1.5, 5.0, NOON + HOUR), ("KRW-BBB", 9.0, 5.0, NOON + HOUR))
    assert row.fetched == 2  # price and value of the one that is open


def test_an_answer_that_was_cut_off_closes_nothing_and_says_so(exchange: Exchange) -> None:
    symbols = [f"C{number:02}" for number in range(20)]
    for symbol in symbols:
        asset(symbol)
    exchange.list(*(f"KRW-{symbol}" for symbol in symbols))
    run = exchange.list(*(f"KRW-{symbol}" for symbol in symbols[:10]), now=NOON + HOUR)
    assert run.detail == "10 of 20 markets are missing from the answer: none was closed"
    assert len(live()) == 20
    exchange.list(*(f"KRW-{symbol}" for symbol in symbols[:18]), now=NOON + 2 * HOUR)
    assert len(live()) == 18


def test_a_reused_ticker_has_a_market_and_an_input_of_its_own(exchange: Exchange) -> None:
    classic = asset("LUNA")
    exchange.list("KRW-LUNA", "KRW-X")
    exchange.tick(("KRW-LUNA", 100.0, 5.0, NOON))
    exchange.list("KRW-X", now=NOON + DAY)
    Unit.objects.filter(pk=classic.pk).update(symbol="LUNC")
    new = make_unit("luna-2", "새 루나", symbol="LUNA")
    exchange.list("KRW-LUNA", "KRW-X", now=NOON + 2 * DAY)
    exchange.tick(("KRW-LUNA", 9_000.0, 5.0, NOON + 2 * DAY), now=NOON + 2 * DAY)
    market = Market.objects.get(symbol="KRW-LUNA", delisted_at=None)
    assert (market.asset, market.listed_at) == (new, NOON + 2 * DAY)
    former, present = (Series.objects.get(slug=slug).inputs.get() for slug in ("price-luna", "price-luna-2"))
    assert former.key == f"upbit:KRW-LUNA#{Market.objects.exclude(pk=market.pk).get().pk}"
    assert [each.observations.get().value for each in (former, present)] == [100, 9_000]


def test_a_market_that_comes_back_goes_on_in_its_series(exchange: Exchange) -> None:
    asset("AAA")
    for hours, symbols in enumerate((["KRW-AAA", "KRW-X"], ["KRW-X"], ["KRW-AAA", "KRW-X"])):
        exchange.list(*symbols, now=NOON + hours * HOUR)
    assert Market.objects.count() == 2
    assert Series.objects.get(slug="price-aaa").inputs.get().key == "upbit:KRW-AAA"


def test_unchanged_tickers_write_nothing_and_a_halted_market_is_stale(exchange: Exchange) -> None:
    asset("AAA")
    asset("BBB")
    exchange.list("KRW-AAA", "KRW-BBB")
    exchange.tick(("KRW-AAA", 1.0, 5.0, NOON), ("KRW-BBB", 2.0, 5.0, NOON))
    later = NOON + 3 * HOUR
    run = exchange.tick(("KRW-AAA", 1.0, 5.0, NOON), ("KRW-BBB", 3.0, 6.0, later), now=later)
    assert (run.fetched, run.created, run.updated, run.unchanged) == (4, 2, 0, 2)
    figures = values.figures_of(Series.objects.filter(slug__startswith="price").order_by("slug"), now=later)
    assert [(each.latest.value, each.latest.stale) for each in figures if each.latest] == [
        (1, True),
        (3, False),
    ]


def test_a_price_a_thousandfold_from_the_future_or_in_another_unit_waits(exchange: Exchange) -> None:
    asset("AAA")
    exchange.list("KRW-AAA")
    exchange.tick(("KRW-AAA", 1.0, 5.0, NOON))
    exchange.tick(("KRW-AAA", 5_000.0, 5.0, NOON + HOUR), now=NOON + HOUR)
    exchange.tick(("KRW-AAA", 1.1, -5.0, NOON + 9 * HOUR), now=NOON + HOUR)
    held = HeldValue.objects.order_by("pk").values_list("input__key", "value")
    assert list(held) == [
        ("upbit:KRW-AAA", 5_000.0),
        ("upbit:KRW-AAA", 1.1),
        ("upbit:KRW-AAA:value", -5.0),
    ]
    assert list(Observation.objects.filter(input__key="upbit:KRW-AAA").values_list("value", flat=True)) == [1]


def test_only_what_trades_abroad_of_assets_in_won_is_stored(exchange: Exchange) -> None:
    asset("AAA")
    asset("BBB")
    exchange.list("KRW-AAA")
    old = NOON - 2 * DAY
    run = exchange.tick_abroad(
        ("AAAUSDT", 1.0, NOON), ("BBBUSDT", 1.0, NOON), ("AAABTC", 1.0, NOON), ("ZUSDT", 1.0, old)
    )
    assert (run.fetched, run.created) == (1, 1)
    assert SeriesInput.objects.get(key__startswith="binance").key == "binance:AAAUSDT"
    assert live(Venue.BINANCE) == {"AAAUSDT"}


def test_three_hundred_markets_are_stored_by_a_few_statements(exchange: Exchange) -> None:
    Market.objects.bulk_create(
        Market(venue=Venue.UPBIT, symbol=f"KRW-C{number}", asset=unit)
        for number, unit in enumerate([asset("AAA")] * 300)
    )

    def tickers(at: datetime) -> list[tuple[str, float, float, datetime]]:
        return [(f"KRW-C{number}", 100.0 + number, 1e9, at) for number in range(300)]

    exchange.tick(*tickers(NOON))
    with CaptureQueriesContext(connection) as asked:
        run = exchange.tick(*tickers(NOON + 10 * 60 * SECOND), now=NOON + 10 * 60 * SECOND)
    assert run.created == 600
    assert len(asked) < 25


def test_hour_bars_are_chosen_by_what_was_traded_and_by_pulses(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bars, "LARGEST", 2)
    units = {symbol: asset(symbol) for symbol in ("AAA", "BBB", "CCC", "DDD")}
    exchange.list(*(f"KRW-{symbol}" for symbol in units))
    exchange.tick_abroad(("AAAUSDT", 1.0, NOON))
    exchange.tick(*((f"KRW-{symbol}", 1.0, 10.0**rank, NOON) for rank, symbol in enumerate(units, start=1)))
    chosen = Market.objects.filter(hourly=True).order_by("symbol").values_list("symbol", flat=True)
    assert list(chosen.all()) == ["KRW-CCC", "KRW-DDD"]  # at once, before the first night
    make_pulse(units["AAA"], "a", detected_at=NOON - DAY)
    make_pulse(units["BBB"], "b", detected_at=NOON - 9 * DAY)
    assert bars.choose_hourly(now=NOON) == 4
    assert list(chosen.all()) == ["AAAUSDT", "KRW-AAA", "KRW-CCC", "KRW-DDD"]
    assert bars.choose_hourly(now=NOON + 9 * DAY) == 0  # nothing is known any more: the choice stays
    assert len(chosen.all()) == 4


def test_markets_that_are_listed_after_the_first_prices_need_not_wait_for_the_night(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bars, "LARGEST", 2)
    for symbol in ("AAA", "BBB", "CCC"):
        asset(symbol)
    exchange.list("KRW-AAA")
    exchange.tick(("KRW-AAA", 1.0, 5.0, NOON))
    exchange.list("KRW-AAA", "KRW-BBB", "KRW-CCC", now=NOON + HOUR)
    later = NOON + HOUR
    exchange.tick(
        ("KRW-AAA", 1.0, 5.0, later), ("KRW-BBB", 1.0, 7.0, later), ("KRW-CCC", 1.0, 6.0, later), now=later
    )
    chosen = Market.objects.filter(hourly=True).order_by("symbol")
    assert [market.symbol for market in chosen] == ["KRW-BBB", "KRW-CCC"]


def test_points_of_tickers_are_thinned_to_one_a_day_after_eight_days(exchange: Exchange) -> None:
    of = SeriesInput.objects.create(key="upbit:KRW-AAA")
    other = SeriesInput.objects.create(key="bitcoin.fee.fastest")
    midnight = datetime(2026, 11, 1, tzinfo=UTC)
    times = [midnight - HOUR, midnight, midnight + SECOND, midnight + HOUR, midnight + DAY, NOON - HOUR, NOON]
    for each in (of, other):
        Observation.objects.bulk_create(
            Observation(input=each, at=at, value=1, fetched_at=NOON, newest=revision == 2, revision=revision)
            for at in times
            for revision in (1, 2)
        )
    assert thinning.thin(now=NOON) == 6
    left = of.observations.filter(newest=True).order_by("at").values_list("at", flat=True)
    assert list(left) == [midnight, midnight + DAY, NOON - HOUR, NOON]
    assert other.observations.count() == 14
    assert thinning.thin(now=NOON) == 0
