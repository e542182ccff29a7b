"""The records of the public JSON, for the indexes and for a unit's page: a few queries whatever their number."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, TypeVar, cast

from django.db.models import QuerySet
from django.db.models.functions import Collate
from django.utils import timezone

from knowledge.models import (
    PREFIXES,
    WINDOW_HOURS_MAX,
    Alias,
    Entity,
    Event,
    Pulse,
    Series,
    Topic,
    Unit,
    UnitQuerySet,
    UnitType,
)
from knowledge.models.personas import ai_disclosure
from knowledge.queries.serializers import EntityRecord, EventRecord, TopicRecord, UnitRecord
from knowledge.queries.series import series_by_unit, shown_series
from knowledge.queries.series_serializers import PulseRecord, PulseSource
from knowledge.queries.units import aliases_of, persona_of, subjects_by_event
from knowledge.times import iso_kst

# What a canon of 20,000 units is read in: all of their rows and records at once are a hundred megabytes.
ROWS_AT_ONCE = 2_000
WEB_ADDRESS = re.compile(r"https?://")
Record = TypeVar("Record", bound=UnitRecord)


def pulse_sources(stored: Iterable[Any]) -> list[PulseSource]:
    """What a pulse rests on. The list may hold any JSON, and one odd row must not hide all the others."""
    links = [source.get("url") for source in stored if isinstance(source, dict)]
    return [{"url": link} for link in links if isinstance(link, str) and WEB_ADDRESS.match(link)]


# Units
COLUMNS = (
    *("pk", "type", "prefix", "slug", "label", "label_en", "summary", "summary_en"),
    *("document_count", "video_count", "updated_at", "category", "country", "symbol"),
    *("website", "source_urls", "occurred_at", "persona__glyph", "persona__disclosure"),
)

# The members that each record of a kind has, in their order; others follow them.
REQUIRED: Mapping[Any, Collection[str]] = {
    kind: [name for name in kind.__annotations__ if name in kind.__required_keys__]
    for kind in (EntityRecord, TopicRecord, EventRecord)
}


def entities(now: datetime) -> Iterator[EntityRecord]:
    """All published entities, by id, read a few at a time."""
    return _entities(Entity.objects.published())


def topics(now: datetime) -> Iterator[TopicRecord]:
    """All published topics, by id, read a few at a time."""
    return _topics(Topic.objects.published())


def events(now: datetime) -> Iterator[EventRecord]:
    """All published events, by id, read a few at a time; they name published entities and topics only."""
    return _events(Event.objects.published())


def records_of(public_ids: Collection[str]) -> dict[str, UnitRecord]:
    """Those of these units that are public, by id, as the indexes show them."""
    slugs = {public_id.partition(":")[2] for public_id in public_ids}
    named = Unit.objects.published().filter(prefix__in=PREFIXES, slug__in=slugs)
    keys = [
        pk
        for pk, prefix, slug in named.values_list("pk", "prefix", "slug")
        if f"{prefix}:{slug}" in public_ids
    ]
    found: list[UnitRecord] = [
        *_entities(Entity.objects.published().filter(pk__in=keys)),
        *_topics(Topic.objects.published().filter(pk__in=keys)),
        *_events(Event.objects.published().filter(pk__in=keys)),
    ]
    return {record["id"]: record for record in found}


def _entities(units: UnitQuerySet) -> Iterator[EntityRecord]:
    return _by_id(EntityRecord, units, series=series_by_unit(_keys(units)))


def _topics(units: UnitQuerySet) -> Iterator[TopicRecord]:
    return _by_id(TopicRecord, units, series=series_by_unit(_keys(units), assets=False))


def _events(units: UnitQuerySet) -> Iterator[EventRecord]:
    return _by_id(EventRecord, units, subjects=subjects_by_event(_keys(units)))


def _by_id(
    kind: type[Record],
    units: UnitQuerySet,
    *,
    subjects: Mapping[int, Iterable[Unit]] = MappingProxyType({}),
    series: Mapping[int, Iterable[Series]] = MappingProxyType({}),
) -> Iterator[Record]:
    aliases = Alias.names.by_unit(_keys(units))
    # By code points, whatever the database sorts by: the order is part of a body's bytes.
    ordered = units.order_by(Collate("prefix", "C"), Collate("slug", "C"))
    rows: Iterable[Any] = ordered.values_list(*COLUMNS, named=True).iterator(ROWS_AT_ONCE)
    for row in rows:
        yield _record(
            kind,
            row,
            aliases.get(row.pk, []),
            subjects.get(row.pk, ()),
            series.get(row.pk, ()),
            row.persona__glyph,
            row.persona__disclosure,
        )


def _keys(units: UnitQuerySet) -> QuerySet[Any, Any]:
    """A query of their keys: of a whole index there are too many to name."""
    return units.order_by().values("pk")


def record_of(unit: Unit, subjects: Iterable[Unit] = ()) -> UnitRecord:
    """One unit's record as its index shows it, published or not; ``subjects`` are those of an event."""
    kind = {UnitType.TOPIC: TopicRecord, UnitType.EVENT: EventRecord}.get(UnitType(unit.type), EntityRecord)
    persona = persona_of(unit)
    glyph, disclosure = (persona.glyph, persona.disclosure) if persona else ("", "")
    return _record(kind, unit, aliases_of(unit), subjects, shown_series(unit), glyph, disclosure)


def _record(
    kind: type[Record],
    unit: Any,
    aliases: list[str],
    subjects: Iterable[Unit],
    series: Iterable[Series],
    glyph: str,
    disclosure: str,
) -> Record:
    """The members that a kind of record has, of a unit or of a row with its columns, in their order: equal records,
    equal bytes."""
    linked = sorted(subject.public_id for subject in subjects) if subjects else []
    members = {
        "id": f"{unit.prefix}:{unit.slug}",
        "label": unit.label,
        "aliases": aliases,
        "type": unit.type,
        "occurredAt": iso_kst(unit.occurred_at) if unit.occurred_at else None,
        "entities": [subject for subject in linked if not subject.startswith("topic:")],
        "topics": [subject for subject in linked if subject.startswith("topic:")],
        "documentCount": unit.document_count,
        "videoCount": unit.video_count,
        "updatedAt": iso_kst(unit.updated_at),
        "url": f"/{unit.prefix}/{unit.slug}",
        "summary": unit.summary,
        "series": [each.public_id for each in series],
        "category": unit.category or None,
        "country": unit.country or None,
        "labelEn": unit.label_en or None,
        "summaryEn": unit.summary_en or None,
        "sourceUrls": unit.source_urls,
    }
    record = {name: members[name] for name in REQUIRED[kind]}
    if kind is EntityRecord:
        if unit.symbol:
            record["symbol"] = unit.symbol
        if unit.website:
            record["website"] = unit.website
        if glyph:
            record |= {"isAiPersona": True, "glyph": glyph, "disclosure": ai_disclosure(disclosure)}
    return cast(Record, record)


# Pulses
def pulses(now: datetime) -> list[PulseRecord]:
    """The published pulses that any window can still show, newest first.

    The horizon moves once a day rather than every second, so that a rebuild for another reason finds equal
    records and keeps the body; each reader's window is cut from these at request time.
    """
    day = timezone.localtime(now - timedelta(hours=WINDOW_HOURS_MAX), timezone.get_default_timezone())
    horizon = day.replace(hour=0, minute=0, second=0, microsecond=0)
    rows = Pulse.objects.published().filter(detected_at__gt=horizon).select_related("asset")
    return [pulse_record(row) for row in rows.order_by("-detected_at", "key")]


def all_pulses() -> Iterator[PulseRecord]:
    """Every published pulse there is, newest first, read a few at a time."""
    rows = Pulse.objects.published().select_related("asset").order_by("-detected_at", "key")
    return map(pulse_record, rows.iterator())


def pulse_record(pulse: Pulse) -> PulseRecord:
    return {
        "id": pulse.public_id,
        "asset": pulse.asset.public_id,
        "direction": pulse.direction,
        "magnitudePct": pulse.magnitude_pct,
        "detectedAt": iso_kst(pulse.detected_at),
        "summary": pulse.summary,
        "confidence": pulse.confidence,
        "sources": pulse_sources(pulse.sources),
        "url": pulse.asset.get_absolute_url(),
        "assetLabel": pulse.asset.label,
        "symbol": pulse.asset.symbol,
        "kind": pulse.kind,
        "startedAt": iso_kst(pulse.started_at),
        "endedAt": iso_kst(pulse.ended_at) if pulse.ended_at else None,
        "horizonHours": pulse.horizon_hours,
        "summaryEn": pulse.summary_en,
    }
