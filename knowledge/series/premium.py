"""The kimchi premium: what Korea pays more, from three legs that must belong together.

premium = P_upbit / (P_binance × USDKRW) − 1, a fraction. Every leg is kept with its time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from knowledge.models import Candle, Interval, Market, Observation, Premium, SeriesInput, Unit, Venue
from knowledge.series import recording
from knowledge.series.bars import LENGTH
from knowledge.sources.base import ObservationItem

LEGS_WITHIN = timedelta(minutes=10)
RATE_MAX_AGE = timedelta(days=4)  # a long weekend without a fixing
RATE_SERIES = "usd-krw"
LOOK_BACK = timedelta(hours=6)  # for a newest bar; older ones belong to no premium of now


def record(asset: Unit, *, now: datetime) -> Premium | None:
    """Store the premium of an asset from its newest closed bars; None when the legs do not belong together.

    The same three legs again give the row that is there.
    """
    return next(iter(_record([asset], now=now)), None)


def record_all(*, now: datetime) -> int:
    """Record the premium of every asset that trades on both venues; how many had legs that belong together."""
    live = Market.objects.filter(delisted_at=None)
    both = Unit.objects.survivors().filter(
        pk__in=live.filter(venue=Venue.UPBIT).values("asset"), markets__in=live.filter(venue=Venue.BINANCE)
    )
    return len(_record(both.distinct(), now=now))


def _record(assets: Iterable[Unit], *, now: datetime) -> list[Premium]:
    """What is known already is found by one query for all; a new one is stored by itself."""
    found = {asset: legs for asset, legs in _legs_of(list(assets), now) if legs is not None}
    times = {legs["upbit_at"] for legs in found.values()}
    known = Premium.objects.filter(asset__in=found, at__in=times)
    present = {(row.asset_id, row.at): row for row in known}
    premiums = []
    for asset, legs in found.items():
        row = present.get((asset.pk, legs["upbit_at"]))
        same = row is not None and all(getattr(row, name) == value for name, value in legs.items())
        premiums.append(row if row is not None and same else _store(asset, legs, now=now))
    return premiums


def _legs_of(assets: Sequence[Unit], now: datetime) -> Iterator[tuple[Unit, dict[str, Any] | None]]:
    rate, closes = newest_rate(now), _newest_closes(assets, now)
    for asset in assets:
        korean, abroad = closes.get((asset.pk, Venue.UPBIT)), closes.get((asset.pk, Venue.BINANCE))
        if korean is not None and abroad is not None and rate is not None:
            yield asset, _legs(korean, abroad, rate)


def _legs(korean: Candle, abroad: Candle, rate: Observation) -> dict[str, Any] | None:
    at = _closed_at(korean)
    if abs(at - _closed_at(abroad)) > LEGS_WITHIN or at - rate.at > RATE_MAX_AGE:
        return None
    return {
        "upbit_krw": korean.close,
        "upbit_at": at,
        "binance_usd": abroad.close,
        "binance_at": _closed_at(abroad),
        "usdkrw": float(rate.value),
        "usdkrw_at": rate.at,
    }


@transaction.atomic
def _store(asset: Unit, legs: Mapping[str, Any], *, now: datetime) -> Premium:
    value = legs["upbit_krw"] / (legs["binance_usd"] * legs["usdkrw"]) - 1
    premium, _created = Premium.objects.update_or_create(
        asset=asset, at=legs["upbit_at"], defaults={**legs, "value": value}
    )
    _observe(premium, now=now)
    return premium


def _observe(premium: Premium, *, now: datetime) -> None:
    """The premium as a value of its series, in per cent."""
    key = f"premium:{premium.asset.slug}"
    of, _created = SeriesInput.objects.select_related("series").get_or_create(key=key, defaults={"unit": "%"})
    recording.record(of, [ObservationItem(key, premium.at, premium.value * 100, "%")], now=now)


def newest_rate(now: datetime) -> Observation | None:
    """The newest won price of a dollar, whoever fixed it."""
    rates = Observation.objects.filter(input__series__slug=RATE_SERIES, newest=True, value__gt=0, at__lte=now)
    return rates.order_by("-at", "input__position").first()


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
