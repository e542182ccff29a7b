"""What a series says: its newest value, how that moved, and its points. Pages, JSON, tools and answers read it here.

Of the inputs of a series the first whose newest point is fresh speaks for it; where none is, the one with the newest
point does, and the value is stale.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

import orjson
from django.db import connection
from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import TruncDay

from knowledge.models import PER_CENT, Cadence, Observation, Series, SeriesInput
from knowledge.series.thinning import KEPT

DAY = timedelta(days=1)
SPANS = {"day": DAY, "week": timedelta(weeks=1), "year": timedelta(days=365)}
# Exchanges allow their prices to be shown, not to be passed on: closes of days, and not for ever.
CLOSES_KEPT = timedelta(days=400)
POINTS_MAX = 5_000
FORMER_WITHIN = timedelta(days=3_650)
# Where clocks are changed between two days, the later one begins that much earlier.
CLOCK_CHANGE = timedelta(hours=1)

_NEWEST = """
SELECT input.id, point.at, point.period, point.value, point.fetched_at
FROM knowledge_seriesinput input CROSS JOIN LATERAL (
    SELECT at, period, value, fetched_at FROM knowledge_observation
    WHERE input_id = input.id AND newest AND at <= %(now)s ORDER BY at DESC LIMIT 1
) AS point
WHERE input.series_id = ANY(%(series)s)
"""
# The last point at or before a time, unless it is older than the points of that cadence are apart.
_BEFORE = """
SELECT wanted.input_id, wanted.name, point.at, point.value
FROM unnest(%(inputs)s::bigint[], %(names)s::text[], %(until)s::timestamptz[], %(since)s::timestamptz[])
    AS wanted (input_id, name, until, since)
CROSS JOIN LATERAL (
    SELECT at, value FROM knowledge_observation
    WHERE input_id = wanted.input_id AND newest AND at <= wanted.until AND at >= wanted.since
    ORDER BY at DESC LIMIT 1
) AS point
"""


class Latest(NamedTuple):
    """The newest value; ``stale`` ones are shown only with their age."""

    at: datetime
    period: str
    value: Decimal
    fetched_at: datetime
    stale: bool


@dataclass(frozen=True, slots=True)
class Change:
    """How the newest value differs from that of ``since``.

    ``absolute`` and ``percent`` (of the former value; None where that was 0), or ``points`` alone for what is measured
    in per cent: a rate moves by percentage points.
    """

    since: datetime
    absolute: Decimal | None = None
    percent: float | None = None
    points: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """A series with what it says now. ``changes`` are against the former point (``previous``) and those of a ``day``,
    a ``week`` and a ``year`` before; None where there was no point about then, or points are further apart.
    """

    series: Series
    input: SeriesInput | None = None
    latest: Latest | None = None
    changes: dict[str, Change | None] = field(default_factory=lambda: dict.fromkeys(("previous", *SPANS)))

    @property
    def due_at(self) -> datetime | None:
        """When the next value is expected at the latest, which may be past; None before the first."""
        return self.latest.at + Cadence(self.series.cadence).step if self.latest else None


def figures_of(series: Iterable[Series], *, now: datetime) -> list[Figures]:
    """What these series say at ``now``, in their order: three queries, however many they are."""
    rows = list(series)
    newest = _newest([one.pk for one in rows], now)
    inputs = SeriesInput.objects.filter(pk__in=newest).select_related("source").order_by("position", "pk")
    chosen: dict[int, tuple[SeriesInput, Latest]] = {}
    by_series = {one.pk: one for one in rows}
    for each in inputs:
        assert each.series_id is not None
        at, period, value, fetched_at = newest[each.pk]
        stale = now - at > by_series[each.series_id].stale_after
        found = Latest(at, period, value, fetched_at, stale)
        rival = chosen.get(each.series_id)
        if rival is None or (rival[1].stale and (not stale or at > rival[1].at)):
            chosen[each.series_id] = each, found
    changes = _changes({pk: (by_series[pk], *found) for pk, found in chosen.items()}, now)
    return [
        Figures(one, *chosen[one.pk], changes[one.pk]) if one.pk in chosen else Figures(one) for one in rows
    ]


def points_of(
    figures: Figures,
    *,
    now: datetime,
    first: datetime | None = None,
    last: datetime | None = None,
    revisions: bool = False,
) -> QuerySet[Observation]:
    """The points of a series from ``first`` to ``last``, both included, oldest first, in their newest revision or in
    all of them.

    Of what may not be passed on these are the closes of days in the last 400 days, without former revisions.
    """
    rows = Observation.objects.filter(input=figures.input, at__lte=now)
    if not (revisions and figures.series.redistributable):
        rows = rows.filter(newest=True)
    if first is not None:
        rows = rows.filter(at__gte=first)
    if last is not None:
        rows = rows.filter(at__lte=last)
    if figures.series.redistributable:
        return rows.order_by("at", "revision")
    # An exchange's day ends at midnight UTC, and its last price is dated by that moment.
    ends = TruncDay(F("at") - timedelta.resolution, tzinfo=UTC) + timedelta(days=1)
    later = Observation.objects.filter(input=figures.input, newest=True, at__gt=OuterRef("at"), at__lte=now)
    prices = rows.filter(at__gt=now - CLOSES_KEPT).annotate(ends=ends)
    return prices.exclude(Exists(later.filter(at__lte=OuterRef("ends")))).order_by("at")


def json_number(value: object) -> orjson.Fragment:
    """A decimal as a JSON number in plain digits, for ``orjson.dumps(…, default=json_number)``.

    Raises TypeError for what is no decimal, as orjson expects.
    """
    if not isinstance(value, Decimal):
        raise TypeError(f"{type(value).__name__} is not JSON serializable")
    return orjson.Fragment(f"{value:f}")


def _newest(series: Collection[int], now: datetime) -> dict[int, tuple[datetime, str, Decimal, datetime]]:
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, {"series": list(series), "now": now})
        return {pk: (at, period, value, fetched) for pk, at, period, value, fetched in cursor.fetchall()}


def _changes(
    chosen: dict[int, tuple[Series, SeriesInput, Latest]], now: datetime
) -> dict[int, dict[str, Change | None]]:
    found: dict[int, dict[str, Change | None]] = {pk: dict.fromkeys(("previous", *SPANS)) for pk in chosen}
    wanted = list(_wanted(chosen.values(), now))
    by_input = {each.pk: (pk, one, newest) for pk, (one, each, newest) in chosen.items()}
    if wanted:
        inputs, names, until, since = map(list, zip(*wanted, strict=True))
        with connection.cursor() as cursor:
            cursor.execute(_BEFORE, {"inputs": inputs, "names": names, "until": until, "since": since})
            for of, name, at, value in cursor.fetchall():
                pk, one, newest = by_input[of]
                found[pk][name] = _change(one, newest.value, at, value)
    return found


def _wanted(
    chosen: Iterable[tuple[Series, SeriesInput, Latest]], now: datetime
) -> Iterator[tuple[int, str, datetime, datetime]]:
    """(input, name, until, since) of each point that a newest value is compared with."""
    for one, each, newest in chosen:
        yield each.pk, "previous", newest.at - timedelta.resolution, newest.at - FORMER_WITHIN
        cadence = Cadence(one.cadence).step
        for name, span in SPANS.items():
            until = newest.at - span + (CLOCK_CHANGE if newest.period else timedelta())
            # Of what came more often one point a day is left after some days.
            step = max(cadence, DAY) if until < now - KEPT else cadence
            if span > step:
                yield each.pk, name, until, until - step


def _change(series: Series, value: Decimal, since: datetime, former: Decimal) -> Change:
    if series.unit == PER_CENT:
        return Change(since, points=value - former)
    return Change(since, value - former, float((value - former) / abs(former) * 100) if former else None)
