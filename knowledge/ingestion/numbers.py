"""Observation and candle items → rows, upserted: publishers revise, and a rerun doubles nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from knowledge.ingestion.tally import Tally
from knowledge.models import Candle, Market, Observation, Series, Source, Unit, Venue
from knowledge.sources.base import CandleItem, Item, ObservationItem

VENUES = {"upbit_candles": Venue.UPBIT, "binance_klines": Venue.BINANCE}
BAR_FIELDS = ("open", "high", "low", "close", "volume")


def store(source: Source, items: Sequence[Item], *, now: datetime) -> Tally:
    """Upsert every observation and bar of one source inside the caller's transaction."""
    observations = [item for item in items if isinstance(item, ObservationItem)]
    candles = [item for item in items if isinstance(item, CandleItem)]
    return _store_observations(source, observations, now) + _store_candles(source, candles)


def _store_observations(source: Source, items: Sequence[ObservationItem], now: datetime) -> Tally:
    tally = Tally(fetched=len(items))
    for key in dict.fromkeys(item.series for item in items):
        points = {item.at: item for item in items if item.series == key}
        unit = next(iter(points.values())).unit
        series, _created = Series.objects.get_or_create(key=key, defaults={"unit": unit, "source": source})
        known = dict(
            Observation.objects.filter(series=series, at__in=list(points)).values_list("at", "value")
        )
        changed = [
            Observation(series=series, at=at, value=item.value, fetched_at=now)
            for at, item in points.items()
            if known.get(at) != item.value
        ]
        _count(tally, len(points), [row.at in known for row in changed])
        Observation.objects.bulk_create(
            changed,
            update_conflicts=True,
            unique_fields=["series", "at"],
            update_fields=["value", "fetched_at"],
        )
    return tally


def _store_candles(source: Source, items: Sequence[CandleItem]) -> Tally:
    tally = Tally(fetched=len(items))
    for symbol, interval in dict.fromkeys((item.symbol, item.interval) for item in items):
        bars = {item.at: item for item in items if (item.symbol, item.interval) == (symbol, interval)}
        market = market_of(source, symbol)
        if market is None:
            continue
        known = {
            row["at"]: row
            for row in Candle.objects.filter(market=market, interval=interval, at__in=list(bars)).values(
                "at", *BAR_FIELDS
            )
        }
        changed = [
            Candle(market=market, interval=interval, at=at, **_bar(item))
            for at, item in bars.items()
            if known.get(at) != {"at": at, **_bar(item)}
        ]
        _count(tally, len(bars), [row.at in known for row in changed])
        Candle.objects.bulk_create(
            changed,
            update_conflicts=True,
            unique_fields=["market", "interval", "at"],
            update_fields=list(BAR_FIELDS),
        )
    return tally


def market_of(source: Source, symbol: str) -> Market | None:
    """The live market a source's bars belong to, made on first sight from the source's own settings.

    None for a symbol that the settings do not name: a venue may send more than was asked for.
    """
    venue = VENUES[source.adapter]
    market = Market.objects.filter(venue=venue, symbol=symbol, delisted_at=None).first()
    if market is not None:
        return market
    for entry in source.settings.get("markets", []):
        if entry.get("symbol") == symbol:
            asset = Unit.objects.with_public_id(entry["asset"]).first()
            stablecoin = bool(entry.get("stablecoin", False))
            return asset and Market.objects.create(
                venue=venue, symbol=symbol, asset=asset, stablecoin=stablecoin
            )
    return None


def _bar(item: CandleItem) -> dict[str, float]:
    return {name: getattr(item, name) for name in BAR_FIELDS}


def _count(tally: Tally, total: int, known: Iterable[bool]) -> None:
    flags = list(known)
    tally.updated += sum(flags)
    tally.created += len(flags) - sum(flags)
    tally.unchanged += total - len(flags)
