"""What an answer may rest on: the best passages that have a page to be cited by, and whether they are still public.

A key names a passage's subject: ``unit:5``, ``document:7``, ``post:3``. A version keeps the keys of all it was made
from, and of what it quotes, so that a withdrawal finds the answers it concerns.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

import orjson
from django.db.models import QuerySet

from ask.citations import Citation, cite
from ask.figures import passages_about
from ask.language import Language
from ask.lists import ListedUnits, units_listed
from ask.questions import AskedQuestion
from knowledge.models import Alias, Document, PersonaPost, Unit
from knowledge.models.reader_questions import ReaderQuestion, read_question
from knowledge.models.search import PassageKind, SearchPassage
from knowledge.queries.relations import connected
from knowledge.search.ranking import ranked, read_subjects
from knowledge.search.rescoring import RankedPassage
from knowledge.search.scoring import UNFILTERED, Filters
from knowledge.search.sentences import split_sentences

UNITS_MAX = 10  # units that are read whole
NAMED_MAX = 6  # of them, units that the question names
UNITS_FIRST = 6  # passages of units before what others say
REPORTS_MAX = 8  # documents and posts
_CANONICAL = Filters(kinds=(PassageKind.ENTITY, PassageKind.TOPIC, PassageKind.EVENT))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that can be cited. ``page_key`` names the unit on whose page it is cited; ``rank`` counts from 0 what
    was found before it, each subject once; ``names`` are those of its subject, and the phrases it is asked by;
    ``connected`` are the public ids of the other units found that its subject is connected with, where the question
    names a unit; ``reader_questions`` are those that its subject answers."""

    hit: SearchPassage
    citation: Citation
    key: str
    page_key: str
    rank: int = 0
    names: str = ""
    connected: frozenset[str] = frozenset()
    reader_questions: tuple[ReaderQuestion, ...] = ()
    # The question asks for a list of so many units, and this begins what is said of one of them.
    listed_among: int = 0

    @property
    def is_opinion(self) -> bool:
        """Whether an AI persona says it."""
        return self.hit.post is not None

    @property
    def is_figure(self) -> bool:
        """Whether it was made for the question from what is measured."""
        return self.hit.pk is None

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of its text, verbatim."""
        return _sentences(self.hit.text, self.hit.lang)


# A question's evidence is read for what is quoted and for what the model is given, and units answer many questions.
@lru_cache(maxsize=2048)
def _sentences(text: str, lang: str) -> tuple[str, ...]:
    return tuple(split_sentences(text, lang))


def unit_key(pk: int) -> str:
    return f"unit:{pk}"


def document_key(pk: int) -> str:
    return f"document:{pk}"


def gather(question: AskedQuestion, *, now: datetime) -> list[Evidence]:
    """The passages to answer from: figures, then the units that the question names and those that speak of what it
    asks, each whole in its language, and what outlets and AI personas say; ``rank`` says in which order they were
    found."""
    hits, of_units = ranked((question.understood, UNFILTERED), (question.widened, _CANONICAL), now=now)
    units = _units(question, of_units)
    scores = {hit.passage.unit_id: hit.score for hit in reversed(of_units)}
    reports = read_subjects([hit for hit in hits if hit.passage.unit_id is None][:REPORTS_MAX])
    names, questions = _names(question, units), _reader_questions(units)
    beside = _connected(units) if question.units else {}
    wanted = units_listed(question)
    order: dict[str, int] = {}
    found: list[Evidence] = []
    told = list(_told(question, units, scores))
    measured = _figures(question, hits, now)
    for hit in [*measured, *told[:UNITS_FIRST], *reports, *told[UNITS_FIRST:]]:
        # Where no canonical page carries a passage it cannot be cited, so it is no evidence.
        one = evidence_of(hit, question.lang)
        if one is not None:
            rank = 0 if one.is_figure else order.setdefault(one.key, len(order))
            found.append(
                replace(
                    one,
                    rank=rank,
                    names=names.get(hit.unit_id, hit.title),
                    connected=beside.get(hit.unit_id, frozenset()),
                    reader_questions=questions.get(hit.unit_id, ()),
                )
            )
    return [*_listed(question, wanted), *found]


def _listed(question: AskedQuestion, wanted: ListedUnits) -> Iterator[Evidence]:
    """The first passage of each unit of a list."""
    seen: set[int | None] = set()
    for hit in _told(question, wanted.units, {}):
        if hit.unit_id not in seen and (one := evidence_of(hit, question.lang)) is not None:
            seen.add(hit.unit_id)
            yield replace(one, names=hit.title, listed_among=wanted.total)


def _units(question: AskedQuestion, hits: Iterable[RankedPassage]) -> list[Unit]:
    """The named units, then those that were found, best first."""
    units = {one.unit.pk: one.unit for one in question.units[:NAMED_MAX]}
    beside = dict.fromkeys(hit.passage.unit_id for hit in hits if hit.passage.unit_id not in units)
    others = list(beside)[: max(0, UNITS_MAX - len(units))]
    found = Unit.objects.in_bulk(others)
    return [*units.values(), *(found[key] for key in others if key in found)]


def _told(
    question: AskedQuestion, units: Sequence[Unit], scores: Mapping[int | None, float]
) -> Iterator[SearchPassage]:
    """What these units say in the language of the question, and where one has nothing in it, in the other; in their
    order, each in its own."""
    rows: defaultdict[int, list[SearchPassage]] = defaultdict(list)
    known = {unit.pk: unit for unit in units}
    for hit in SearchPassage.objects.defer("tsv").filter(unit__in=known).order_by("pk") if known else ():
        if hit.unit_id is not None:
            rows[hit.unit_id].append(hit)
    for key, unit in known.items():
        own = [hit for hit in rows[key] if hit.lang.startswith(question.lang)]
        for hit in own or rows[key]:
            hit.unit = hit.landing_unit = unit
            hit.score = scores.get(key, 0.0)
            yield hit


def _names(question: AskedQuestion, units: Collection[Unit]) -> dict[int | None, str]:
    """What each of these units is called and asked by."""
    known = {one.unit.pk: one.names for one in question.units}
    aliases = Alias.names.by_unit([unit.pk for unit in units if unit.pk not in known])
    names = {unit.pk: (unit.label, unit.symbol, *aliases.get(unit.pk, ())) for unit in units} | known
    return {unit.pk: " ".join((*names[unit.pk], *unit.asked_as)) for unit in units}


def _connected(units: Collection[Unit]) -> dict[int | None, frozenset[str]]:
    """With which others each of these units is connected."""
    public_ids = {unit.pk: unit.public_id for unit in units}
    beside = connected(units) if len(units) > 1 else {}
    return {unit: frozenset(map(public_ids.__getitem__, others)) for unit, others in beside.items()}


def _reader_questions(units: Iterable[Unit]) -> dict[int | None, tuple[ReaderQuestion, ...]]:
    """The questions that each of these units answers."""
    return {unit.pk: tuple(map(read_question, unit.reader_questions)) for unit in units}


def _figures(question: AskedQuestion, hits: Sequence[RankedPassage], now: datetime) -> list[SearchPassage]:
    """What the named units measure now, found as well as the best hit: it was asked for by name."""
    best = max((hit.score for hit in hits), default=1.0)
    passages = list(passages_about(question.understood, question.units, now=now))
    for passage in passages:
        passage.score = best
    return passages


def evidence_of(hit: SearchPassage, lang: Language) -> Evidence | None:
    citation = cite(hit, lang)
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
