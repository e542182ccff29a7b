"""The kimchi premium: what Korea pays more, from three legs that must belong together.

premium = P_upbit / (P_binance × USDKRW) − 1, a fraction. Every leg is kept with its time.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet

from knowledge.models import (
    PREMIUM_KEYS,
    Candle,
    Interval,
    Market,
    Observation,
    Premium,
    SeriesInput,
    Unit,
    Venue,
)
from knowledge.series import recording
from knowledge.series.bars import LENGTH
from knowledge.sources.base import ObservationItem

LEGS_WITHIN = timedelta(minutes=10)
RATE_MAX_AGE = timedelta(days=4)  # a long weekend without a fixing
RATE_SERIES = "usd-krw"
KEY = PREMIUM_KEYS + "{}"  # of an asset's slug
FACTS = ("upbit_krw", "upbit_at", "binance_usd", "binance_at", "usdkrw", "usdkrw_at", "value")
LOOK_BACK = timedelta(hours=6)  # for a newest bar; older ones belong to no premium of now


class Leg(NamedTuple):
    value: float
    at: datetime


class Legs(NamedTuple):
    """What a premium is made of: the price in won, the price in dollars, the won price of a dollar."""

    korean: Leg
    abroad: Leg
    rate: Leg

    @property
    def belong_together(self) -> bool:
        near = abs(self.korean.at - self.abroad.at) <= LEGS_WITHIN
        return near and self.korean.at - self.rate.at <= RATE_MAX_AGE

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of a stored premium."""
        value = self.korean.value / (self.abroad.value * self.rate.value) - 1
        return dict(zip(FACTS, (*self.korean, *self.abroad, *self.rate, value), strict=True))


def record_all(*, now: datetime) -> int:
    """Store the premium of every asset that trades on both venues, under whatever unit it does, from its newest closed
    bars. How many had legs that belong together; the same legs again write nothing.
    """
    live = Market.objects.filter(delisted_at=None)
    both = Unit.objects.filter(
        pk__in=live.filter(venue=Venue.UPBIT).values("asset"), markets__in=live.filter(venue=Venue.BINANCE)
    )
    found = {asset: legs for asset, legs in _legs_of(both.distinct(), now) if legs.belong_together}
    known = Premium.objects.filter(asset__in=found, at__in={legs.korean.at for legs in found.values()})
    present = {(row.asset_id, row.at): row for row in known}
    _store({asset: legs for asset, legs in found.items() if _is_news(asset, legs, present)}, now=now)
    return len(found)


def _is_news(asset: Unit, legs: Legs, present: Mapping[tuple[int, datetime], Premium]) -> bool:
    row = present.get((asset.pk, legs.korean.at))
    return row is None or any(getattr(row, name) != value for name, value in legs.facts.items())


def _legs_of(assets: Iterable[Unit], now: datetime) -> Iterator[tuple[Unit, Legs]]:
    rate, closes = newest_rate(now), _newest_closes(assets, now)
    for asset in assets:
        korean, abroad = closes.get((asset.pk, Venue.UPBIT)), closes.get((asset.pk, Venue.BINANCE))
        if korean is not None and abroad is not None and rate is not None:
            won, dollars = (Leg(candle.close, _closed_at(candle)) for candle in (korean, abroad))
            yield asset, Legs(won, dollars, Leg(float(rate.value), rate.at))


@transaction.atomic
def _store(found: Mapping[Unit, Legs], *, now: datetime) -> None:
    rows = [Premium(asset=asset, at=legs.korean.at, **legs.facts) for asset, legs in found.items()]
    Premium.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["asset", "at"], update_fields=FACTS
    )
    observe(rows, now=now)


def observe(premiums: Iterable[Premium], *, now: datetime) -> None:
    """Premiums as values of the series of their assets, in per cent: by as many statements as for one."""
    items: defaultdict[str, list[ObservationItem]] = defaultdict(list)
    for premium in premiums:
        key = KEY.format(premium.asset.slug)
        items[key].append(ObservationItem(key, premium.at, premium.value * 100, "%"))
    inputs = SeriesInput.objects.select_related("series").filter(key__in=list(items))
    known = set(inputs.values_list("key", flat=True))
    SeriesInput.objects.bulk_create(
        [SeriesInput(key=key, unit="%") for key in items if key not in known], ignore_conflicts=True
    )
    recording.record_all({of: items[of.key] for of in inputs.all()}, now=now)


def newest_rate(now: datetime) -> Observation | None:
    """The newest won price of a dollar, whoever fixed it."""
    return rates_until(now).order_by("-at", "input__position").first()


def rates_until(now: datetime) -> QuerySet[Observation]:
    return Observation.objects.filter(input__series__slug=RATE_SERIES, newest=True, value__gt=0, at__lte=now)


def _newest_closes(assets: Iterable[Unit], now: datetime) -> dict[tuple[int, str], Candle]:
    """By asset and venue the bar that closed last, of an hour or, where no hours are asked for, of a day."""
    lately = Q()
    for interval, length in LENGTH.items():
        lately |= Q(interval=interval, at__lte=now - length, at__gt=now - length - LOOK_BACK)
    bars = Candle.objects.filter(lately, market__asset__in=list(assets), market__delisted_at=None)
    in_order = sorted(bars.select_related("market"), key=_closed_at)
    return {(bar.market.asset_id, bar.market.venue): bar for bar in in_order}


def _closed_at(candle: Candle) -> datetime:
    return candle.at + LENGTH[Interval(candle.interval)]
