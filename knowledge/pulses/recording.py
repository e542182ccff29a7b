"""Candles in the database → price pulses. A rerun finds its own rows and changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction

from knowledge.models import Candle, Document, Interval, Market, Pulse, PulseKind, Status, Unit, Venue
from knowledge.pulses.bars import DAY, HOUR, Bar, BarRules
from knowledge.pulses.confidence import NamedDocument
from knowledge.pulses.detector import MarketContext, PulseEvent, detect
from knowledge.pulses.signals import GROWTH_TO_EXTEND
from knowledge.pulses.summary import summary_en, summary_ko

# Bars read before the first one that may open a pulse: the volatility window, the longest life of a pulse, and the
# longest horizon, so that a shorter memory never changes what is found.
MEMORY = {HOUR.name: timedelta(days=40), DAY.name: timedelta(days=200)}
# What a run may still write. Older pulses are history.
WRITABLE = timedelta(days=7)
# A writable pulse may have begun three days before it was last extended.
DOCUMENTS_READ = WRITABLE + timedelta(days=5)
SAME_MOVE_WITHIN = timedelta(hours=24)
DOCUMENTS_AROUND = timedelta(hours=2)
DOCUMENTS_SHOWN = 5
VENUE_LABELS = {Venue.UPBIT: ("업비트", "Upbit", "KRW"), Venue.BINANCE: ("바이낸스", "Binance", "USD")}


def record_price_pulses(*, now: datetime) -> int:
    """Detect over every live market and store what is new or changed; how many rows were written."""
    written = 0
    for market in _leading_markets():
        with transaction.atomic():
            documents = _documents_naming(market, now)
            for pulse in _pulses_of(market, documents, now):
                written += _store(market, pulse, documents)
    return written


def _leading_markets() -> list[Market]:
    """One market an asset: Upbit's where there is one, since the Korean price is what readers ask for."""
    live = Market.objects.filter(delisted_at=None).select_related("asset__merged_into")
    leading: dict[int, Market] = {}
    for market in live.order_by("asset_id", "venue", "pk"):
        asset = market.asset.survivor.pk
        if asset not in leading or (market.venue == Venue.UPBIT != leading[asset].venue):
            leading[asset] = market
    return list(leading.values())


def _pulses_of(market: Market, documents: Sequence[NamedDocument], now: datetime) -> list[PulseEvent]:
    found = [pulse for interval in (HOUR, DAY) for pulse in _detected(market, interval, documents, now)]
    return [pulse for pulse in told_once(found) if pulse.extended_at > now - WRITABLE]


def told_once(pulses: Iterable[PulseEvent]) -> list[PulseEvent]:
    """The pulses of one asset over hour and day bars together, each move told by whichever saw it first.

    The other one extends it when it is half as large again, and is absorbed otherwise, as within one interval.
    """
    told: list[PulseEvent] = []
    for pulse in sorted(pulses, key=lambda pulse: (pulse.detected_at, pulse.interval == DAY.name)):
        place = next((at for at, earlier in enumerate(told) if _same_move(earlier, pulse)), None)
        if place is None:
            told.append(pulse)
        elif abs(pulse.magnitude_pct) >= GROWTH_TO_EXTEND * abs(told[place].magnitude_pct):
            first = told[place]
            told[place] = replace(
                pulse, id=first.id, started_at=first.started_at, detected_at=first.detected_at
            )
    return told


def _same_move(earlier: PulseEvent, later: PulseEvent) -> bool:
    """Whether bars of another length told of this move already: no asset pulses twice one way within a day."""
    return (
        earlier.direction == later.direction
        and earlier.interval != later.interval
        and later.started_at < earlier.extended_at + SAME_MOVE_WITHIN
    )


def _detected(
    market: Market, interval: BarRules, documents: Sequence[NamedDocument], now: datetime
) -> list[PulseEvent]:
    since = now - MEMORY[interval.name]
    bars = _bars([market], interval, since)
    if not bars:
        return []
    same_asset = Unit.objects.family(market.asset.survivor)
    elsewhere = Market.objects.filter(asset__in=same_asset, delisted_at=None).exclude(venue=market.venue)
    context = MarketContext(
        listed_at=market.listed_at,
        stablecoin=market.stablecoin,
        second_venue=_bars(elsewhere, interval, since),
        documents=documents,
    )
    return detect(bars, asset=market.asset.public_id, interval=interval, context=context, now=now)


def _bars(markets: Iterable[Market], interval: BarRules, since: datetime) -> list[Bar]:
    candles = Candle.objects.filter(market__in=list(markets), interval=interval.name, at__gte=since)
    columns = ("market__venue", "at", "open", "high", "low", "close", "volume")
    bars = (_bar(*row) for row in candles.order_by("at").values_list(*columns))
    return [bar for bar in bars if bar is not None]


def _bar(
    venue: str, at: datetime, opened: float, high: float, low: float, close: float, volume: float
) -> Bar | None:
    """A stored candle as the detector reads it; None for numbers that no market trades at.

    Venues give volume in the asset; the turnover at the close is near enough for a floor, and only a market that is
    quoted in won can be held against a floor in won.
    """
    value = volume * close if venue == Venue.UPBIT else None
    try:
        return Bar(at, opened, high, low, close, volume, value)
    except ValueError:
        # One absurd bar of one market must not silence all the others.
        return None


def _documents_naming(market: Market, now: datetime) -> list[NamedDocument]:
    """Public documents that name the market's asset, oldest first."""
    named = Unit.objects.family(market.asset.survivor)
    documents = Document.objects.published().filter(
        mentions__unit__in=named, published_at__gte=now - DOCUMENTS_READ
    )
    rows = documents.distinct().order_by("published_at", "pk")
    return [
        NamedDocument(at=at, outlet=outlet, url=url)
        for at, outlet, url, _pk in rows.values_list("published_at", "source__name", "url", "pk")
        if at is not None
    ]


def _store(market: Market, pulse: PulseEvent, documents: Sequence[NamedDocument]) -> bool:
    fields = _fields(market, pulse, documents)
    if Pulse.objects.filter(key=pulse.id).exists():
        return write(pulse.id, fields)
    burst = _burst_before(market, pulse)
    if burst is None:
        return write(pulse.id, fields)
    if burst.kind == PulseKind.BURST and abs(pulse.magnitude_pct) < GROWTH_TO_EXTEND * abs(
        burst.magnitude_pct
    ):
        return False  # absorbed
    return write(burst.key, {**fields, "started_at": burst.started_at, "detected_at": burst.detected_at})


def _burst_before(market: Market, pulse: PulseEvent) -> Pulse | None:
    """The pulse that documents opened before the bars did, whether or not bars extended it since.

    One that an editor retracted told nothing.
    """
    window = (pulse.detected_at - SAME_MOVE_WITHIN, pulse.detected_at)
    near = Pulse.objects.filter(
        asset=market.asset.survivor, direction=pulse.direction, detected_at__range=window
    )
    return near.exclude(status=Status.RETRACTED).exclude(key=pulse.id).order_by("-detected_at").first()


def _fields(market: Market, pulse: PulseEvent, documents: Sequence[NamedDocument]) -> dict[str, object]:
    venue_ko, venue_en, quote = VENUE_LABELS[Venue(market.venue)]
    asset = market.asset.survivor
    return {
        "asset": asset,
        "kind": PulseKind.PRICE,
        "direction": pulse.direction,
        "magnitude_pct": pulse.magnitude_pct,
        "started_at": pulse.started_at,
        "detected_at": pulse.detected_at,
        "ended_at": pulse.ended_at,
        "horizon_hours": pulse.horizon_hours,
        "extremum": pulse.extremum,
        "scope": pulse.scope,
        "confidence": pulse.confidence,
        "summary": summary_ko(pulse, label=asset.label, venue=venue_ko, quote=quote),
        "summary_en": summary_en(pulse, label=asset.symbol or asset.label, venue=venue_en, quote=quote),
        "sources": [{"url": candle_address(market, pulse)}, *_links_around(pulse, documents)],
    }


def write(key: str, fields: dict[str, object]) -> bool:
    """Create or bring up to date; a row that says the same is not written, and its status stays the editor's."""
    present = Pulse.objects.filter(key=key).values(*[name for name in fields if name != "asset"]).first()
    if present == {name: value for name, value in fields.items() if name != "asset"}:
        return False
    Pulse.objects.update_or_create(key=key, defaults=fields)
    return True


def candle_address(market: Market, pulse: PulseEvent) -> str:
    """Where the bars that show the move can be read again."""
    end = f"{pulse.extended_at:%Y-%m-%dT%H:%M:%SZ}"
    if market.venue == Venue.UPBIT:
        kind = "minutes/60" if pulse.interval == Interval.HOUR else "days"
        return f"https://api.upbit.com/v1/candles/{kind}?market={market.symbol}&to={end}&count=48"
    until = int(pulse.extended_at.timestamp() * 1000)
    path = f"klines?symbol={market.symbol}&interval={pulse.interval}&endTime={until}&limit=48"
    return f"https://data-api.binance.vision/api/v3/{path}"


def _links_around(pulse: PulseEvent, documents: Sequence[NamedDocument]) -> list[dict[str, str]]:
    began, ended = pulse.started_at - DOCUMENTS_AROUND, pulse.extended_at + DOCUMENTS_AROUND
    near = [document.url for document in documents if began <= document.at <= ended]
    return [{"url": url} for url in list(dict.fromkeys(near))[:DOCUMENTS_SHOWN]]
