"""Observation and candle items → rows, upserted: publishers revise, and a rerun doubles nothing."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Max, QuerySet

from knowledge.models import Candle, Market, Observation, Series, Source, Unit, Venue
from knowledge.series.observations import facts_of
from knowledge.sources.base import CandleItem, ObservationItem, SourceItem
from knowledge.sources.prices import symbol_of

VENUES = {"upbit_candles": Venue.UPBIT, "binance_klines": Venue.BINANCE}
BAR_FIELDS = ("open", "high", "low", "close", "volume")
UNIT_MAX_LENGTH = 40
AT_ONCE = 2_000  # rows a statement


def store(source: Source, items: Sequence[SourceItem], *, now: datetime) -> Counter[str]:
    """Upsert every observation and bar of one source inside the caller's transaction."""
    series: dict[str, dict[datetime, ObservationItem]] = defaultdict(dict)
    markets: dict[tuple[str, str], dict[datetime, CandleItem]] = defaultdict(dict)
    for item in items:
        if isinstance(item, ObservationItem):
            series[item.series][item.at] = item
        elif isinstance(item, CandleItem):
            markets[item.symbol, item.interval][item.at] = item
    counts: Counter[str] = Counter()
    for key, points in series.items():
        unit = next(iter(points.values())).unit[:UNIT_MAX_LENGTH]
        facts = {"unit": unit, "source": source, "label": facts_of(key).label}
        row, _created = Series.objects.get_or_create(key=key, defaults=facts)
        counts += _upsert(Observation, {"series": row}, points, ["value"], fetched_at=now)
    for (symbol, interval), bars in markets.items():
        if market := market_of(source, symbol):
            counts += _upsert(Candle, {"market": market, "interval": interval}, bars, BAR_FIELDS)
        else:
            counts["fetched"] += len(bars)
    return counts


def _upsert(
    model: Any, of: Mapping[str, Any], points: Mapping[datetime, Any], names: Sequence[str], **stamp: datetime
) -> Counter[str]:
    """Write the points ``of`` a series or market that are new or whose ``names`` changed, each with ``stamp``."""
    values = {at: {name: getattr(point, name) for name in names} for at, point in points.items()}
    present = model.objects.filter(**of, at__range=(min(points), max(points))).values("at", *names)
    known = {row.pop("at"): row for row in present}
    changed = [at for at in points if known.get(at) != values[at]]
    model.objects.bulk_create(
        [model(**of, at=at, **values[at], **stamp) for at in changed],
        batch_size=AT_ONCE,
        update_conflicts=True,
        unique_fields=[*of, "at"],
        update_fields=[*names, *stamp],
    )
    updated = sum(at in known for at in changed)
    return Counter(
        fetched=len(points),
        created=len(changed) - updated,
        updated=updated,
        unchanged=len(points) - len(changed),
    )


def market_of(source: Source, symbol: str) -> Market | None:
    """The live market a source's bars belong to, made on first sight from the source's own settings.

    None for a symbol that neither a market nor the settings name: a venue may send more than was asked for. A ticker
    that got reused needs its old market delisted by an editor; the next bars then open a new one.
    """
    venue = VENUES[source.adapter]
    named = (entry for entry in source.settings.get("markets", []) if isinstance(entry, dict))
    entry: dict[str, Any] = next((entry for entry in named if symbol_of(entry) == symbol), {})
    market = Market.objects.filter(venue=venue, symbol=symbol, delisted_at=None).first()
    if market is None:
        # Neither venue's list says since when a market trades, so listed_at stays unknown until an editor sets it.
        asset = Unit.objects.find(str(entry.get("asset", "")))
        if asset is None:
            return None
        stablecoin = bool(entry.get("stablecoin", False))
        return Market.objects.create(venue=venue, symbol=symbol, asset=asset.survivor, stablecoin=stablecoin)
    if entry.get("stablecoin", market.stablecoin) != market.stablecoin:
        market.stablecoin = bool(entry["stablecoin"])
        market.save(update_fields=["stablecoin"])
    return market


def known_until(source: Source, part: str) -> datetime | None:
    """The newest point that is stored of a market, series or path, None where nothing is: it then gets its history."""
    if source.adapter not in VENUES:
        return _newest(Observation.objects.filter(series__key=part), "at")
    markets = Market.objects.filter(venue=VENUES[source.adapter], symbol=part)
    interval = str(source.settings.get("interval", "1h"))
    bars = Candle.objects.filter(market__in=markets.filter(delisted_at=None), interval=interval)
    # What was traded under a ticker before it was reused belongs to the market that was closed.
    return _newest(bars, "at") or _newest(markets, "delisted_at")


def _newest(rows: QuerySet[Any], field: str) -> datetime | None:
    found: datetime | None = rows.aggregate(newest=Max(field))["newest"]
    return found
