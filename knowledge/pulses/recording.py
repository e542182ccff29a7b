"""Candles in the database → price pulses. A rerun finds its own rows and changes nothing."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from knowledge.models import Candle, DetectorRun, Document, Market, Pulse, PulseKind, Status, Unit, Venue
from knowledge.pulses.bars import DAY, HOUR, Bar, BarRules
from knowledge.pulses.detector import MarketContext, PulseEvent, detect, has_grown
from knowledge.pulses.headlines import Headline
from knowledge.pulses.summary import summary_en, summary_ko
from knowledge.times import iso_utc

# Bars read before the first one that may open a pulse: the volatility window, the longest life of a pulse, and the
# longest horizon, so that a shorter memory never changes what is found.
MEMORY = {HOUR.name: timedelta(days=40), DAY.name: timedelta(days=200)}
# What a run may still write. Older pulses are history.
WRITABLE = timedelta(days=7)
# Day bars of two hundred markets are weighed for an hour after they came, in which headlines may still join them.
ASKED_LATELY, CLOSED_LATELY = timedelta(hours=1), timedelta(hours=6)
# A writable pulse may have begun three days before it was last extended.
DOCUMENTS_READ = WRITABLE + timedelta(days=5)
SAME_MOVE_WITHIN = timedelta(hours=24)
DOCUMENTS_AROUND = timedelta(hours=2)
DOCUMENTS_SHOWN = 5
AS_DETECTED = (
    "direction", "magnitude_pct", "started_at", "detected_at", "ended_at",
    "horizon_hours", "extremum", "scope", "confidence",
)  # fmt: skip


def record_price_pulses(*, now: datetime) -> int:
    """Detect over every live market that has bars and store what is new or changed; how many rows were written."""
    written = 0
    markets = _leading_markets(now)
    for market in markets:
        with transaction.atomic():
            headlines = _headlines_naming(market.asset.survivor, now)
            found = _detected(market, HOUR, headlines, now) + _detected(market, DAY, headlines, now)
            for pulse in deduplicate(found):
                if pulse.extended_at > now - WRITABLE:
                    written += _store(market, pulse, headlines)
    DetectorRun.objects.bulk_create(
        [DetectorRun(pk=1, ran_at=now, markets=len(markets))],
        update_conflicts=True,
        unique_fields=["pk"],
        update_fields=["ran_at", "markets"],
    )
    return written


def _leading_markets(now: datetime) -> Collection[Market]:
    """One market an asset: Upbit's where there is one, since the Korean price is what readers ask for.

    Bars tell nothing new for ever: those are read that came lately, and those of assets with a pulse that may go on.
    """
    hours = Candle.objects.filter(market=OuterRef("pk"), interval=HOUR.name, at__gt=now - CLOSED_LATELY)
    days = Candle.objects.filter(
        market=OuterRef("pk"), interval=DAY.name, at__gt=now - DAY.step - CLOSED_LATELY
    )
    pulses = Pulse.objects.filter(detected_at__gt=now - WRITABLE).values("asset")
    # Of lists that an editor keeps nobody notes when days were asked for.
    came = Q(day_bars_at__gt=now - ASKED_LATELY) | (Q(day_bars_at=None) & Exists(days)) | Exists(hours)
    live = Market.objects.filter(came | Q(asset__in=Unit.objects.families(pulses)), delisted_at=None)
    live = live.select_related("asset__merged_into")
    # The last one of an asset stays, and "upbit" comes after "binance".
    return {market.asset.survivor: market for market in live.order_by("venue", "-asset_id", "-pk")}.values()


def deduplicate(pulses: Iterable[PulseEvent]) -> list[PulseEvent]:
    """The pulses of one asset over hour and day bars together, each move told by whichever saw it first.

    The other one extends it when it is half as large again, and is absorbed otherwise, as within one interval.
    """
    told: list[PulseEvent] = []
    for pulse in sorted(pulses, key=lambda pulse: (pulse.detected_at, pulse.interval == DAY.name)):
        place = next((at for at, earlier in enumerate(told) if _same_move(earlier, pulse)), None)
        if place is None:
            told.append(pulse)
        elif has_grown(pulse.magnitude_pct, told[place].magnitude_pct):
            told[place] = told[place].extended_to(pulse)
    return told


def _same_move(earlier: PulseEvent, later: PulseEvent) -> bool:
    """Whether bars of another length told of this move already: no asset pulses twice one way within a day."""
    return (
        earlier.direction == later.direction
        and earlier.interval != later.interval
        and later.started_at < earlier.extended_at + SAME_MOVE_WITHIN
    )


def _detected(
    market: Market, interval: BarRules, headlines: Sequence[Headline], now: datetime
) -> list[PulseEvent]:
    candles = Candle.objects.filter(interval=interval.name, at__gte=now - MEMORY[interval.name])
    bars = _bars(candles.filter(market=market))
    if not bars:
        return []
    same_asset = Unit.objects.family(market.asset.survivor)
    elsewhere = candles.filter(market__asset__in=same_asset, market__delisted_at=None)
    context = MarketContext(
        listed_at=market.listed_at,
        stablecoin=market.stablecoin,
        second_venue=_bars(elsewhere.exclude(market__venue=market.venue)),
        headlines=headlines,
    )
    return detect(bars, asset=market.asset.public_id, interval=interval, context=context, now=now)


def _bars(candles: QuerySet[Candle]) -> list[Bar]:
    """Candles as the detector reads them, but for those with numbers that no market trades at: one absurd bar of one
    market must not silence all the others.

    Venues give volume in the asset; the turnover at the close is near enough for a floor, and only a market that is
    quoted in won can be held against a floor in won.
    """
    bars = []
    columns = ("market__venue", "at", "open", "high", "low", "close", "volume")
    for venue, at, opened, high, low, close, volume in candles.order_by("at").values_list(*columns):
        value = volume * close if venue == Venue.UPBIT else None
        with suppress(ValueError):
            bars.append(Bar(at, opened, high, low, close, volume, value))
    return bars


def _headlines_naming(asset: Unit, now: datetime) -> list[Headline]:
    """Public documents that name the asset, oldest first."""
    documents = Document.objects.published().filter(
        mentions__unit__in=Unit.objects.family(asset), published_at__gte=now - DOCUMENTS_READ
    )
    columns = ("published_at", "source__name", "url", "pk")
    rows = documents.distinct().order_by("published_at", "pk").values_list(*columns)
    return [Headline(at, outlet, url=url) for at, outlet, url, _pk in rows]


def _store(market: Market, pulse: PulseEvent, headlines: Sequence[Headline]) -> bool:
    """Write the pulse in its own row or, where documents told of the move before the bars did, in theirs."""
    fields = _fields(market, pulse, headlines)
    window = (pulse.detected_at - SAME_MOVE_WITHIN, pulse.detected_at)
    near = Pulse.objects.filter(direction=pulse.direction, detected_at__range=window)
    # One that bars have extended is a price pulse by now. One that an editor retracted told nothing.
    moves = near.filter(asset=market.asset.survivor).exclude(kind=PulseKind.PREMIUM)
    told = moves.exclude(status=Status.RETRACTED).order_by("-detected_at")
    earlier = None if Pulse.objects.filter(key=pulse.id).exists() else told.first()
    if earlier is None:
        return write(pulse.id, fields)
    if earlier.kind == PulseKind.BURST and not has_grown(pulse.magnitude_pct, earlier.magnitude_pct):
        return False  # absorbed
    return write(
        earlier.key, fields | {name: getattr(earlier, name) for name in ("started_at", "detected_at")}
    )


def write(key: str, fields: dict[str, object]) -> bool:
    """Create or bring up to date; a row that says the same is not written, and its status stays the editor's."""
    if Pulse.objects.filter(key=key, **fields).exists():
        return False
    Pulse.objects.update_or_create(key=key, defaults=fields)
    return True


def _fields(market: Market, pulse: PulseEvent, headlines: Sequence[Headline]) -> dict[str, object]:
    asset, venue = market.asset.survivor, Venue(market.venue)
    began, ended = pulse.started_at - DOCUMENTS_AROUND, pulse.extended_at + DOCUMENTS_AROUND
    near = dict.fromkeys(headline.url for headline in headlines if began <= headline.at <= ended)
    return {
        "asset": asset,
        "kind": PulseKind.PRICE,
        **{name: getattr(pulse, name) for name in AS_DETECTED},
        "summary": summary_ko(pulse, asset.label, venue),
        "summary_en": summary_en(pulse, asset.symbol or asset.label, venue),
        "sources": [{"url": url} for url in (_address_of(market, pulse), *list(near)[:DOCUMENTS_SHOWN])],
    }


def _address_of(market: Market, pulse: PulseEvent) -> str:
    return candle_address(market, pulse.interval, pulse.extended_at)


def candle_address(market: Market, interval: str, end: datetime) -> str:
    """Where the bars that show a move can be read again."""
    if market.venue == Venue.UPBIT:
        kind = "minutes/60" if interval == HOUR.name else "days"
        return f"https://api.upbit.com/v1/candles/{kind}?market={market.symbol}&to={iso_utc(end)}&count=48"
    until = int(end.timestamp() * 1000)
    path = f"klines?symbol={market.symbol}&interval={interval}&endTime={until}&limit=48"
    return f"https://data-api.binance.vision/api/v3/{path}"
