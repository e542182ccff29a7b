"""Where a list goes on: a signed key, so that only what this list with these filters handed out is taken back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import orjson
from django.core.signing import BadSignature, Signer
from django.db.models import Model, Q, QuerySet

# Enough for the longest key, a Korean label of 200 syllables; a test holds the two together.
CURSOR_MAX_LENGTH = 900

Row = TypeVar("Row")
Stored = TypeVar("Stored", bound=Model)


class Utf8Json:
    """Keys as they are signed. Django's own JSON has a Korean label twice as long, each syllable as ``\\uXXXX``."""

    dumps = staticmethod(orjson.dumps)
    loads = staticmethod(orjson.loads)


class CursorError(ValueError):
    """A cursor that this service did not hand out."""


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """``next_cursor`` is empty on the last page."""

    rows: list[Row]
    next_cursor: str = ""


class Pagination:
    """A list and its filters: whoever asks for the next page must ask for the same."""

    def __init__(self, name: str, filters: tuple[object, ...] = ()) -> None:
        self._signer = Signer(sep=".", salt=f"cursor of {name} {filters!r}")

    def after(self, *key: object) -> str:
        """The cursor that goes on after the row with this key (texts, numbers, times)."""
        return self._signer.sign_object(list(key), serializer=Utf8Json)

    def key(self, cursor: str) -> list[Any] | None:
        """What ``after`` was given, times in ISO 8601; None for the first page. Raises CursorError."""
        try:
            return list(self._signer.unsign_object(cursor, serializer=Utf8Json)) if cursor else None
        except (BadSignature, ValueError) as error:
            raise CursorError(cursor) from error

    def page(self, rows: QuerySet[Stored], order: tuple[str, str], limit: int, cursor: str) -> Page[Stored]:
        """A page of rows in the order of two columns, each ascending or ``-`` descending, together unique."""
        first, second = (column.lstrip("-") for column in order)
        beyond_first, beyond_second = (
            f"{column[1:]}__lt" if column.startswith("-") else f"{column}__gt" for column in order
        )
        if (key := self.key(cursor)) is not None:
            rows = rows.filter(Q((beyond_first, key[0])) | Q((first, key[0]), (beyond_second, key[1])))
        found = list(rows.order_by(*order)[: limit + 1])
        return page(found, limit, lambda row: self.after(getattr(row, first), getattr(row, second)))


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
    last, start = pagination.key(cursor) or (None, 0)
    identities = [identity(one) for one in ranked]
    if last in identities:
        start = identities.index(last) + 1
    return page(ranked[start:], limit, lambda shown: pagination.after(identity(shown), start + limit))
