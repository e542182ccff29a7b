"""Observation and candle items → rows: a rerun doubles nothing."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Max, QuerySet

from knowledge.models import Candle, Market, Observation, SeriesInput, Source, Unit, Venue
from knowledge.series import recording
from knowledge.sources.base import CandleItem, ObservationItem, SourceItem
from knowledge.sources.prices import symbol_of

VENUES = {"upbit_candles": Venue.UPBIT, "binance_klines": Venue.BINANCE}
BAR_FIELDS = ("open", "high", "low", "close", "volume")
UNIT_MAX_LENGTH = 40
AT_ONCE = 2_000  # bars a statement


def store(source: Source, items: Sequence[SourceItem], *, now: datetime) -> Counter[str]:
    """Store every value and bar of one source inside the caller's transaction."""
    values: dict[str, list[ObservationItem]] = defaultdict(list)
    markets: dict[tuple[str, str], dict[datetime, CandleItem]] = defaultdict(dict)
    for item in items:
        if isinstance(item, ObservationItem):
            values[item.series].append(item)
        elif isinstance(item, CandleItem):
            markets[item.symbol, item.interval][item.at] = item
    counts: Counter[str] = Counter()
    for key, points in values.items():
        counts += recording.record(_input_of(source, key, points[0].unit), points, now=now)
    for (symbol, interval), bars in markets.items():
        if market := market_of(source, symbol):
            counts += _upsert_bars(market, interval, bars)
        else:
            counts["fetched"] += len(bars)
    return counts


def _input_of(source: Source, key: str, unit: str) -> SeriesInput:
    """The input with this key, made on first sight, with the source that gave it last and the unit it came in first."""
    found, _created = SeriesInput.objects.select_related("series").get_or_create(key=key)
    if found.source_id != source.pk or not found.unit:
        found.source, found.unit = source, found.unit or unit[:UNIT_MAX_LENGTH]
        found.save(update_fields=["source", "unit"])
    return found


def _upsert_bars(market: Market, interval: str, bars: Mapping[datetime, CandleItem]) -> Counter[str]:
    """Write the bars that are new or that the venue has changed."""
    values = {at: {name: getattr(bar, name) for name in BAR_FIELDS} for at, bar in bars.items()}
    of = {"market": market, "interval": interval}
    present = Candle.objects.filter(**of, at__range=(min(bars), max(bars))).values("at", *BAR_FIELDS)
    known: dict[datetime, dict[str, Any]] = {row.pop("at"): row for row in present}
    changed = [at for at in bars if known.get(at) != values[at]]
    Candle.objects.bulk_create(
        [Candle(**of, at=at, **values[at]) for at in changed],
        batch_size=AT_ONCE,
        update_conflicts=True,
        unique_fields=[*of, "at"],
        update_fields=BAR_FIELDS,
    )
    updated = sum(at in known for at in changed)
    return Counter(
        fetched=len(bars), created=len(changed) - updated, updated=updated, unchanged=len(bars) - len(changed)
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
        return _newest(Observation.objects.filter(input__key=part), "at")
    markets = Market.objects.filter(venue=VENUES[source.adapter], symbol=part)
    interval = str(source.settings.get("interval", "1h"))
    bars = Candle.objects.filter(market__in=markets.filter(delisted_at=None), interval=interval)
    # What was traded under a ticker before it was reused belongs to the market that was closed.
    return _newest(bars, "at") or _newest(markets, "delisted_at")


def _newest(rows: QuerySet[Any], field: str) -> datetime | None:
    found: datetime | None = rows.aggregate(newest=Max(field))["newest"]
    return found
