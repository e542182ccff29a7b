"""A question to ranked public passages: what asking, the search page, its API and MCP call.

``understand`` reads the question once; ``search`` may then look for it under several filters.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from knowledge.linking.store import units_named
from knowledge.models import Unit
from knowledge.models.search import SearchPassage
from knowledge.search import rerank, typos
from knowledge.search.candidate_query import BUDGET, ENOUGH, SECOND_BUDGET, any_of, candidate_query
from knowledge.search.hits import find_landing_units, load_passages
from knowledge.search.query import Question, read_question
from knowledge.search.scoring import UNFILTERED, Filters, Scored, score
from knowledge.search.statistics import Corpus, read_corpus

LIMIT_MAX = rerank.RERANKED
BUDGETS = (BUDGET, SECOND_BUDGET)


@dataclass(frozen=True)
class UnderstoodQuestion:
    """A question as it was meant. ``named`` are the public ids of the units it names, in order, those of mistyped
    names last. ``lexical`` holds the lexemes that tell most, ``corpus`` their statistics."""

    named: tuple[str, ...]
    lexical: Question
    corpus: Corpus

    @cached_property
    def information(self) -> dict[str, float]:
        """How much each lexeme tells: its weight times its idf."""
        weights = self.lexical.weights
        return {lexeme: weight * self.corpus.idf(lexeme) for lexeme, weight in weights.items()}


def understand(question: str) -> UnderstoodQuestion:
    """Read a question: the units it names, so that a ticker finds texts by a Korean name, and its lexemes with their
    statistics. A mistyped name stands as the one it comes closest to. Two queries, two more where a unit is named,
    at most three more where a name is mistyped."""
    named = list(dict.fromkeys(units_named(question)))
    asked = read_question(question, _with_merged(named))
    corpus = read_corpus(asked.lexemes)
    mended = typos.mend(asked, corpus)
    if mended is not None:
        named = list(dict.fromkeys([*named, *mended.public_ids]))
        asked = read_question(mended.question, _with_merged(named))
        corpus = read_corpus(asked.lexemes)
    return UnderstoodQuestion(tuple(named), asked.keep_top_terms(corpus), corpus)


def search(
    question: UnderstoodQuestion,
    *,
    now: datetime,
    limit: int = 10,
    filters: Filters = UNFILTERED,
    budgets: Sequence[float] = BUDGETS,
) -> list[SearchPassage]:
    """The public passages that answer best, best first, at most ``limit`` (at most 100).

    ``budgets`` are the candidate budgets tried in turn. A question without any content word finds nothing. Two queries
    for the hits, whatever their number, and one to three for the candidates.
    """
    ranked = _best_by_bm25(question.lexical, question.corpus, filters, budgets)
    scores = rerank.rescored(ranked, question.lexical.text, question.corpus, now)
    best = sorted(ranked, key=lambda one: (-scores[one.passage_id], one.passage_id))[:limit]
    found = load_passages(one.passage_id for one in best)
    find_landing_units(found.values())
    for key, passage in found.items():
        passage.score = scores[key]
    # Between two queries the worker may have replaced a passage.
    return [found[one.passage_id] for one in best if one.passage_id in found]


def _with_merged(public_ids: Iterable[str]) -> list[str]:
    """These units and whatever was merged into them: mentions keep the id they were found by."""
    survivors = list(dict.fromkeys(public_ids))
    if not survivors:
        return []
    merged = Unit.objects.filter(merged_into__in=Unit.objects.with_public_ids(survivors))
    return list(dict.fromkeys([*survivors, *(unit.public_id for unit in merged)]))


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
            ranked = score(asked, corpus, tsquery, filters, LIMIT_MAX)
        if len(ranked) >= ENOUGH:
            return ranked
    if known and (filters != UNFILTERED or not tried):
        # Only common words, or no rare one where the filter looks: canonical passages, then the newest.
        return score(asked, corpus, any_of(known), filters, LIMIT_MAX, newest=BUDGET)
    return ranked
