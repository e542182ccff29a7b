"""Series for the plots of a unit's page."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connection
from django.utils import timezone

from knowledge.models import Candle, Interval, Premium, Unit, Venue
from knowledge.queries.units import family

WEEKS_SHOWN = 16
PREMIUM_SPAN = timedelta(days=14)
PRICE_SPAN = timedelta(days=90)

_BY_WEEK = """
SELECT (
    SELECT count({counted}) FROM knowledge_documentunit
    WHERE unit_id = ANY (%(members)s) AND published_at <= %(now)s
      AND published_at >= week AND published_at < week + interval '7 days'
)
FROM unnest(%(weeks)s::timestamptz[]) WITH ORDINALITY AS weeks (week, place) ORDER BY place
"""


class Point(NamedTuple):
    """A value at a moment."""

    at: datetime
    value: float


def documents_by_week(unit: Unit, *, now: datetime) -> list[Point]:
    """How many public documents spoke of the unit in each of the last weeks, oldest first, empty weeks included."""
    this_week = _monday(now)
    since = this_week - timedelta(weeks=WEEKS_SHOWN - 1)
    weeks = [since + timedelta(weeks=number) for number in range(WEEKS_SHOWN)]
    members = list(family(unit).values_list("pk", flat=True))
    # A document that two of a family name counts once; within one unit nothing has to be sorted to know that.
    counted = "*" if len(members) == 1 else "DISTINCT document_id"
    with connection.cursor() as cursor:
        cursor.execute(_BY_WEEK.format(counted=counted), {"weeks": weeks, "members": members, "now": now})
        counts = [documents for (documents,) in cursor.fetchall()]
    points = [Point(week, documents) for week, documents in zip(weeks, counts, strict=True)]
    return points if any(counts) else []


def _monday(now: datetime) -> datetime:
    local = timezone.localtime(now)
    return (local - timedelta(days=local.weekday())).replace(hour=0, minute=0, second=0, microsecond=0)


def premiums_of(unit: Unit, *, now: datetime) -> list[Point]:
    """The unit's kimchi premium in per cent over the last days, oldest first."""
    rows = Premium.objects.filter(asset=unit, at__gt=now - PREMIUM_SPAN, at__lte=now).order_by("at")
    return [Point(at, value * 100) for at, value in rows.values_list("at", "value")]


def closes_of(unit: Unit, *, now: datetime) -> list[Point]:
    """The unit's daily closes in won on Upbit over the last days, oldest first."""
    rows = Candle.objects.filter(
        market__asset=unit,
        market__venue=Venue.UPBIT,
        market__delisted_at=None,
        interval=Interval.DAY,
        at__gt=now - PRICE_SPAN,
        at__lte=now,
    )
    return [Point(at, close) for at, close in rows.order_by("at").values_list("at", "close")]
