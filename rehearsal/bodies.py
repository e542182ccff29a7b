"""Bodies as sources send them, with invented texts."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from xml.sax.saxutils import escape

from knowledge.pulses.bars import Bar


def news(
    *items: tuple[str, str, datetime | None], summary: str = "", site: str = "https://paper.example"
) -> bytes:
    """A newspaper's RSS: (id, title, published), each with the same summary."""
    return feed(site, [(guid, title, summary, "", at) for guid, title, at in items])


def feed(site: str, items: Iterable[tuple[str, str, str, str, datetime | None]]) -> bytes:
    """RSS of (id, title, summary, author, published)."""
    return f"""<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>마당일보</title>
<link>{site}/</link><language>ko</language>{"".join(_article(site, *item) for item in items)}
</channel></rss>""".encode()


def _article(site: str, guid: str, title: str, summary: str, author: str, at: datetime | None) -> str:
    date = f"<pubDate>{format_datetime(at)}</pubDate>" if at else ""
    by = f"<dc:creator>{escape(author)}</dc:creator>" if author else ""
    return (
        f'<item><guid isPermaLink="false">{guid}</guid><link>{site}/{guid}?utm_source=rss</link>'
        f"<title>{escape(title)}</title><description>{escape(summary)}</description>{by}{date}</item>"
    )


def channel(name: str, *videos: tuple[str, str, datetime]) -> bytes:
    """A YouTube channel's feed: (video id, title, published)."""
    entries = "".join(
        f"<entry><id>yt:video:{video}</id><yt:videoId>{video}</yt:videoId><title>{escape(title)}</title>"
        f'<link rel="alternate" href="https://www.youtube.com/shorts/{video}"/>'
        f"<author><name>{name}</name></author><published>{at.isoformat()}</published></entry>"
        for video, title, at in videos
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom">
<id>yt:channel:x</id><yt:channelId>UCmadangExample0000001Aa</yt:channelId><title>{name}</title>{entries}
</feed>""".encode()


def upbit_candles(bars: Iterable[Bar], *, market: str = "KRW-BTC", days: bool = False) -> bytes:
    """Bars of hours or days as Upbit lists them: newest first."""
    rows = [
        {
            "market": market,
            "candle_date_time_utc": f"{bar.at:%Y-%m-%dT%H:%M:%S}",
            "opening_price": bar.open,
            "high_price": bar.high,
            "low_price": bar.low,
            "trade_price": bar.close,
            "candle_acc_trade_volume": bar.volume,
            **({"prev_closing_price": bar.open} if days else {"unit": 60}),
        }
        for bar in bars
    ]
    return json.dumps(rows[::-1]).encode()


def klines(bars: Iterable[Bar], *, step: timedelta = timedelta(hours=1)) -> bytes:
    """Bars as Binance lists them: oldest first, numbers as text."""
    rows = []
    for bar in bars:
        closed = bar.at + step
        numbers = [str(value) for value in (bar.open, bar.high, bar.low, bar.close, bar.volume)]
        rows.append([_ms(bar.at), *numbers, _ms(closed) - 1, "0", 1, "0", "0", "0"])
    return json.dumps(rows).encode()


def upbit_tickers(*tickers: tuple[str, float, float, datetime]) -> bytes:
    """(market, price, value of 24 hours, time of the last trade)."""
    rows = [
        {
            "market": market,
            "trade_price": price,
            "trade_timestamp": _ms(at),
            "acc_trade_price_24h": value,
            "timestamp": _ms(at),
        }
        for market, price, value, at in tickers
    ]
    return json.dumps(rows).encode()


def upbit_markets(
    *markets: str, warned: Iterable[str] = (), names: Mapping[str, tuple[str, str]] | None = None
) -> bytes:
    """``names`` are the Korean and the English one of a market."""
    named = {market: (f"{market} 코인", f"{market} coin") for market in markets} | dict(names or {})
    rows = [
        {
            "market": market,
            "korean_name": named[market][0],
            "english_name": named[market][1],
            "market_event": {"warning": market in warned, "caution": {}},
        }
        for market in markets
    ]
    return json.dumps(rows, ensure_ascii=False).encode()


def binance_tickers(*tickers: tuple[str, float, datetime]) -> bytes:
    """(symbol, price, end of its 24 hours)."""
    rows = [
        {"symbol": symbol, "lastPrice": str(price), "closeTime": _ms(at)} for symbol, price, at in tickers
    ]
    return json.dumps(rows).encode()


def rates(*days: tuple[str, float]) -> bytes:
    """Frankfurter's won prices of a dollar: (date, rate)."""
    return json.dumps(
        {"amount": 1.0, "base": "USD", "rates": {day: {"KRW": rate} for day, rate in days}}
    ).encode()


def ecos(stat: str, item: str, values: Iterable[tuple[str, float]]) -> bytes:
    """Rows of the Bank of Korea's statistics: (period as 202610 or 20261031, value)."""
    rows = [
        {"STAT_CODE": stat, "ITEM_CODE1": item, "UNIT_NAME": "", "TIME": period, "DATA_VALUE": str(value)}
        for period, value in values
    ]
    return json.dumps({"StatisticSearch": {"list_total_count": len(rows), "row": rows}}).encode()


def fred(values: Iterable[tuple[str, float]]) -> bytes:
    """Observations of FRED's JSON: (date, value)."""
    rows = [{"date": day, "value": f"{value:.4f}"} for day, value in values]
    return json.dumps({"observations": rows}).encode()


def fear_greed(values: Iterable[tuple[date, int]]) -> bytes:
    """alternative.me's index by day."""
    moments = ((datetime(day.year, day.month, day.day, tzinfo=UTC), value) for day, value in values)
    rows = [{"value": str(value), "timestamp": str(_ms(at) // 1000)} for at, value in moments]
    return json.dumps({"data": rows[::-1], "metadata": {"error": None}}).encode()


def upbit_notices(*notices: tuple[int, str, datetime]) -> bytes:
    rows = [
        {"id": number, "title": title, "listed_at": at.isoformat(), "first_listed_at": at.isoformat()}
        for number, title, at in notices
    ]
    return json.dumps({"success": True, "data": {"notices": rows}}, ensure_ascii=False).encode()


def _ms(at: datetime) -> int:
    return int(at.astimezone(UTC).timestamp() * 1000)
