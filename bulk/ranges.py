"""The part of a file that a request asks for: RFC 9110, 14.2 (Range) and 13.1.5 (If-Range)."""

import re

from django.http import HttpRequest

from bulk.errors import RangeNotSatisfiable

# One range of bytes: from a place on, from a place to another, or so many at the end.
_ONE_RANGE = re.compile(
    r"bytes\s*=\s*(?:([0-9]{1,18})\s*-\s*([0-9]{1,18})?|-\s*([0-9]{1,18}))", re.ASCII | re.IGNORECASE
)


def part_of(request: HttpRequest, size: int, etag: str) -> tuple[int, int] | None:
    """``(first, stop)`` of the bytes that are asked for; None for the whole file.

    What cannot be read, asks for several parts or is of another version gets the whole, as the RFC wants it. Raises
    RangeNotSatisfiable (416).
    """
    if request.method != "GET" or request.headers.get("If-Range", etag) != etag:
        return None
    asked = _ONE_RANGE.fullmatch(request.headers.get("Range", "").strip())
    if asked is None:
        return None
    if asked[2] and int(asked[2]) < int(asked[1]):
        return None
    first, stop = _bounds(asked, size)
    if first >= size:
        raise RangeNotSatisfiable(size)
    return first, stop


def _bounds(asked: re.Match[str], size: int) -> tuple[int, int]:
    if asked[3] is not None:
        length = int(asked[3])
        return (max(0, size - length), size) if length else (size, size)
    return int(asked[1]), min(size, int(asked[2]) + 1) if asked[2] else size
