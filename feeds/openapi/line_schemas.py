"""JSON Schemas of the lines of bulk files: what ``/openapi.json`` says of a record, in a file of its own."""

from typing import Any

import orjson
from django.conf import settings
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry
from drf_spectacular.settings import patched_settings
from rest_framework.views import APIView

from bulk.files import BulkFile
from feeds.openapi.generation import SETTINGS, head, in_markdown

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Where components stand in an OpenAPI document, and where in a schema of its own.
COMPONENTS, DEFINITIONS = b'"#/components/schemas/', b'"#/$defs/'
# Files of former weeks are still handed out: a line that is older than these members lacks them.
LATER_MEMBERS = {
    name: {"category", "country", "labelEn", "summaryEn", "sourceUrls"}
    for name in ("entities", "topics", "events")
}
NOTES = "x-"  # drf-spectacular's to itself


def line_schema(file: BulkFile) -> bytes:
    """The schema that each line of a file meets. One thread at a time: it patches the generator's settings."""
    with patched_settings(SETTINGS | head()), GENERATOR_STATS.silence():
        schemas = AutoSchema()
        schemas.registry = ComponentRegistry()
        schemas.view, schemas.method, schemas.path = APIView(request=None), "GET", "/"
        line = schemas.resolve_serializer(file.serializer, "response")
        definitions = schemas.registry.build({})["schemas"]
    later = LATER_MEMBERS.get(file.name, set())
    for definition in definitions.values():
        definition["required"] = [name for name in definition.get("required", ()) if name not in later]
    document = {
        "$schema": DIALECT,
        "$id": f"{settings.BASE_URL}/api/bulk/schemas/{file.name}.json",
        "title": f"A line of {file.name}.jsonl.gz",
        **line.ref,
        "$defs": in_markdown(_without_notes(definitions)),
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2).replace(COMPONENTS, DEFINITIONS)


def _without_notes(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_notes(each) for name, each in value.items() if not name.startswith(NOTES)}
    return [_without_notes(each) for each in value] if isinstance(value, list) else value
