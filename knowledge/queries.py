"""What pages ask of the knowledge base.

``sheet_of`` gathers all that is public of one unit. Its ``record`` is the unit's record in the public JSON, so that
a page, its Markdown twin and its linked data cannot say anything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import TruncWeek
from django.utils import timezone

from knowledge.catalogue.naming import exactly_named
from knowledge.catalogue.units import events_about, events_after, subjects_of
from knowledge.models import (
    Candle,
    Document,
    Interval,
    Persona,
    PersonaPost,
    Premium,
    Pulse,
    Unit,
    UnitType,
    Venue,
)
from knowledge.serializers import EntityRecordSerializer, EventRecordSerializer, TopicRecordSerializer

DOCUMENTS_SHOWN = 20
POSTS_SHOWN = 10
EVENTS_SHOWN = 12
NEWER_SHOWN = 5
PULSES_SHOWN = 6
UNITS_LISTED = 60
WEEKS_SHOWN = 16
PREMIUM_SPAN = timedelta(days=14)
PRICE_SPAN = timedelta(days=90)
NEWEST_EVENT = F("occurred_at").desc(nulls_last=True)


class Point(NamedTuple):
    """A value at a moment."""

    at: datetime
    value: float


@dataclass(frozen=True, slots=True)
class UnitSheet:
    """All that is public of one unit; ``documents`` is one page of them, ``newer`` what an event was followed by."""

    unit: Unit
    record: dict[str, Any]
    persona: Persona | None
    subjects: Sequence[Unit]
    events: Sequence[Unit]
    newer: Sequence[Unit]
    documents: Sequence[Document]
    page: int
    has_more: bool
    posts: Sequence[PersonaPost]
    pulses: Sequence[Pulse]

    @property
    def has_facts(self) -> bool:
        """Whether anything at all is known beyond the name."""
        return bool(self.record["summary"] or self.documents or self.events or self.posts)


def sheet_of(unit: Unit, *, page: int = 1) -> UnitSheet:
    """The sheet of a published unit. ``page`` counts pages of documents from 1."""
    is_event = unit.type == UnitType.EVENT
    start = (page - 1) * DOCUMENTS_SHOWN
    documents = list(documents_about(unit, start, DOCUMENTS_SHOWN + 1))
    return UnitSheet(
        unit=unit,
        record=record_of(unit),
        persona=Persona.objects.filter(entity_id=unit.pk).first(),
        subjects=subjects_of(unit) if is_event else (),
        events=() if is_event else list(events_about(unit)[:EVENTS_SHOWN]),
        newer=events_after(unit, NEWER_SHOWN),
        documents=documents[:DOCUMENTS_SHOWN],
        page=page,
        has_more=len(documents) > DOCUMENTS_SHOWN,
        posts=list(posts_about(unit)),
        pulses=list(pulses_of(unit)),
    )


def record_of(unit: Unit) -> dict[str, Any]:
    """The unit's record as the canonical indexes show it."""
    serializer = {UnitType.TOPIC: TopicRecordSerializer, UnitType.EVENT: EventRecordSerializer}.get(
        UnitType(unit.type), EntityRecordSerializer
    )
    return dict(serializer(unit).data)


def find_unit(prefix: str, slug: str) -> Unit | None:
    """Whatever stands at an address, public or not, with the unit it was merged into."""
    return Unit.objects.get_queryset().filter(prefix=prefix, slug=slug).select_related("merged_into").first()


def documents_about(unit: Unit, start: int = 0, limit: int = DOCUMENTS_SHOWN) -> QuerySet[Document]:
    """Public documents that mention the unit, or that its own channel published; the newest first."""
    newest = F("published_at").desc(nulls_last=True)
    documents = Document.objects.published().filter(_speaks_of(unit)).select_related("source")
    return documents.distinct().order_by(newest, "-pk")[start : start + limit]


def _speaks_of(unit: Unit) -> Q:
    """The documents that the unit's count counts: see ``knowledge.counting``."""
    named = Q(mentions__unit=unit) | Q(mentions__unit__merged_into=unit)
    gathered = Q(membership__cluster__event=unit) | Q(membership__cluster__event__merged_into=unit)
    return named | gathered | Q(source__creator=unit)


def posts_about(unit: Unit, limit: int = POSTS_SHOWN) -> QuerySet[PersonaPost]:
    """Public persona posts about the unit, or by the persona it is."""
    about = Q(units=unit) | Q(units__merged_into=unit) | Q(persona__entity=unit)
    posts = PersonaPost.objects.published().filter(about).select_related("persona__entity")
    return posts.distinct().order_by("-published_at")[:limit]


def pulses_of(unit: Unit, limit: int = PULSES_SHOWN) -> QuerySet[Pulse]:
    return Pulse.objects.published().filter(asset=unit).order_by("-detected_at", "key")[:limit]


# Listings
def listed(prefix: str, *, page: int, kind: str = "", size: int = UNITS_LISTED) -> tuple[list[Unit], bool]:
    """One page of the public units under a prefix, and whether there is another.

    Events come newest first, all else by how much is written about it.
    """
    units = Unit.objects.published().filter(prefix=prefix)
    if kind:
        units = units.filter(type=kind)
    if prefix == UnitType.EVENT:
        ordered = units.order_by(NEWEST_EVENT, "label", "pk")
    else:
        # Before the first documents come, how many events are about a unit says what readers look for.
        about = units.annotate(events=Count("unit_events"))
        ordered = about.order_by("-document_count", "-video_count", "-events", "label", "pk")
    start = (page - 1) * size
    found = list(ordered.select_related("persona")[start : start + size + 1])
    return found[:size], len(found) > size


def newest_events(limit: int, *, until: datetime) -> QuerySet[Unit]:
    events = Unit.objects.published().filter(type=UnitType.EVENT, occurred_at__lte=until)
    return events.order_by("-occurred_at", "pk")[:limit]


def newest_posts(limit: int) -> QuerySet[PersonaPost]:
    posts = PersonaPost.objects.published().select_related("persona__entity").prefetch_related("units")
    return posts.order_by("-published_at", "pk")[:limit]


def newest_pulses(limit: int) -> QuerySet[Pulse]:
    return Pulse.objects.published().select_related("asset").order_by("-detected_at", "key")[:limit]


def units_called(name: str, limit: int = 3) -> list[Unit]:
    """Public units of exactly this name or slug; for a reader whose address was nearly right."""
    found = [one.unit for one in exactly_named(name)]
    slugs = Unit.objects.get_queryset().filter(slug=name.lower().replace(" ", "-"))
    found += [unit.survivor for unit in slugs.select_related("merged_into").order_by("pk")]
    return [unit for unit in dict.fromkeys(found) if unit.is_public][:limit]


# What plots show
def documents_by_week(unit: Unit, *, now: datetime) -> list[Point]:
    """How many public documents spoke of the unit in each of the last weeks, oldest first, empty weeks included."""
    this_week = _monday(now)
    since = this_week - timedelta(weeks=WEEKS_SHOWN - 1)
    rows = (
        Document.objects.published()
        .filter(_speaks_of(unit), published_at__gte=since, published_at__lte=now)
        .annotate(week=TruncWeek("published_at"))
        .values_list("week")
        .annotate(documents=Count("pk", distinct=True))
    )
    counts = {week.date(): documents for week, documents in rows}
    weeks = [since + timedelta(weeks=number) for number in range(WEEKS_SHOWN)]
    return [Point(week, counts.get(week.date(), 0)) for week in weeks] if counts else []


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
