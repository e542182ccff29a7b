"""Search at 5,000 and 200,000 passages: the df budget against scoring every passage that holds any word.

The passages are made up: words drawn by a Zipf–Mandelbrot law whose document frequencies follow those of
Korean content morphemes, 73 a passage; questions are words of one passage, so that they meet as in real
texts. Everything happens in a database of its own, by the code that serves.
"""

import random
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import accumulate, product
from math import inf
from statistics import quantiles

from django.db import connection

from benchmarks.serving import scratch_database
from knowledge.evaluation.retrieval import add_documents
from knowledge.evaluation.scratch import analyse_tables, scratch_tables
from knowledge.models.search import PassageKind
from knowledge.search import lexemes
from knowledge.search.candidate_query import BUDGETS
from knowledge.search.ranking import search, understand
from knowledge.search.statistics import rebuild_statistics

SIZES = (5_000, 200_000)
QUESTIONS = 50
VOCABULARY = 60_000
ZIPF_OFFSET = 15
PASSAGE_WORDS = (50, 96)
QUESTION_WORDS = (4, 9)
PASSAGES_A_DOCUMENT = 20
Budgets = tuple[float, ...]
EVERY_MATCH: Budgets = (inf,)  # the budget that leaves nothing out
_NOW = datetime(2025, 1, 1, tzinfo=UTC)
_GIN = """
SELECT indexname, indexdef FROM pg_indexes
WHERE schemaname = current_schema() AND indexdef LIKE '%USING gin%'
"""
_COPY = """
COPY knowledge_searchpassage (kind, document_id, ordinal, lang, title, text, analyzer, revision, dl, tsv)
FROM STDIN
"""


def run() -> dict[str, dict[str, float]]:
    """Milliseconds a question at each size: ``{"200000": {"budgeted_p50": …, "every_match_p95": …, …}}``."""
    with scratch_database():
        return {str(size): _measure(size) for size in SIZES}


def _measure(size: int) -> dict[str, float]:
    texts = _Texts(seed=size)
    with scratch_tables():
        started = time.perf_counter()
        _load(size, texts)
        built = time.perf_counter() - started
        taken = _milliseconds([texts.question() for _ in range(QUESTIONS)])
    return {
        "build_seconds": round(built, 1),
        **_percentiles("budgeted", taken[BUDGETS]),
        **_percentiles("every_match", taken[EVERY_MATCH]),
        "times_faster": round(sum(taken[EVERY_MATCH]) / sum(taken[BUDGETS]), 1),
    }


class _Texts:
    """Made-up passages and questions, the same in every run."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        words: dict[str, None] = {}
        while len(words) < VOCABULARY:
            words[self._word()] = None
        self._words = list(words)
        self._weights = list(accumulate(1 / (rank + ZIPF_OFFSET) for rank in range(1, VOCABULARY + 1)))

    def _word(self) -> str:
        # No final s: the analyser would take it for a plural.
        return "".join(self._random.choices("bdfghjklmnprtvw", k=3) + self._random.choices("aeiou", k=3))

    def passage(self) -> list[str]:
        return self._random.choices(
            self._words, cum_weights=self._weights, k=self._random.randint(*PASSAGE_WORDS)
        )

    def question(self) -> str:
        words = sorted(set(self.passage()))
        return " ".join(self._random.sample(words, self._random.randint(*QUESTION_WORDS)))


def _load(size: int, texts: _Texts) -> None:
    documents = size // PASSAGES_A_DOCUMENT
    keys = add_documents((f"document {number}" for number in range(documents)), now=_NOW)
    with connection.cursor() as cursor:
        cursor.execute(_GIN)
        indexes = cursor.fetchall()
        # Built once at the end, as pg_restore does, instead of row by row.
        for name, _definition in indexes:
            cursor.execute(f"DROP INDEX {connection.ops.quote_name(name)}")
        with cursor.copy(_COPY) as copy:
            for row in _rows(keys, texts):
                copy.write_row(row)
        for _name, definition in indexes:
            cursor.execute(definition)
    rebuild_statistics()
    analyse_tables()


def _rows(keys: Sequence[int], texts: _Texts) -> Iterator[tuple[object, ...]]:
    for key, ordinal in product(keys, range(PASSAGES_A_DOCUMENT)):
        words = texts.passage()
        text, vector = " ".join(words), lexemes.tsvector_literal([words])
        yield PassageKind.NOTICE.value, key, ordinal, "ko", "", text, "made-up", "", len(words), vector


def _milliseconds(questions: Sequence[str]) -> dict[Budgets, list[float]]:
    """How long each question takes by either way, asked in turn so that both meet the same machine."""
    taken: dict[Budgets, list[float]] = {BUDGETS: [], EVERY_MATCH: []}
    for budgets in taken:
        search(understand(questions[0]), now=_NOW, budgets=budgets)
    for question, (budgets, times) in product(questions, taken.items()):
        started = time.perf_counter()
        search(understand(question), now=_NOW, budgets=budgets)
        times.append((time.perf_counter() - started) * 1000)
    return taken


def _percentiles(name: str, milliseconds: Sequence[float]) -> dict[str, float]:
    cuts = quantiles(milliseconds, n=20)
    return {f"{name}_p50": round(cuts[9], 1), f"{name}_p95": round(cuts[18], 1)}
