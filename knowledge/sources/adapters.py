"""The one form of all sources, and each adapter by its name.

An adapter asks only ``http`` for bodies and the settings for a key, reads no clock (an answer carries ``fetched_at``)
and touches no database. An answer that is not what was expected raises ``SourceError``: an error is never "no news".
Adding a source of a known kind is a row; a new kind is a parser, the addresses of its parts if it has any, and an entry
here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings

from knowledge.models import Source
from knowledge.sources import macro, notices, onchain, prices, rss, tickers, youtube
from knowledge.sources.base import MAX_POINTS, SourceItem
from knowledge.sources.errors import NeedsKey, SourceError
from knowledge.sources.http.client import Fetched, HttpClient, Validators
from knowledge.sources.json_bodies import MISFITS, described

# Requests for one part in one run: eight days of hours at Upbit, 5,000 bars at Binance.
MAX_PAGES = 5


@dataclass(frozen=True, slots=True)
class Adapter:
    """How the sources of one kind are read.

    ``parse(answer, source)`` reads an answer; ``expected`` says in messages what it looks for. An address is asked for
    with ``accept``, at most once in ``min_interval`` seconds, and ``key_setting`` names the key that stands for
    ``{key}`` in it.

    ``parts`` names the setting whose entries (markets, series, paths) are fetched and stored each by itself;
    ``part_name(entry)`` calls one as its series or market is stored. ``address(source, entry, since)`` is where it is
    asked for from about ``since`` on (None: from the beginning), ``next_address(source, entry, since, items)`` where
    after these items, if anywhere.
    """

    parse: Callable[[Fetched, Source], Iterable[SourceItem]]
    expected: str
    accept: str = "application/json"
    min_interval: float | None = None
    key_setting: str = ""
    parts: str = ""
    part_name: Callable[[Any], str] = str
    address: Callable[[Source, Any, datetime | None], str] | None = None
    next_address: Callable[[Source, Any, datetime, Sequence[Any]], str | None] | None = None

    def read(
        self, source: Source, http: HttpClient, validators: Validators | None = None
    ) -> tuple[Fetched, list[SourceItem]]:
        """What the source's own address answers, and its items: none where nothing is new since ``validators``.

        Raises ``SourceError`` and ``NeedsKey``.
        """
        answer = self._get(source.url, http, validators)
        return answer, [] if answer.not_modified else self.items(answer, source)

    def fetch(
        self, source: Source, entry: Any, since: datetime | None, http: HttpClient
    ) -> Iterator[SourceItem]:
        """The items of one entry of the source's ``parts``; asks for the next page only when it is needed."""
        assert self.address is not None
        try:
            url: str | None = self.address(source, entry, since)
        except MISFITS as error:
            wrong = f'an entry of settings["{self.parts}"] is not as {source.adapter} needs it: {error!r}'
            raise SourceError("parse", wrong) from error
        for _page in range(MAX_PAGES):
            if url is None:
                return
            items = self.items(self._get(url, http), source)
            yield from items
            if not (self.next_address and since and items):
                return
            url = self.next_address(source, entry, since, items)

    def read_at(self, url: str, source: Source, http: HttpClient) -> list[SourceItem]:
        """The items at another address of a source. Raises ``SourceError`` and ``NeedsKey``."""
        return self.items(self._get(url, http), source)

    def items(self, answer: Fetched, source: Source) -> list[SourceItem]:
        """What stands in an answer; raises ``SourceError`` where it is something else."""
        try:
            return list(self.parse(answer, source))[-MAX_POINTS:]
        except MISFITS as error:
            found = f"{described(answer.body)} ({type(error).__name__}: {error})"
            raise SourceError("parse", f"expected {self.expected}, found {found}") from error

    def _get(self, url: str, http: HttpClient, validators: Validators | None = None) -> Fetched:
        if "{key}" in url:
            key = getattr(settings, self.key_setting, "")
            if not key:
                raise NeedsKey(self.key_setting)
            url = url.replace("{key}", key)
        return http.get(url, validators=validators, accept=self.accept, min_interval=self.min_interval)


ADAPTERS = {
    "youtube_rss": Adapter(youtube.parse, "a YouTube channel feed", accept=rss.ACCEPT),
    "rss": Adapter(rss.parse, "a feed", accept=rss.ACCEPT),
    "upbit_notices": Adapter(notices.parse_upbit, "Upbit's notices", min_interval=notices.MIN_INTERVAL),
    "bithumb_notices": Adapter(notices.parse_bithumb, "Bithumb's notices", min_interval=notices.MIN_INTERVAL),
    "ecos": Adapter(
        macro.parse_ecos,
        "ECOS rows",
        key_setting="ECOS_API_KEY",
        parts="series",
        part_name="{stat}/{item}".format_map,
        address=macro.ecos_address,
    ),
    "fred": Adapter(
        macro.parse_fred,
        "FRED observations",
        accept="*/*",
        key_setting="FRED_API_KEY",
        parts="series",
        address=macro.fred_address,
    ),
    "frankfurter": Adapter(
        macro.parse_frankfurter,
        "Frankfurter's rates",
        parts="series",
        part_name="{base}{quote}".format_map,
        address=macro.frankfurter_address,
    ),
    "upbit_candles": Adapter(
        prices.parse_upbit,
        "Upbit's candles or tickers",
        min_interval=prices.MIN_INTERVAL,
        parts="markets",
        part_name=prices.symbol_of,
        address=prices.upbit_address,
        next_address=prices.older_upbit_address,
    ),
    "binance_klines": Adapter(
        prices.parse_binance,
        "Binance's klines or 24-hour tickers",
        min_interval=prices.MIN_INTERVAL,
        parts="markets",
        part_name=prices.symbol_of,
        address=prices.binance_address,
        next_address=prices.newer_binance_address,
    ),
    "upbit_tickers": Adapter(tickers.parse_upbit, "Upbit's tickers", min_interval=tickers.MIN_INTERVAL),
    "binance_tickers": Adapter(
        tickers.parse_binance, "Binance's 24-hour tickers", min_interval=tickers.MIN_INTERVAL
    ),
    "upbit_markets": Adapter(
        tickers.parse_upbit_markets, "the list of Upbit's markets", min_interval=tickers.MIN_INTERVAL
    ),
    "mempool_space": Adapter(
        onchain.parse_mempool,
        "mempool.space's fees, mempool, difficulty, hashrate or tip height",
        accept="*/*",
        min_interval=onchain.MEMPOOL_INTERVAL,
        parts="paths",
        address=lambda source, path, _since: f"{source.url.rstrip('/')}/{path}",
    ),
    "defillama": Adapter(onchain.parse_defillama, "DefiLlama's historicalChainTvl or stablecoincharts"),
    "alternative_me": Adapter(macro.parse_alternative_me, "alternative.me's fear and greed index"),
}
