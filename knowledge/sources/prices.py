"""Prices of exchanges: ``upbit_candles``, ``binance_klines``.

Bars are taken once they are closed. ``settings["markets"]`` lists the markets (symbols, or objects with a
``symbol``) and ``settings["interval"]`` (1h or 1d) the bars; without markets the address is read as it
stands (a dry run). Upbit lists newest first, leaves out bars without trades and opens its day at 09:00 KST,
which is midnight UTC; Binance writes numbers as text. Both announce how much may still be asked, and answer
429, then 418, to those who do not listen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from knowledge.models import Source
from knowledge.sources.base import CandleItem, ObservationItem, finite
from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import Fetched, HttpClient
from knowledge.sources.json_bodies import describe, objects, parse_json, unexpected
from knowledge.sources.times import from_epoch, parse_time

# The most bars one request gives.
UPBIT_PAGE = 200
BINANCE_PAGE = 1000
# Requests for one market in one run: eight days of hours at Upbit, or a first run's 1,000 bars.
MAX_PAGES = 5

_ACCEPT = "application/json"
_UPBIT_CANDLES = "Upbit's candles or tickers"
_BINANCE_KLINES = "Binance's klines or 24-hour tickers"
_INTERVALS = {"1h": timedelta(hours=1), "1d": timedelta(days=1)}
_UPBIT_PATHS = {"1h": "candles/minutes/60", "1d": "candles/days"}
# Seconds between requests: of Upbit's ten and Binance's hundred a second we take a fraction.
_UPBIT_INTERVAL, _BINANCE_INTERVAL, _SLOWED_INTERVAL = 0.25, 0.25, 2.0
# Of 6,000 weight a minute.
_BINANCE_WEIGHT_LIMIT = 3000


def symbol_of(market: object) -> str:
    """The symbol of an entry of ``settings["markets"]``."""
    return str(market.get("symbol", "")) if isinstance(market, Mapping) else str(market)


def fetch_upbit(
    source: Source, market: object, since: datetime | None, http: HttpClient
) -> Iterator[CandleItem]:
    """Closed bars of one market since ``since`` (at most ``MAX_PAGES`` pages back), newest first."""
    path = _UPBIT_PATHS[_interval(source.settings)]
    pause = _UPBIT_INTERVAL
    until: dict[str, str] = {}
    for _page in range(MAX_PAGES):
        query = urlencode({"market": symbol_of(market), "count": UPBIT_PAGE, **until})
        fetched = http.get(f"{source.url.rstrip('/')}/{path}?{query}", accept=_ACCEPT, min_interval=pause)
        pause = _upbit_pause(fetched)
        rows = objects(parse_json(fetched.body, _UPBIT_CANDLES), _UPBIT_CANDLES)
        bars = _upbit_bars(rows, fetched.fetched_at)
        yield from bars
        if len(rows) < UPBIT_PAGE or since is None or not bars or bars[-1].at <= since:
            return
        until = {"to": f"{bars[-1].at:%Y-%m-%dT%H:%M:%SZ}"}


def parse_upbit(body: bytes, *, now: datetime) -> list[CandleItem | ObservationItem]:
    """Closed bars from ``/candles/*``, or from ``/ticker`` the last price of each market with the time of
    its trade.
    """
    rows = objects(parse_json(body, _UPBIT_CANDLES), _UPBIT_CANDLES)
    if rows and all("trade_timestamp" in row and "candle_date_time_utc" not in row for row in rows):
        return [_upbit_ticker(row) for row in rows]
    return list(_upbit_bars(rows, now))


def _upbit_bars(rows: list[dict[str, Any]], now: datetime) -> list[CandleItem]:
    opened = [_upbit_opening(row) for row in rows]
    bars = [
        bar for row, at in zip(rows, opened, strict=True) if (bar := _upbit_bar(row, at, now)) is not None
    ]
    if rows and not bars and len(rows) > 1:
        raise unexpected(_UPBIT_CANDLES, "no sound bar among them")
    return bars


def _upbit_opening(row: Mapping[str, Any]) -> datetime:
    raw = row.get("candle_date_time_utc")
    at = parse_time(raw, naive_timezone="UTC") if isinstance(raw, str) else None
    if at is None or not isinstance(row.get("market"), str):
        raise unexpected(_UPBIT_CANDLES, describe(row))
    return at


def _upbit_bar(row: Mapping[str, Any], at: datetime, now: datetime) -> CandleItem | None:
    interval, length = _upbit_interval(row)
    names = ("opening_price", "high_price", "low_price", "trade_price", "candle_acc_trade_volume")
    bar = _bar(str(row["market"]), interval, at, [row.get(name) for name in names], _UPBIT_CANDLES)
    return bar if bar is not None and at + length <= now else None


def _upbit_interval(row: Mapping[str, Any]) -> tuple[str, timedelta]:
    """Upbit does not name the interval: minutes have a unit, days the change since the day before, weeks,
    months and years the first day of their period, seconds nothing.
    """
    unit = row.get("unit")
    if isinstance(unit, int) and not isinstance(unit, bool) and 0 < unit <= 240:
        return (f"{unit // 60}h" if unit % 60 == 0 else f"{unit}m"), timedelta(minutes=unit)
    if "prev_closing_price" in row:
        return "1d", timedelta(days=1)
    if "first_day_of_period" in row:
        raise unexpected("Upbit's candles of seconds, minutes or days", "longer ones")
    return "1s", timedelta(seconds=1)


def _upbit_ticker(row: Mapping[str, Any]) -> ObservationItem:
    market, stamp, price = (
        row.get("market"),
        finite(row.get("trade_timestamp")),
        finite(row.get("trade_price")),
    )
    at = from_epoch(stamp // 1000) if stamp is not None else None
    if not isinstance(market, str) or "-" not in market or at is None or price is None or price <= 0:
        raise unexpected("Upbit's tickers with market, trade_timestamp and trade_price", describe(row))
    return ObservationItem(f"upbit:{market}", at, price, market.partition("-")[0])


def _upbit_pause(fetched: Fetched) -> float:
    """``Remaining-Req: group=candles; min=600; sec=9``: with nothing left in this second, wait longer."""
    left = re.search(r"\bsec=(\d+)", fetched.headers.get("remaining-req", ""))
    return _SLOWED_INTERVAL if left and int(left[1]) <= 1 else _UPBIT_INTERVAL


def fetch_binance(
    source: Source, market: object, since: datetime | None, http: HttpClient
) -> Iterator[CandleItem]:
    """Closed bars of one market from ``since`` on (at most ``MAX_PAGES`` pages), oldest first."""
    symbol, interval = symbol_of(market), _interval(source.settings)
    # startTime is compared with a bar's opening, and the bar that was open at ``since`` has closed meanwhile.
    pause, start = _BINANCE_INTERVAL, since - _INTERVALS[interval] if since else None
    for _page in range(MAX_PAGES):
        from_then_on = {"startTime": int(start.timestamp() * 1000)} if start else {}
        query = urlencode({"symbol": symbol, "interval": interval, "limit": BINANCE_PAGE, **from_then_on})
        fetched = http.get(f"{source.url.rstrip('/')}/klines?{query}", accept=_ACCEPT, min_interval=pause)
        pause = _binance_pause(fetched)
        rows = _kline_rows(parse_json(fetched.body, _BINANCE_KLINES))
        bars = _klines(rows, symbol, fetched.fetched_at)
        yield from bars
        if len(rows) < BINANCE_PAGE or start is None or not bars:
            return
        start = bars[-1].at + _INTERVALS[interval]


def parse_binance(body: bytes, *, now: datetime, symbol: str) -> list[CandleItem | ObservationItem]:
    """Closed bars from ``/klines`` of ``symbol`` (the body does not name it), or from ``/ticker/24hr`` the
    last price with the time it stood at. A price without a time (``/ticker/price``) is refused.
    """
    answer = parse_json(body, _BINANCE_KLINES)
    tickers = [answer] if isinstance(answer, dict) else answer
    if isinstance(tickers, list) and tickers and all(isinstance(row, dict) for row in tickers):
        if all("lastPrice" in row and "closeTime" in row for row in tickers):
            return [_binance_ticker(row) for row in tickers]
        raise unexpected(_BINANCE_KLINES, describe(answer))
    return list(_klines(_kline_rows(answer), symbol, now))


def _kline_rows(answer: object) -> list[list[Any]]:
    if not isinstance(answer, list) or not all(isinstance(row, list) and len(row) >= 7 for row in answer):
        raise unexpected(_BINANCE_KLINES, describe(answer))
    return answer


def _klines(rows: list[list[Any]], symbol: str, now: datetime) -> list[CandleItem]:
    bars = [bar for row in rows if (bar := _kline(row, symbol, now)) is not None]
    if rows and not bars and len(rows) > 1:
        raise unexpected(_BINANCE_KLINES, "no sound bar among them")
    return bars


def _kline(row: list[Any], symbol: str, now: datetime) -> CandleItem | None:
    opened, closed = finite(row[0]), finite(row[6])
    at = from_epoch(opened / 1000) if opened is not None else None
    if at is None or opened is None or closed is None or closed <= opened:
        raise unexpected(_BINANCE_KLINES, describe(row))
    bar = _bar(symbol, _span(closed - opened + 1), at, row[1:6], _BINANCE_KLINES)
    return bar if closed / 1000 < now.timestamp() else None


def _span(milliseconds: float) -> str:
    """``1m``, ``1h``, ``1d`` … from a bar's length."""
    seconds = round(milliseconds / 1000)
    for unit, size in (("w", 604_800), ("d", 86_400), ("h", 3600), ("m", 60)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{max(seconds, 1)}s"


def _binance_ticker(row: Mapping[str, Any]) -> ObservationItem:
    symbol, closed, price = row.get("symbol"), finite(row.get("closeTime")), finite(row.get("lastPrice"))
    at = from_epoch(closed // 1000) if closed is not None else None
    if not isinstance(symbol, str) or at is None or price is None or price <= 0:
        raise unexpected("Binance's tickers with symbol, closeTime and lastPrice", describe(row))
    return ObservationItem(f"binance:{symbol[:24]}", at, price, _quote(symbol))


def _quote(symbol: str) -> str:
    """The currency a Binance symbol ends in, where it is one of the common ones."""
    return next(
        (quote for quote in ("USDT", "USDC", "FDUSD", "BTC", "ETH", "BNB") if symbol.endswith(quote)), ""
    )


def _binance_pause(fetched: Fetched) -> float:
    weight = fetched.headers.get("x-mbx-used-weight-1m", "")
    busy = weight.isdecimal() and int(weight) > _BINANCE_WEIGHT_LIMIT
    return _SLOWED_INTERVAL if busy else _BINANCE_INTERVAL


def _interval(settings: Mapping[str, Any]) -> str:
    interval = str(settings.get("interval", "1h"))
    if interval not in _INTERVALS:
        raise SourceError(
            "parse", f"the source asks for {interval[:10]} bars; 1h and 1d are read", permanent=True
        )
    return interval


def _bar(
    symbol: str, interval: str, at: datetime, values: Iterable[object], expected: str
) -> CandleItem | None:
    """A bar from open, high, low, close, volume; None when the numbers contradict each other."""
    numbers = [finite(value) for value in values]
    if None in numbers or len(numbers) != 5:
        raise unexpected(f"{expected} with five numbers", "something else")
    opened, high, low, close, volume = (number or 0.0 for number in numbers)
    bar = CandleItem(symbol, interval, at.astimezone(UTC), opened, high, low, close, volume)
    return bar if bar.is_sound else None
