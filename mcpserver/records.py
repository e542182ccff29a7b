"""Records of the store as tools hand them out: readable ids, absolute addresses, times with their offset."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from django.conf import settings

from ask.models import Answer
from ask.told import ToldOpinion
from knowledge.licence import attribution
from knowledge.models import Document, Persona, PersonaPost, Pulse, Unit
from knowledge.models.personas import ai_disclosure
from knowledge.queries.cursors import Page
from knowledge.times import iso_kst
from mcpserver.languages import in_english
from mcpserver.schemas import TEXT_MAX_LENGTH, URL_MAX_LENGTH

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
        "title": unit.shown_label,
        "url": absolute(unit.get_absolute_url()),
        "updated_at": iso_kst(unit.updated_at),
    }


def sort_of(unit: Unit) -> Record:
    """What kind of thing a unit is and where it belongs, as far as that is said."""
    return {name: value for name in ("type", "category", "country") if (value := getattr(unit, name))}


def named(units: Iterable[Unit]) -> list[Record]:
    return [{"id": unit.public_id, "title": unit.shown_label} for unit in units]


def occurrence(event: Unit) -> Record:
    """An event as it stands in another record's timeline."""
    found = {"id": event.public_id, "title": clipped(event.shown_label, CONCISE_TITLE)}
    if event.occurred_at:
        found["occurred_at"] = iso_kst(event.occurred_at)
    return found


def outlet_of(document: Document) -> str:
    source = document.source
    return (in_english() and source.name_en) or source.name


def document_item(document: Document) -> Record:
    """A document as a source: its original address, where it was published and, if known, when."""
    found = {
        "id": f"document:{document.pk}",
        "title": clipped(document.title, CONCISE_TITLE),
        "url": document.url,
        "source": outlet_of(document),
    }
    if document.published_at:
        found["published_at"] = iso_kst(document.published_at)
    return found


def pulse_title(pulse: Pulse) -> str:
    said = (in_english() and pulse.summary_en) or pulse.summary
    return said or f"{pulse.asset.shown_label} {pulse.magnitude_pct:+.1f}{pulse.unit}"


def pulse_item(pulse: Pulse) -> Record:
    return {
        "id": pulse.public_id,
        "kind": "pulse",
        "title": pulse_title(pulse),
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


def disclosure_of(persona: Persona) -> str:
    """What it says of itself, in the language of the result."""
    return ai_disclosure(persona.disclosure_en) if in_english() else persona.disclosed


def post_item(post: PersonaPost) -> Record:
    """A persona's opinion as part of another record."""
    return {
        "id": f"post:{post.pk}",
        "url": absolute(post.get_absolute_url()),
        "published_at": iso_kst(post.published_at),
        "persona": post.persona.entity.public_id,
        "glyph": post.persona.glyph,
        "disclosure": disclosure_of(post.persona),
        "text": post.body[:TEXT_MAX_LENGTH],
    }


def citations(stored: Sequence[Any], numbers: Iterable[int]) -> list[Record]:
    """Citations of a stored answer; ``n`` is the number by which its text refers to each."""
    chosen = ((number, stored[number - 1]) for number in numbers)
    return [
        {"n": number, "label": one["label"], "url": absolute(one["url"]), "type": one["type"]}
        for number, one in chosen
    ]


def opinions(told: Sequence[ToldOpinion], stored: Sequence[Any]) -> list[Record]:
    """What AI personas say beside an answer, each with what it is."""
    slugs = {stored[one.number - 1]["url"].rpartition("/")[2] for one in told}
    personas = Persona.objects.filter(entity__slug__in=slugs).select_related("entity") if slugs else ()
    by_page = {persona.entity.get_absolute_url(): persona for persona in personas}
    return [
        opinion(one, by_page[stored[one.number - 1]["url"]])
        for one in told
        if stored[one.number - 1]["url"] in by_page
    ]


def opinion(one: ToldOpinion, persona: Persona) -> Record:
    return {
        "text": one.text,
        "persona": persona.entity.public_id,
        "glyph": persona.glyph,
        "disclosure": disclosure_of(persona),
        "url": absolute(persona.entity.get_absolute_url()),
    }


def listing(page: Page[Row], shape: Callable[[Row], Record], *, path: str, hint: str) -> Record:
    """A page of a list; an empty one says what to try instead."""
    items = [shape(row) for row in page.rows]
    found: Record = {"items": items, "has_more": bool(page.next_cursor), "cite": cite(path)}
    if page.next_cursor:
        found["next_cursor"] = page.next_cursor
    if not items and hint:
        found["hint"] = hint
    return found
