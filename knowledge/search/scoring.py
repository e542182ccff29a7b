"""Exact BM25 inside Postgres, without an extension.

With unit weights and a single lexeme ``ts_rank`` is a known function of the term frequency alone, the partial
sum of 1/j² over 1/(π²/6); ``tf ≈ 0.607927 / (1.00001 − rank) − 0.5`` inverts it and rounding makes it exact.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db import connection, models, transaction
from django.db.models.expressions import RawSQL

from knowledge.models import Document, PersonaPost, Unit
from knowledge.search.lexemes import quoted_lexeme, tsquery_phrase
from knowledge.search.query import Question
from knowledge.search.statistics import Corpus

K1 = 0.9  # how soon repeating a word stops counting
B = 0.4  # how much a long passage is held back


@dataclass(frozen=True, slots=True)
class Filters:
    """Which passages may be found at all, beside being public. A date bound leaves out what has no date."""

    kinds: Collection[str] | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def narrow(self) -> bool:
        return not (self.kinds is None and self.since is None and self.until is None)

    def admit(self, kind: str, published_at: datetime | None) -> bool:
        """What ``where`` says, of a subject at hand."""
        if self.kinds is not None and kind not in self.kinds:
            return False
        if published_at is None:
            return self.since is None and self.until is None
        return (self.since is None or published_at >= self.since) and (
            self.until is None or published_at <= self.until
        )

    def where(self) -> tuple[str, list[Any]]:
        clauses, params = ["true"], list[Any]()
        if self.kinds is not None:
            clauses.append("kind = ANY(%s)")
            params.append(list(self.kinds))
        if self.since is not None:
            clauses.append("published_at >= %s")
            params.append(self.since)
        if self.until is not None:
            clauses.append("published_at <= %s")
            params.append(self.until)
        return " AND ".join(clauses), params


UNFILTERED = Filters()


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage with its BM25 score, the lexemes of the question it holds, and the pairs that stand together
    in it.

    ``text`` is title and text, a line each.
    """

    passage_id: int
    kind: str
    published_at: datetime | None
    text: str
    bm25: float
    matched: tuple[str, ...]
    adjacent: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CandidateFilter:
    """A tsquery, and how many of its matches are looked at when it is known to match far too many."""

    tsquery: str
    newest: int | None = None


def score(
    question: Question, corpus: Corpus, candidates: CandidateFilter, filters: Filters, limit: int
) -> list[Scored]:
    """The public passages among the candidates, best BM25 first."""
    lexemes = [lexeme for lexeme in question.lexemes if corpus.df(lexeme)]
    statement, params = _statement(question, lexemes, corpus, candidates, filters)
    with transaction.atomic(), connection.cursor() as cursor:
        # Compiling the long expression costs more than running it.
        cursor.execute("SET LOCAL jit = off")
        cursor.execute(statement, [*params, limit])
        rows = cursor.fetchall()
    return [_scored(row, lexemes, question.pairs) for row in rows]


def _scored(row: tuple[Any, ...], lexemes: Sequence[str], pairs: Sequence[tuple[str, str]]) -> Scored:
    passage_id, kind, published_at, text, bm25, held, together = row
    return Scored(
        passage_id,
        kind,
        published_at,
        text,
        bm25,
        tuple(lexeme for lexeme, is_held in zip(lexemes, held, strict=True) if is_held),
        tuple(pair for pair, is_adjacent in zip(pairs, together, strict=True) if is_adjacent),
    )


def _statement(
    question: Question, lexemes: Sequence[str], corpus: Corpus, candidates: CandidateFilter, filters: Filters
) -> tuple[str, list[Any]]:
    """From the inside: each candidate's term frequencies, their BM25 sum in order, what is public, its text.

    Only column names and counts are written into the statement; everything from outside is a parameter.
    """
    frequencies, quoted = _term_frequencies(lexemes)
    total, weights = _bm25_sum(question, lexemes, corpus)
    where, bounds = filters.where()
    public, public_params = _public()
    statement = f"""
        SELECT id, kind, published_at, title || E'\\n' || text, bm25,
               {_array([f"tf{at} > 0" for at in range(len(lexemes))])},
               {_array(["tsv @@ %s::tsquery"] * len(question.pairs))}
        FROM (
            SELECT *
            FROM (
                SELECT *, {total} AS bm25
                FROM (
                    SELECT id, unit_id, document_id, post_id,
                           %s::float8 + %s::float8 * dl AS length_norm, {frequencies}
                    FROM knowledge_searchpassage
                    WHERE tsv @@ %s::tsquery AND {where}
                    {_bound(candidates)}
                ) AS candidate
                ORDER BY bm25 DESC, id
            ) AS ranked
            WHERE {public}
            LIMIT %s
        ) AS best
        JOIN knowledge_searchpassage USING (id)
        ORDER BY bm25 DESC, id
    """  # noqa: S608
    norm = [K1 * (1 - B), K1 * B / corpus.average_length]
    pairs = [tsquery_phrase(*pair) for pair in question.pairs]
    return statement, [*pairs, *weights, *norm, *quoted, candidates.tsquery, *bounds, *public_params]


def _term_frequencies(lexemes: Sequence[str]) -> tuple[str, list[Any]]:
    columns = (
        "round(0.607927::float8 / (1.00001::float8 - ts_rank('{1,1,1,1}', tsv, %s::tsquery)) - 0.5::float8)"
        f" AS tf{at}"
        for at in range(len(lexemes))
    )
    return ", ".join(columns), [quoted_lexeme(lexeme) for lexeme in lexemes]


def _bm25_sum(question: Question, lexemes: Sequence[str], corpus: Corpus) -> tuple[str, list[Any]]:
    parts = (f"%s::float8 * tf{at} / (tf{at} + length_norm)" for at in range(len(lexemes)))
    return " + ".join(parts), [question.weights[lexeme] * corpus.idf(lexeme) * (K1 + 1) for lexeme in lexemes]


def _array(conditions: Sequence[str]) -> str:
    return f"ARRAY[{', '.join(conditions)}]::boolean[]"


def _bound(candidates: CandidateFilter) -> str:
    """Either way a fence: the planner must not copy the inner expressions into the outer layers."""
    if candidates.newest is None:
        return "OFFSET 0"
    return f"ORDER BY published_at DESC NULLS FIRST LIMIT {int(candidates.newest)}"


@cache
def _public() -> tuple[str, tuple[Any, ...]]:
    """A condition on a ranked row: its subject is public now, whatever the index still believes.

    Scalar subqueries, because Postgres runs those row by row as the limit asks for them, while it may turn
    EXISTS or IN into a hash of a whole table.
    """
    clauses, params = [], tuple[Any, ...]()
    for column, published in (
        ("unit_id", Unit.objects.published()),
        ("document_id", Document.objects.published()),
        ("post_id", PersonaPost.objects.published()),
    ):
        probe, probe_params = _probe(published, column)
        clauses.append(f"WHEN ranked.{column} IS NOT NULL THEN coalesce(({probe}), false)")
        params += probe_params
    return f"CASE {' '.join(clauses)} ELSE false END", params


def _probe(published: models.QuerySet[Any], column: str) -> tuple[str, tuple[Any, ...]]:
    found = published.filter(pk=RawSQL(f"ranked.{column}", ())).order_by()  # noqa: S611
    return found.values_list(models.Value(True, output_field=models.BooleanField())).query.sql_with_params()
