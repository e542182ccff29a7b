"""The history of a series from its sources, page by page, the newest first.

Each page is stored by itself, so that one that was cut off goes on from the oldest value that is stored. Meanwhile the
source is claimed: beat does not run it. Values are stored as they always are, held ones and revisions included.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Min
from django.db.models.functions import Now

from knowledge.ingestion import runs, series
from knowledge.models import Candle, Interval, Market, Observation, Series, SeriesInput, Source, Venue
from knowledge.series.bars import VENUES
from knowledge.sources import history
from knowledge.sources.base import SourceItem
from knowledge.sources.http.client import HttpClient


@dataclass(frozen=True, slots=True)
class Part:
    """What one source has of the past of a series: the values of one of its inputs, or the day bars of a ``market``."""

    source: Source
    key: str
    entry: Any
    market: Market | None = None

    def oldest(self) -> datetime | None:
        """From when on it is stored without a gap."""
        if self.market is not None:
            rows: Any = Candle.objects.filter(market=self.market, interval=Interval.DAY)
        else:
            rows = Observation.objects.filter(input__key=self.key)
        found: datetime | None = rows.aggregate(oldest=Min("at"))["oldest"]
        return found


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a part is: everything from ``reached`` to ``began`` is stored; ``counts`` are those of the last page."""

    reached: datetime
    began: datetime
    counts: Counter[str]


def parts_of(of: Series) -> list[list[Part]]:
    """What can be asked for, each with the sources that have it, the one that gave it last first; none of a series that
    tells only of now."""
    inputs = of.inputs.select_related("source").order_by("position", "pk")
    return [parts for each in inputs for parts in (_of_values(each), *_of_markets(each)) if parts]


def _of_values(each: SeriesInput) -> list[Part]:
    sources = Source.objects.filter(enabled=True, adapter__in=history.HISTORIES).order_by("pk")
    had = ((source, history.entry_of(source, each.key)) for source in sources)
    parts = [Part(source, each.key, entry) for source, entry in had if entry is not None]
    return sorted(parts, key=lambda part: part.source.pk != each.source_id)


def _of_markets(each: SeriesInput) -> Iterator[list[Part]]:
    """A price was what day bars closed with: those of the market that the input is of, and of the same asset abroad."""
    venue, _colon, symbol = each.key.partition(":")
    market = Market.objects.filter(venue=venue, symbol=symbol, delisted_at=None).first()
    if market is None:
        return
    for one in Market.objects.filter(asset=market.asset_id, delisted_at=None).order_by("-venue", "pk"):
        adapters = [adapter for adapter, kind in VENUES.items() if kind == Venue(one.venue)]
        daily = Source.objects.filter(enabled=True, adapter__in=adapters, settings__interval=Interval.DAY)
        yield [Part(source, one.symbol, one.symbol, one) for source in daily.order_by("pk")]


def fill_in(part: Part, since: datetime, *, now: datetime, http: HttpClient) -> Iterator[Progress]:
    """Ask for what is missing between ``since`` and the oldest value that is stored, and store it page by page.

    Raises ``SourceError`` and ``NeedsKey``; what came before that is stored.
    """
    reached = began = part.oldest() or now
    span = history.HISTORIES[part.source.adapter].span
    with _claimed(part.source) as renew:
        while reached > since:
            renew()
            first = max(since, reached - span) if span else since
            items = history.read(part.source, part.entry, part.key, first, reached, http)
            reached = first
            yield Progress(reached, began, _store(part.source, items, now=now))
            if part.market is not None and not items:
                return  # it was listed later


@contextmanager
def _claimed(source: Source) -> Iterator[Callable[[], object]]:
    """Hold a source while its history is read; what is yielded makes that last. A claim whose holder died lapses."""
    rows = Source.objects.filter(pk=source.pk)
    due = rows.values_list("next_fetch_at", flat=True).first()
    try:
        yield lambda: rows.update(next_fetch_at=Now() + runs.LEASE)
    finally:
        rows.update(next_fetch_at=due)


@transaction.atomic
def _store(source: Source, items: Sequence[SourceItem], *, now: datetime) -> Counter[str]:
    # Runs of one source store one after the other.
    Source.objects.select_for_update().get(pk=source.pk)
    return series.store(source, items, now=now).counts
