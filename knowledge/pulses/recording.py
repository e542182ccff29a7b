"""Candles in the database → price pulses. A rerun finds its own rows and changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from knowledge.models import Candle, Document, Interval, Market, Pulse, PulseKind, Venue
from knowledge.pulses.bars import DAY, HOUR, Bar
from knowledge.pulses.bars import Interval as BarInterval
from knowledge.pulses.confidence import NamedDocument
from knowledge.pulses.detector import MarketContext, PulseEvent, detect
from knowledge.pulses.summary import summary_en, summary_ko

# Bars read before the first one that may open a pulse: the volatility window, the longest life of a pulse, and the
# longest horizon, so that a shorter memory never changes what is found.
MEMORY = {HOUR.name: timedelta(days=40), DAY.name: timedelta(days=200)}
# What a run may still write. Older pulses are history.
WRITABLE = timedelta(days=7)
SAME_MOVE_WITHIN = timedelta(hours=24)
DOCUMENTS_SHOWN = 5
VENUE_LABELS = {Venue.UPBIT: ("업비트", "Upbit", "KRW"), Venue.BINANCE: ("바이낸스", "Binance", "USD")}


def record_price_pulses(*, now: datetime) -> int:
    """Detect over every live market and store what is new or changed; how many rows were written."""
    written = 0
    for market in _leading_markets():
        with transaction.atomic():
            for pulse in _pulses_of(market, now):
                written += _store(market, pulse)
    return written


def _leading_markets() -> list[Market]:
    """One market an asset: Upbit's where there is one, since the Korean price is what readers ask for."""
    live = Market.objects.filter(delisted_at=None, asset__merged_into=None).select_related("asset")
    leading: dict[int, Market] = {}
    for market in live.order_by("asset_id", "venue", "pk"):
        if market.asset_id not in leading or market.venue == Venue.UPBIT:
            leading[market.asset_id] = market
    return list(leading.values())


def _pulses_of(market: Market, now: datetime) -> list[PulseEvent]:
    hourly = _detected(market, HOUR, now)
    daily = [pulse for pulse in _detected(market, DAY, now) if not _told_by(hourly, pulse)]
    return [pulse for pulse in (*hourly, *daily) if pulse.extended_at > now - WRITABLE]


def _told_by(hourly: Sequence[PulseEvent], daily: PulseEvent) -> bool:
    """Whether hour bars already told of the move: no asset pulses twice one way within a day."""
    began, ended = daily.started_at - SAME_MOVE_WITHIN, daily.detected_at + SAME_MOVE_WITHIN
    return any(pulse.direction == daily.direction and began < pulse.detected_at < ended for pulse in hourly)


def _detected(market: Market, interval: BarInterval, now: datetime) -> list[PulseEvent]:
    since = now - MEMORY[interval.name]
    bars = _bars([market], interval, since)
    if not bars:
        return []
    elsewhere = Market.objects.filter(asset=market.asset, delisted_at=None).exclude(venue=market.venue)
    context = MarketContext(
        listed_at=market.listed_at,
        stablecoin=market.stablecoin,
        second_venue=_bars(elsewhere, interval, since),
        documents=_documents_naming(market, since),
    )
    return detect(bars, asset=market.asset.public_id, interval=interval, context=context, now=now)


def _bars(markets: Iterable[Market], interval: BarInterval, since: datetime) -> list[Bar]:
    candles = Candle.objects.filter(market__in=list(markets), interval=interval.name, at__gte=since)
    return [
        Bar(
            at=candle.at,
            open=candle.open,
            high=candle.high,
            low=candle.low,
            close=candle.close,
            volume=candle.volume,
            # Venues give volume in the asset; the turnover at the close is near enough for a floor. Only a market
            # that is quoted in won can be held against a floor in won.
            value=candle.volume * candle.close if candle.market.venue == Venue.UPBIT else None,
        )
        for candle in candles.select_related("market").order_by("at")
    ]


def _naming(market: Market, since: datetime) -> list[Document]:
    named = Q(mentions__unit=market.asset) | Q(mentions__unit__merged_into=market.asset)
    documents = Document.objects.published().filter(named, published_at__gte=since)
    return list(documents.select_related("source").distinct().order_by("published_at"))


def _documents_naming(market: Market, since: datetime) -> list[NamedDocument]:
    return [
        NamedDocument(at=document.published_at, outlet=document.source.name, url=document.url)
        for document in _naming(market, since)
        if document.published_at is not None
    ]


def _store(market: Market, pulse: PulseEvent) -> bool:
    venue_ko, venue_en, quote = VENUE_LABELS[Venue(market.venue)]
    asset = market.asset
    fields = {
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
        "sources": [{"url": candle_address(market, pulse)}, *_documents_around(market, pulse)],
    }
    return write(pulse.id, fields)


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


def _documents_around(market: Market, pulse: PulseEvent) -> list[dict[str, str]]:
    window = timedelta(hours=2)
    near = [
        document
        for document in _naming(market, pulse.started_at - window)
        if document.published_at is not None and document.published_at <= pulse.extended_at + window
    ]
    return [{"url": document.url} for document in near[:DOCUMENTS_SHOWN]]
