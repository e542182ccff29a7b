"""How adapters are asked for years that are long past, an answer at a time. Those not listed tell only of now."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from knowledge.models import Source
from knowledge.sources import macro, onchain, prices
from knowledge.sources.adapters import ADAPTERS
from knowledge.sources.base import CandleItem, ObservationItem, SourceItem
from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient

YEAR = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class History:
    """``address(source, entry, first, last)`` is where an entry of the source's parts is asked for from ``first`` to
    ``last``; ``span`` is what one answer holds, None for all that there is. ``paths`` are where series stand that the
    source's settings do not name, by their keys; a source that is one address has those whose path ends it.
    """

    address: Callable[[Source, Any, datetime, datetime], str]
    span: timedelta | None = None
    paths: Mapping[str, str] = field(default_factory=dict)


HISTORIES = {
    # At most 10,000 rows an answer.
    "ecos": History(macro.ecos_history, span=20 * YEAR),
    "fred": History(macro.fred_history, span=20 * YEAR),
    "frankfurter": History(macro.frankfurter_history, span=5 * YEAR),
    "upbit_candles": History(prices.upbit_history, span=timedelta(days=prices.UPBIT_PAGE)),
    "binance_klines": History(prices.binance_history, span=timedelta(days=prices.BINANCE_PAGE)),
    "mempool_space": History(
        lambda source, path, _first, _last: f"{source.url.rstrip('/')}/{path}", paths=onchain.MEMPOOL_PATHS
    ),
    "defillama": History(lambda source, _path, _first, _last: source.url, paths=onchain.LLAMA_PATHS),
    "alternative_me": History(macro.alternative_me_history, paths={macro.FEAR_GREED: "fng"}),
}


def entry_of(source: Source, key: str) -> Any:
    """What a source is asked with for the values stored under ``key``; None where it has no history of them."""
    history, adapter = HISTORIES.get(source.adapter), ADAPTERS.get(source.adapter)
    if history is None or adapter is None:
        return None
    if key in history.paths:
        path = history.paths[key]
        return path if adapter.parts or urlsplit(source.url).path.rstrip("/").endswith(path) else None
    entries = source.settings.get(adapter.parts, []) if isinstance(source.settings, dict) else []
    return next((entry for entry in entries if _name(adapter.part_name, entry) == key), None)


def _name(part_name: Callable[[Any], str], entry: Any) -> str:
    try:
        return part_name(entry)
    except (KeyError, TypeError):
        return ""  # an entry of another form is nobody's


def read(
    source: Source, entry: Any, key: str, first: datetime, last: datetime, http: HttpClient
) -> list[SourceItem]:
    """The items from ``first`` to before ``last``, of series those of ``key`` alone. Raises ``SourceError`` and
    ``NeedsKey``."""
    url = HISTORIES[source.adapter].address(source, entry, first, last)
    try:
        items = ADAPTERS[source.adapter].read_at(url, source, http)
    except SourceError as error:
        if error.cause == "empty":  # the publisher has nothing of those years
            return []
        raise
    bars: list[SourceItem] = [
        item for item in items if isinstance(item, CandleItem) and first <= item.at < last
    ]
    values = (item for item in items if isinstance(item, ObservationItem) and item.series == key)
    return bars + [item for item in values if first <= item.at < last]
