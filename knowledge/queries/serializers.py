"""The records of the public JSON, field by field: the schema that ``/openapi.json`` shows.

``knowledge.queries.records`` builds them; a test holds their names together.
"""

# ruff: noqa: N815  the names are those of the public JSON

from __future__ import annotations

from datetime import datetime
from typing import Any

from rest_framework import serializers

from knowledge.models import Direction, PulseKind, UnitType
from knowledge.times import iso_kst


class Rfc3339Field(serializers.DateTimeField):
    """An RFC 3339 time with offset, in whole seconds."""

    def to_representation(self, value: datetime) -> str:
        return iso_kst(value)


def _texts(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(), **options)


class UnitSerializer(serializers.Serializer[Any]):
    """What every unit's record begins with."""

    id = serializers.CharField(help_text="`prefix:slug`, for ever the same")
    label = serializers.CharField()  # type: ignore[assignment]  # a record's label, not the field's own
    aliases = _texts(help_text="other names, those of merged units included; never the label itself")


UPDATED_AT = "the last change of what this record says, counts aside"
URL = "site-relative address of the page"


class EntityRecordSerializer(UnitSerializer):
    """An entity. An AI persona adds ``isAiPersona``, ``glyph`` and ``disclosure``, which others lack."""

    type = serializers.ChoiceField(choices=UnitType.choices)
    videoCount = serializers.IntegerField(min_value=0)
    updatedAt = Rfc3339Field(help_text=UPDATED_AT)
    documentCount = serializers.IntegerField(min_value=0)
    url = serializers.CharField(help_text=URL)
    summary = serializers.CharField()
    symbol = serializers.CharField(required=False, help_text="of an asset; absent where there is none")
    website = serializers.URLField(required=False, help_text="absent where none is known")
    isAiPersona = serializers.BooleanField(required=False, help_text="true, or absent")
    glyph = serializers.CharField(required=False)
    disclosure = serializers.CharField(required=False)


class TopicRecordSerializer(UnitSerializer):
    documentCount = serializers.IntegerField(min_value=0)
    videoCount = serializers.IntegerField(min_value=0)
    updatedAt = Rfc3339Field(help_text=UPDATED_AT)
    url = serializers.CharField(help_text=URL)
    summary = serializers.CharField()


class EventRecordSerializer(UnitSerializer):
    occurredAt = Rfc3339Field(allow_null=True)
    summary = serializers.CharField()
    entities = _texts(help_text="ids of published entities")
    topics = _texts(help_text="ids of published topics")
    documentCount = serializers.IntegerField(min_value=0)
    videoCount = serializers.IntegerField(min_value=0)
    updatedAt = Rfc3339Field(help_text=UPDATED_AT)
    url = serializers.CharField(help_text=URL)


class PulseRecordSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    asset = serializers.CharField(help_text="id of the asset, as in entities.json")
    direction = serializers.ChoiceField(choices=Direction.choices)
    magnitudePct = serializers.FloatField(help_text="per cent; negative for a fall")
    detectedAt = Rfc3339Field()
    summary = serializers.CharField()
    confidence = serializers.FloatField(min_value=0, max_value=1)
    sources = serializers.ListField(child=serializers.DictField(child=serializers.CharField()))
    url = serializers.CharField(help_text="site-relative page of the asset")
    assetLabel = serializers.CharField()
    symbol = serializers.CharField()
    kind = serializers.ChoiceField(choices=PulseKind.choices)
    startedAt = Rfc3339Field()
    endedAt = Rfc3339Field(allow_null=True, help_text="null while the move goes on")
    horizonHours = serializers.IntegerField(help_text="over how many hours it was measured")
    summaryEn = serializers.CharField()


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
