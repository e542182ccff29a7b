"""Bars of exchanges: ``upbit_candles``, ``binance_klines``.

Bars are taken once they are closed. ``settings["interval"]`` (1h or 1d) says which, and ``settings["markets"]`` of
which markets (symbols, or objects with a ``symbol``), if not of those that the database chooses; without both the
address is read as it stands (a dry run). Upbit lists newest first, leaves out bars without trades and opens its day at
09:00 KST, which is midnight UTC; Binance writes numbers as text. Both answer 429, then 418, to those who ask too much.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from knowledge.models import Source
from knowledge.sources.base import CandleItem, ObservationItem, name_in_address
from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import Fetched
from knowledge.sources.json_bodies import epoch, json_of, needed, number, rows
from knowledge.sources.tickers import binance_price, upbit_price

# The most bars one request gives.
UPBIT_PAGE = 200
BINANCE_PAGE = 1000
# Seconds between requests: of Upbit's ten and Binance's hundred a second we take a fraction.
MIN_INTERVAL = 1.0

_LENGTHS = {
    "1s": timedelta(seconds=1),
    **{f"{minutes}m": timedelta(minutes=minutes) for minutes in (1, 3, 5, 10, 15, 30)},
    **{f"{hours}h": timedelta(hours=hours) for hours in (1, 2, 4, 6, 8, 12)},
    **{f"{days}d": timedelta(days=days) for days in (1, 3)},
    "1w": timedelta(weeks=1),
}
_INTERVALS = {length: interval for interval, length in _LENGTHS.items()}
# The intervals that can be asked for.
_UPBIT_PATHS = {"1h": "candles/minutes/60", "1d": "candles/days"}
_UPBIT_NUMBERS = ("opening_price", "high_price", "low_price", "trade_price", "candle_acc_trade_volume")


def symbol_of(market: object) -> str:
    """The symbol of an entry of ``settings["markets"]``."""
    return str(market.get("symbol", "")) if isinstance(market, Mapping) else str(market)


def upbit_address(source: Source, market: object, _since: datetime | None, **until: str) -> str:
    """Of the newest bars of one market, or of those that opened before ``to``."""
    path = _UPBIT_PATHS[_interval(source)]
    query = urlencode({"market": symbol_of(market), "count": UPBIT_PAGE, **until})
    return f"{source.url.rstrip('/')}/{path}?{query}"


def upbit_history(source: Source, market: object, _first: datetime, last: datetime) -> str:
    """Of the bars that opened before ``last``, a page of them."""
    return upbit_address(source, market, None, to=f"{last.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}")


def older_upbit_address(
    source: Source, market: object, since: datetime, bars: Sequence[CandleItem]
) -> str | None:
    """Of the page before, until the pages reach back to what is known."""
    oldest = bars[-1].at
    return upbit_address(source, market, since, to=f"{oldest:%Y-%m-%dT%H:%M:%SZ}") if oldest > since else None


def parse_upbit(answer: Fetched, _source: Source) -> list[CandleItem] | list[ObservationItem]:
    """Closed bars from ``/candles/*``, or from ``/ticker`` the last price of each market with the time of its trade."""
    found = rows(json_of(answer.body))
    if found and all("trade_timestamp" in row and "candle_date_time_utc" not in row for row in found):
        return [upbit_price(row) for row in found]
    return _sound(_upbit_bars(found), answer.fetched_at)


def _upbit_bars(found: Iterable[Mapping[str, Any]]) -> Iterator[tuple[CandleItem, datetime]]:
    for row in found:
        at = datetime.fromisoformat(row["candle_date_time_utc"]).replace(tzinfo=UTC)
        interval, numbers = _upbit_interval(row), [number(row[name]) for name in _UPBIT_NUMBERS]
        yield CandleItem(needed(row, "market"), interval, at, *numbers), at + _LENGTHS[interval]


def _upbit_interval(row: Mapping[str, Any]) -> str:
    """Upbit does not name it: minutes have a unit, days the change since the day before, weeks and longer ones the
    first day of their period, seconds nothing.
    """
    if "first_day_of_period" in row:
        raise ValueError("bars longer than a day")
    if "prev_closing_price" in row:
        return "1d"
    return _INTERVALS[timedelta(minutes=row["unit"])] if "unit" in row else "1s"


def binance_address(source: Source, market: object, since: datetime | None) -> str:
    """Of the bars of one market from ``since`` on, or the newest."""
    interval = _interval(source)
    asked: dict[str, object] = {"symbol": symbol_of(market), "interval": interval, "limit": BINANCE_PAGE}
    if since:
        # startTime is compared with a bar's opening, and the bar that was open at ``since`` has closed meanwhile.
        asked["startTime"] = int((since - _LENGTHS[interval]).timestamp() * 1000)
    return f"{source.url.rstrip('/')}/klines?{urlencode(asked)}"


def binance_history(source: Source, market: object, first: datetime, last: datetime) -> str:
    """Of the bars that opened from ``first`` on and before ``last``."""
    asked: dict[str, object] = {
        "symbol": symbol_of(market),
        "interval": _interval(source),
        "limit": BINANCE_PAGE,
    }
    asked["startTime"], asked["endTime"] = int(first.timestamp() * 1000), int(last.timestamp() * 1000) - 1
    return f"{source.url.rstrip('/')}/klines?{urlencode(asked)}"


def newer_binance_address(
    source: Source, market: object, _since: datetime, bars: Sequence[CandleItem]
) -> str | None:
    """Of the next page; of a full one only the last bar may still be open."""
    if len(bars) < BINANCE_PAGE - 1:
        return None
    return binance_address(source, market, bars[-1].at + 2 * _LENGTHS[_interval(source)])


def parse_binance(answer: Fetched, _source: Source) -> list[CandleItem] | list[ObservationItem]:
    """Closed bars from ``/klines`` of the market that the address names (the body does not), or from
    ``/ticker/24hr`` the last price with the time it stood at. One without a time (``/ticker/price``) is refused.
    """
    found = json_of(answer.body)
    found = rows([found] if isinstance(found, dict) else found)
    if found and isinstance(found[0], dict):
        return [binance_price(row) for row in found]
    return _sound(_klines(found, name_in_address(answer.asked, "symbol")), answer.fetched_at)


def _klines(found: Iterable[Sequence[Any]], symbol: str) -> Iterator[tuple[CandleItem, datetime]]:
    for opened, *prices, closed in (rows(row)[:7] for row in found):
        at, end = epoch(number(opened) / 1000), epoch((number(closed) + 1) / 1000)
        yield CandleItem(symbol, _INTERVALS[end - at], at, *map(number, prices)), end


def _sound(bars: Iterable[tuple[CandleItem, datetime]], now: datetime) -> list[CandleItem]:
    """Of bars and when each closes, those that are closed and do not contradict themselves."""
    found = list(bars)
    sound = [bar for bar, closes in found if bar.is_sound and closes <= now]
    if len(found) > 1 and not sound:
        raise ValueError("no sound bar among them")
    return sound


def _interval(source: Source) -> str:
    interval = str(source.settings.get("interval", "1h"))
    if interval not in _UPBIT_PATHS:
        raise SourceError("parse", f"the source asks for {interval[:10]} bars; 1h and 1d are read")
    return interval
