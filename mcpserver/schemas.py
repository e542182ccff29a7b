"""The pieces that the tools' JSON Schemas (2020-12) are made of. Every object is closed, every string capped.

All twelve tools travel in one list that agents keep in their context, so the pieces are as short as they can be.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from knowledge.queries.cursors import CURSOR_MAX_LENGTH

Schema = dict[str, Any]

LIMIT_DEFAULT, LIMIT_MAX = 10, 50
ID_MAX_LENGTH = 300
QUERY_MAX_LENGTH = 200
TITLE_MAX_LENGTH = 500
URL_MAX_LENGTH = 1000
TEXT_MAX_LENGTH = 20_000
HINT_MAX_LENGTH = 900
LISTED_VALUES_MAX = 12  # of a vocabulary
VALUE_MAX_LENGTH = 40  # of a word of a vocabulary


def text(longest: int) -> Schema:
    return {"type": "string", "maxLength": longest}


def asked(description: str, longest: int = ID_MAX_LENGTH, *, shortest: int = 0) -> Schema:
    """A string argument."""
    found: Schema = {"type": "string", "description": description, "maxLength": longest}
    return found | {"minLength": shortest} if shortest else found


def choice(description: str, *values: str, default: str = "") -> Schema:
    found: Schema = {"type": "string", "description": description, "enum": list(values)}
    return found | {"default": default} if default else found


def some_of(description: str, values: Sequence[str]) -> Schema:
    """A list of some of these values."""
    return {
        "type": "array",
        "description": description,
        "minItems": 1,
        # Ahead of "items", which looks at each. Not "uniqueItems": that compares each with each.
        "maxItems": len(values),
        # Capped where the vocabulary is too long to be listed.
        "items": {
            **(text(VALUE_MAX_LENGTH) if len(values) > LISTED_VALUES_MAX else {"type": "string"}),
            "enum": list(values),
        },
    }


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
    does every object and every array that stands in it twice."""
    found: Schema = _shared(schema)
    definitions: dict[str, Schema] = {"s": text(URL_MAX_LENGTH)}
    for kind in ("object", "array"):
        written = Counter(_json(one) for one in _of_type(kind, found) if one is not found)
        twice = {one: f"{kind[0]}{at}" for at, (one, times) in enumerate(written.items()) if times > 1}
        definitions |= {name: json.loads(one) for one, name in twice.items()}
        found = _referring(found, twice)
    return {**found, "$defs": definitions}


def listed_output(schema: Any) -> Any:
    """An outputSchema as it is listed: which members a record has, not which of them are never absent. The list of
    tools has room for one of the two."""
    return _without(schema, "required", lambda named: True)


def listed_input(schema: Any) -> Any:
    """An inputSchema as it is listed: of a long vocabulary the description names a few words, and who uses another one
    is told all of them."""
    return _without(schema, "enum", lambda values: len(values) > LISTED_VALUES_MAX)


def _without(schema: Any, keyword: str, drops: Callable[[list[Any]], bool]) -> Any:
    """The schema without a keyword whose value is a list, where ``drops`` says so of that list."""
    if not isinstance(schema, dict):
        return [_without(one, keyword, drops) for one in schema] if isinstance(schema, list) else schema
    return {
        name: _without(one, keyword, drops)
        for name, one in schema.items()
        if name != keyword or not isinstance(one, list) or not drops(one)
    }


def _of_type(kind: str, schema: Any) -> Iterator[Schema]:
    """The schemas of a type in a schema, at any depth."""
    if isinstance(schema, dict):
        if schema.get("type") == kind:
            yield schema
        for one in schema.values():
            yield from _of_type(kind, one)


def _referring(schema: Any, names: Mapping[str, str]) -> Any:
    """The schema with a reference in place of every part that has a name."""
    if not isinstance(schema, dict):
        return schema
    if name := names.get(_json(schema)):
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
# One form for every small record that is part of a record, whatever its members: a form for each would not tell an
# agent more, and twelve tools share one page.
FACTS: Schema = {"type": "object", "additionalProperties": {"maxLength": TEXT_MAX_LENGTH}}
MOMENT: Schema = text(25)
ID: Schema = text(ID_MAX_LENGTH)
TITLE: Schema = text(TITLE_MAX_LENGTH)
URL: Schema = text(URL_MAX_LENGTH)
CITE: Schema = text(URL_MAX_LENGTH)
CITATION: Schema = leaf(n=INTEGER, label=TITLE, url=URL, type=text(10))
ITEM: dict[str, Schema] = {"id": ID, "kind": text(10), "title": TITLE, "url": URL, "updated_at": MOMENT}

LIMIT = whole("Items a page.", 1, LIMIT_MAX, LIMIT_DEFAULT)
CURSOR = asked("The last next_cursor.", CURSOR_MAX_LENGTH)
FORMAT = choice("How much.", "concise", "detailed", default="concise")
SINCE = asked("First day in Seoul, or RFC 3339.", 35)
UNTIL = asked("Last day in Seoul, or RFC 3339.", 35)


def listing(item: Schema, optional: Mapping[str, Schema] | None = None, **more: Schema) -> Schema:
    """The page of a list; ``more`` is what it says beside its items, ``optional`` what it may say."""
    return record(
        {"items": rows(item), "has_more": YES_NO, **more, "cite": CITE},
        **optional or {},
        next_cursor=text(CURSOR_MAX_LENGTH),
        hint=text(HINT_MAX_LENGTH),
    )
