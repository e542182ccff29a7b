"""The kimchi premium: what Korea pays more, from three legs that must belong together.

premium = P_upbit / (P_binance × USDKRW) − 1, a fraction. Every leg is kept with its time.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from knowledge.models import Candle, Interval, Market, Observation, Premium, SeriesInput, Unit, Venue
from knowledge.series import recording
from knowledge.sources.base import ObservationItem

LEGS_WITHIN = timedelta(minutes=10)
RATE_MAX_AGE = timedelta(days=4)  # a long weekend without a fixing
RATE_SERIES = "usd-krw"
LOOK_BACK = timedelta(hours=6)  # for a newest bar; older ones belong to no premium of now


@transaction.atomic
def record(asset: Unit, *, now: datetime) -> Premium | None:
    """Store the premium of an asset from its newest closed bars; None when the legs do not belong together.

    The same three legs again give the row that is there.
    """
    korean, abroad = _newest_close(asset, Venue.UPBIT, now), _newest_close(asset, Venue.BINANCE, now)
    rate = newest_rate(now)
    if korean is None or abroad is None or rate is None:
        return None
    at = _closed_at(korean)
    if abs(at - _closed_at(abroad)) > LEGS_WITHIN or at - rate.at > RATE_MAX_AGE:
        return None
    facts: dict[str, Any] = {
        "upbit_krw": korean.close,
        "upbit_at": at,
        "binance_usd": abroad.close,
        "binance_at": _closed_at(abroad),
        "usdkrw": float(rate.value),
        "usdkrw_at": rate.at,
        "value": korean.close / (abroad.close * float(rate.value)) - 1,
    }
    premium, _created = Premium.objects.update_or_create(asset=asset, at=at, defaults=facts)
    _observe(premium, now=now)
    return premium


def _observe(premium: Premium, *, now: datetime) -> None:
    """The premium as a value of its series, in per cent."""
    key = f"premium:{premium.asset.slug}"
    of, _created = SeriesInput.objects.select_related("series").get_or_create(key=key, defaults={"unit": "%"})
    recording.record(of, [ObservationItem(key, premium.at, premium.value * 100, "%")], now=now)


def record_all(*, now: datetime) -> int:
    """Record the premium of every asset that trades on both venues; how many had legs that belong together."""
    live = Market.objects.filter(delisted_at=None)
    both = Unit.objects.survivors().filter(
        pk__in=live.filter(venue=Venue.UPBIT).values("asset"), markets__in=live.filter(venue=Venue.BINANCE)
    )
    return sum(record(asset, now=now) is not None for asset in both.distinct())


def newest_rate(now: datetime) -> Observation | None:
    """The newest won price of a dollar, whoever fixed it."""
    rates = Observation.objects.filter(input__series__slug=RATE_SERIES, newest=True, value__gt=0, at__lte=now)
    return rates.order_by("-at", "input__position").first()


def _newest_close(asset: Unit, venue: Venue, now: datetime) -> Candle | None:
    bars = Candle.objects.filter(market__asset=asset, market__venue=venue, market__delisted_at=None)
    closed = bars.filter(interval=Interval.HOUR, at__lte=now - timedelta(hours=1), at__gt=now - LOOK_BACK)
    return closed.order_by("-at").first()


def _closed_at(candle: Candle) -> datetime:
    return candle.at + timedelta(hours=1)
