"""Schemas of a day file, where the serialisers cannot say all there is to say: open objects, numbers or texts."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema

TEXT: dict[str, Any] = {"type": "string"}


class DayPartSchema(OpenApiSerializerExtension):
    """``said`` is the schema of members that the generator has no word for. An object that is ``open`` may have members
    that nobody declared: it stands in the file as a sister service sent it."""

    target_class = "archive.day_serializers.NotableSerializer"
    said: Mapping[str, dict[str, Any]] = MappingProxyType(
        {
            "evidence": {
                "type": "object",
                "additionalProperties": {
                    "anyOf": [{"type": "integer"}, TEXT, {"type": "array", "items": TEXT}]
                },
            }
        }
    )
    open = False

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        for name, said in self.said.items():
            text = schema["properties"][name].get("description")
            schema["properties"][name] = {**said, **({"description": text} if text else {})}
        return schema | ({"additionalProperties": True} if self.open else {})


class SentSchema(DayPartSchema):
    target_class = "archive.day_serializers.SisterSignalSerializer"
    said = MappingProxyType({})
    open = True


class MetricsSchema(SentSchema):
    target_class = "archive.day_serializers.SisterMetricsSerializer"


class TopicCountSchema(SentSchema):
    target_class = "archive.day_serializers.TopicCountSerializer"


class HighlightSchema(SentSchema):
    target_class = "archive.day_serializers.HighlightSerializer"
    said = MappingProxyType({"value": {"anyOf": [TEXT, {"type": "number"}]}})
