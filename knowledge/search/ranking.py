"""A question to ranked public passages: the one call behind asking, the search page, its API and MCP."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime

from django.db.models import Q

from knowledge.models import Unit
from knowledge.models.search import SearchPassage
from knowledge.search import rerank, typos
from knowledge.search.candidate_query import BUDGET, ENOUGH, SECOND_BUDGET, any_of, candidate_query
from knowledge.search.hits import Hit, landing_units, load_passages
from knowledge.search.lexemes import ENTITY_MARK
from knowledge.search.query import Question, read_question
from knowledge.search.scoring import CandidateFilter, Filters, Scored, score
from knowledge.search.statistics import Corpus, read_corpus

# Reads a question and gives the public ids of the units it names.
Linker = Callable[[str], Iterable[str]]

LIMIT_MAX = rerank.RERANKED
BUDGETS = (BUDGET, SECOND_BUDGET)


def search(
    question: str,
    *,
    now: datetime,
    limit: int = 10,
    kinds: Collection[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    linker: Linker | None = None,
    budgets: Sequence[float] = BUDGETS,
) -> list[Hit]:
    """The public passages that answer best, best first, at most ``limit`` (at most 100).

    ``kinds`` are PassageKind values; ``since`` and ``until`` bound ``published_at`` and leave out what has
    none. ``linker`` finds the units a question names, so that a ticker finds texts by a Korean name.
    ``budgets`` are the candidate budgets tried in turn. A question without any content word finds nothing.
    Five queries at most, six for a mistyped name, whatever the number of hits.
    """
    asked, corpus = _understand(question, linker)
    ranked = _best_by_bm25(asked, corpus, Filters(kinds, since, until), budgets)
    scores = rerank.rescored(ranked, asked.text, corpus, now)
    best = sorted(ranked, key=lambda one: (-scores[one.passage_id], one.passage_id))[:limit]
    found = load_passages(one.passage_id for one in best)
    landed = landing_units(found.values())
    weights = {lexeme: weight * corpus.idf(lexeme) for lexeme, weight in asked.weights.items()}
    return [
        _hit(found[one.passage_id], one, scores[one.passage_id], weights, landed.get(one.passage_id))
        for one in best
        if one.passage_id in found  # between two queries the worker may have replaced a passage
    ]


def _understand(question: str, linker: Linker | None) -> tuple[Question, Corpus]:
    """The question's lexemes and their statistics; a mistyped name brings the one it comes closest to."""
    entities = _with_merged(linker(question) if linker else ())
    asked = read_question(question, entities)
    corpus = read_corpus(asked.lexemes)
    mended = typos.mend(question, corpus)
    if mended is not None:
        asked = read_question(mended.question, [*entities, *_with_merged(mended.public_ids)])
        corpus = read_corpus(asked.lexemes)
    return asked.keep_top_terms(corpus), corpus


def _with_merged(public_ids: Iterable[str]) -> list[str]:
    """These units and whatever was merged into them: mentions keep the id they were found by."""
    survivors = list(dict.fromkeys(public_ids))
    if not survivors:
        return []
    named = Q()
    for public_id in survivors:
        prefix, _, slug = public_id.partition(":")
        named |= Q(merged_into__prefix=prefix, merged_into__slug=slug)
    merged = Unit.objects.filter(named).values_list("prefix", "slug")
    return list(dict.fromkeys([*survivors, *(f"{prefix}:{slug}" for prefix, slug in merged)]))


def _best_by_bm25(
    asked: Question, corpus: Corpus, filters: Filters, budgets: Sequence[float]
) -> list[Scored]:
    """The best hundred, from a larger budget where a smaller one brings too few."""
    known = {lexeme: corpus.df(lexeme) for lexeme in asked.lexemes if corpus.df(lexeme)}
    ranked: list[Scored] = []
    tried = ""
    for budget in budgets:
        tsquery = candidate_query(known, corpus.passages, budget)
        if tsquery and tsquery != tried:
            tried = tsquery
            ranked = score(asked, corpus, CandidateFilter(tsquery), filters, LIMIT_MAX)
        if len(ranked) >= ENOUGH:
            return ranked
    if known and (filters.narrow or not tried):
        # Only common words, or no rare one where the filter looks: canonical passages, then the newest.
        bounded = CandidateFilter(any_of(known), newest=BUDGET)
        return score(asked, corpus, bounded, filters, LIMIT_MAX)
    return ranked


def _hit(
    passage: SearchPassage, scored: Scored, value: float, weights: dict[str, float], landing_unit: Unit | None
) -> Hit:
    total = sum(weights.values())
    return Hit(
        passage_id=passage.pk,
        kind=passage.kind,
        title=passage.title,
        text=passage.text,
        lang=passage.lang,
        published_at=passage.published_at,
        score=value,
        matched=tuple(lexeme for lexeme in scored.matched if not lexeme.startswith(ENTITY_MARK)),
        coverage=sum(weights[lexeme] for lexeme in scored.matched) / total if total else 0.0,
        unit=passage.unit,
        document=passage.document,
        post=passage.post,
        landing_unit=landing_unit,
    )
