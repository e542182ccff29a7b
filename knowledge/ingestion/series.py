"""Values, bars and lists of markets → rows: a rerun doubles nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Max, QuerySet

from knowledge.models import (
    UNIT_LENGTH,
    Candle,
    Interval,
    Market,
    Observation,
    SeriesInput,
    Source,
    Unit,
    Venue,
)
from knowledge.series import bars, markets, recording
from knowledge.series.bars import LENGTH, VENUES
from knowledge.sources.base import CandleItem, ListingItem, ObservationItem, SourceItem
from knowledge.sources.prices import symbol_of
from knowledge.sources.tickers import DOLLAR, VALUE

BAR_FIELDS = ("open", "high", "low", "close", "volume")
AT_ONCE = 2_000  # bars a statement
TICKERS = {"upbit_tickers": Venue.UPBIT, "binance_tickers": Venue.BINANCE}
LISTS = {"upbit_markets": Venue.UPBIT}
# A market abroad whose price is older than this trades no more, though the venue goes on listing it.
TRADES_WITHIN = timedelta(days=1)
# How far back the closes of stored bars become prices when bars are first asked for in this way.
CLOSES_READ = timedelta(days=400)


class Stored(NamedTuple):
    """Counts of what came of the items, and what the run's row should say of it, if anything."""

    counts: Counter[str]
    said: str = ""


def store(source: Source, items: Sequence[SourceItem], *, now: datetime) -> Stored:
    """Store every value, bar and list of one source inside the caller's transaction."""
    if source.adapter in LISTS:
        return _keep_up(source, [item for item in items if isinstance(item, ListingItem)], now=now)
    if not items:
        return Stored(Counter())
    values = [item for item in items if isinstance(item, ObservationItem)]
    said = ""
    if source.adapter in TICKERS:
        values, said = _of_markets(source, values, now=now)
    counts = _record(source, values, now=now)
    if source.adapter == "upbit_tickers":
        bars.choose_first(now=now)
    counts += _store_bars(source, [item for item in items if isinstance(item, CandleItem)], now=now)
    return Stored(counts, said)


def _keep_up(source: Source, listed: Sequence[ListingItem], *, now: datetime) -> Stored:
    """The markets that an exchange lists; without a list it is the same as before."""
    if not listed:
        return Stored(Counter(created=markets.open_candidates(LISTS[source.adapter])))
    kept = markets.keep_up(
        LISTS[source.adapter],
        {item.symbol: item for item in listed},
        looked_before=source.first_success_at is not None,
        stablecoins=source.settings.get("stablecoins", ()),
        now=now,
    )
    return Stored(Counter(fetched=len(listed), created=kept.opened, updated=kept.closed), kept.said)


def _of_markets(
    source: Source, values: Sequence[ObservationItem], *, now: datetime
) -> tuple[list[ObservationItem], str]:
    """The values of markets that are open, of the thousands that an exchange tells of.

    Binance has no list of names: what trades there is what has had a price lately, and nobody knows since when.
    """
    venue, said = TICKERS[source.adapter], ""
    if venue not in LISTS.values():
        trading = [item for item in values if item.unit == DOLLAR and item.at > now - TRADES_WITHIN]
        symbols = (item.series.removeprefix(f"{venue}:") for item in trading)
        listed = {symbol: ListingItem(symbol) for symbol in symbols}
        if listed:
            said = markets.keep_up(venue, listed, now=now).said
    live = Market.objects.filter(venue=venue, delisted_at=None).values_list("symbol", flat=True)
    keys = {markets.price_key(venue, symbol) for symbol in live}
    return [item for item in values if item.series.removesuffix(VALUE) in keys], said


def _record(source: Source, values: Iterable[ObservationItem], *, now: datetime) -> Counter[str]:
    by_key: dict[str, list[ObservationItem]] = defaultdict(list)
    for item in values:
        by_key[item.series].append(item)
    inputs = _inputs_of(source, {key: items[0].unit for key, items in by_key.items()})
    return recording.record_all({inputs[key]: items for key, items in by_key.items()}, now=now)


def _inputs_of(source: Source, units: Mapping[str, str]) -> dict[str, SeriesInput]:
    """The inputs with these keys, made on first sight, with the source that they are said to come from and the unit in
    which they came first.
    """
    rows = SeriesInput.objects.select_related("series", "source")
    known = set(rows.filter(key__in=units).values_list("key", flat=True))
    SeriesInput.objects.bulk_create(
        [SeriesInput(key=key) for key in units if key not in known], ignore_conflicts=True
    )
    found = {each.key: each for each in rows.filter(key__in=units)}
    changed = [each for each in found.values() if _takes_over(source, each) or not each.unit]
    for each in changed:
        if _takes_over(source, each):
            each.source = source
        each.unit = each.unit or units[each.key][:UNIT_LENGTH]
    SeriesInput.objects.bulk_update(changed, ["source", "unit"])
    return found


def _takes_over(source: Source, of: SeriesInput) -> bool:
    """Whether an input is said to come from this source from now on. The former keeps it for as long as it answers: two
    ways to one publisher are not named in turn. A price is of the tickers, for all that day bars add their closes."""
    former = of.source
    if former is None or former.pk == source.pk or source.adapter in VENUES:
        return former is None
    answers = former.enabled and not former.needs_key and not former.consecutive_failures
    return former.adapter in VENUES or not answers


def _store_bars(source: Source, items: Iterable[CandleItem], *, now: datetime) -> Counter[str]:
    by_market: dict[tuple[str, str], dict[datetime, CandleItem]] = defaultdict(dict)
    for bar in items:
        by_market[bar.symbol, bar.interval][bar.at] = bar
    counts: Counter[str] = Counter()
    for (symbol, interval), found in by_market.items():
        if market := market_of(source, symbol):
            counts += _upsert_bars(market, interval, found)
            if interval == Interval.DAY and market.venue == Venue.UPBIT:
                _record(source, _closes(market, found, now), now=now)
        else:
            counts["fetched"] += len(found)
    return counts


def _closes(market: Market, opened: Iterable[datetime], now: datetime) -> list[ObservationItem]:
    """What day bars say of the price: the last one of each day, at the moment at which the exchange's day ends.

    Bars that were stored before prices were values give theirs as well, once.
    """
    stored = Candle.objects.filter(market=market, interval=Interval.DAY, at__gt=now - CLOSES_READ)
    if market.day_bars_at is not None:
        stored = stored.filter(at__in=list(opened))
    key = markets.price_key(market.venue, market.symbol)
    return [
        ObservationItem(key, at + LENGTH[Interval.DAY], close, "KRW")
        for at, close in stored.order_by("at").values_list("at", "close")
    ]


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

    None for a symbol that neither a market nor the settings name: a venue may send more than was asked for.
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
        return markets.open_market(venue, symbol, asset.survivor, stablecoin=stablecoin)
    if entry.get("stablecoin", market.stablecoin) != market.stablecoin:
        market.stablecoin = bool(entry["stablecoin"])
        market.save(update_fields=["stablecoin"])
    return market


def known_until(source: Source, part: str) -> datetime | None:
    """The newest point that is stored of a market, series or path, None where nothing is: it then gets its history."""
    if source.adapter not in VENUES:
        return _newest(Observation.objects.filter(input__key=part), "at")
    namesakes = Market.objects.filter(venue=VENUES[source.adapter], symbol=part)
    interval = str(source.settings.get("interval", "1h"))
    bars = Candle.objects.filter(market__in=namesakes.filter(delisted_at=None), interval=interval)
    # What was traded under a ticker before it was reused belongs to the market that was closed.
    return _newest(bars, "at") or _newest(namesakes, "delisted_at")


def _newest(rows: QuerySet[Any], field: str) -> datetime | None:
    found: datetime | None = rows.aggregate(newest=Max(field))["newest"]
    return found
