"""``/openapi.json``: OpenAPI 3.1, made once a process from the routes, the views and their serialisers."""

import threading
from functools import cache
from typing import Any

import orjson

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
