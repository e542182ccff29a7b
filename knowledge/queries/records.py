"""The records of the public JSON, built here for the indexes and for a unit's page alike.

A few queries whatever their number. ``knowledge.queries.serializers`` describes the same records for OpenAPI.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NotRequired, TypedDict

from django.utils import timezone

from knowledge.models import (
    AI_PERSONA,
    WINDOW_HOURS_MAX,
    Entity,
    Event,
    Pulse,
    Topic,
    Unit,
    UnitType,
)
from knowledge.queries.units import aliases_of, persona_of, subjects_by_event
from knowledge.times import iso_kst

WEB_ADDRESS = re.compile(r"https?://")


class UnitRecord(TypedDict):
    id: str
    label: str
    aliases: list[str]


class EntityRecord(UnitRecord):
    type: str
    videoCount: int
    updatedAt: str
    documentCount: int
    url: str
    summary: str
    symbol: NotRequired[str]
    website: NotRequired[str]
    isAiPersona: NotRequired[bool]
    glyph: NotRequired[str]
    disclosure: NotRequired[str]


class TopicRecord(UnitRecord):
    documentCount: int
    videoCount: int
    updatedAt: str
    url: str
    summary: str


class EventRecord(UnitRecord):
    occurredAt: str | None
    summary: str
    entities: list[str]
    topics: list[str]
    documentCount: int
    videoCount: int
    updatedAt: str
    url: str


class PulseSource(TypedDict):
    url: str


class PulseRecord(TypedDict):
    id: str
    asset: str
    direction: str
    magnitudePct: float
    detectedAt: str
    summary: str
    confidence: float
    sources: list[PulseSource]
    url: str
    assetLabel: str
    symbol: str
    kind: str
    startedAt: str
    endedAt: str | None
    horizonHours: int
    summaryEn: str


def ai_disclosure(text: str) -> str:
    """The disclosure as it travels: readable by people of either language and by programs."""
    return f"{AI_PERSONA} · {text}"


def pulse_sources(stored: Iterable[Any]) -> list[PulseSource]:
    """What a pulse rests on. The list may hold any JSON, and one odd row must not hide all the others."""
    links = [source.get("url") for source in stored if isinstance(source, dict)]
    return [{"url": link} for link in links if isinstance(link, str) and WEB_ADDRESS.match(link)]


# Units
UNIT_FIELDS = ("pk", "prefix", "slug", "label", "summary", "document_count", "video_count", "updated_at")
ENTITY_FIELDS = (*UNIT_FIELDS, "type", "symbol", "website")
PERSONA_FIELDS = ("persona__glyph", "persona__disclosure")
EVENT_FIELDS = (*UNIT_FIELDS, "occurred_at")


def entities(now: datetime) -> list[EntityRecord]:
    """All published entities, by id."""
    units = Entity.objects.published()
    aliases = units.aliases()
    rows = units.values(*ENTITY_FIELDS, *PERSONA_FIELDS)
    return sorted((_entity(row, aliases.get(row["pk"], [])) for row in rows), key=_by_id)


def topics(now: datetime) -> list[TopicRecord]:
    """All published topics, by id."""
    units = Topic.objects.published()
    aliases = units.aliases()
    rows = units.values(*UNIT_FIELDS)
    return sorted((_topic(row, aliases.get(row["pk"], [])) for row in rows), key=_by_id)


def events(now: datetime) -> list[EventRecord]:
    """All published events, by id; they name published entities and topics only."""
    units = Event.objects.published()
    aliases, subjects = units.aliases(), subjects_by_event(units)
    rows = units.values(*EVENT_FIELDS)
    return sorted(
        (_event(row, aliases.get(row["pk"], []), subjects.get(row["pk"], [])) for row in rows), key=_by_id
    )


def record_of(unit: Unit, subjects: Sequence[Unit] = ()) -> EntityRecord | TopicRecord | EventRecord:
    """One unit's record as its index shows it, published or not; ``subjects`` are those of an event."""
    row = {field: getattr(unit, field) for field in (*ENTITY_FIELDS, *EVENT_FIELDS)}
    if unit.type == UnitType.TOPIC:
        return _topic(row, aliases_of(unit))
    if unit.type == UnitType.EVENT:
        return _event(row, aliases_of(unit), subjects)
    persona = persona_of(unit)
    for field in PERSONA_FIELDS:
        row[field] = getattr(persona, field.removeprefix("persona__"), None)
    return _entity(row, aliases_of(unit))


def _by_id(record: UnitRecord) -> str:
    return record["id"]


def _entity(row: Mapping[str, Any], aliases: list[str]) -> EntityRecord:
    record: EntityRecord = {
        "id": f"{row['prefix']}:{row['slug']}",
        "label": row["label"],
        "aliases": aliases,
        "type": row["type"],
        "videoCount": row["video_count"],
        "updatedAt": iso_kst(row["updated_at"]),
        "documentCount": row["document_count"],
        "url": f"/{row['prefix']}/{row['slug']}",
        "summary": row["summary"],
    }
    if row["symbol"]:
        record["symbol"] = row["symbol"]
    if row["website"]:
        record["website"] = row["website"]
    if row["persona__glyph"]:
        record["isAiPersona"] = True
        record["glyph"] = row["persona__glyph"]
        record["disclosure"] = ai_disclosure(row["persona__disclosure"])
    return record


def _topic(row: Mapping[str, Any], aliases: list[str]) -> TopicRecord:
    return {
        "id": f"{row['prefix']}:{row['slug']}",
        "label": row["label"],
        "aliases": aliases,
        "documentCount": row["document_count"],
        "videoCount": row["video_count"],
        "updatedAt": iso_kst(row["updated_at"]),
        "url": f"/{row['prefix']}/{row['slug']}",
        "summary": row["summary"],
    }


def _event(row: Mapping[str, Any], aliases: list[str], subjects: Iterable[Unit]) -> EventRecord:
    occurred_at = row["occurred_at"]
    linked = sorted(unit.public_id for unit in subjects)
    return {
        "id": f"{row['prefix']}:{row['slug']}",
        "label": row["label"],
        "aliases": aliases,
        "occurredAt": iso_kst(occurred_at) if occurred_at else None,
        "summary": row["summary"],
        "entities": [unit for unit in linked if not unit.startswith("topic:")],
        "topics": [unit for unit in linked if unit.startswith("topic:")],
        "documentCount": row["document_count"],
        "videoCount": row["video_count"],
        "updatedAt": iso_kst(row["updated_at"]),
        "url": f"/{row['prefix']}/{row['slug']}",
    }


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
