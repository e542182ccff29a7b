"""Bars and last prices of two exchanges."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from knowledge.sources.adapters import MAX_PAGES
from knowledge.sources.base import CandleItem
from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient
from knowledge.sources.prices import UPBIT_PAGE
from tests.fakes.replay import Exchange, Replay
from tests.knowledge.sources.reading import parsed, read, unsaved

Recorded = Callable[[str], bytes]
MakeHttp = Callable[..., HttpClient]


def test_upbit_bars_are_taken_when_they_are_closed(recorded: Recorded, now: datetime) -> None:
    """The bar that opened at ``now`` is still open; the hours in between had no trades."""
    bars = parsed("upbit_candles", recorded("upbit_candles/hours.json"), now=now)
    assert [bar.as_json()["at"] for bar in bars] == ["2026-09-01T11:00:00Z", "2026-09-01T08:00:00Z"]
    assert bars[0].as_json() == {
        "symbol": "KRW-BTC",
        "interval": "1h",
        "at": "2026-09-01T11:00:00Z",
        "open": 150500000.0,
        "high": 151200000.0,
        "low": 150400000.0,
        "close": 151000000.0,
        "volume": 12.25,
    }
    assert (
        len(parsed("upbit_candles", recorded("upbit_candles/hours.json"), now=now + timedelta(hours=1))) == 3
    )


@pytest.mark.parametrize(("unit", "interval"), [(1, "1m"), (5, "5m"), (60, "1h"), (240, "4h")])
def test_bars_of_any_length_that_a_venue_has_are_read(
    unit: int, interval: str, recorded: Recorded, now: datetime
) -> None:
    body = recorded("upbit_candles/hours.json").replace(b'"unit":60', b'"unit":%d' % unit)
    upbit = parsed("upbit_candles", body, now=now + timedelta(hours=4))
    opened, closed = 1788256800000, 1788256800000 + unit * 60_000 - 1
    kline = f'[[{opened}, "1", "2", "1", "2", "5", {closed}, "0", 1, "0", "0", "0"]]'
    address = "https://x.example/klines?symbol=BTCUSDT"
    binance = parsed("binance_klines", kline.encode(), now=now + timedelta(hours=4), url=address)
    assert {bar.interval for bar in upbit} == {bar.interval for bar in binance} == {interval}


def test_upbits_day_opens_at_nine_in_korea(recorded: Recorded, now: datetime) -> None:
    [bar] = parsed("upbit_candles", recorded("upbit_candles/days.json"), now=now)
    assert (bar.as_json()["interval"], bar.as_json()["at"]) == ("1d", "2026-08-31T00:00:00Z")
    assert parsed("upbit_candles", recorded("upbit_candles/days.json"), now=now - timedelta(days=1)) == []


def test_a_ticker_is_a_price_with_the_time_of_its_trade(recorded: Recorded, now: datetime) -> None:
    [price] = parsed("upbit_candles", recorded("upbit_candles/tickers.json"), now=now)
    assert price.as_json() == {
        "series": "upbit:KRW-BTC",
        "at": "2026-09-01T11:59:59Z",
        "value": 151050000.0,
        "unit": "KRW",
        "period": "",
    }


@pytest.mark.parametrize(
    "body",
    [
        b'{"error":{"name":"too_many_requests"}}',
        b"<!DOCTYPE html><title>challenge</title>",
        b'[{"market":"KRW-BTC"}]',
        b'[{"market":"KRW-BTC","candle_date_time_utc":"soon"}]',
        b'[{"market":"KRW-BTC","candle_date_time_utc":"2026-09-01T00:00:00","opening_price":"NaN"}]',
        b'[{"market":"KRW-BTC","trade_timestamp":1e999,"trade_price":1}]',
        b'[{"market":"KRW-BTC","trade_timestamp":1788263999365,"trade_price":-1}]',
        b"[1]",
        b"7",
    ],
)
def test_an_upbit_answer_of_another_shape_is_an_error(body: bytes, now: datetime) -> None:
    with pytest.raises(SourceError, match="parse"):
        parsed("upbit_candles", body, now=now)


def test_a_bar_that_contradicts_itself_is_left_out(recorded: Recorded, now: datetime) -> None:
    body = recorded("upbit_candles/hours.json").replace(b'"high_price":151200000', b'"high_price":1')
    assert [bar.as_json()["at"] for bar in parsed("upbit_candles", body, now=now)] == ["2026-09-01T08:00:00Z"]
    nothing_sound = body.replace(b'"low_price":149900000', b'"low_price":0')
    with pytest.raises(SourceError, match="no sound bar"):
        parsed("upbit_candles", nothing_sound, now=now)


def upbit_history(replay: Replay, start: datetime, hours: int) -> str:
    """Upbit's hour candles as far back as ``hours``, newest first, in pages."""

    def answer(exchange: Exchange) -> None:
        query = dict(pair.split("=") for pair in exchange.asked.query.split("&"))
        until = query.get("to", "").replace("%3A", ":").replace("Z", "+00:00")
        before = datetime.fromisoformat(until) if until else start
        rows = []
        for back in range(1, int(query["count"]) + 1):
            at = before - timedelta(hours=back)
            if at < start - timedelta(hours=hours):
                break
            price = 100
            rows.append(
                {
                    "market": query["market"],
                    "candle_date_time_utc": f"{at:%Y-%m-%dT%H:%M:%S}",
                    "opening_price": price,
                    "high_price": price,
                    "low_price": price,
                    "trade_price": price,
                    "candle_acc_trade_volume": 1,
                    "unit": 60,
                }
            )
        exchange.answer(json.dumps(rows).encode(), headers={"Remaining-Req": "group=candles; min=599; sec=9"})

    replay.handle("/v1/candles/minutes/60", answer)
    return replay.url("/v1")


def test_upbit_is_asked_page_by_page_back_to_what_is_known(
    replay: Replay, make_http: MakeHttp, now: datetime
) -> None:
    url = upbit_history(replay, now, hours=5000)
    source = unsaved("upbit_candles", url, settings={"markets": ["KRW-BTC", "KRW-ETH"], "interval": "1h"})
    bars = read(source, make_http(), since=now - timedelta(hours=300))
    assert len({(bar.symbol, bar.at) for bar in bars if isinstance(bar, CandleItem)}) == 2 * 2 * UPBIT_PAGE
    assert replay.count("/v1/candles/minutes/60") == 4


def test_a_first_run_takes_one_page_and_an_old_one_is_bounded(
    replay: Replay, make_http: MakeHttp, now: datetime
) -> None:
    url = upbit_history(replay, now, hours=50_000)
    source = unsaved("upbit_candles", url, settings={"markets": ["KRW-BTC"]})
    assert len(read(source, make_http())) == UPBIT_PAGE
    long_ago = datetime(2021, 1, 1, tzinfo=UTC)
    assert len(read(source, make_http(), since=long_ago)) == MAX_PAGES * UPBIT_PAGE


@pytest.mark.parametrize(
    ("adapter", "path", "headers", "pause"),
    [
        ("upbit_candles", "/v1/candles/days", {}, 1.0),
        ("upbit_candles", "/v1/candles/days", {"Remaining-Req": "group=candles; min=599; sec=9"}, 1.0),
        ("upbit_candles", "/v1/candles/days", {"Remaining-Req": "group=candles; min=599; sec=0"}, 2.0),
        ("binance_klines", "/v1/klines", {"x-mbx-used-weight-1m": "12"}, 1.0),
        ("binance_klines", "/v1/klines", {"x-mbx-used-weight-1m": "3001"}, 2.0),
    ],
)
def test_an_exchange_is_asked_once_a_second_at_most_and_slower_when_it_says_little_is_left(
    adapter: str, path: str, headers: dict[str, str], pause: float, replay: Replay, make_http: MakeHttp
) -> None:
    slept: list[float] = []
    replay.serve(path, b"[]", headers=headers)
    source = unsaved(
        adapter,
        f"http://exchange.example:{replay.port}/v1",
        settings={"markets": ["KRW-BTC", "KRW-ETH"], "interval": "1d"},
    )
    http = make_http(resolver=lambda host, port: ["127.0.0.1"], monotonic=lambda: 5.0, sleep=slept.append)
    assert read(source, http) == []
    assert slept == [pause]


@pytest.mark.parametrize("status", [429, 418])
def test_being_told_to_stop_says_for_how_long(status: int, replay: Replay, make_http: MakeHttp) -> None:
    url = replay.serve("/v1/candles/days", b"{}", status=status, headers={"Retry-After": "60"})
    with pytest.raises(SourceError) as caught:
        read(unsaved("upbit_candles", url), make_http())
    assert (caught.value.status, caught.value.retry_after) == (status, 60.0)


def test_binance_numbers_are_texts_and_the_open_bar_waits(recorded: Recorded, now: datetime) -> None:
    first, second = parsed(
        "binance_klines",
        recorded("binance_klines/hours.json"),
        now=now,
        url="https://x.example/klines?symbol=BTCUSDT",
    )
    assert first.as_json() == {
        "symbol": "BTCUSDT",
        "interval": "1h",
        "at": "2026-09-01T10:00:00Z",
        "open": 110000.10,
        "high": 110500.0,
        "low": 109900.0,
        "close": 110400.55,
        "volume": 120.5,
    }
    assert second.as_json()["at"] == "2026-09-01T11:00:00Z"


def test_a_price_without_a_time_is_refused_and_one_with_a_time_is_not(
    recorded: Recorded, now: datetime
) -> None:
    [price] = parsed(
        "binance_klines",
        recorded("binance_klines/ticker.json"),
        now=now,
        url="https://x.example/klines?symbol=",
    )
    assert price.as_json() == {
        "series": "binance:BTCUSDT",
        "at": "2026-09-01T11:59:59Z",
        "value": 110390.0,
        "unit": "USDT",
        "period": "",
    }
    with pytest.raises(SourceError, match="parse"):
        parsed(
            "binance_klines",
            recorded("binance_klines/price.json"),
            now=now,
            url="https://x.example/klines?symbol=",
        )


@pytest.mark.parametrize(
    "body",
    [
        b'{"code":-1121,"msg":"Invalid symbol."}',
        b"[[1,2,3]]",
        b'[["x","1","1","1","1","1",2]]',
        b'[[1788256800000,"1","1","1","1","1",1788256800000]]',
        b'[[1788256800000,"1","1","x","1","1",1788260399999]]',
        b'["x"]',
        b"null",
    ],
)
def test_a_binance_answer_of_another_shape_is_an_error(body: bytes, now: datetime) -> None:
    with pytest.raises(SourceError, match="parse"):
        parsed("binance_klines", body, now=now, url="https://x.example/klines?symbol=BTCUSDT")


def test_binance_is_asked_from_what_is_known_on(
    replay: Replay, make_http: MakeHttp, recorded: Recorded, now: datetime
) -> None:
    replay.serve("/api/v3/klines", recorded("binance_klines/hours.json"))
    source = unsaved(
        "binance_klines", replay.url("/api/v3"), settings={"markets": ["BTCUSDT"], "interval": "1h"}
    )
    since = datetime(2026, 9, 1, 10, 0, tzinfo=UTC)
    assert len(read(source, make_http(), since=since)) == 2
    query = replay.last("/api/v3/klines").query
    assert query == "symbol=BTCUSDT&interval=1h&limit=1000&startTime=1788253200000"


def test_an_interval_that_is_not_read_is_an_error(make_http: MakeHttp) -> None:
    source = unsaved("binance_klines", "https://x.example", settings={"markets": ["A"], "interval": "5m"})
    with pytest.raises(SourceError, match="1h and 1d are read"):
        read(source, make_http())
