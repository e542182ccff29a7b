"""Where a list goes on: opaque to those who carry it, refused unless this list with these filters handed it out."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

import orjson

CURSOR_MAX_LENGTH = 400
FINGERPRINT_LENGTH = 8
# So far ahead or back nothing is recorded, and counting days from there would leave the calendar.
YEARS = range(1900, 2200)

Row = TypeVar("Row")


class CursorError(ValueError):
    """A cursor that this service did not hand out."""


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """``next_cursor`` is empty on the last page."""

    rows: list[Row]
    next_cursor: str = ""


@dataclass(frozen=True, slots=True)
class Pagination:
    """A list and its filters: whoever asks for the next page must ask for the same."""

    name: str
    filters: tuple[object, ...] = ()

    def after(self, *key: object) -> str:
        """The cursor that goes on after the row with this key (texts, numbers, times)."""
        written = [one.isoformat() if isinstance(one, datetime) else one for one in key]
        packed = orjson.dumps([self.name, self._fingerprint(), *written])
        return base64.urlsafe_b64encode(packed).decode().rstrip("=")

    def key(self, cursor: str, *types: type) -> list[Any] | None:
        """What ``after`` was given, as these types; None for the first page. Raises CursorError."""
        if not cursor:
            return None
        try:
            name, fingerprint, *written = self._unpacked(cursor)
            if (name, fingerprint) != (self.name, self._fingerprint()):
                raise CursorError(cursor)
            return [_read(one, kind) for one, kind in zip(written, types, strict=True)]
        except (binascii.Error, ValueError, TypeError, OverflowError) as error:
            raise CursorError(cursor) from error

    def _unpacked(self, cursor: str) -> list[Any]:
        if len(cursor) > CURSOR_MAX_LENGTH or not cursor.isascii():
            raise CursorError(cursor)
        unpacked = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(unpacked, list):
            raise CursorError(cursor)
        return unpacked

    def _fingerprint(self) -> str:
        said = orjson.dumps([str(one) for one in self.filters])
        return hashlib.sha256(said).hexdigest()[:FINGERPRINT_LENGTH]


def _read(written: Any, kind: type) -> Any:
    if kind is datetime:
        moment = datetime.fromisoformat(written)
        if moment.tzinfo is None or moment.year not in YEARS:
            raise ValueError("a time without a zone or beyond the calendar")
        return moment
    if type(written) is not kind:
        raise ValueError("another type")
    # What the database could not take would be an error of its own.
    if isinstance(written, int) and abs(written) >= 2**63:
        raise ValueError("beyond the database's integers")
    if isinstance(written, str) and "\0" in written:
        raise ValueError("U+0000")
    return written


def page(rows: Sequence[Row], limit: int, cursor_after: Callable[[Row], str]) -> Page[Row]:
    """The first ``limit`` of ``limit + 1`` rows, with a cursor (``cursor_after(row)``) where one more is there."""
    shown = list(rows[:limit])
    return Page(shown, cursor_after(shown[-1]) if len(rows) > limit else "")


def ranked_page(
    ranked: Sequence[Row], limit: int, pagination: Pagination, cursor: str, identity: Callable[[Row], str]
) -> Page[Row]:
    """A page of a ranking that is made anew for each page.

    The cursor names the last record shown and where it stood: the page goes on after that record wherever it stands
    now, or at that place where it is gone.
    """
    key = pagination.key(cursor, str, int)
    start = 0
    if key is not None:
        last, position = key
        identities = [identity(one) for one in ranked]
        start = identities.index(last) + 1 if last in identities else max(0, position)
    shown = list(ranked[start : start + limit])
    more = start + limit < len(ranked)
    return Page(shown, pagination.after(identity(shown[-1]), start + limit) if more and shown else "")
