"""A passage's citation: the canonical page it stands on, under a name that says where it comes from; and beside it, for
readers, who says it, when, and in which words.

Citations lead to our own pages only. A document's is the unit it chiefly speaks of (``landing_unit``), whose page
lists the document with its original link.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from django.utils import timezone

from ask.language import Language
from knowledge.models import Document, Unit
from knowledge.models.search import SearchPassage
from knowledge.times import iso_kst

QUOTE_MAX_LENGTH = 120  # characters of a source's words beside it


class CitationRecord(TypedDict):
    """A citation as the contract shows it. ``url`` is site-relative."""

    label: str
    url: str
    type: str


class SourceRecord(TypedDict):
    """What readers are told beside a citation. ``page`` is the page's name in the language of the answer; ``outlet`` is
    empty where a record of ours is cited; ``at`` is RFC 3339, or empty."""

    page: str
    outlet: str
    at: str
    quote: str


class ShownSource(CitationRecord, SourceRecord):
    """A citation as a page shows it."""


_UNTOLD = SourceRecord(page="", outlet="", at="", quote="")


@dataclass(frozen=True, slots=True)
class Citation:
    label: str
    url: str
    type: str  # entity, topic, event, asset or creator

    def record(self) -> CitationRecord:
        return {"label": self.label, "url": self.url, "type": self.type}


def cite(hit: SearchPassage, lang: Language) -> Citation | None:
    """The citation of a passage in an answer of this language; None where no canonical page carries it, so it cannot be
    evidence."""
    if hit.landing_unit is None:
        return None
    return Citation(_label(hit, hit.landing_unit, lang), hit.page, hit.landing_unit.url_prefix)


def _label(hit: SearchPassage, page: Unit, lang: Language) -> str:
    if hit.post is not None:
        return hit.post.persona.byline
    name = page.label_in(lang)
    if hit.document is not None:
        source = hit.document.source
        outlet = (lang == "en" and source.name_en) or source.name
        return ", ".join(part for part in (name, outlet, _day(hit.document)) if part)
    return name


def _day(document: Document) -> str:
    moment: datetime | None = document.published_at
    return timezone.localtime(moment).strftime("%Y-%m-%d") if moment else ""


def sources_of(
    quoted: Iterable[tuple[Citation, SearchPassage, Iterable[str]]], lang: Language
) -> list[SourceRecord]:
    """A record for each different citation, in the order in which they are first quoted. One of several documents that
    are cited alike is told by the first of them."""
    hits: dict[Citation, SearchPassage] = {}
    said: dict[Citation, dict[str, None]] = {}
    for citation, hit, sentences in quoted:
        hits.setdefault(citation, hit)
        said.setdefault(citation, {}).update(dict.fromkeys(one.strip() for one in sentences))
    return [
        {
            "page": _page(hit, lang),
            "outlet": _outlet(hit),
            "at": _at(hit),
            "quote": _shortened(said[citation]),
        }
        for citation, hit in hits.items()
    ]


def _page(hit: SearchPassage, lang: Language) -> str:
    page = hit.landing_unit
    if page is None or hit.post is not None:
        return ""
    return page.label_in(lang)


def _outlet(hit: SearchPassage) -> str:
    return hit.document.source.name if hit.document is not None else hit.outlet


def _at(hit: SearchPassage) -> str:
    """When it was published or measured; of a record of ours, when it last changed."""
    subject = hit.document or hit.post
    moment = (
        subject.published_at if subject is not None else hit.measured_at or (hit.unit and hit.unit.updated_at)
    )
    return iso_kst(moment) if moment else ""


def _shortened(sentences: Iterable[str]) -> str:
    """Whole sentences as far as they have room; the first always, cut where it must be."""
    kept = ""
    for sentence in sentences:
        if kept and len(kept) + len(sentence) >= QUOTE_MAX_LENGTH:
            break
        kept = f"{kept} {sentence}".strip()
    return kept if len(kept) <= QUOTE_MAX_LENGTH else f"{kept[: QUOTE_MAX_LENGTH - 1].rstrip()}…"


def told_sources(citations: Iterable[CitationRecord], sources: Sequence[SourceRecord]) -> list[ShownSource]:
    """Both records of each citation in one; a version of a time without sources has the first alone."""
    return [
        ShownSource(**citation, **(sources[place] if place < len(sources) else _UNTOLD))
        for place, citation in enumerate(citations)
    ]
