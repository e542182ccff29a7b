"""What an answer may rest on: the best passages that have a page to be cited by, and whether they are still public.

A key names a passage's subject: ``unit:5``, ``document:7``, ``post:3``. A version keeps the keys of all it was made
from, and of what it quotes, so that a withdrawal finds the answers it concerns.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
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
from knowledge.search.ranking import UnderstoodQuestion, ranked, read_subjects
from knowledge.search.scoring import Filters

UNITS_MAX = 10  # units that are read whole
NAMED_MAX = 6  # of them, units that the question names
UNITS_FIRST = 6  # passages of units before what others say
REPORTS_MAX = 8  # documents and posts
_CANONICAL = Filters(kinds=(PassageKind.ENTITY, PassageKind.TOPIC, PassageKind.EVENT))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that can be cited. ``page_key`` names the unit on whose page it is cited; ``rank`` counts from 0 what
    was found before it, each subject once; ``names`` are those of its subject, and the phrases it is asked by;
    ``connected`` are the public ids of the other units found that its subject is connected with; ``reader_questions``
    are those that its subject answers."""

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


def unit_key(pk: int) -> str:
    return f"unit:{pk}"


def document_key(pk: int) -> str:
    return f"document:{pk}"


def gather(question: AskedQuestion, *, now: datetime) -> list[Evidence]:
    """The passages to answer from: figures, then the units that the question names and those that speak of what it
    asks, each whole in its language, and what outlets and AI personas say; ``rank`` says in which order they were
    found."""
    hits = ranked(question.understood, now=now)
    of_units = ranked(question.widened, now=now, filters=_CANONICAL)
    units = _units(question, of_units)
    scores = {hit.unit_id: hit.score for hit in reversed(of_units)}
    reports = read_subjects([hit for hit in hits if hit.unit_id is None][:REPORTS_MAX])
    names, beside, questions = _names(units), _connected(units), _reader_questions(units)
    wanted = units_listed(question)
    order: dict[str, int] = {}
    found: list[Evidence] = []
    told = list(_told(question, units, scores))
    measured = _figures(question.understood, hits, now)
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


def _units(question: AskedQuestion, hits: Iterable[SearchPassage]) -> list[Unit]:
    """The named units, then those that were found, best first."""
    wanted = list(question.named[:NAMED_MAX])
    named = Unit.objects.published().with_public_ids(wanted) if wanted else ()
    by_id = {unit.public_id: unit for unit in named}
    units = {unit.pk: unit for unit in (by_id[one] for one in wanted if one in by_id)}
    beside = dict.fromkeys(hit.unit_id for hit in hits if hit.unit_id not in units)
    others = list(beside)[: max(0, UNITS_MAX - len(units))]
    found = Unit.objects.defer("reader_questions").in_bulk(others)
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


def _names(units: Collection[Unit]) -> dict[int | None, str]:
    """What each of these units is called and asked by."""
    aliases = Alias.names.by_unit(Unit.objects.filter(pk__in=[unit.pk for unit in units])) if units else {}
    return {
        unit.pk: " ".join((unit.label, unit.symbol, *aliases.get(unit.pk, ()), *unit.asked_as))
        for unit in units
    }


def _connected(units: Collection[Unit]) -> dict[int | None, frozenset[str]]:
    """With which others each of these units is connected."""
    public_ids = {unit.pk: unit.public_id for unit in units}
    beside = connected(units) if len(units) > 1 else {}
    return {unit: frozenset(map(public_ids.__getitem__, others)) for unit, others in beside.items()}


def _reader_questions(units: Collection[Unit]) -> dict[int | None, tuple[ReaderQuestion, ...]]:
    """The questions that each of these units answers."""
    rows = Unit.objects.filter(pk__in=[unit.pk for unit in units]).exclude(reader_questions=[])
    return {pk: tuple(map(read_question, lines)) for pk, lines in rows.values_list("pk", "reader_questions")}


def _figures(
    question: UnderstoodQuestion, hits: Sequence[SearchPassage], now: datetime
) -> list[SearchPassage]:
    """What the named units measure now, found as well as the best hit: it was asked for by name."""
    best = max((hit.score for hit in hits), default=1.0)
    passages = list(passages_about(question, now=now))
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
