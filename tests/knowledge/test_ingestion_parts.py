"""A market, a series or a path is fetched and stored by itself: the failure of one says nothing of the others."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from knowledge.ingestion.health import history
from knowledge.ingestion.health.freshness import sources as freshness_of_sources
from knowledge.ingestion.health.states import SourceState, with_state
from knowledge.ingestion.runs import ingest
from knowledge.models import Candle, Market, Observation, Source
from knowledge.sources.http.client import HttpClient
from rehearsal.bodies import klines, upbit_candles
from tests.factories.candles import bars_of, calm
from tests.factories.knowledge import NOON, make_source, make_unit
from tests.fakes.replay import Exchange, Replay

pytestmark = pytest.mark.django_db

RECORDED = Path(__file__).parents[1] / "recorded"
HOUR = timedelta(hours=1)
BARS = bars_of(calm(3), start=NOON - 4 * HOUR)
FRED = '{"observations": [{"date": "2026-10-01", "value": "4.2"}, {"date": "2026-11-01", "value": "4.1"}]}'
ECOS = (
    '{"StatisticSearch": {"row": [{"STAT_CODE": "%s", "ITEM_CODE1": "%s", "TIME": "20261101", '
    '"DATA_VALUE": "2.5", "UNIT_NAME": "%%"}]}}'
)


def first_of(exchange: Exchange, *names: str) -> str:
    query = parse_qs(exchange.asked.query)
    return next((query[name][0] for name in names if name in query), "")


def upbit(replay: Replay) -> Source:
    """Serves three markets, of which the second is unknown."""

    def answer(exchange: Exchange) -> None:
        market = first_of(exchange, "market")
        known = market != "KRW-GONE"
        exchange.answer(upbit_candles(BARS, market=market) if known else b"{}", status=200 if known else 404)

    replay.handle("/v1/candles/minutes/60", answer)
    return _prices("upbit_candles", replay.url("/v1"), "KRW-BTC", "KRW-GONE", "KRW-ETH")


def binance(replay: Replay) -> Source:
    def answer(exchange: Exchange) -> None:
        known = first_of(exchange, "symbol") != "GONEUSDT"
        exchange.answer(klines(BARS) if known else b'{"code":-1121}', status=200 if known else 400)

    replay.handle("/v3/klines", answer)
    return _prices("binance_klines", replay.url("/v3"), "BTCUSDT", "GONEUSDT", "ETHUSDT")


def _prices(adapter: str, url: str, *symbols: str) -> Source:
    for symbol in symbols:
        make_unit(symbol.lower(), symbol)
    markets = [{"symbol": symbol, "asset": f"asset:{symbol.lower()}"} for symbol in symbols]
    return make_source(
        kind="price", adapter=adapter, url=url, settings={"interval": "1h", "markets": markets}
    )


def fred(replay: Replay) -> Source:
    def answer(exchange: Exchange) -> None:
        known = first_of(exchange, "series_id") != "GONE"
        exchange.answer(FRED.encode() if known else b"{}", status=200 if known else 404)

    replay.handle("/fred", answer)
    settings = {"series": ["DGS10", "GONE", "CPIAUCSL"]}
    return make_source(kind="macro", adapter="fred", url=replay.url("/fred"), settings=settings)


def ecos(replay: Replay) -> Source:
    def answer(exchange: Exchange) -> None:
        stat, item = exchange.asked.path.split("/")[-5], exchange.asked.path.split("/")[-1]
        error = '{"RESULT": {"CODE": "INFO-200", "MESSAGE": "no data"}}'
        exchange.answer((error if stat == "GONE" else ECOS % (stat, item)).encode())

    names = ["722Y001", "GONE", "731Y001"]
    for name in names:
        for start in ("20200101", "20260704"):
            replay.handle(f"/api/StatisticSearch/a-key/json/kr/1/10000/{name}/D/{start}/21001231/1", answer)
    series = [{"stat": name, "item": "1", "cycle": "D"} for name in names]
    return make_source(kind="macro", adapter="ecos", url=replay.url("/api"), settings={"series": series})


def frankfurter(replay: Replay) -> Source:
    def answer(exchange: Exchange) -> None:
        base = first_of(exchange, "base")
        body = f'{{"amount": 1.0, "base": "{base}", "rates": {{"2026-11-19": {{"KRW": 9.1}}}}}}'
        exchange.answer(body.encode(), status=404 if base == "XXX" else 200)

    replay.handle("/v1/2020-01-01..", answer)
    pairs = [{"base": base, "quote": "KRW"} for base in ("USD", "XXX", "EUR")]
    return make_source(kind="macro", adapter="frankfurter", url=replay.url("/v1"), settings={"series": pairs})


def mempool(replay: Replay) -> Source:
    replay.serve_file("/api/v1/fees/recommended", RECORDED / "mempool_space/fees.json")
    replay.serve_file("/api/blocks/tip/height", RECORDED / "mempool_space/tip_height.txt")
    paths = ["v1/fees/recommended", "gone", "blocks/tip/height"]
    return make_source(
        kind="onchain", adapter="mempool_space", url=replay.url("/api"), settings={"paths": paths}
    )


@pytest.fixture
def keyed(settings: Any) -> HttpClient:
    """Reaches loopback with every key, and takes it to be noon in Seoul."""
    settings.FRED_API_KEY = settings.ECOS_API_KEY = "a-key"
    return HttpClient(
        allow_private=True,
        user_agent="Madang-Test/1.0",
        connect_seconds=1.0,
        total_seconds=2.0,
        interval_seconds=0.0,
        now=lambda: NOON,
    )


KINDS = {
    upbit: ("KRW-GONE", "status", {"KRW-BTC", "KRW-ETH"}),
    binance: ("GONEUSDT", "status", {"BTCUSDT", "ETHUSDT"}),
    fred: ("GONE", "status", {"DGS10", "CPIAUCSL"}),
    ecos: ("GONE/1", "empty", {"722Y001/1", "731Y001/1"}),
    frankfurter: ("XXXKRW", "status", {"USDKRW", "EURKRW"}),
    mempool: ("gone", "status", {"bitcoin.fee.fastest", "bitcoin.height"}),
}


def stored() -> set[str]:
    series = set(Observation.objects.values_list("input__key", flat=True))
    return series | set(Candle.objects.values_list("market__symbol", flat=True))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_failure_of_one_keeps_what_came_of_the_others_and_is_named(
    kind: Any, replay: Replay, keyed: HttpClient
) -> None:
    gone, cause, kept = KINDS[kind]
    source = kind(replay)
    run = ingest(source, now=NOON, http=keyed)
    assert kept <= stored()
    assert (run.outcome, run.cause) == ("partly", cause)
    assert run.detail.startswith(f"1 of 3 failed: {gone} ({cause}): ")
    assert run.created > 0
    assert "a-key" not in run.detail
    source.refresh_from_db()
    assert source.last_success_at == NOON
    assert source.next_fetch_at == NOON + timedelta(minutes=source.interval_minutes)


def test_a_source_of_which_a_part_fails_is_neither_well_nor_failing(
    replay: Replay, keyed: HttpClient
) -> None:
    source = upbit(replay)
    ingest(source, now=NOON, http=keyed)
    assert with_state(Source.objects.all(), NOON).get().state == SourceState.PARTLY
    (health,) = freshness_of_sources(NOON, NOON - timedelta(days=1))
    assert (health.status, health.note) == ("ok", "partly failing: paper (status)")
    assert [day.state for day in history.days_of([source.pk], now=NOON)[source.pk]][-1] == "warn"
    source.settings["markets"].pop(1)
    source.save()
    source.refresh_from_db()
    ingest(source, now=NOON + HOUR, http=keyed)
    assert with_state(Source.objects.all(), NOON).get().state == SourceState.OK


def test_when_every_part_fails_the_source_does(replay: Replay, keyed: HttpClient) -> None:
    source = mempool(replay)
    source.settings = {"paths": ["gone", "away"]}
    source.save()
    run = ingest(source, now=NOON, http=keyed)
    assert (run.outcome, run.cause) == ("failed", "status")
    assert run.detail.startswith("2 of 2 failed: gone (status), away (status): HTTP 404")
    source.refresh_from_db()
    assert (source.consecutive_failures, source.last_success_at) == (1, None)


def test_half_of_a_market_is_not_stored_or_the_other_half_would_never_be_asked_for(
    replay: Replay, keyed: HttpClient
) -> None:
    """Upbit lists newest first: with the newest page kept, the older ones would be taken for known."""
    full = bars_of(calm(200), start=NOON - 201 * HOUR)
    older = bars_of(calm(5), start=NOON - 206 * HOUR)

    def second_page_breaks(exchange: Exchange) -> None:
        broken = bool(first_of(exchange, "to")) and not healed
        bars = older if first_of(exchange, "to") else full
        exchange.answer(b"{}" if broken else upbit_candles(bars, market=first_of(exchange, "market")))

    healed: list[bool] = []
    source = upbit(replay)
    replay.handle("/v1/candles/minutes/60", second_page_breaks)
    source.settings["markets"].pop(1)
    source.save()
    market = Market.objects.create(
        venue="upbit", symbol="KRW-BTC", asset=make_unit("btc"), stablecoin=False, listed_at=None
    )
    known = older[0]
    Candle.objects.create(market=market, interval="1h", at=known.at, open=1, high=1, low=1, close=1, volume=1)
    assert ingest(source, now=NOON, http=keyed).outcome == "partly"
    assert market.candles.count() == 1
    healed.append(True)
    ingest(source, now=NOON, http=keyed)
    assert market.candles.count() == 205


def test_a_market_that_is_added_later_gets_its_history(replay: Replay, keyed: HttpClient) -> None:
    source = binance(replay)
    late = source.settings["markets"].pop(2)
    source.settings["markets"].pop(1)
    source.save()
    ingest(source, now=NOON, http=keyed)
    source.settings["markets"].append(late)
    source.save()
    source.refresh_from_db()
    replay.asked.clear()
    ingest(source, now=NOON + HOUR, http=keyed)
    known, added = (parse_qs(asked.query) for asked in replay.asked)
    assert added["symbol"] == ["ETHUSDT"]
    assert added["limit"] == ["1000"]
    assert "startTime" not in added
    assert int(known["startTime"][0]) == (BARS[-1].at - HOUR).timestamp() * 1000


@pytest.mark.parametrize("kind", [fred, ecos])
def test_a_series_that_is_added_later_is_asked_for_from_its_beginning(
    kind: Any, replay: Replay, keyed: HttpClient
) -> None:
    source = kind(replay)
    late = source.settings["series"].pop(2)
    source.settings["series"].pop(1)
    source.save()
    ingest(source, now=NOON, http=keyed)
    source.settings["series"].append(late)
    source.save()
    source.refresh_from_db()
    replay.asked.clear()
    assert ingest(source, now=NOON, http=keyed).outcome == "ok"
    known, added = (f"{asked.path}?{asked.query}".replace("-", "") for asked in replay.asked)
    assert "20260704" in known  # 120 days before its newest point, for revisions
    assert "20200101" in added


def test_a_new_market_of_a_reused_ticker_does_not_take_over_the_old_ones_history(
    replay: Replay, keyed: HttpClient
) -> None:
    source = binance(replay)
    Market.objects.create(
        venue="binance", symbol="BTCUSDT", asset=make_unit("old", "옛것"), delisted_at=NOON - 2 * HOUR
    )
    ingest(source, now=NOON, http=keyed)
    assert int(first_of_query(replay, "startTime")) == (NOON - 3 * HOUR).timestamp() * 1000


def first_of_query(replay: Replay, name: str) -> str:
    return parse_qs(replay.asked[0].query)[name][0]


def test_a_host_that_asks_for_silence_is_not_asked_for_the_rest(replay: Replay, keyed: HttpClient) -> None:
    source = upbit(replay)
    replay.serve("/v1/candles/minutes/60", b"{}", status=429, headers={"Retry-After": "7200"})
    run = ingest(source, now=NOON, http=keyed)
    assert len(replay.asked) == 1
    assert run.detail.startswith("1 of 3 failed, 2 not asked: KRW-BTC (status): HTTP 429")
    source.refresh_from_db()
    assert source.next_fetch_at == NOON + 2 * HOUR


def test_a_host_that_cannot_be_reached_twice_in_a_row_is_left_alone(
    replay: Replay, keyed: HttpClient
) -> None:
    source = upbit(replay)
    replay.handle("/v1/candles/minutes/60", lambda exchange: None)
    run = ingest(source, now=NOON, http=keyed)
    assert (run.outcome, len(replay.asked)) == ("failed", 2)
    assert run.detail.startswith("2 of 3 failed, 1 not asked: KRW-BTC (refused), KRW-GONE (refused)")


def test_a_part_that_breaks_its_adapter_or_the_store_is_that_parts_failure(
    replay: Replay, keyed: HttpClient
) -> None:
    source = fred(replay)
    source.settings = {"series": ["DGS10", {"odd": 1}, "X" * 90, "CPIAUCSL"]}
    source.save()
    run = ingest(source, now=NOON, http=keyed)
    assert run.outcome == "partly"
    assert stored() == {"DGS10", "CPIAUCSL"}


def test_an_entry_that_its_adapter_cannot_ask_for_says_where_it_stands(keyed: HttpClient) -> None:
    run = ingest(
        make_source(kind="macro", adapter="ecos", settings={"series": [{"item": "1"}]}), now=NOON, http=keyed
    )
    assert (run.outcome, run.cause) == ("failed", "parse")
    assert 'settings["series"]' in run.detail
    assert "stat" in run.detail
