"""Schemas of the public records, where the serialisers cannot say all there is to say."""

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_object_type

from knowledge.models import ENTITY_TYPES
from knowledge.queries.serializers import EntityRecordSerializer, EventRecordSerializer, TopicRecordSerializer

PERSONA_MEMBERS = frozenset({"isAiPersona", "glyph", "disclosure"})


class RecordSchema(OpenApiSerializerExtension):
    """A record of ready bytes: every member is always there, but for those in ``absent``."""

    target_class = "knowledge.queries.serializers.TopicRecordSerializer"
    absent: frozenset[str] = frozenset()

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        properties = {name: _plain(each) for name, each in schema["properties"].items()}
        required = sorted(set(properties) - self.absent)
        described: dict[str, Any] = build_object_type(
            properties=properties, required=required, description=schema.get("description", "")
        )
        return described


class EntitySchema(RecordSchema):
    target_class = "knowledge.queries.serializers.EntityRecordSerializer"
    absent = PERSONA_MEMBERS | {"symbol", "website"}

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        schema = super().map_serializer(auto_schema, direction)
        schema["properties"]["type"] = {"type": "string", "enum": [kind.value for kind in ENTITY_TYPES]}
        return schema


class EventSchema(RecordSchema):
    target_class = "knowledge.queries.serializers.EventRecordSerializer"


class ChangeSchema(RecordSchema):
    target_class = "knowledge.queries.serializers.UnitChangeSerializer"

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        schema = super().map_serializer(auto_schema, direction)
        kinds = (EntityRecordSerializer, TopicRecordSerializer, EventRecordSerializer)
        records = [auto_schema.resolve_serializer(kind, "response").ref for kind in kinds]
        text = schema["properties"]["record"]["description"]
        schema["properties"]["record"] = {"anyOf": [*records, {"type": "null"}], "description": text}
        return schema


class PulseSchema(RecordSchema):
    target_class = "knowledge.queries.series_serializers.PulseRecordSerializer"


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Without what the admin calls a field, and without the limits of its form."""
    return {name: value for name, value in schema.items() if name not in ("title", "maxLength", "readOnly")}
