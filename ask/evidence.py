"""What an answer may rest on: the best passages that have a page to be cited by, and whether they are still public.

A key names a passage's subject: ``unit:5``, ``document:7``, ``post:3``. A version keeps the keys of all it was made
from, and of what it quotes, so that a withdrawal finds the answers it concerns.
"""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import orjson
from django.db.models import QuerySet

from ask.citations import Citation, cite
from ask.figures import passages_about
from ask.language import language_of
from knowledge.models import Document, PersonaPost, Unit
from knowledge.models.search import PassageKind, SearchPassage
from knowledge.search.ranking import UnderstoodQuestion, search
from knowledge.search.scoring import Filters

EVIDENCE_MAX = 12  # passages an answer is made from
UNITS_MAX = 3  # units that are read whole
NAMED_MAX = 6  # of them, passages of the units that the question names
_CANONICAL = Filters(kinds=(PassageKind.ENTITY, PassageKind.TOPIC, PassageKind.EVENT))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that can be cited. ``page_key`` names the unit on whose page it is cited; ``rank`` counts from 0 what
    was found before it, each subject once."""

    hit: SearchPassage
    citation: Citation
    key: str
    page_key: str
    rank: int = 0

    @property
    def is_opinion(self) -> bool:
        """Whether an AI persona says it."""
        return self.hit.post is not None

    @property
    def is_figure(self) -> bool:
        """Whether it was made for the question from what is measured."""
        return self.hit.pk is None


def unit_key(pk: int) -> str:
    return f"unit:{pk}"


def document_key(pk: int) -> str:
    return f"document:{pk}"


def gather(question: UnderstoodQuestion, *, now: datetime) -> list[Evidence]:
    """The passages to answer from, best first.

    A unit that the question names is heard before others: a question that is little more than its name ranks every
    passage naming it above the longer one that says what it is.
    """
    hits = search(question, now=now)
    own = [hit for hit in hits if _is_of(hit, question.named)]
    if question.named and not own:
        hits_of_units = search(question, now=now, filters=_CANONICAL)
        own = [hit for hit in hits_of_units if _is_of(hit, question.named)]
        hits = [*hits, *own]
    first = {hit.pk for hit in own[:NAMED_MAX]}
    # Where no canonical page carries a passage it cannot be cited, so it is no evidence.
    found = [evidence for hit in hits if (evidence := evidence_of(hit))]
    found.sort(key=lambda one: one.hit.pk not in first)
    best = sorted([*_figures(question, hits, now), *found][:EVIDENCE_MAX], key=lambda one: -one.hit.score)
    return _ranked([*best, *_untold(question, best)], question.named)


def _ranked(found: Sequence[Evidence], named: Collection[str]) -> list[Evidence]:
    """With the place of each subject, the units that the question names before all others; figures have none, they
    stand beside what is recorded."""
    first = [one.key for public_id in named for one in found if _is_of(one.hit, (public_id,))]
    ranks = {key: rank for rank, key in enumerate(dict.fromkeys(first))}
    return [replace(one, rank=0 if one.is_figure else ranks.setdefault(one.key, len(ranks))) for one in found]


def _untold(question: UnderstoodQuestion, best: Sequence[Evidence]) -> list[Evidence]:
    """What the named and the first units say in the language of the question, where retrieval brought no passage or
    another of theirs."""
    lang = language_of(question.lexical.text)
    units = dict.fromkeys(one.hit.unit for one in best if one.hit.unit is not None and not one.is_figure)
    named = (
        Unit.objects.published().with_public_ids(list(question.named[:UNITS_MAX])) if question.named else ()
    )
    first = list(dict.fromkeys([*named, *list(units)[:UNITS_MAX]]))
    known = {one.hit.pk for one in best}
    rows = SearchPassage.objects.defer("tsv").filter(unit__in=first, lang=lang).order_by("pk")
    found = []
    for hit in rows.select_related("unit") if first else ():
        if hit.pk not in known:
            hit.landing_unit, hit.score = hit.unit, 0.0
            found.append(evidence_of(hit))
    return [one for one in found if one is not None]


def _figures(question: UnderstoodQuestion, hits: Sequence[SearchPassage], now: datetime) -> list[Evidence]:
    """What the named units measure now, found as well as the best hit: it was asked for by name."""
    best = max((hit.score for hit in hits), default=1.0)
    passages = list(passages_about(question, now=now))
    for passage in passages:
        passage.score = best
    return [evidence for passage in passages if (evidence := evidence_of(passage))]


def _is_of(hit: SearchPassage, named: Collection[str]) -> bool:
    return hit.unit is not None and hit.unit.public_id in named


def evidence_of(hit: SearchPassage) -> Evidence | None:
    citation = cite(hit)
    if citation is None or hit.landing_unit is None:
        return None
    return Evidence(hit, citation, _key(hit, hit.landing_unit), unit_key(hit.landing_unit.pk))


def _key(hit: SearchPassage, page: Unit) -> str:
    if hit.document is not None:
        return document_key(hit.document.pk)
    return f"post:{hit.post.pk}" if hit.post is not None else unit_key(page.pk)


def fingerprint(evidence: Iterable[Evidence]) -> str:
    """A hash of what the passages say and how they are cited; the order in which they rank is not in it."""
    said = sorted(
        [one.key, one.hit.title, one.hit.text, one.citation.label, one.citation.url] for one in evidence
    )
    return hashlib.sha256(orjson.dumps(said)).hexdigest()


def units_of(keys: Iterable[str]) -> list[int]:
    """The primary keys of the units among evidence keys."""
    return [int(key.removeprefix("unit:")) for key in keys if key.startswith("unit:")]


def all_public(keys: Sequence[str]) -> bool:
    """Whether everything these keys name is public now; a merged unit is as public as its survivor."""
    wanted: dict[str, set[int]] = {"unit": set(), "document": set(), "post": set()}
    for key in keys:
        kind, _, pk = key.partition(":")
        wanted[kind].add(int(pk))
    return (
        _units_public(wanted["unit"])
        and _count_equals(wanted["document"], Document.objects.published())
        and _count_equals(wanted["post"], PersonaPost.objects.published())
    )


def _units_public(keys: set[int]) -> bool:
    units = Unit.objects.select_related("merged_into").in_bulk(keys) if keys else {}
    return len(units) == len(keys) and all(unit.survivor.is_public for unit in units.values())


def _count_equals(keys: set[int], published: QuerySet[Any]) -> bool:
    return not keys or published.filter(pk__in=keys).count() == len(keys)
