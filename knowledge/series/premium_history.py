"""The premium of former days, from what is stored: the closes of day bars at both venues and the rates of then.

The legs belong together by the same rule as today's. A premium that is stored stays as it is.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from operator import attrgetter

from django.db import transaction

from knowledge.models import Candle, Interval, Premium, Unit, Venue
from knowledge.series.premium import RATE_MAX_AGE, Leg, Legs, observe, rates_until

DAY = timedelta(days=1)
DAYS_AT_ONCE = 365


def fill_in(asset: Unit, since: datetime, *, now: datetime) -> Iterator[tuple[datetime, int]]:
    """Store the premiums of all days from ``since`` on, oldest first, and say after each year how far that is and how
    many were stored. One that was cut off goes on where it stood."""
    korean, abroad = (_closes(asset, venue, since, now) for venue in (Venue.UPBIT, Venue.BINANCE))
    rates = _rates(since, now)
    stored = set(Premium.objects.filter(asset=asset, at__gte=since).values_list("at", flat=True))
    missing = [leg for leg in korean if leg.at not in stored]
    for start in range(0, len(missing), DAYS_AT_ONCE):
        days = missing[start : start + DAYS_AT_ONCE]
        found = [legs for leg in days if (legs := _legs(leg, abroad, rates)) is not None]
        yield days[-1].at, _store(asset, found, now)


def _closes(asset: Unit, venue: Venue, since: datetime, now: datetime) -> list[Leg]:
    """Of markets that were closed too: what has two bars for a day has that of the newer market."""
    bars = Candle.objects.filter(market__asset=asset, market__venue=venue, interval=Interval.DAY)
    days = bars.filter(at__range=(since - DAY, now - DAY)).order_by("at", "market")
    return [Leg(close, at + DAY) for at, close in dict(days.values_list("at", "close")).items()]


def _rates(since: datetime, now: datetime) -> list[Leg]:
    """Of one moment the first source's comes last, where it is found."""
    rows = rates_until(now).filter(at__gte=since - RATE_MAX_AGE - DAY).order_by("at", "-input__position")
    return [Leg(float(value), at) for at, value in rows.values_list("at", "value")]


def _legs(korean: Leg, abroad: Sequence[Leg], rates: Sequence[Leg]) -> Legs | None:
    dollars, rate = _last_until(korean.at, abroad), _last_until(korean.at, rates)
    if dollars is None or rate is None:
        return None
    legs = Legs(korean, dollars, rate)
    return legs if legs.belong_together else None


def _last_until(at: datetime, legs: Sequence[Leg]) -> Leg | None:
    place = bisect_right(legs, at, key=attrgetter("at"))
    return legs[place - 1] if place else None


@transaction.atomic
def _store(asset: Unit, found: Sequence[Legs], now: datetime) -> int:
    rows = [Premium(asset=asset, at=legs.korean.at, **legs.facts) for legs in found]
    Premium.objects.bulk_create(rows, ignore_conflicts=True)
    observe(rows, now=now)
    return len(rows)
