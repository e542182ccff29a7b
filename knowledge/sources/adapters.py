"""The one form of all sources, and each adapter by its name.

An adapter asks only ``http`` for bodies and keys, reads no clock (an answer carries ``fetched_at``) and touches no
database. An answer that is not what was expected raises ``SourceError``: an error is never "no news". Adding a source
of a known kind is a row; a new kind is a module of the same form and an entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from knowledge.models import Source
from knowledge.sources import macro, notices, onchain, prices, rss, youtube
from knowledge.sources.base import SourceItem, name_in_address
from knowledge.sources.http.client import Fetched, HttpClient, Validators

_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Adapter:
    """How the sources of one kind are read.

    ``parse(answer, source)`` reads what the source's own address answers; it is asked for with ``accept``, at most once
    in ``min_interval`` seconds, and ``key_setting`` names the key that stands for ``{key}`` in it.

    ``parts`` names the setting whose entries (markets, series, paths) are fetched and stored each by itself:
    ``fetch(source, entry, since, http)`` gives the items of one, from about ``since`` on (None: from the beginning),
    and ``part_name(entry)`` calls it as its series or market is stored.

    ``transient_404_hours`` is how long a 404 is no more than a bad day.
    """

    name: str
    parse: Callable[[Fetched, Source], Iterable[SourceItem]]
    accept: str = "*/*"
    min_interval: float | None = None
    key_setting: str = ""
    parts: str = ""
    fetch: Callable[[Source, Any, datetime | None, HttpClient], Iterable[SourceItem]] | None = None
    part_name: Callable[[Any], str] = str
    transient_404_hours: int = 0

    def read(
        self, source: Source, http: HttpClient, validators: Validators | None = None
    ) -> tuple[Fetched, list[SourceItem]]:
        """What the source's own address answers, and its items: none where nothing is new since ``validators``.

        Raises ``SourceError`` and ``NeedsKey``.
        """
        url = source.url
        if "{key}" in url:
            url = url.replace("{key}", http.key(self.key_setting))
        fetched = http.get(url, validators=validators, accept=self.accept, min_interval=self.min_interval)
        return fetched, [] if fetched.not_modified else list(self.parse(fetched, source))


def _timed(parse: Callable[..., Iterable[SourceItem]]) -> Callable[[Fetched, Source], Iterable[SourceItem]]:
    """A parser that goes by the body and by when it was fetched."""
    return lambda answer, _source: parse(answer.body, now=answer.fetched_at)


_ALL = (
    Adapter("youtube_rss", youtube.parse, accept=rss.ACCEPT, transient_404_hours=72),
    Adapter("rss", rss.parse, accept=rss.ACCEPT),
    Adapter(
        "upbit_notices", _timed(notices.parse_upbit_notices), accept=_JSON, min_interval=notices.MIN_INTERVAL
    ),
    Adapter("bithumb_notices", notices.parse_bithumb, accept=_JSON, min_interval=notices.MIN_INTERVAL),
    Adapter(
        "ecos",
        lambda answer, _source: macro.parse_ecos(answer.body),
        accept=_JSON,
        key_setting=macro.ECOS_KEY,
        parts="series",
        fetch=macro.fetch_ecos,
        part_name=macro.ecos_series_of,
    ),
    Adapter(
        "fred",
        lambda answer, source: macro.parse_fred(
            answer.body, series=name_in_address(source.url, "series_id", "id")
        ),
        key_setting=macro.FRED_KEY,
        parts="series",
        fetch=macro.fetch_fred,
    ),
    Adapter(
        "frankfurter",
        lambda answer, _source: macro.parse_frankfurter(answer.body),
        accept=_JSON,
        parts="series",
        fetch=macro.fetch_frankfurter,
        part_name=macro.frankfurter_series_of,
    ),
    Adapter(
        "upbit_candles",
        _timed(prices.parse_upbit),
        accept=_JSON,
        parts="markets",
        fetch=prices.fetch_upbit,
        part_name=prices.symbol_of,
    ),
    Adapter(
        "binance_klines",
        lambda answer, source: prices.parse_binance(
            answer.body, now=answer.fetched_at, symbol=name_in_address(source.url, "symbol")
        ),
        accept=_JSON,
        parts="markets",
        fetch=prices.fetch_binance,
        part_name=prices.symbol_of,
    ),
    Adapter(
        "mempool_space",
        _timed(onchain.parse_mempool),
        min_interval=onchain.MEMPOOL_INTERVAL,
        parts="paths",
        fetch=onchain.fetch_mempool,
    ),
    Adapter("defillama", _timed(onchain.parse_defillama), accept=_JSON),
)

ADAPTERS: dict[str, Adapter] = {adapter.name: adapter for adapter in _ALL}
