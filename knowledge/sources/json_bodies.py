"""JSON answers of APIs: parsed within bounds, and values taken from them by their type.

What is not there or of another type raises one of ``MISFITS``, as Python's own look-ups do; ``Adapter.items`` makes one
failure of all of them.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from knowledge.invisible import visible
from knowledge.sources.errors import SourceError
from knowledge.sources.times import EARLIEST_YEAR

MISFITS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
# 5 MB of "{}," would be 1.6 million objects and 150 MB; the largest real answer has 12,000.
MAX_CONTAINERS = 200_000
_BOM = b"\xef\xbb\xbf"


def json_of(body: bytes) -> Any:
    """The JSON value of a body; raises ``ValueError``, or ``SourceError`` too_large."""
    if body.count(b"{") + body.count(b"[") > MAX_CONTAINERS:
        raise SourceError("too_large", f"the answer has more than {MAX_CONTAINERS} objects and lists")
    return orjson.loads(body.removeprefix(_BOM))


def rows(value: object) -> list[Any]:
    """A list; an object in its place, however empty, is never taken for one."""
    if not isinstance(value, list):
        raise TypeError(f"{_kind(value)} instead of a list")
    return value


def finite(value: object) -> float | None:
    """A JSON number or numeric text as a finite float, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def number(value: object) -> float:
    """The same where there must be one."""
    found = finite(value)
    if found is None:
        raise ValueError(f"{_kind(value)} instead of a number")
    return found


def positive(value: object) -> float:
    """A number above 0."""
    found = number(value)
    if found <= 0:
        raise ValueError("a number that is not above 0")
    return found


def epoch(value: object) -> datetime:
    """Unix seconds as aware UTC."""
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=number(value))
    if at.year < EARLIEST_YEAR:
        raise ValueError("no time that can be meant")
    return at


def text(record: Mapping[str, Any], name: str) -> str:
    """What stands under a name without characters that draw nothing; empty where it is missing or no text."""
    value = record.get(name)
    return visible(value) if isinstance(value, str) else ""


def needed(record: Mapping[str, Any], name: str) -> str:
    """The same where there must be one."""
    found = text(record, name)
    if not found:
        raise ValueError(f"no text under {name}")
    return found


def described(body: bytes) -> str:
    """What a body looks like, for messages: its type and first names, never its contents."""
    start = body[:400].removeprefix(_BOM).lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "an HTML page"
    if start.startswith(b"<"):
        return "XML"
    try:
        return _kind(json_of(body))
    except orjson.JSONDecodeError:
        return "something that is not JSON"


def _kind(value: object) -> str:
    if isinstance(value, dict):
        names = ", ".join(str(name)[:40] for name in list(value)[:6])
        return f"an object with {names}" if names else "an empty object"
    if isinstance(value, list):
        return f"a list of {_kind(value[0])}" if value else "an empty list"
    return {bool: "a boolean", int: "a number", float: "a number", str: "a text"}.get(type(value), "null")
