"""Search results as JSON and the search page show them: ``knowledge.catalogue.search`` finds them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NotRequired, TypedDict

from django.utils import timezone

from knowledge.catalogue.cursors import Page
from knowledge.catalogue.search import found, record_id
from knowledge.models import AI_PERSONA
from knowledge.search.hits import Hit

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


def find(
    query: str, *, now: datetime, kinds: Collection[str] | None = None, limit: int = 10, cursor: str = ""
) -> Page[FoundRecord]:
    """A page of the records that ``found`` finds. Raises CursorError, and Busy (503)."""
    page = found(query, now=now, kinds=kinds, limit=limit, cursor=cursor)
    return Page([_record(hit) for hit in page.rows], page.next_cursor)


def _record(hit: Hit) -> FoundRecord:
    page = hit.page.get_absolute_url() if hit.page is not None else ""
    record = FoundRecord(
        id=record_id(hit),
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
