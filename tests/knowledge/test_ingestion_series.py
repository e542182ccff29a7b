"""Values, markets and bars as rows: a rerun doubles nothing."""

from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from knowledge import curation
from knowledge.ingestion.runs import ingest
from knowledge.models import Candle, FetchRun, HeldValue, Market, Observation, SeriesInput, Source, Venue
from knowledge.sources.http.client import HttpClient
from rehearsal.bodies import klines, rates, upbit_candles
from tests.factories.candles import bars_of, calm
from tests.factories.knowledge import NOON, make_source, make_unit
from tests.factories.series import make_series
from tests.fakes.replay import Replay

pytestmark = pytest.mark.django_db

RECORDED = Path(__file__).parents[1] / "recorded"
HOUR = timedelta(hours=1)
JSON = "application/json"


def run(source: Source, http: HttpClient, now: datetime = NOON) -> FetchRun:
    source.refresh_from_db()
    row = ingest(source, now=now, http=http)
    assert row.cause == "", f"{row.cause}: {row.detail}"
    return row


def upbit(replay: Replay, *markets: object, **fields: Any) -> Source:
    settings = {"interval": "1h", "markets": list(markets)}
    return make_source(
        "upbit", kind="price", adapter="upbit_candles", url=replay.url("/v1"), settings=settings, **fields
    )


def frankfurter(replay: Replay) -> Source:
    return make_source(kind="macro", adapter="frankfurter", url=replay.url("/rates"))


def test_rates_are_values_of_their_days_in_frankfurt(replay: Replay, http: HttpClient) -> None:
    replay.serve_file("/rates", RECORDED / "frankfurter/timeseries.json", content_type=JSON)
    source = frankfurter(replay)
    row = run(source, http)
    assert (row.fetched, row.created) == (2, 2)
    read = SeriesInput.objects.get()
    assert (read.key, read.unit, read.source) == ("USDKRW", "KRW", source)
    first, second = read.observations.order_by("at")
    assert [first.value, second.value] == [Decimal("1391.5"), Decimal("1388.25")]
    assert first.at.astimezone(ZoneInfo("Europe/Berlin")).isoformat() == f"{first.period}T00:00:00+02:00"


def test_a_corrected_value_is_a_new_row_and_the_rest_is_left_alone(replay: Replay, http: HttpClient) -> None:
    source = frankfurter(replay)
    replay.serve("/rates", rates(("2026-11-18", 1390.0), ("2026-11-19", 1391.0)))
    run(source, http)
    replay.serve("/rates", rates(("2026-11-18", 1390.0), ("2026-11-19", 1395.0), ("2026-11-20", 1400.0)))
    row = run(source, http, NOON + HOUR)
    assert (row.fetched, row.created, row.updated, row.unchanged) == (3, 1, 1, 1)
    assert list(
        Observation.objects.order_by("at", "revision").values_list("period", "revision", "newest", "value")
    ) == [
        ("2026-11-18", 1, True, 1390),
        ("2026-11-19", 1, False, 1391),
        ("2026-11-19", 2, True, 1395),
        ("2026-11-20", 1, True, 1400),
    ]


def test_fear_and_greed_is_stored_once_a_day_under_the_key_of_its_series(
    replay: Replay, http: HttpClient
) -> None:
    replay.serve_file("/fng", RECORDED / "alternative_me/index.json", content_type=JSON)
    make_series("fear-greed", unit="index", least=0, most=100)
    source = make_source(kind="macro", adapter="alternative_me", url=replay.url("/fng"))
    assert run(source, http).created == 2
    body = (RECORDED / "alternative_me/index.json").read_bytes().replace(b'"43200"', b'"7"')
    replay.serve("/fng", body.replace(b'"38"', b'"380"'), content_type=JSON)
    row = run(source, http, NOON + HOUR)
    assert (row.created, row.updated, row.unchanged) == (0, 0, 1)
    assert HeldValue.objects.get().reason == "최댓값 100보다 큽니다."


def test_bars_open_a_market_for_the_asset_that_the_settings_name(replay: Replay, http: HttpClient) -> None:
    bitcoin = make_unit("btc", "비트코인")
    bars = bars_of(calm(60), start=NOON - 60 * HOUR)
    replay.serve("/v1/candles/minutes/60", upbit_candles(bars), content_type=JSON)
    source = upbit(replay, {"symbol": "KRW-BTC", "asset": "asset:btc"})
    row = run(source, http)
    assert (row.fetched, row.created) == (60, 60)
    market = Market.objects.get()
    assert (market.venue, market.symbol, market.asset, market.stablecoin) == (
        Venue.UPBIT,
        "KRW-BTC",
        bitcoin,
        False,
    )
    assert market.listed_at is None
    assert Candle.objects.order_by("at").values_list("close", flat=True)[0] == bars[0].close
    again = run(source, http, NOON + HOUR)
    assert (again.created, again.updated, again.unchanged) == (0, 0, 60)


def test_a_stablecoin_is_marked_by_the_settings(replay: Replay, http: HttpClient) -> None:
    make_unit("usdt", "테더")
    replay.serve(
        "/v1/candles/minutes/60",
        upbit_candles(bars_of([1390.0] * 3, start=NOON - 3 * HOUR), market="KRW-USDT"),
        content_type=JSON,
    )
    source = upbit(replay, {"symbol": "KRW-USDT", "asset": "asset:usdt"})
    run(source, http)
    assert not Market.objects.get().stablecoin
    source.settings["markets"][0]["stablecoin"] = True
    source.save()
    run(source, http)
    assert Market.objects.get().stablecoin


@pytest.mark.parametrize(
    "entry", ["KRW-BTC", {"symbol": "KRW-BTC"}, {"symbol": "KRW-BTC", "asset": "asset:nope"}]
)
def test_bars_of_a_market_without_a_known_asset_are_left_out(
    entry: object, replay: Replay, http: HttpClient
) -> None:
    replay.serve(
        "/v1/candles/minutes/60", upbit_candles(bars_of([1.0], start=NOON - 2 * HOUR)), content_type=JSON
    )
    row = run(upbit(replay, entry), http)
    assert (row.fetched, row.created) == (1, 0)
    assert not Market.objects.exists()


def test_a_renamed_assets_market_belongs_to_the_one_that_stands(replay: Replay, http: HttpClient) -> None:
    old, new = make_unit("matic", "매틱"), make_unit("pol", "폴")
    curation.merge(old, new, now=NOON)
    replay.serve(
        "/v1/candles/minutes/60", upbit_candles(bars_of([1.0], start=NOON - 2 * HOUR)), content_type=JSON
    )
    run(upbit(replay, {"symbol": "KRW-BTC", "asset": "asset:matic"}), http)
    assert Market.objects.get().asset == new


def test_a_reused_ticker_opens_a_new_market_once_the_old_one_is_closed(
    replay: Replay, http: HttpClient
) -> None:
    make_unit("luna", "루나")
    old = Market.objects.create(
        venue=Venue.UPBIT, symbol="KRW-BTC", asset=make_unit("lunc", "루나클래식"), delisted_at=NOON
    )
    replay.serve(
        "/v1/candles/minutes/60", upbit_candles(bars_of([1.0], start=NOON - 2 * HOUR)), content_type=JSON
    )
    run(upbit(replay, {"symbol": "KRW-BTC", "asset": "asset:luna"}), http)
    assert Candle.objects.get().market.asset.slug == "luna"
    assert not old.candles.exists()


def test_no_hour_is_lost_between_two_runs(replay: Replay, http: HttpClient) -> None:
    """Binance filters by a bar's opening: the bar that was open at the last run must be asked for again."""
    make_unit("btc", "비트코인")
    bars = bars_of(calm(10), start=NOON - 10 * HOUR)

    def since_asked(exchange: Any) -> None:
        query = dict(part.split("=") for part in exchange.asked.query.split("&"))
        start = int(query.get("startTime", 0))
        body = klines(bar for bar in bars if bar.at.timestamp() * 1000 >= start)
        exchange.answer(body, headers={"Content-Type": JSON})

    replay.handle("/v3/klines", since_asked)
    settings = {"interval": "1h", "markets": [{"symbol": "BTCUSDT", "asset": "asset:btc"}]}
    source = make_source(kind="price", adapter="binance_klines", url=replay.url("/v3"), settings=settings)
    for minutes in (-150, -100, -50, 0):
        moment = NOON + timedelta(minutes=minutes)
        at_that_time = HttpClient(
            allow_private=True,
            user_agent="Madang-Test",
            now=lambda moment=moment: moment,  # type: ignore[misc]
        )
        run(source, at_that_time, moment)
    assert list(Candle.objects.order_by("at").values_list("at", flat=True)) == [bar.at for bar in bars]
