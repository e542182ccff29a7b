"""Series for the plots of a unit's page."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count
from django.utils import timezone

from knowledge.models import Candle, DocumentUnit, Interval, Premium, Unit, UnitWeek, Venue

WEEKS_SHOWN = 16
PREMIUM_SPAN = timedelta(days=14)
PRICE_SPAN = timedelta(days=90)


class Point(NamedTuple):
    at: datetime
    value: float


def documents_by_week(unit: Unit, *, now: datetime) -> list[Point]:
    """How many public documents spoke of the unit in each of the last weeks, oldest first, empty weeks included.

    This week's are counted now; those of weeks that are over are kept, and follow their documents by seconds.
    """
    today = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    this_week = today - timedelta(days=today.weekday())
    weeks = [this_week - timedelta(weeks=back) for back in range(WEEKS_SHOWN - 1, -1, -1)]
    kept = UnitWeek.objects.filter(unit=unit, week__gte=weeks[0].date(), week__lt=this_week.date())
    counts = dict(kept.values_list("week", "documents"))
    members = list(Unit.objects.family(unit).values_list("pk", flat=True))
    lately = DocumentUnit.objects.filter(unit__in=members, published_at__gte=this_week, published_at__lte=now)
    counts[this_week.date()] = lately.aggregate(documents=Count("document", distinct=True))["documents"]
    return [Point(week, counts.get(week.date(), 0)) for week in weeks] if any(counts.values()) else []


def premiums_of(unit: Unit, *, now: datetime) -> list[Point]:
    """The unit's kimchi premium in per cent over the last days, oldest first."""
    rows = Premium.objects.filter(asset=unit, at__gt=now - PREMIUM_SPAN, at__lte=now).order_by("at")
    return [Point(at, value * 100) for at, value in rows.values_list("at", "value")]


def closes_of(unit: Unit, *, now: datetime) -> list[Point]:
    """The unit's daily closes in won on Upbit over the last days, oldest first."""
    bars = Candle.objects.filter(market__asset=unit, market__venue=Venue.UPBIT, market__delisted_at=None)
    rows = bars.filter(interval=Interval.DAY, at__gt=now - PRICE_SPAN, at__lte=now)
    return [Point(at, close) for at, close in rows.order_by("at").values_list("at", "close")]
