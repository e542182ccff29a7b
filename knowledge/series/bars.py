"""Of which markets bars are asked for, and when: of all once a day, of the largest every hour.

Which are the largest is chosen every night from what was traded, so that no list has to be kept by hand.
"""

from datetime import UTC, datetime, timedelta

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Concat

from knowledge.models import Interval, Market, Observation, Pulse, Source, Venue, survivor_key
from knowledge.sources.tickers import VALUE

VENUES = {"upbit_candles": Venue.UPBIT, "binance_klines": Venue.BINANCE}
LARGEST = 30
# With those that have had a pulse lately; each costs a request an hour at both venues, one a second.
HOURLY_AT_MOST = 60
PULSE_LATELY = timedelta(days=7)
VALUE_LATELY = timedelta(days=2)
# A run has 200 seconds and asks once a second.
DAYS_AT_ONCE = 120
# A bar is there a little after it has closed. An exchange's day ends at midnight UTC.
READY_AFTER = {Interval.HOUR: timedelta(minutes=1), Interval.DAY: timedelta(minutes=10)}
LENGTH = {Interval.HOUR: timedelta(hours=1), Interval.DAY: timedelta(days=1)}
# How long until the next look where more waits than fits into a run, and where there is no market yet.
GO_ON_AFTER, NONE_YET = timedelta(minutes=1), timedelta(minutes=10)


def choose_hourly(*, now: datetime) -> int:
    """Choose the assets of which hour bars are asked for: the largest by what was traded in won in 24 hours, and those
    that had a pulse lately. How many markets they have; the former choice stays where nothing is known."""
    won = Market.objects.filter(venue=Venue.UPBIT, delisted_at=None)
    survivor = survivor_key("asset")
    ranked = list(won.annotate(of=survivor, value=_traded(now)).exclude(value=None).order_by("-value", "pk"))
    if not ranked:
        return 0
    lately = Pulse.objects.filter(detected_at__gt=now - PULSE_LATELY, detected_at__lte=now)
    moving = set(lately.published().values_list("asset", flat=True))
    assets = [market.of for market in ranked[:LARGEST]]
    assets += [market.of for market in ranked[LARGEST:] if market.of in moving]
    chosen = (
        Market.objects.filter(delisted_at=None).annotate(of=survivor).filter(of__in=assets[:HOURLY_AT_MOST])
    )
    keys = list(chosen.values_list("pk", flat=True))
    Market.objects.filter(hourly=True).exclude(pk__in=keys).update(hourly=False)
    Market.objects.filter(hourly=False, pk__in=keys).update(hourly=True)
    return len(keys)


def choose_first(*, now: datetime) -> None:
    """Choose at once where fewer are chosen than there is room for: a new service need not wait for its first night,
    though its first prices may come before the list of markets."""
    won = Market.objects.filter(venue=Venue.UPBIT, delisted_at=None)
    if won.filter(hourly=True).count() < min(LARGEST, won.count()):
        choose_hourly(now=now)


def _traded(now: datetime) -> Subquery:
    """The newest 24-hour value of a market."""
    values = Observation.objects.filter(
        input__key=Concat(OuterRef("venue"), Value(":"), OuterRef("symbol"), Value(VALUE)),
        newest=True,
        at__gt=now - VALUE_LATELY,
        at__lte=now,
    )
    return Subquery(values.order_by("-at").values("value")[:1])


def chooses_markets(source: Source) -> bool:
    """Whether a source of bars names no markets of its own, so that they are chosen here."""
    settings = source.settings if isinstance(source.settings, dict) else {}
    return source.adapter in VENUES and settings.get("interval") in LENGTH and not settings.get("markets")


def symbols_to_ask(source: Source, *, now: datetime) -> list[str]:
    """The markets of which bars have closed since they were asked for; of days as many as fit into a run."""
    return list(_to_ask(source, now).values_list("symbol", flat=True)[:DAYS_AT_ONCE])


def note_asked(source: Source, symbol: str, *, now: datetime) -> None:
    if source.settings.get("interval") == Interval.DAY:
        live = Market.objects.filter(venue=VENUES[source.adapter], symbol=symbol, delisted_at=None)
        live.update(day_bars_at=now)


def next_look(source: Source, *, failed: bool, now: datetime) -> datetime:
    """When bars are to be asked for again: soon where some of today's are still missing, else when the next have
    closed."""
    interval = Interval(source.settings["interval"])
    if not _live(source).exists():
        return now + NONE_YET
    if interval == Interval.DAY and _to_ask(source, now).exists():
        return now + (timedelta(minutes=source.interval_minutes) if failed else GO_ON_AFTER)
    return _last_close(interval, now) + LENGTH[interval] + READY_AFTER[interval]


def _to_ask(source: Source, now: datetime) -> QuerySet[Market]:
    if source.settings["interval"] != Interval.DAY:
        return _live(source).order_by("pk")
    since = _last_close(Interval.DAY, now)
    waiting = _live(source).filter(Q(day_bars_at=None) | Q(day_bars_at__lt=since))
    return waiting.order_by(F("day_bars_at").asc(nulls_first=True), "-hourly", "pk")


def _live(source: Source) -> QuerySet[Market]:
    """The markets of which the source gives bars: abroad those of assets that trade in won."""
    live = Market.objects.filter(venue=VENUES[source.adapter], delisted_at=None)
    if source.settings["interval"] != Interval.DAY:
        return live.filter(hourly=True)
    if VENUES[source.adapter] == Venue.UPBIT:
        return live
    won = Market.objects.filter(venue=Venue.UPBIT, delisted_at=None)
    return live.filter(asset__in=won.values("asset"))


def _last_close(interval: Interval, now: datetime) -> datetime:
    hour = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return hour if interval == Interval.HOUR else hour.replace(hour=0)
