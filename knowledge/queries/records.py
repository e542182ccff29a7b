"""The records of the public JSON, for the indexes and for a unit's page: a few queries whatever their number."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any, TypeVar, cast

from django.utils import timezone

from knowledge.models import (
    AI_PERSONA,
    WINDOW_HOURS_MAX,
    Entity,
    Event,
    Pulse,
    Topic,
    Unit,
    UnitQuerySet,
    UnitType,
)
from knowledge.queries.serializers import (
    EntityRecord,
    EventRecord,
    PulseRecord,
    PulseSource,
    TopicRecord,
)
from knowledge.queries.units import aliases_of, persona_of, subjects_by_event
from knowledge.times import iso_kst

WEB_ADDRESS = re.compile(r"https?://")
Record = TypeVar("Record", EntityRecord, TopicRecord, EventRecord)


def ai_disclosure(text: str) -> str:
    """The disclosure as it travels: readable by people of either language and by programs."""
    return f"{AI_PERSONA} · {text}"


def pulse_sources(stored: Iterable[Any]) -> list[PulseSource]:
    """What a pulse rests on. The list may hold any JSON, and one odd row must not hide all the others."""
    links = [source.get("url") for source in stored if isinstance(source, dict)]
    return [{"url": link} for link in links if isinstance(link, str) and WEB_ADDRESS.match(link)]


# Units
UNIT_FIELDS = ("pk", "prefix", "slug", "label", "summary", "document_count", "video_count", "updated_at")
ENTITY_FIELDS = (*UNIT_FIELDS, "type", "symbol", "website", "persona__glyph", "persona__disclosure")
EVENT_FIELDS = (*UNIT_FIELDS, "occurred_at")


def entities(now: datetime) -> list[EntityRecord]:
    """All published entities, by id."""

    def record(row: Any, aliases: list[str]) -> EntityRecord:
        return _entity(row, aliases, row.persona__glyph, row.persona__disclosure)

    return _by_id(Entity.objects.published(), ENTITY_FIELDS, record)


def topics(now: datetime) -> list[TopicRecord]:
    """All published topics, by id."""
    return _by_id(Topic.objects.published(), UNIT_FIELDS, _topic)


def events(now: datetime) -> list[EventRecord]:
    """All published events, by id; they name published entities and topics only."""
    units = Event.objects.published()
    subjects = subjects_by_event(units)
    return _by_id(units, EVENT_FIELDS, lambda row, aliases: _event(row, aliases, subjects.get(row.pk, [])))


def _by_id(
    units: UnitQuerySet, fields: Iterable[str], record: Callable[[Any, list[str]], Record]
) -> list[Record]:
    aliases = units.aliases()
    rows: Iterable[Any] = units.values_list(*fields, named=True)
    return sorted((record(row, aliases.get(row.pk, [])) for row in rows), key=itemgetter("id"))


def record_of(unit: Unit, subjects: Sequence[Unit] = ()) -> EntityRecord | TopicRecord | EventRecord:
    """One unit's record as its index shows it, published or not; ``subjects`` are those of an event."""
    aliases, persona = aliases_of(unit), persona_of(unit)
    if unit.type == UnitType.TOPIC:
        return _topic(unit, aliases)
    if unit.type == UnitType.EVENT:
        return _event(unit, aliases, subjects)
    return _entity(unit, aliases, *((persona.glyph, persona.disclosure) if persona else ("", "")))


def _entity(unit: Any, aliases: list[str], glyph: str, disclosure: str) -> EntityRecord:
    members = _members(unit, aliases) | {"type": unit.type}
    if unit.symbol:
        members["symbol"] = unit.symbol
    if unit.website:
        members["website"] = unit.website
    if glyph:
        members |= {"isAiPersona": True, "glyph": glyph, "disclosure": ai_disclosure(disclosure)}
    return _in_order(EntityRecord, members)


def _topic(unit: Any, aliases: list[str]) -> TopicRecord:
    return _in_order(TopicRecord, _members(unit, aliases))


def _event(unit: Any, aliases: list[str], subjects: Iterable[Unit]) -> EventRecord:
    linked = sorted(subject.public_id for subject in subjects)
    members = _members(unit, aliases) | {
        "occurredAt": iso_kst(unit.occurred_at) if unit.occurred_at else None,
        "entities": [subject for subject in linked if not subject.startswith("topic:")],
        "topics": [subject for subject in linked if subject.startswith("topic:")],
    }
    return _in_order(EventRecord, members)


def _members(unit: Any, aliases: list[str]) -> dict[str, Any]:
    """What the records of all units say, of a unit or of a row with its columns."""
    return {
        "id": f"{unit.prefix}:{unit.slug}",
        "label": unit.label,
        "aliases": aliases,
        "documentCount": unit.document_count,
        "videoCount": unit.video_count,
        "updatedAt": iso_kst(unit.updated_at),
        "url": f"/{unit.prefix}/{unit.slug}",
        "summary": unit.summary,
    }


def _in_order(record: type[Record], members: Mapping[str, Any]) -> Record:
    """The members in the order in which this kind of record has always had them: equal records, equal bytes."""
    return cast(Record, {name: members[name] for name in record.__annotations__ if name in members})


# Pulses
def pulses(now: datetime) -> list[PulseRecord]:
    """The published pulses that any window can still show, newest first.

    The horizon moves once a day rather than every second, so that a rebuild for another reason finds equal
    records and keeps the body; each reader's window is cut from these at request time.
    """
    day = timezone.localtime(now - timedelta(hours=WINDOW_HOURS_MAX), timezone.get_default_timezone())
    horizon = day.replace(hour=0, minute=0, second=0, microsecond=0)
    rows = Pulse.objects.published().filter(detected_at__gt=horizon).select_related("asset")
    return [_pulse(row) for row in rows.order_by("-detected_at", "key")]


def _pulse(pulse: Pulse) -> PulseRecord:
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
