"""Search at 5,000 and 200,000 passages: the df budget against scoring every passage that holds any word, and at
200,000 this search against the one before its second edition (``benchmarks.editions``).

The passages are made up: words drawn by a Zipf–Mandelbrot law whose document frequencies follow those of
Korean content morphemes, 73 a passage, and at 200,000 names of the starter canon among them; questions are
words of one passage, so that they meet as in real texts. Everything happens in a database of its own, by the
code that serves.
"""

import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from io import StringIO
from itertools import accumulate, islice, product
from math import inf
from statistics import quantiles
from typing import Any, NamedTuple

from django.core.management import call_command
from django.db import connection

from benchmarks import editions
from benchmarks.gates import at_most
from benchmarks.scratch import scratch_database
from config.celery import app as celery_app
from knowledge.evaluation.retrieval import add_documents
from knowledge.evaluation.scratch import analyse_tables, scratch_tables
from knowledge.linking.gazetteer import newest_gazetteer
from knowledge.models import Alias
from knowledge.models.search import PassageKind
from knowledge.search import lexemes
from knowledge.search.candidate_query import BUDGETS
from knowledge.search.ranking import search, understand
from knowledge.search.statistics import rebuild_statistics
from knowledge.search.words import places

SMALL, LARGE = 5_000, 200_000
QUESTIONS = 50
QUESTIONS_A_SORT = 100  # of both editions
P95_OF_FORMER = 1.3
VOCABULARY = 60_000
ZIPF_OFFSET = 15
PASSAGE_WORDS = (50, 96)
QUESTION_WORDS = (4, 9)
NAMED = ((0, 1, 2, 3), (30, 40, 20, 10))  # how many names a passage has, and how often of a hundred
PASSAGES_A_DOCUMENT = 20
VOWELS, FINALS = 21, 28  # of Hangul syllables, in the order of their codes
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


def run() -> dict[str, Any]:
    """Milliseconds a question at each size, by either budget, and of either edition for each sort of questions."""
    # What loading the canon sends to workers is not for those of a `make run` on the same Valkey.
    celery_app.conf.update(broker_url="memory://")
    with scratch_database() as database:
        with scratch_tables():
            figures = _measure(SMALL, _Texts(SMALL))
        texts = _Texts(LARGE, _names_of_the_canon())
        figures |= _measure(LARGE, texts)
        sorts = {sort: list(islice(asked, QUESTIONS_A_SORT)) for sort, asked in texts.sorts().items()}
        compared = editions.compare(database, sorts)
    if not compared:
        return figures
    gate = at_most(P95_OF_FORMER, compared[editions.ALL]["p95_ratio"])
    return {**figures, **compared, "gates": {"p95 of the former edition's": gate}}


def _measure(size: int, texts: "_Texts") -> dict[str, dict[str, float]]:
    started = time.perf_counter()
    _load(size, texts)
    built = time.perf_counter() - started
    taken = _milliseconds([texts.question() for _ in range(QUESTIONS)])
    faster = round(sum(taken[EVERY_MATCH]) / sum(taken[BUDGETS]), 1)
    return {
        f"{size:,} built": {"seconds": round(built, 1)},
        f"{size:,}, budgeted": {**_percentiles(taken[BUDGETS]), "times_faster": faster},
        f"{size:,}, every match": _percentiles(taken[EVERY_MATCH]),
    }


class _Name(NamedTuple):
    """By which texts call a unit, and its public id."""

    written: str
    public_id: str


def _names_of_the_canon() -> list[_Name]:
    """Load the starter canon, and give the names that mean one unit each."""
    call_command("load_canon", verbosity=0, stdout=StringIO())
    newest_gazetteer()  # by whose names passages are read
    rows = Alias.names.linked().filter(ambiguous=False).order_by("pk")
    return [
        _Name(written, f"{prefix}:{slug}")
        for written, prefix, slug in rows.values_list("surface", "unit__prefix", "unit__slug")
    ]


class _Texts:
    """Made-up passages and questions, the same in every run."""

    def __init__(self, seed: int, names: Sequence[_Name] = ()) -> None:
        self._random = random.Random(seed)
        words: dict[str, None] = {}
        while len(words) < VOCABULARY:
            words[self._word()] = None
        self._words = list(words)
        self._weights = list(accumulate(1 / (rank + ZIPF_OFFSET) for rank in range(1, VOCABULARY + 1)))
        self._names = self._random.sample(names, len(names))
        self._name_weights = list(accumulate(1 / (rank + ZIPF_OFFSET) for rank in range(1, len(names) + 1)))

    def _word(self) -> str:
        # No final s: the analyser would take it for a plural.
        return "".join(self._random.choices("bdfghjklmnprtvw", k=3) + self._random.choices("aeiou", k=3))

    def passage(self) -> list[str]:
        return self._random.choices(
            self._words, cum_weights=self._weights, k=self._random.randint(*PASSAGE_WORDS)
        )

    def names(self) -> list[_Name]:
        """Those of one passage."""
        return self._named(self._random.choices(*NAMED)[0]) if self._names else []

    def _named(self, count: int) -> list[_Name]:
        return self._random.choices(self._names, cum_weights=self._name_weights, k=count)

    def question(self, least: int = QUESTION_WORDS[0], most: int = QUESTION_WORDS[1]) -> str:
        words = sorted(set(self.passage()))
        return " ".join(self._random.sample(words, self._random.randint(least, most)))

    def sorts(self) -> dict[str, Iterator[str]]:
        """Questions without end, by what each edition has to do for them."""
        return {
            "words": self._about(lambda _name: self.question()),
            "a name and words": self._about(lambda name: f"{name} {self.question(3, 6)}"),
            "what something is": self._about(
                lambda name: f"{name}란?" if _is_hangul(name) else f"What is {name}?"
            ),
            "a mistyped name and words": self._about(
                lambda name: f"{slip} {self.question(3, 6)}" if (slip := _mistyped(name)) else ""
            ),
        }

    def _about(self, asked: Callable[[str], str]) -> Iterator[str]:
        while True:
            if question := asked(self._named(1)[0].written):
                yield question


def _is_hangul(name: str) -> bool:
    return "가" <= name[-1] <= "힣"


def _mistyped(name: str) -> str:
    """A name of one long word with another vowel in its third syllable, or with two letters that changed places; empty
    for any other."""
    if re.fullmatch("[가-힣]{4,}", name):
        vowel = (ord(name[2]) - ord("가")) // FINALS % VOWELS
        return name[:2] + chr(ord(name[2]) + (FINALS if vowel < VOWELS - 1 else -FINALS)) + name[3:]
    if re.fullmatch("[A-Za-z]{7,}", name) and name[3] != name[4]:
        return name[:3] + name[4] + name[3] + name[5:]
    return ""


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


@cache
def _places(name: str) -> list[tuple[str, ...]]:
    return places(name)


def _rows(keys: Sequence[int], texts: _Texts) -> Iterator[tuple[object, ...]]:
    for key, ordinal in product(keys, range(PASSAGES_A_DOCUMENT)):
        said, names = texts.passage(), texts.names()
        runs: list[Sequence[str | tuple[str, ...]]] = [said, *(_places(name.written) for name in names)]
        vector = lexemes.tsvector_literal(runs, [name.public_id for name in names])
        text = " ".join([*said, *(name.written for name in names)])
        yield (
            PassageKind.NOTICE.value,
            key,
            ordinal,
            "ko",
            "",
            text,
            "made-up",
            "",
            sum(map(len, runs)),
            vector,
        )


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


def _percentiles(milliseconds: Sequence[float]) -> dict[str, float]:
    cuts = quantiles(milliseconds, n=20)
    return {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1)}
