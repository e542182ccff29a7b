"""Every adapter by its name, and the facts about it. Adding a source of a known kind is a row; a new kind
is a module of the same form and a line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from knowledge.sources import macro, news, notices, onchain, prices, youtube
from knowledge.sources.base import (
    CandleItem,
    DocumentItem,
    FetchItems,
    Item,
    ObservationItem,
)


@dataclass(frozen=True, slots=True)
class Adapter:
    """``kind`` is a value of ``SourceKind``; ``url`` and ``settings`` are what a new source begins with;
    ``key_setting`` names the setting of the free key it needs; ``transient_404_hours`` is how long a 404 is
    no more than a bad day. ``parts`` names the setting whose entries are fetched and stored each by itself, and
    ``part_name`` calls an entry as its series or market is stored.
    """

    name: str
    kind: str
    fetch: FetchItems
    items: type[Item]
    url: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    key_setting: str = ""
    interval_minutes: int = 15
    transient_404_hours: int = 0
    parts: str = ""
    part_name: Callable[[Any], str] = str


_ALL = (
    Adapter(
        "youtube_rss", "video", youtube.fetch, DocumentItem,
        url=youtube.FEED_ADDRESS, transient_404_hours=72,
    ),
    Adapter("rss", "news", news.fetch, DocumentItem),
    Adapter(
        "upbit_notices", "notice", notices.fetch_upbit, DocumentItem,
        url=notices.UPBIT_ADDRESS, interval_minutes=10,
    ),
    Adapter(
        "bithumb_notices", "notice", notices.fetch_bithumb, DocumentItem,
        url=notices.BITHUMB_ADDRESS, interval_minutes=10,
    ),
    Adapter(
        "ecos", "macro", macro.fetch_ecos, ObservationItem, url=macro.ECOS_ADDRESS,
        settings={"series": macro.ECOS_SERIES}, key_setting=macro.ECOS_KEY, interval_minutes=360,
        parts="series", part_name=macro.ecos_series_of,
    ),
    Adapter(
        "fred", "macro", macro.fetch_fred, ObservationItem, url=macro.FRED_ADDRESS,
        settings={"series": macro.FRED_SERIES}, key_setting=macro.FRED_KEY, interval_minutes=360,
        parts="series",
    ),
    Adapter(
        "frankfurter", "macro", macro.fetch_frankfurter, ObservationItem, url=macro.FRANKFURTER_ADDRESS,
        settings={"series": macro.FRANKFURTER_PAIRS}, interval_minutes=180,
        parts="series", part_name=macro.frankfurter_series_of,
    ),
    Adapter(
        "upbit_candles", "price", prices.fetch_upbit, CandleItem, url=prices.UPBIT_ADDRESS,
        settings={"interval": "1h", "markets": ["KRW-BTC"]}, interval_minutes=5,
        parts="markets", part_name=prices.symbol_of,
    ),
    Adapter(
        "binance_klines", "price", prices.fetch_binance, CandleItem, url=prices.BINANCE_ADDRESS,
        settings={"interval": "1h", "markets": ["BTCUSDT"]}, interval_minutes=5,
        parts="markets", part_name=prices.symbol_of,
    ),
    Adapter(
        "mempool_space", "onchain", onchain.fetch_mempool, ObservationItem, url=onchain.MEMPOOL_ADDRESS,
        settings={"paths": list(onchain.MEMPOOL_PATHS)}, interval_minutes=30,
        parts="paths",
    ),
    Adapter(
        "defillama", "onchain", onchain.fetch_defillama, ObservationItem, url=onchain.DEFILLAMA_ADDRESS,
        interval_minutes=360,
    ),
)  # fmt: skip

ADAPTERS: dict[str, Adapter] = {adapter.name: adapter for adapter in _ALL}

__all__ = ["ADAPTERS", "Adapter"]
