"""``/openapi.json`` and the schemas of bulk lines, made once a process from routes, views and serialisers."""

import threading
from functools import cache
from typing import Any

import orjson

from bulk.files import FILES

_making = threading.Lock()


def document() -> dict[str, Any]:
    """The description as a value. Heavy to make and to import, so that happens with the first request for it."""
    with _making:
        return _document()


@cache
def _document() -> dict[str, Any]:
    from feeds.openapi.generation import generate

    return generate()


@cache
def body() -> bytes:
    return orjson.dumps(document(), option=orjson.OPT_INDENT_2)


def line_schema_body(name: str) -> bytes:
    """The schema of the lines of a bulk file; an unknown name is a KeyError."""
    with _making:
        return _line_schema(name)


@cache
def _line_schema(name: str) -> bytes:
    from feeds.openapi.line_schemas import line_schema

    return line_schema({file.name: file for file in FILES}[name])
