"""What all markets of an exchange say at once: ``upbit_tickers``, ``binance_tickers``; ``upbit_markets`` names them.

One request answers for hundreds of markets. A row that cannot be read is left out, since one market that has not
traded yet must not silence the others; an answer without a single good one is an error.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, TypeVar

from knowledge.models import Source
from knowledge.sources.base import ListingItem, ObservationItem
from knowledge.sources.http.client import Fetched
from knowledge.sources.json_bodies import MISFITS, epoch, json_of, needed, number, positive, rows, text

# All of Binance's 3,500 symbols weigh 80 of 6,000 a minute, Upbit's answers one of ten a second.
MIN_INTERVAL = 1.0
WON, DOLLAR = "KRW-", "USDT"  # what a symbol begins with at Upbit, and ends in at Binance
# What a Binance symbol ends in.
_QUOTES = (DOLLAR, "USDC", "FDUSD", "BTC", "ETH", "BNB")
VALUE = ":value"  # after the key of a price: what was traded in 24 hours
_SYMBOL_LENGTH = 24
_FLAG = re.compile(r"[A-Z_]{1,40}")

Item = TypeVar("Item")


def parse_upbit(answer: Fetched, _source: Source) -> list[ObservationItem]:
    """Of each market in won the last price with the time of its trade, and the value traded in the 24 hours before
    ``timestamp``. A halted market keeps both as they were."""
    found = _each(rows(json_of(answer.body)), _upbit)
    return list(chain.from_iterable(found))


def _upbit(row: Mapping[str, Any]) -> list[ObservationItem]:
    price = upbit_price(row)
    if "acc_trade_price_24h" not in row:
        return [price]
    at, value = epoch(number(row["timestamp"]) // 1000), number(row["acc_trade_price_24h"])
    return [price, ObservationItem(price.series + VALUE, at, value, price.unit)]


def upbit_price(row: Mapping[str, Any]) -> ObservationItem:
    at, price = epoch(number(row["trade_timestamp"]) // 1000), positive(row["trade_price"])
    currency, asset = needed(row, "market").split("-")
    return ObservationItem(f"upbit:{currency}-{asset[:_SYMBOL_LENGTH]}", at, price, currency)


def parse_binance(answer: Fetched, _source: Source) -> list[ObservationItem]:
    """Of each market the last price with the end of its 24 hours. One that trades no more stands there with a price of
    0, and is left out."""
    found = json_of(answer.body)
    return list(_each([found] if isinstance(found, dict) else rows(found), binance_price))


def binance_price(row: Mapping[str, Any]) -> ObservationItem:
    symbol, at = needed(row, "symbol"), epoch(number(row["closeTime"]) // 1000)
    currency = next((quote for quote in _QUOTES if symbol.endswith(quote)), "")
    return ObservationItem(f"binance:{symbol[:_SYMBOL_LENGTH]}", at, positive(row["lastPrice"]), currency)


def parse_upbit_markets(answer: Fetched, _source: Source) -> list[ListingItem]:
    """The markets in won with their names, and what Upbit warns of."""
    listed = _each(rows(json_of(answer.body)), _listing)
    return list({listing.symbol: listing for listing in listed if listing.symbol.startswith(WON)}.values())


def _listing(row: Mapping[str, Any]) -> ListingItem:
    event = row.get("market_event") or {}
    cautions = [name for name, raised in (event.get("caution") or {}).items() if raised is True]
    flags = [*(["WARNING"] if event.get("warning") is True else []), *sorted(cautions)]
    return ListingItem(
        needed(row, "market")[:_SYMBOL_LENGTH],
        text(row, "korean_name")[:120],
        text(row, "english_name")[:120],
        tuple(flag for flag in flags if _FLAG.fullmatch(flag)),
    )


def _each(found: Iterable[Mapping[str, Any]], read: Callable[[Mapping[str, Any]], Item]) -> Iterator[Item]:
    """What ``read`` makes of each row; raises ValueError where it can make something of none."""
    good = 0
    for row in found:
        try:
            item = read(row)
        except MISFITS:
            continue
        good += 1
        yield item
    if not good:
        raise ValueError("not one row that can be read")
