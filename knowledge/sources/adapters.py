"""Every adapter by its name, and the facts about it. Adding a source of a known kind is a row; a new kind
is a module of the same form and a line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from knowledge.sources import macro, notices, onchain, prices, rss, youtube
from knowledge.sources.base import FetchItems


@dataclass(frozen=True, slots=True)
class Adapter:
    """``transient_404_hours`` is how long a 404 is no more than a bad day. ``parts`` names the setting whose entries
    are fetched and stored each by itself, and ``part_name`` calls an entry as its series or market is stored.
    """

    name: str
    fetch: FetchItems
    transient_404_hours: int = 0
    parts: str = ""
    part_name: Callable[[Any], str] = str


_ALL = (
    Adapter("youtube_rss", youtube.fetch, transient_404_hours=72),
    Adapter("rss", rss.fetch),
    Adapter("upbit_notices", notices.fetch_upbit),
    Adapter("bithumb_notices", notices.fetch_bithumb),
    Adapter("ecos", macro.fetch_ecos, parts="series", part_name=macro.ecos_series_of),
    Adapter("fred", macro.fetch_fred, parts="series"),
    Adapter("frankfurter", macro.fetch_frankfurter, parts="series", part_name=macro.frankfurter_series_of),
    Adapter("upbit_candles", prices.fetch_upbit, parts="markets", part_name=prices.symbol_of),
    Adapter("binance_klines", prices.fetch_binance, parts="markets", part_name=prices.symbol_of),
    Adapter("mempool_space", onchain.fetch_mempool, parts="paths"),
    Adapter("defillama", onchain.fetch_defillama),
)

ADAPTERS: dict[str, Adapter] = {adapter.name: adapter for adapter in _ALL}

__all__ = ["ADAPTERS", "Adapter"]
