"""A question to ranked public passages: what asking, the search page, its API and MCP call.

``understand`` reads the question once; ``search`` may then look for it under several filters. The best hundred by BM25
are scored again by what ``rescoring`` sees in their texts.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from django.db.models import QuerySet

from knowledge.linking.hangul import PARTICLES
from knowledge.linking.store import Said, units_asked
from knowledge.models import Mention, SourceKind, Unit
from knowledge.models.search import SearchPassage
from knowledge.search import typos
from knowledge.search.candidate_query import BUDGETS, ENOUGH, any_of, candidate_query
from knowledge.search.exact_names import exactly_named
from knowledge.search.query import ENTITY_WEIGHT, Question, read_question
from knowledge.search.rescoring import PassageText, RankedPassage, rescored
from knowledge.search.scoring import UNFILTERED, Filters, Scored, score
from knowledge.search.statistics import Corpus, read_corpus
from knowledge.search.typos import Mend

_ASKING_MARKS = "?!？！ "


@dataclass(frozen=True)
class UnderstoodQuestion:
    """A question as it was meant. ``called`` are the units that bear the whole question, without a particle, as a name,
    likeliest first. ``named`` are the public ids of these and of the units it names, in order; ``said`` where it names
    them. ``lexical`` holds the lexemes that tell most, ``corpus`` their statistics; ``mended`` are the mistyped names,
    and for what they were taken."""

    called: tuple[Unit, ...]
    named: tuple[str, ...]
    said: tuple[Said, ...]
    lexical: Question
    corpus: Corpus
    mended: tuple[Mend, ...] = ()

    @cached_property
    def information(self) -> dict[str, float]:
        """How much each lexeme tells: its weight times its idf."""
        weights = self.lexical.weights
        return {lexeme: weight * self.corpus.idf(lexeme) for lexeme, weight in weights.items()}


def understand(question: str, *, entity_weight: float = ENTITY_WEIGHT) -> UnderstoodQuestion:
    """Read a question: the units it names, so that a ticker finds texts by a Korean name, and its lexemes with their
    statistics. Who asks here speaks of what is recorded here, so that doubtful names count as in a crypto channel. A
    mistyped name stands as the one it comes closest to. A named unit tells ``entity_weight`` of what a word as rare
    does. Two queries, two more where a unit is named, a third where the question is its name; where a name is mistyped,
    as many again and one."""
    read = _as_written(question, entity_weight)
    if (mended := typos.mend(read.lexical, read.corpus)) is not None:
        read = replace(_as_written(mended.question, entity_weight), mended=mended.mends)
    return replace(read, lexical=read.lexical.keep_top_terms(read.corpus))


def _as_written(question: str, entity_weight: float) -> UnderstoodQuestion:
    said = units_asked(question, crypto_channel=True)
    called = _called(question.rstrip(_ASKING_MARKS), said)
    mentioned = (public_id for one in said for public_id in one.public_ids)
    named = tuple(dict.fromkeys([*(unit.public_id for unit in called), *mentioned]))
    asked = read_question(question, _with_merged(named), entity_weight=entity_weight)
    corpus = read_corpus(asked.weights)
    asked = asked.with_whole_names(corpus)
    return UnderstoodQuestion(called, named, tuple(said), asked, corpus)


def _called(name: str, said: Sequence[Said]) -> tuple[Unit, ...]:
    """The units of exactly this name; of one with a particle, 비트코인은, those that it names."""
    if found := exactly_named(name):
        return tuple(one.unit for one in found)
    if len(said) != 1 or name[: said[0].start].strip() or name[said[0].end :] not in PARTICLES:
        return ()
    return tuple(Unit.objects.published().with_public_ids(list(said[0].public_ids)).order_by("pk"))


def search(
    question: UnderstoodQuestion,
    *,
    now: datetime,
    filters: Filters = UNFILTERED,
    budgets: Sequence[float] = BUDGETS,
) -> list[SearchPassage]:
    """The public passages that answer best, best first, at most 100.

    ``budgets`` are the candidate budgets tried in turn. A question without any content word finds nothing. Two queries
    for the hits, whatever their number, and one to three for the candidates; reading what a hit is of, its source or
    its persona runs no further one.
    """
    scored = _best_by_bm25(question, filters, budgets)
    passages = _with_subjects().in_bulk([one.passage_id for one in scored])
    texts = {
        key: PassageText(key, one.unit_id, one.kind, one.title, one.text, one.published_at)
        for key, one in passages.items()
    }
    hits = _with_scores(rescored(texts, scored, question.lexical, question.corpus, now=now), passages)
    _find_landing_units(hits)
    return hits


def ranked(*asked: tuple[UnderstoodQuestion, Filters], now: datetime) -> list[list[RankedPassage]]:
    """What ``search`` finds for each question under its filters, for who keeps few of it: what the passages are of is
    not read, see ``read_subjects``. One query for the hits of all."""
    scored = [_best_by_bm25(question, filters, BUDGETS) for question, filters in asked]
    keys = {one.passage_id for each in scored for one in each}
    rows = SearchPassage.objects.filter(pk__in=keys).values_list(*PassageText._fields)
    texts = {row[0]: PassageText(*row) for row in rows}
    return [
        rescored(texts, each, question.lexical, question.corpus, now=now)
        for each, (question, _filters) in zip(scored, asked, strict=True)
    ]


def read_subjects(hits: Iterable[RankedPassage]) -> list[SearchPassage]:
    """These hits of ``ranked`` as ``search`` has them; those that the worker replaced meanwhile are left out. Two
    queries."""
    kept = list(hits)
    passages = _with_subjects().in_bulk([hit.passage.pk for hit in kept])
    whole = _with_scores(kept, passages)
    _find_landing_units(whole)
    return whole


def _with_scores(hits: Iterable[RankedPassage], passages: Mapping[int, SearchPassage]) -> list[SearchPassage]:
    """Those of these passages that are hits, in their order, with what they score."""
    found = []
    for hit in hits:
        # Between two queries the worker may have replaced a passage.
        if (passage := passages.get(hit.passage.pk)) is not None:
            passage.score, passage.held = hit.score, hit.held
            found.append(passage)
    return found


def _with_subjects() -> QuerySet[SearchPassage]:
    units = ("unit", "document__source__creator", "post__persona__entity")
    unread = [f"{unit}__reader_questions" for unit in units]  # as long as all the rest of a unit
    return SearchPassage.objects.select_related(*units).defer("tsv", *unread)


def _with_merged(survivors: Sequence[str]) -> Sequence[str]:
    """These units and whatever was merged into them: mentions keep the id they were found by."""
    if not survivors:
        return []
    merged = Unit.objects.filter(merged_into__in=Unit.objects.with_public_ids(survivors).values("pk"))
    return [*survivors, *(f"{prefix}:{slug}" for prefix, slug in merged.values_list("prefix", "slug"))]


def _best_by_bm25(question: UnderstoodQuestion, filters: Filters, budgets: Sequence[float]) -> list[Scored]:
    """The best hundred, from a larger budget where a smaller one brings too few."""
    asked, corpus = question.lexical, question.corpus
    known = {lexeme: corpus.df(lexeme) for lexeme in asked.weights if corpus.df(lexeme)}
    ranked: list[Scored] = []
    tried = ""
    for budget in budgets:
        tsquery = candidate_query(known, corpus.passages, budget)
        if tsquery and tsquery != tried:
            tried = tsquery
            ranked = score(asked, corpus, tsquery, filters)
        if len(ranked) >= ENOUGH:
            return ranked
    if known and (filters != UNFILTERED or not tried):
        # Only common words, or no rare one where the filter looks: canonical passages, then the newest.
        return score(asked, corpus, any_of(known), filters, newest=BUDGETS[0])
    return ranked


def _find_landing_units(passages: Collection[SearchPassage]) -> None:
    """Set ``landing_unit`` of each passage; one query for all documents."""
    spoken_of = _chief_units({row.document_id for row in passages if row.document_id is not None})
    for passage in passages:
        document = passage.document
        if passage.post is not None:
            passage.landing_unit = passage.post.persona.entity
        elif document is None:
            passage.landing_unit = passage.unit
        elif document.pk in spoken_of:
            passage.landing_unit = spoken_of[document.pk]
        elif document.kind == SourceKind.VIDEO and (creator := document.source.creator) and creator.is_public:
            passage.landing_unit = creator


def _chief_units(document_ids: set[int]) -> dict[int, Unit]:
    """The public unit each document mentions most, the earlier one among equals; see ``Unit.survivor``."""
    if not document_ids:
        return {}
    counts: dict[int, Counter[Unit]] = {}
    mentions = Mention.objects.filter(document__in=document_ids).select_related("unit__merged_into")
    mentions = mentions.defer("unit__reader_questions", "unit__merged_into__reader_questions")
    for mention in mentions.order_by("document_id", "start", "-end"):
        unit = mention.unit.survivor
        if unit.is_public:
            counts.setdefault(mention.document_id, Counter())[unit] += 1
    # A Counter keeps first-seen order among equal counts.
    return {document_id: counted.most_common(1)[0][0] for document_id, counted in counts.items()}
