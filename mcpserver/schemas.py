"""The pieces that the tools' JSON Schemas (2020-12) are made of. Every object is closed, every string capped.

All twelve tools travel in one list that agents keep in their context, so the pieces are as short as they can be.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from knowledge.queries.cursors import CURSOR_MAX_LENGTH

Schema = dict[str, Any]

LIMIT_DEFAULT, LIMIT_MAX = 10, 50
ID_MAX_LENGTH = 300
QUERY_MAX_LENGTH = 200
TITLE_MAX_LENGTH = 500
URL_MAX_LENGTH = 1000
TEXT_MAX_LENGTH = 20_000
HINT_MAX_LENGTH = 400


def text(longest: int) -> Schema:
    return {"type": "string", "maxLength": longest}


def asked(description: str, longest: int = ID_MAX_LENGTH, *, shortest: int = 0) -> Schema:
    """A string argument."""
    found: Schema = {"type": "string", "description": description, "maxLength": longest}
    return found | {"minLength": shortest} if shortest else found


def choice(description: str, *values: str, default: str = "") -> Schema:
    found: Schema = {"type": "string", "description": description, "enum": list(values)}
    return found | {"default": default} if default else found


def whole(description: str, least: int, most: int, default: int) -> Schema:
    return {
        "type": "integer",
        "description": description,
        "minimum": least,
        "maximum": most,
        "default": default,
    }


def record(required: dict[str, Schema], **optional: Schema) -> Schema:
    """A closed object; ``optional`` properties may be absent."""
    return {**leaf(**required, **optional), "required": list(required)}


def leaf(**properties: Schema) -> Schema:
    """A small closed object inside of a record; that it holds all of them goes without saying."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


def rows(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def result(schema: Schema) -> Schema:
    """A tool's outputSchema: every short string refers to one definition, which is shorter than its own cap, and so
    does every object that stands in it twice."""
    shared: Schema = _shared(schema)
    written = Counter(_json(one) for one in _objects(shared) if one is not shared)
    twice = {one: f"o{place}" for place, (one, times) in enumerate(written.items()) if times > 1}
    found: Schema = _referring(shared, twice)
    definitions = {name: json.loads(one) for one, name in twice.items()}
    return {**found, "$defs": {"s": text(URL_MAX_LENGTH), **definitions}}


def _objects(schema: Any) -> Iterator[Schema]:
    """The schemas of objects in a schema, at any depth."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for one in schema.values():
            yield from _objects(one)


def _referring(schema: Any, names: Mapping[str, str]) -> Any:
    """The schema with a reference in place of every object that has a name."""
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "object" and (name := names.get(_json(schema))):
        return {"$ref": f"#/$defs/{name}"}
    return {name: _referring(one, names) for name, one in schema.items()}


def _json(schema: Schema) -> str:
    return json.dumps(schema)


def _shared(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_shared(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if (
        set(schema) == {"type", "maxLength"}
        and schema["type"] == "string"
        and schema["maxLength"] <= URL_MAX_LENGTH
    ):
        return {"$ref": "#/$defs/s"}
    return {name: _shared(one) for name, one in schema.items()}


def arguments(required: dict[str, Schema], **optional: Schema) -> Schema:
    """A tool's inputSchema; without ``$schema`` it is 2020-12, as MCP says."""
    return record(required, **optional) if required else leaf(**optional)


NUMBER: Schema = {"type": "number"}
INTEGER: Schema = {"type": "integer"}
YES_NO: Schema = {"type": "boolean"}
# One form for every figure, word and flag of a record: a form for each would not tell an agent more.
FACTS: Schema = {
    "type": "object",
    "patternProperties": {
        # No list of types: some clients cannot read one.
        "^[a-z0-9_]+$": {"maxLength": URL_MAX_LENGTH, "items": text(URL_MAX_LENGTH)}
    },
    "additionalProperties": False,
}
MOMENT: Schema = text(25)
ID: Schema = text(ID_MAX_LENGTH)
TITLE: Schema = text(TITLE_MAX_LENGTH)
URL: Schema = text(URL_MAX_LENGTH)
CITE: Schema = text(URL_MAX_LENGTH)
CITATION: Schema = leaf(n=INTEGER, label=TITLE, url=URL, type=text(10))
NAMED: Schema = leaf(id=ID, title=TITLE)
ITEM: dict[str, Schema] = {"id": ID, "kind": text(10), "title": TITLE, "url": URL, "updated_at": MOMENT}

LIMIT = whole("Items a page.", 1, LIMIT_MAX, LIMIT_DEFAULT)
CURSOR = asked("The last next_cursor.", CURSOR_MAX_LENGTH)
FORMAT = choice("How much to return.", "concise", "detailed", default="concise")
SINCE = asked("First day (Seoul), YYYY-MM-DD or RFC 3339.", 35)
UNTIL = asked("Last day (Seoul), YYYY-MM-DD or RFC 3339.", 35)


def listing(item: Schema, **more: Schema) -> Schema:
    """The page of a list; ``more`` is what it says beside its items."""
    return record(
        {"items": rows(item), "has_more": YES_NO, **more, "cite": CITE},
        next_cursor=text(CURSOR_MAX_LENGTH),
        hint=text(HINT_MAX_LENGTH),
    )
