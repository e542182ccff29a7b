"""Rows of the knowledge base with sensible defaults."""

from datetime import UTC, datetime, timedelta
from typing import Any

from knowledge.models import Alias, Document, EventUnit, Persona, Pulse, Source, Status, Unit, UnitType

NOON = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)  # 12:00 in Seoul


def make_unit(slug: str = "btc", label: str = "비트코인", **fields: Any) -> Unit:
    """A published asset unless told otherwise, an event of noon; ``aliases`` is a list of surfaces."""
    aliases = fields.pop("aliases", [])
    fields = {"type": UnitType.ASSET, "status": Status.PUBLISHED} | fields
    if (fields["type"], fields["status"]) == (UnitType.EVENT, Status.PUBLISHED):
        fields.setdefault("occurred_at", NOON)
    unit = Unit.objects.create(slug=slug, label=label, **fields)
    for surface in aliases:
        Alias.objects.create(unit=unit, surface=surface)
    return unit


def make_source(slug: str = "paper", **fields: Any) -> Source:
    defaults: dict[str, Any] = {
        "name": "마당일보",
        "kind": "news",
        "adapter": "rss",
        "url": "https://paper.example/rss",
        "crypto": True,
    }
    return Source.objects.create(slug=slug, **(defaults | fields))


def make_document(source: Source, external_id: str = "1", **fields: Any) -> Document:
    defaults: dict[str, Any] = {
        "kind": source.kind,
        "url": f"https://paper.example/{external_id}",
        "title": "비트코인이 오른 날",
        "lang": "ko",
        "published_at": NOON,
        "fetched_at": NOON,
    }
    return Document.objects.create(source=source, external_id=external_id, **(defaults | fields))


def make_event(slug: str, hours: int = 0, *subjects: Unit) -> Unit:
    """A published event so many hours before noon, about these units."""
    at = NOON - timedelta(hours=hours)
    event = make_unit(slug, f"사건 {slug}", type=UnitType.EVENT, occurred_at=at)
    for unit in subjects:
        EventUnit.objects.create(event=event, unit=unit)
    return event


def make_pulse(asset: Unit, key: str = "k1", detected_at: datetime = NOON, **fields: Any) -> Pulse:
    """A published fall by an eighth within four hours."""
    defaults: dict[str, Any] = {
        "direction": "down",
        "magnitude_pct": -12.5,
        "started_at": detected_at - timedelta(hours=1),
        "horizon_hours": 4,
        "confidence": 0.82,
        "summary": "4시간 새 급락했습니다.",
        "sources": [{"url": "https://paper.example/1", "title": "기사"}],
    }
    return Pulse.objects.create(asset=asset, key=key, detected_at=detected_at, **(defaults | fields))


def make_persona(creator: Unit, **fields: Any) -> Persona:
    defaults = {
        "glyph": "◆",
        "voice": "숫자부터",
        "disclosure": "AI 페르소나의 의견입니다.",
        "disclosure_en": "The opinion of an AI persona.",
    }
    return Persona.objects.create(entity_id=creator.pk, **(defaults | fields))
