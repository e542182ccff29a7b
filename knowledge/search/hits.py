"""What search hands out: a passage with its subject, its score and the page it is cited by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from knowledge.models import Document, Mention, PersonaPost, SourceKind, Unit
from knowledge.models.search import SearchPassage


@dataclass(frozen=True, slots=True)
class Hit:
    """A public passage that answers to a question, with its subject loaded: reading it runs no further query.

    Exactly one of ``unit``, ``document`` (with ``source`` and ``source.creator``) and ``post`` (with
    ``persona.entity``) is set. ``landing_unit`` is the public unit on whose page the passage stands: the unit
    itself, the one a document chiefly speaks of (a video without one: its creator), the persona; None for a
    document of neither. ``score`` is a sum of BM25 weights, 0 or more without an upper bound: it orders the hits
    of one question and compares with no other's.
    """

    passage_id: int
    kind: str
    title: str
    text: str
    lang: str
    published_at: datetime | None
    score: float
    unit: Unit | None
    document: Document | None
    post: PersonaPost | None
    landing_unit: Unit | None


def unit_hit(unit: Unit) -> Hit:
    """A public unit as a hit that no passage brought: its summary, without a score."""
    return Hit(
        passage_id=0,
        kind=unit.kind,
        title=unit.label,
        text=unit.summary or unit.summary_en,
        lang="ko" if unit.summary else "en",
        published_at=unit.occurred_at,
        score=0.0,
        unit=unit,
        document=None,
        post=None,
        landing_unit=unit,
    )


def load_passages(ids: Iterable[int]) -> dict[int, SearchPassage]:
    """Passages with their subjects, by id, in one query."""
    rows = SearchPassage.objects.defer("tsv").select_related(
        "unit", "document__source__creator", "post__persona__entity"
    )
    return rows.in_bulk(list(ids))


def landing_units(passages: Iterable[SearchPassage]) -> dict[int, Unit]:
    """The public unit on whose page each passage stands, by passage id; one query for all documents."""
    rows = list(passages)
    spoken_of = _chief_units({row.document_id for row in rows if row.document_id is not None})
    found = {row.pk: _landing_unit(row, spoken_of) for row in rows}
    return {key: unit for key, unit in found.items() if unit is not None}


def _landing_unit(passage: SearchPassage, spoken_of: dict[int, Unit]) -> Unit | None:
    if passage.unit is not None:
        return passage.unit
    if passage.post is not None:
        return passage.post.persona.entity
    document = passage.document
    if document is None or document.pk in spoken_of:
        return spoken_of[document.pk] if document else None
    creator = document.source.creator if document.kind == SourceKind.VIDEO else None
    return creator if creator is not None and creator.is_public else None


def _chief_units(document_ids: set[int]) -> dict[int, Unit]:
    """The public unit each document mentions most, the earlier one among equals; see ``Unit.survivor``."""
    counts: dict[int, Counter[Unit]] = {}
    mentions = Mention.objects.filter(document__in=document_ids).select_related("unit__merged_into")
    for mention in mentions.order_by("document_id", "start"):
        unit = mention.unit.survivor
        if unit.is_public:
            counts.setdefault(mention.document_id, Counter())[unit] += 1
    # A Counter keeps first-seen order among equal counts.
    return {document_id: counted.most_common(1)[0][0] for document_id, counted in counts.items()}
