"""The records of the public indexes, read in a few queries whatever their number.

``knowledge.serializers`` describes the same records field by field; a test holds the two together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, NotRequired, TypedDict

from django.db.models import Q
from django.utils import timezone

from knowledge.models import (
    AI_PERSONA,
    ENTITY_TYPES,
    WINDOW_HOURS_MAX,
    Alias,
    Entity,
    Event,
    EventUnit,
    Persona,
    Pulse,
    Status,
    Topic,
    Unit,
    UnitType,
)

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


def rfc3339(moment: datetime) -> str:
    """``2026-03-01T09:00:00+09:00``: whole seconds, with the offset of the service's own time zone."""
    return moment.astimezone(timezone.get_default_timezone()).isoformat(timespec="seconds")


def ai_disclosure(text: str) -> str:
    """The disclosure as it travels: readable by people of either language and by programs."""
    return f"{AI_PERSONA} · {text}"


def pulse_sources(stored: Iterable[Any]) -> list[PulseSource]:
    """What a pulse rests on. The list may hold any JSON, and one odd row must not hide all the others."""
    links = [source.get("url") for source in stored if isinstance(source, dict)]
    return [{"url": link} for link in links if isinstance(link, str) and WEB_ADDRESS.match(link)]


# Units
UNIT_FIELDS = ("pk", "prefix", "slug", "label", "summary", "document_count", "video_count", "updated_at")


def entities(now: datetime) -> list[EntityRecord]:
    """All published entities, by id."""
    aliases, personas = _aliases(ENTITY_TYPES), _personas()
    rows = Entity.objects.published().values(*UNIT_FIELDS, "type", "symbol", "website")
    records = [_entity(row, aliases.get(row["pk"], ()), personas.get(row["pk"])) for row in rows]
    return sorted(records, key=_by_id)


def topics(now: datetime) -> list[TopicRecord]:
    """All published topics, by id."""
    aliases = _aliases([UnitType.TOPIC])
    rows = Topic.objects.published().values(*UNIT_FIELDS)
    return sorted((_topic(row, aliases.get(row["pk"], ())) for row in rows), key=_by_id)


def events(now: datetime) -> list[EventRecord]:
    """All published events, by id; they name published entities and topics only."""
    aliases, links = _aliases([UnitType.EVENT]), _event_links()
    rows = Event.objects.published().values(*UNIT_FIELDS, "occurred_at")
    nothing: list[str] = []
    return sorted(
        (_event(row, aliases.get(row["pk"], ()), links.get(row["pk"], nothing)) for row in rows), key=_by_id
    )


def _by_id(record: UnitRecord) -> str:
    return record["id"]


def _entity(row: Mapping[str, Any], aliases: Iterable[str], persona: tuple[str, str] | None) -> EntityRecord:
    record: EntityRecord = {
        "id": f"{row['prefix']}:{row['slug']}",
        "label": row["label"],
        "aliases": _others(row["label"], aliases),
        "type": row["type"],
        "videoCount": row["video_count"],
        "updatedAt": rfc3339(row["updated_at"]),
        "documentCount": row["document_count"],
        "url": f"/{row['prefix']}/{row['slug']}",
        "summary": row["summary"],
    }
    if row["symbol"]:
        record["symbol"] = row["symbol"]
    if row["website"]:
        record["website"] = row["website"]
    if persona:
        record["isAiPersona"] = True
        record["glyph"] = persona[0]
        record["disclosure"] = ai_disclosure(persona[1])
    return record


def _topic(row: Mapping[str, Any], aliases: Iterable[str]) -> TopicRecord:
    return {
        "id": f"{row['prefix']}:{row['slug']}",
        "label": row["label"],
        "aliases": _others(row["label"], aliases),
        "documentCount": row["document_count"],
        "videoCount": row["video_count"],
        "updatedAt": rfc3339(row["updated_at"]),
        "url": f"/{row['prefix']}/{row['slug']}",
        "summary": row["summary"],
    }


def _event(row: Mapping[str, Any], aliases: Iterable[str], links: Iterable[str]) -> EventRecord:
    occurred_at = row["occurred_at"]
    linked = sorted(set(links))
    return {
        "id": f"{row['prefix']}:{row['slug']}",
        "label": row["label"],
        "aliases": _others(row["label"], aliases),
        "occurredAt": rfc3339(occurred_at) if occurred_at else None,
        "summary": row["summary"],
        "entities": [unit for unit in linked if not unit.startswith("topic:")],
        "topics": [unit for unit in linked if unit.startswith("topic:")],
        "documentCount": row["document_count"],
        "videoCount": row["video_count"],
        "updatedAt": rfc3339(row["updated_at"]),
        "url": f"/{row['prefix']}/{row['slug']}",
    }


def _others(label: str, names: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name != label]


def _aliases(types: Iterable[UnitType]) -> dict[int, list[str]]:
    """By surviving unit: its own active aliases first, then label and aliases of each unit merged into it.

    A retracted one lends its names to nobody, as the linker has it.
    """
    merged = Unit.objects.get_queryset().filter(merged_into__isnull=False).exclude(status=Status.RETRACTED)
    losers = dict(merged.order_by("pk").values_list("pk", "merged_into_id"))
    own: defaultdict[int, list[str]] = defaultdict(list)
    names = Alias.names.active().filter(Q(unit_type__in=types) | Q(unit__in=list(losers)))
    for unit, surface in names.order_by("-is_label", "pk").values_list("unit_id", "surface"):
        own[unit].append(surface)
    for loser, survivor in losers.items():
        own[survivor] += own.get(loser, ())
    return own


def _personas() -> dict[int, tuple[str, str]]:
    """``(glyph, disclosure)`` of the AI personas, by their entity."""
    rows = Persona.objects.values_list("entity_id", "glyph", "disclosure")
    return {entity: (glyph, disclosure) for entity, glyph, disclosure in rows}


def _event_links() -> dict[int, list[str]]:
    """By surviving event: the public ids of the published entities and topics it speaks of."""
    rows = EventUnit.objects.values_list(
        "event_id", "event__merged_into_id", "unit_id", "unit__merged_into_id"
    )
    named = {unit_survivor or unit for _event, _event_survivor, unit, unit_survivor in rows}
    public = Unit.objects.published().exclude(type=UnitType.EVENT).filter(pk__in=named)
    ids = {pk: f"{prefix}:{slug}" for pk, prefix, slug in public.values_list("pk", "prefix", "slug")}
    links: defaultdict[int, list[str]] = defaultdict(list)
    for event, event_survivor, unit, unit_survivor in rows:
        if public_id := ids.get(unit_survivor or unit):
            links[event_survivor or event].append(public_id)
    return links


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
        "detectedAt": rfc3339(pulse.detected_at),
        "summary": pulse.summary,
        "confidence": pulse.confidence,
        "sources": pulse_sources(pulse.sources),
        "url": pulse.asset.get_absolute_url(),
        "assetLabel": pulse.asset.label,
        "symbol": pulse.asset.symbol,
        "kind": pulse.kind,
        "startedAt": rfc3339(pulse.started_at),
        "endedAt": rfc3339(pulse.ended_at) if pulse.ended_at else None,
        "horizonHours": pulse.horizon_hours,
        "summaryEn": pulse.summary_en,
    }
