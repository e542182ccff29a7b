"""The records of the public JSON, field by field: the schema that ``/openapi.json`` shows.

Serving them goes another way (``knowledge.queries.records`` reads the same records in a few queries, and
the views hand out bytes); a test renders every record both ways.
"""

# ruff: noqa: N815  the names are those of the public JSON

from __future__ import annotations

from datetime import datetime
from typing import Any

from rest_framework import serializers

from knowledge.models import Event, Persona, Pulse, Unit, UnitType
from knowledge.queries.records import PulseSource, ai_disclosure, pulse_sources, rfc3339
from knowledge.queries.units import aliases_of, subjects_of

UNIT_HEAD = ("id", "label", "aliases")


class Rfc3339Field(serializers.DateTimeField):
    """An RFC 3339 time with offset, in whole seconds."""

    def to_representation(self, value: datetime) -> str:
        return rfc3339(value)


class UnitSerializer(serializers.ModelSerializer[Unit]):
    """What every unit's record begins with."""

    id = serializers.CharField(source="public_id", help_text="`prefix:slug`, for ever the same")
    aliases = serializers.SerializerMethodField(
        help_text="other names, those of merged units included; never the label itself"
    )
    documentCount = serializers.IntegerField(source="document_count", min_value=0)
    videoCount = serializers.IntegerField(source="video_count", min_value=0)
    updatedAt = Rfc3339Field(
        source="updated_at", help_text="the last change of what this record says, counts aside"
    )
    url = serializers.CharField(source="get_absolute_url", help_text="site-relative address of the page")

    def get_aliases(self, unit: Unit) -> list[str]:
        return aliases_of(unit)


class EntityRecordSerializer(UnitSerializer):
    """An entity. An AI persona adds ``isAiPersona``, ``glyph`` and ``disclosure``, which others lack."""

    symbol = serializers.CharField(required=False, help_text="of an asset; absent where there is none")
    website = serializers.URLField(required=False, help_text="absent where none is known")
    isAiPersona = serializers.SerializerMethodField(required=False, help_text="true, or absent")
    glyph = serializers.CharField(source="persona.glyph", required=False)
    disclosure = serializers.SerializerMethodField(required=False)

    class Meta:
        model = Unit
        fields = (
            *UNIT_HEAD,
            *("type", "videoCount", "updatedAt", "documentCount", "url", "summary"),
            *("symbol", "website", "isAiPersona", "glyph", "disclosure"),
        )

    def to_representation(self, instance: Unit) -> dict[str, Any]:
        absent = {name for name in ("symbol", "website") if not getattr(instance, name)}
        if not persona_of(instance):
            absent |= {"isAiPersona", "glyph", "disclosure"}
        record = super().to_representation(instance)
        return {name: value for name, value in record.items() if name not in absent}

    def get_isAiPersona(self, unit: Unit) -> bool:  # noqa: N802  named after its field
        return persona_of(unit) is not None

    def get_disclosure(self, unit: Unit) -> str:
        persona = persona_of(unit)
        return ai_disclosure(persona.disclosure) if persona else ""


class TopicRecordSerializer(UnitSerializer):
    class Meta:
        model = Unit
        fields = (*UNIT_HEAD, "documentCount", "videoCount", "updatedAt", "url", "summary")


class EventRecordSerializer(UnitSerializer):
    occurredAt = Rfc3339Field(source="occurred_at", allow_null=True)
    entities = serializers.SerializerMethodField(help_text="ids of published entities")
    topics = serializers.SerializerMethodField(help_text="ids of published topics")

    class Meta:
        model = Event
        fields = (
            *UNIT_HEAD,
            *(
                "occurredAt",
                "summary",
                "entities",
                "topics",
                "documentCount",
                "videoCount",
                "updatedAt",
                "url",
            ),
        )

    def get_entities(self, event: Event) -> list[str]:
        return sorted(unit.public_id for unit in subjects_of(event) if unit.type != UnitType.TOPIC)

    def get_topics(self, event: Event) -> list[str]:
        return sorted(unit.public_id for unit in subjects_of(event) if unit.type == UnitType.TOPIC)


class PulseSourceSerializer(serializers.Serializer[PulseSource]):
    url = serializers.URLField()


class PulseRecordSerializer(serializers.ModelSerializer[Pulse]):
    id = serializers.CharField(source="public_id")
    asset = serializers.CharField(source="asset.public_id", help_text="id of the asset, as in entities.json")
    magnitudePct = serializers.FloatField(source="magnitude_pct", help_text="per cent; negative for a fall")
    detectedAt = Rfc3339Field(source="detected_at")
    confidence = serializers.FloatField(min_value=0, max_value=1)
    sources = serializers.SerializerMethodField()
    url = serializers.CharField(source="asset.get_absolute_url", help_text="site-relative page of the asset")
    assetLabel = serializers.CharField(source="asset.label")
    symbol = serializers.CharField(source="asset.symbol", allow_blank=True)
    startedAt = Rfc3339Field(source="started_at")
    endedAt = Rfc3339Field(source="ended_at", allow_null=True, help_text="null while the move goes on")
    horizonHours = serializers.IntegerField(
        source="horizon_hours", help_text="over how many hours it was measured"
    )
    summaryEn = serializers.CharField(source="summary_en", allow_blank=True)

    class Meta:
        model = Pulse
        fields = (
            *(
                "id",
                "asset",
                "direction",
                "magnitudePct",
                "detectedAt",
                "summary",
                "confidence",
                "sources",
                "url",
            ),
            *("assetLabel", "symbol", "kind", "startedAt", "endedAt", "horizonHours", "summaryEn"),
        )

    def get_sources(self, pulse: Pulse) -> list[PulseSource]:
        return pulse_sources(pulse.sources)


class IndexSerializer(serializers.Serializer[dict[str, Any]]):
    """The envelope of the canonical indexes."""

    version = serializers.CharField(help_text="v1; within it fields are added, never removed")
    count = serializers.IntegerField()
    generated_at = serializers.DateTimeField(
        help_text="when this body was built; it moves only when the records do"
    )


class EntityIndexSerializer(IndexSerializer):
    entities = EntityRecordSerializer(many=True)


class TopicIndexSerializer(IndexSerializer):
    topics = TopicRecordSerializer(many=True)


class EventIndexSerializer(IndexSerializer):
    events = EventRecordSerializer(many=True)


class PulseIndexSerializer(serializers.Serializer[dict[str, Any]]):
    version = serializers.CharField()
    generated_at = serializers.DateTimeField()
    window_hours = serializers.IntegerField(min_value=1, max_value=168)
    count = serializers.IntegerField()
    pulses = PulseRecordSerializer(many=True)


def persona_of(unit: Unit) -> Persona | None:
    return Persona.objects.filter(entity_id=unit.pk).first()
