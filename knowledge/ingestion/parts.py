"""The parts of a source that are fetched and stored each by itself: a market, a series, a path, or all there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, QuerySet

from knowledge.ingestion.series import VENUES
from knowledge.models import Candle, FetchCause, Market, Observation, Source
from knowledge.sources.adapters import ADAPTERS

# What says more of the host than of the part that met it.
_UNREACHED = frozenset({FetchCause.TIMEOUT, FetchCause.DNS, FetchCause.TLS, FetchCause.REFUSED})


@dataclass(frozen=True, slots=True)
class Part:
    """What an adapter reads at a time: a market, series or path as the settings have it, or the source's own address
    (``entry`` None).

    ``name`` is what the part is stored under ("" for the address).
    """

    name: str = ""
    entry: Any = None


@dataclass(frozen=True, slots=True)
class PartFailure:
    """Why a part did not come; ``retry_after`` is the number of seconds that the other side asked for."""

    part: str
    cause: FetchCause
    detail: str
    retry_after: float | None = None

    @property
    def unreached(self) -> bool:
        return self.cause in _UNREACHED

    def __str__(self) -> str:
        return f"{self.part} ({self.cause})"


def parts_of(source: Source) -> list[Part]:
    """The parts of a source in the order of its settings; one without a list of them is a single part."""
    adapter = ADAPTERS.get(source.adapter)
    if adapter is None or not isinstance(source.settings, dict):
        return [Part()]  # it cannot be read, and reading it says so
    entries = source.settings.get(adapter.parts)
    if not entries or not isinstance(entries, list):
        return [Part()]
    return [Part(_name(adapter.part_name, entry), entry) for entry in entries]


def _name(part_name: Callable[[Any], str], entry: object) -> str:
    try:
        return str(part_name(entry))
    except (KeyError, TypeError):
        # An entry of another form fails in its turn, and that needs a name too.
        return str(entry)[:40]


def known_until(source: Source, part: Part) -> datetime | None:
    """The newest point that is stored of a market, series or path, None where nothing is: it then gets its history."""
    if source.adapter in VENUES:
        return _newest_bar(source, part.name)
    return _newest(Observation.objects.filter(series__key=part.name), "at")


def _newest_bar(source: Source, symbol: str) -> datetime | None:
    markets = Market.objects.filter(venue=VENUES[source.adapter], symbol=symbol)
    interval = str(source.settings.get("interval", "1h"))
    bars = Candle.objects.filter(market__in=markets.filter(delisted_at=None), interval=interval)
    # What was traded under a ticker before it was reused belongs to the market that was closed.
    return _newest(bars, "at") or _newest(markets, "delisted_at")


def _newest(rows: QuerySet[Any], field: str) -> datetime | None:
    found: datetime | None = rows.aggregate(newest=Max(field))["newest"]
    return found


def in_words(failures: Sequence[PartFailure], *, parts: int, tried: int) -> str:
    """What failed of a run and why: every name with its cause, then the detail of the first."""
    first = failures[0]
    if not first.part:
        return first.detail
    left = f", {parts - tried} not asked" if tried < parts else ""
    return f"{len(failures)} of {parts} failed{left}: {', '.join(map(str, failures))}: {first.detail}"
