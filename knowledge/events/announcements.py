"""New values of series → candidates: each change of a key rate, each month of a price index (``Series.event_on``).

A value makes one candidate, by its series and period: a later pass, a correction or a history that is filled in makes
no second. One that still waits is brought in line with what is stored.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain

from django.db import transaction

from knowledge.events import announced_words
from knowledge.models import (
    AnnouncedValue,
    ClusterStatus,
    EventCluster,
    EventOn,
    Observation,
    Series,
)
from knowledge.series import yearly
from knowledge.series.values import Figures, figures_of, points_of

# What became known longer ago than this is history: the first load of a series brings years of it. Counted from the end
# of the day or month, since a month's index comes weeks after it.
NEWS_WITHIN = timedelta(days=45)
DAY, MONTH = timedelta(days=1), timedelta(days=31)
MONTH_FORM = len("2026-10")


@transaction.atomic
def announce(*, now: datetime) -> int:
    """Raise a candidate for every new value that has none yet; how many were raised."""
    series = Series.objects.filter(pk__in=Series.objects.public()).exclude(event_on=EventOn.NOTHING)
    # Passes of two workers come one after the other.
    locked = series.select_for_update(no_key=True).order_by("pk")
    raised = 0
    for figures in figures_of(locked, now=now):
        if figures.input is not None:
            raised += _announce(figures, now)
    return raised


def _announce(figures: Figures, now: datetime) -> int:
    found = {told.period: told for told in _news(figures, now)}
    rows = AnnouncedValue.objects.filter(series=figures.series, at__gt=now - NEWS_WITHIN - MONTH)
    known = {told.period: told for told in rows.select_related("cluster", "series", "source")}
    for period, told in found.items():
        if period not in known:
            _raise(told, now)
        elif known[period].cluster.is_waiting:
            _bring_in_line(known[period], told)
    for period, told in known.items():
        if period not in found and told.cluster.is_waiting and not told.cluster.members.exists():
            # A correction took the change back.
            gone = EventCluster.objects.filter(pk=told.cluster_id)
            gone.update(status=ClusterStatus.EXPIRED, decided_at=now)
    return len(found.keys() - known.keys())


def _news(figures: Figures, now: datetime) -> Iterator[AnnouncedValue]:
    """The values that are news, oldest first, not stored yet."""
    since = now - NEWS_WITHIN - MONTH
    before = points_of(figures, now=now, last=since - timedelta.resolution).order_by("-at")[:1]
    former: Observation | None = None
    for point in chain(before, points_of(figures, now=now, first=since)):
        changed = former is not None and former.value != point.value
        ends = point.at + (MONTH if len(point.period) == MONTH_FORM else DAY)
        if ends > now - NEWS_WITHIN and (changed or figures.series.event_on == EventOn.VALUE):
            yield _told(figures, point, former, now)
        former = point


def _told(figures: Figures, point: Observation, former: Observation | None, now: datetime) -> AnnouncedValue:
    assert figures.input is not None
    over_year = Observation.objects.filter(
        input__key=yearly.KEY.format(figures.series.slug), at=point.at, newest=True
    )
    return AnnouncedValue(
        series=figures.series,
        period=point.period or f"{point.at:%Y-%m-%d}",
        at=point.at,
        former=former.value if former else None,
        value=point.value,
        over_year=over_year.values_list("value", flat=True).first(),
        source=figures.input.source,
        noted_at=now,
    )


def _raise(told: AnnouncedValue, now: datetime) -> None:
    """A rate changes on its day. Of a month nothing says when its index came: that is when it was first seen here."""
    occurred_at = told.at if told.series.event_on == EventOn.CHANGE else now
    told.cluster = EventCluster.objects.create(
        status=ClusterStatus.OPEN,
        label=announced_words.label(told),
        first_document_at=occurred_at,
        last_document_at=now,
    )
    told.save()


def _bring_in_line(known: AnnouncedValue, told: AnnouncedValue) -> None:
    corrected = ("former", "value", "over_year")
    if all(getattr(known, name) == getattr(told, name) for name in corrected):
        return
    # Joined to another candidate it goes by that one's name.
    own_name = EventCluster.objects.filter(pk=known.cluster_id, label=announced_words.label(known))
    own_name.update(label=announced_words.label(told))
    for name in corrected:
        setattr(known, name, getattr(told, name))
    known.save(update_fields=corrected)
