"""JSON answers of APIs: parsed within bounds, and a plain word for what they are when they are not what was
expected.
"""

from __future__ import annotations

from typing import Any

import orjson

from knowledge.sources.errors import SourceError

# 5 MB of "{}," would be 1.6 million objects and 150 MB; the largest real answer has 12,000.
MAX_CONTAINERS = 200_000


def parse_json(body: bytes, expected: str) -> Any:
    """The JSON value of a body; ``expected`` names in messages what the adapter looks for.

    Raises ``SourceError`` parse (an HTML challenge with status 200 is the usual one) or too_large.
    """
    if body.count(b"{") + body.count(b"[") > MAX_CONTAINERS:
        raise SourceError("too_large", f"the answer has more than {MAX_CONTAINERS} objects and lists")
    try:
        return orjson.loads(body.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError:
        raise unexpected(expected, _kind_of_text(body)) from None


def objects(value: Any, expected: str) -> list[dict[str, Any]]:
    """``value`` as a list of objects; raises ``SourceError`` parse when it is anything else."""
    if not isinstance(value, list):
        raise unexpected(expected, describe(value))
    for row in value:
        if not isinstance(row, dict):
            raise unexpected(expected, f"a list with {describe(row)} in it")
    return value


def unexpected(expected: str, found: str) -> SourceError:
    return SourceError("parse", f"expected {expected}, found {found}")


def describe(value: Any) -> str:
    """What a JSON value looks like, for messages: its type and first names, never its contents."""
    if isinstance(value, dict):
        names = ", ".join(str(name)[:40] for name in list(value)[:6])
        return f"an object with {names}" if names else "an empty object"
    if isinstance(value, list):
        return f"a list of {describe(value[0])}" if value else "an empty list"
    return {bool: "a boolean", int: "a number", float: "a number", str: "a text"}.get(type(value), "null")


def _kind_of_text(body: bytes) -> str:
    start = body[:400].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "an HTML page"
    return "XML" if start.startswith(b"<") else "something that is not JSON"
