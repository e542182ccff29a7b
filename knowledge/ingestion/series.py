"""Observation and candle items → rows, upserted: publishers revise, and a rerun doubles nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from knowledge.ingestion.counts import ItemCounts
from knowledge.models import Candle, Market, Observation, Series, Source, Unit, Venue
from knowledge.series.labels import facts_of
from knowledge.sources.base import CandleItem, ObservationItem, SourceItem
from knowledge.sources.prices import symbol_of

VENUES = {"upbit_candles": Venue.UPBIT, "binance_klines": Venue.BINANCE}
BAR_FIELDS = ("open", "high", "low", "close", "volume")
UNIT_MAX_LENGTH = 40
AT_ONCE = 2_000  # rows a statement


def store(source: Source, items: Sequence[SourceItem], *, now: datetime) -> ItemCounts:
    """Upsert every observation and bar of one source inside the caller's transaction."""
    series: dict[str, dict[datetime, ObservationItem]] = defaultdict(dict)
    markets: dict[tuple[str, str], dict[datetime, CandleItem]] = defaultdict(dict)
    for item in items:
        if isinstance(item, ObservationItem):
            series[item.series][item.at] = item
        elif isinstance(item, CandleItem):
            markets[item.symbol, item.interval][item.at] = item
    counts = ItemCounts()
    for key, points in series.items():
        counts += _store_observations(_series_of(source, key, points), points, now)
    for (symbol, interval), bars in markets.items():
        counts += _store_bars(market_of(source, symbol), interval, bars)
    return counts


def _series_of(source: Source, key: str, points: Mapping[datetime, ObservationItem]) -> Series:
    unit = next(iter(points.values())).unit[:UNIT_MAX_LENGTH]
    defaults = {"unit": unit, "source": source, "label": facts_of(key).label}
    return Series.objects.get_or_create(key=key, defaults=defaults)[0]


def _store_observations(
    series: Series, points: Mapping[datetime, ObservationItem], now: datetime
) -> ItemCounts:
    present = Observation.objects.filter(series=series, at__range=(min(points), max(points)))
    known = dict(present.values_list("at", "value"))
    changed = [
        Observation(series=series, at=at, value=item.value, fetched_at=now)
        for at, item in points.items()
        if known.get(at) != item.value
    ]
    Observation.objects.bulk_create(
        changed,
        batch_size=AT_ONCE,
        update_conflicts=True,
        unique_fields=["series", "at"],
        update_fields=["value", "fetched_at"],
    )
    counts = ItemCounts(fetched=len(points))
    counts.count(len(points), [row.at in known for row in changed])
    return counts


def _store_bars(market: Market | None, interval: str, bars: Mapping[datetime, CandleItem]) -> ItemCounts:
    counts = ItemCounts(fetched=len(bars))
    if market is None:
        return counts
    present = Candle.objects.filter(market=market, interval=interval, at__range=(min(bars), max(bars)))
    known = {at: tuple(numbers) for at, *numbers in present.values_list("at", *BAR_FIELDS)}
    changed = [
        Candle(market=market, interval=interval, at=at, **_numbers(bar))
        for at, bar in bars.items()
        if known.get(at) != tuple(_numbers(bar).values())
    ]
    Candle.objects.bulk_create(
        changed,
        batch_size=AT_ONCE,
        update_conflicts=True,
        unique_fields=["market", "interval", "at"],
        update_fields=list(BAR_FIELDS),
    )
    counts.count(len(bars), [row.at in known for row in changed])
    return counts


def _numbers(bar: CandleItem) -> dict[str, float]:
    return {name: getattr(bar, name) for name in BAR_FIELDS}


def market_of(source: Source, symbol: str) -> Market | None:
    """The live market a source's bars belong to, made on first sight from the source's own settings.

    None for a symbol that neither a market nor the settings name: a venue may send more than was asked for. A ticker
    that got reused needs its old market delisted by an editor; the next bars then open a new one.
    """
    venue = VENUES[source.adapter]
    entry = _entry(source, symbol)
    market = Market.objects.filter(venue=venue, symbol=symbol, delisted_at=None).first()
    if market is None:
        return _open(venue, symbol, entry) if entry else None
    if entry and entry.get("stablecoin", market.stablecoin) != market.stablecoin:
        market.stablecoin = bool(entry["stablecoin"])
        market.save(update_fields=["stablecoin"])
    return market


def _open(venue: Venue, symbol: str, entry: Mapping[str, Any]) -> Market | None:
    # Neither venue's list says since when a market trades, so listed_at stays unknown until an editor sets it.
    asset = Unit.objects.find(str(entry.get("asset", "")))
    if asset is None:
        return None
    stablecoin = bool(entry.get("stablecoin", False))
    return Market.objects.create(venue=venue, symbol=symbol, asset=asset.survivor, stablecoin=stablecoin)


def _entry(source: Source, symbol: str) -> Mapping[str, Any] | None:
    """What the source's settings say of a market, where they say more than its symbol."""
    named = (entry for entry in source.settings.get("markets", []) if isinstance(entry, dict))
    return next((entry for entry in named if symbol_of(entry) == symbol), None)
