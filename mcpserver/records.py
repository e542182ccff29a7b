"""Records of the store as tools hand them out: readable ids, absolute addresses, times with their offset."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from django.conf import settings

from ask.models import Answer
from knowledge.licence import attribution
from knowledge.models import Document, PersonaPost, Pulse, Unit
from knowledge.queries.cursors import Page
from knowledge.times import iso_kst
from mcpserver.schemas import URL_MAX_LENGTH

Record = dict[str, Any]
Row = TypeVar("Row")

CONCISE_TITLE = 90
CONCISE_TEXT = 300


def absolute(path: str) -> str:
    return f"{settings.BASE_URL}{path}" if path.startswith("/") else path


def cite(path: str) -> str:
    """The line by which a reader finds a page of ours again."""
    return f"Cite as: {attribution(absolute(path))}"[:URL_MAX_LENGTH]


def cite_document(document: Document) -> str:
    """The line by which a reader finds what an outlet published: it is the outlet's."""
    return f"Cite as: {document.source.name}, {document.url}"[:URL_MAX_LENGTH]


def clipped(text: str, longest: int) -> str:
    """At most ``longest`` characters, cut after a word where there is one."""
    if len(text) <= longest:
        return text
    head = text[: longest - 1]
    return (head.rsplit(" ", 1)[0] if " " in head[longest // 2 :] else head).rstrip() + "…"


def unit_item(unit: Unit) -> Record:
    return {
        "id": unit.public_id,
        "kind": unit.kind,
        "title": unit.label,
        "url": absolute(unit.get_absolute_url()),
        "updated_at": iso_kst(unit.updated_at),
    }


def named(units: Iterable[Unit]) -> list[Record]:
    return [{"id": unit.public_id, "title": unit.label} for unit in units]


def occurrence(event: Unit) -> Record:
    """An event as it stands in another record's timeline."""
    found = {"id": event.public_id, "title": clipped(event.label, CONCISE_TITLE)}
    if event.occurred_at:
        found["occurred_at"] = iso_kst(event.occurred_at)
    return found


def document_item(document: Document) -> Record:
    """A document as a source: its original address, where it was published and, if known, when."""
    found = {
        "id": f"document:{document.pk}",
        "title": clipped(document.title, CONCISE_TITLE),
        "url": document.url,
        "source": document.source.name,
    }
    if document.published_at:
        found["published_at"] = iso_kst(document.published_at)
    return found


def pulse_item(pulse: Pulse) -> Record:
    return {
        "id": pulse.public_id,
        "kind": "pulse",
        "title": pulse.summary or f"{pulse.asset.label} {pulse.magnitude_pct:+.1f}{pulse.unit}",
        "url": absolute(pulse.asset.get_absolute_url()),
        "updated_at": iso_kst(pulse.detected_at),
        "asset": pulse.asset.public_id,
        "pulse_kind": pulse.kind,
        "direction": pulse.direction,
        "magnitude_pct": pulse.magnitude_pct,
        "horizon_hours": pulse.horizon_hours,
        "confidence": pulse.confidence,
    }


def answer_item(answer: Answer, generated_at: str) -> Record:
    return {
        "id": f"answer:{answer.pk}",
        "kind": "answer",
        "title": answer.question,
        "url": absolute(answer.get_absolute_url()),
        "updated_at": generated_at,
    }


def post_text(post: PersonaPost) -> str:
    """A persona's words, never without what it is."""
    persona = post.persona
    return f"{persona.byline}\n{persona.disclosed}\n\n{post.body}"


def citations(stored: Sequence[Any], most: int) -> list[Record]:
    """The first citations of a stored answer; ``n`` is the number by which its text refers to each."""
    return [
        {"n": number, "label": one["label"], "url": absolute(one["url"]), "type": one["type"]}
        for number, one in enumerate(stored[:most], 1)
    ]


def listing(page: Page[Row], shape: Callable[[Row], Record], *, path: str, hint: str) -> Record:
    """A page of a list; an empty one says what to try instead."""
    items = [shape(row) for row in page.rows]
    found: Record = {"items": items, "has_more": bool(page.next_cursor), "cite": cite(path)}
    if page.next_cursor:
        found["next_cursor"] = page.next_cursor
    if not items:
        found["hint"] = hint
    return found
