"""Points for the plots of pages, thinned by the database: a drawing has room for a few hundred."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count
from django.utils import timezone

from knowledge.models import (
    Cadence,
    Candle,
    DocumentUnit,
    Interval,
    Premium,
    PulseKind,
    Unit,
    UnitWeek,
    Venue,
)
from knowledge.series.values import Figures, points_of

WEEKS_SHOWN = 16
PREMIUM_SPAN = timedelta(days=14)
PRICE_SPAN = timedelta(days=90)
# A chart has as many pieces of time; the lowest and the highest value of each are drawn.
PIECES = 200
POINTS_MIN = 3  # of any chart: fewer are said in words
SPARK_POINTS = 30
BEFORE_A_PULSE, AFTER_A_PULSE = timedelta(hours=36), timedelta(hours=12)
PULSE_POINTS = 16
SPARK_SPANS = {
    Cadence.LIVE: timedelta(days=2),
    Cadence.HOURLY: timedelta(days=14),
    Cadence.DAILY: timedelta(days=90),
    Cadence.BUSINESS_DAILY: timedelta(days=120),
    Cadence.MONTHLY: timedelta(days=3 * 365),
}

_THINNED = """
WITH timed AS (
    SELECT at, period, value, extract(epoch FROM at - min(at) OVER ()) AS since,
        extract(epoch FROM max(at) OVER () - min(at) OVER ()) AS span
    FROM ({points}) AS points
), placed AS (
    SELECT at, period, value, CASE WHEN span > 0 THEN floor(since / span * %s) ELSE 0 END AS piece FROM timed
), ranked AS (
    SELECT at, period, value,
        row_number() OVER (PARTITION BY piece ORDER BY value, at) AS lowest,
        row_number() OVER (PARTITION BY piece ORDER BY value DESC, at) AS highest,
        row_number() OVER (ORDER BY at) AS first, row_number() OVER (ORDER BY at DESC) AS last
    FROM placed
)
SELECT at, period, value FROM ranked WHERE 1 IN (lowest, highest, first, last) ORDER BY at
"""
_SPARKS = """
SELECT DISTINCT ON (input_id, piece) input_id, at, value FROM (
    SELECT wanted.input_id, point.at, point.value,
        ntile(%(pieces)s) OVER (PARTITION BY wanted.input_id ORDER BY point.at) AS piece
    FROM unnest(%(inputs)s::bigint[], %(since)s::timestamptz[]) AS wanted (input_id, since)
    JOIN knowledge_observation point ON point.input_id = wanted.input_id AND point.newest
        AND point.at > wanted.since AND point.at <= %(now)s
) AS placed ORDER BY input_id, piece, at DESC
"""
# The hourly closes, or the premiums, around each pulse: of the market in won where there is one.
_AROUND = """
SELECT DISTINCT ON (key, piece) key, at, value FROM (
    SELECT pulse.key, point.at, point.value, ntile(%(pieces)s) OVER (PARTITION BY pulse.key ORDER BY point.at) AS piece
    FROM knowledge_pulse pulse CROSS JOIN LATERAL ({points}) AS point
    WHERE pulse.key = ANY(%(keys)s)
) AS placed ORDER BY key, piece, at DESC
"""
_CLOSES = """
SELECT candle.at, candle.close AS value FROM knowledge_candle candle
WHERE candle.market_id = (
        SELECT market.id FROM knowledge_market market JOIN knowledge_unit member ON member.id = market.asset_id
        WHERE (member.id = pulse.asset_id OR member.merged_into_id = pulse.asset_id) AND market.delisted_at IS NULL
        ORDER BY market.venue DESC, market.id LIMIT 1
    )
    AND candle.interval = '1h' AND candle.at > pulse.detected_at - %(before)s
    AND candle.at <= pulse.detected_at + %(after)s
"""
_PREMIUMS = """
SELECT premium.at, premium.value * 100 AS value FROM knowledge_premium premium
WHERE premium.asset_id = pulse.asset_id AND premium.at > pulse.detected_at - %(before)s
    AND premium.at <= pulse.detected_at + %(after)s
"""


class Point(NamedTuple):
    at: datetime
    value: float


class SeriesPoint(NamedTuple):
    """A point of a series, exact; ``period`` names the calendar month or day that it is about, if it is about one."""

    at: datetime
    period: str
    value: Decimal


def readings_of(figures: Figures, *, now: datetime, first: datetime | None = None) -> list[SeriesPoint]:
    """At most some 400 points from ``first`` to now, oldest first: the first, the last and all extremes among them."""
    if figures.input is None:
        return []
    points = points_of(figures, now=now, first=first).values("at", "period", "value")
    sql, params = points.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(_THINNED.format(points=sql), (*params, PIECES))
        return [SeriesPoint(*row) for row in cursor.fetchall()]


def sparks_of(figures: Iterable[Figures], *, now: datetime) -> dict[int, Sequence[Point]]:
    """Thirty points or fewer for each series that has a value, by its key, up to its newest: one query for all."""
    shown = {each.input.pk: each for each in figures if each.input and each.latest}
    since = [
        each.latest.at - SPARK_SPANS[Cadence(each.series.cadence)] for each in shown.values() if each.latest
    ]
    found: defaultdict[int, list[Point]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_SPARKS, {"inputs": list(shown), "since": since, "pieces": SPARK_POINTS, "now": now})
        for of, at, value in cursor.fetchall():
            found[shown[of].series.pk].append(Point(at, float(value)))
    return dict(found)


def around_pulses(keys_by_kind: Mapping[str, Sequence[str]]) -> dict[str, list[Point]]:
    """The price around each pulse, or its premium in per cent, in sixteen points or fewer: by the pulse's key."""
    found: defaultdict[str, list[Point]] = defaultdict(list)
    for kind, keys in keys_by_kind.items():
        points = _PREMIUMS if kind == PulseKind.PREMIUM else _CLOSES
        wanted: dict[str, Any] = {"keys": list(keys), "pieces": PULSE_POINTS}
        wanted |= {"before": BEFORE_A_PULSE, "after": AFTER_A_PULSE}
        with connection.cursor() as cursor:
            cursor.execute(_AROUND.format(points=points), wanted)
            for key, at, value in cursor.fetchall():
                found[key].append(Point(at, value))
    return dict(found)


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
    family = Unit.objects.family(unit)
    rows = Premium.objects.filter(asset__in=family, at__gt=now - PREMIUM_SPAN, at__lte=now).order_by("at")
    return [Point(at, value * 100) for at, value in rows.values_list("at", "value")]


def closes_of(unit: Unit, *, now: datetime) -> list[Point]:
    """The unit's daily closes in won on Upbit over the last days, oldest first."""
    live = Candle.objects.filter(market__venue=Venue.UPBIT, market__delisted_at=None)
    bars = live.filter(market__asset__in=Unit.objects.family(unit))
    rows = bars.filter(interval=Interval.DAY, at__gt=now - PRICE_SPAN, at__lte=now)
    return [Point(at, close) for at, close in rows.order_by("at").values_list("at", "close")]
