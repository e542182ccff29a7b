"""Search as readers and programs ask for it: records with a snippet, each once, in pages.

JSON, the search page and the search tool make this one call.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import NotRequired, TypedDict

from django.utils import timezone

from knowledge.bulkhead import SEARCHES
from knowledge.linking.service import units_named
from knowledge.models import AI_PERSONA
from knowledge.retrieval import LIMIT_MAX, Hit, search

SNIPPET_MAX_LENGTH = 240


class FoundRecord(TypedDict):
    """One record. ``url`` is site-relative, or the original where no page of ours carries the document."""

    id: str
    kind: str
    title: str
    snippet: str
    url: str
    publishedAt: str | None
    score: float
    source: NotRequired[str]
    originalUrl: NotRequired[str]
    isAiPersona: NotRequired[bool]
    glyph: NotRequired[str]
    disclosure: NotRequired[str]


@dataclass(frozen=True, slots=True)
class Page:
    """``next_cursor`` is empty on the last page."""

    items: list[FoundRecord]
    next_cursor: str


class CursorError(ValueError):
    """A cursor that this service did not hand out."""


def find(
    query: str, *, now: datetime, kinds: Collection[str] | None = None, limit: int = 10, cursor: str = ""
) -> Page:
    """The records that answer ``query`` best, ``limit`` at a time, at most 100 in all.

    Raises CursorError, and Busy (503) when this process searches for too many at once.
    """
    start = _position(cursor)
    with SEARCHES.place():
        hits = search(query, now=now, limit=LIMIT_MAX, kinds=kinds, linker=units_named)
    records = list({_identity(hit): hit for hit in reversed(hits)}.items())[::-1]
    shown = [_record(identity, hit) for identity, hit in records[start : start + limit]]
    following = start + limit
    return Page(shown, _cursor(following) if following < len(records) else "")


def _identity(hit: Hit) -> str:
    """The record a passage belongs to; of several passages of one record the best is kept."""
    if hit.unit is not None:
        return hit.unit.public_id
    if hit.document is not None:
        return f"document:{hit.document.pk}"
    assert hit.post is not None
    return f"post:{hit.post.pk}"


def _record(identity: str, hit: Hit) -> FoundRecord:
    page = hit.page.get_absolute_url() if hit.page is not None else ""
    record = FoundRecord(
        id=identity,
        kind=hit.kind,
        title=hit.title,
        snippet=_snippet(hit.text),
        url=page or (hit.document.url if hit.document else ""),
        publishedAt=timezone.localtime(hit.published_at).isoformat() if hit.published_at else None,
        score=round(hit.score, 3),
    )
    if hit.document is not None:
        record["source"] = hit.document.source.name
        record["originalUrl"] = hit.document.url
    if hit.post is not None:
        persona = hit.post.persona
        record["source"] = f"{persona.entity.label} · {AI_PERSONA}"
        record["isAiPersona"], record["glyph"], record["disclosure"] = True, persona.glyph, persona.disclosure
    return record


def _snippet(text: str) -> str:
    flat = " ".join(text.split())
    if len(flat) <= SNIPPET_MAX_LENGTH:
        return flat
    return flat[:SNIPPET_MAX_LENGTH].rsplit(" ", 1)[0] + "…"


def _cursor(position: int) -> str:
    return base64.urlsafe_b64encode(f"s{position}".encode()).decode().rstrip("=")


def _position(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        decoded = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        position = int(decoded.removeprefix("s")) if decoded.startswith("s") else -1
    except (binascii.Error, ValueError) as error:
        raise CursorError(cursor) from error
    if not 0 <= position <= LIMIT_MAX:
        raise CursorError(cursor)
    return position
