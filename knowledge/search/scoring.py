"""Exact BM25 inside Postgres, without an extension.

With unit weights and a single lexeme ``ts_rank`` is a known function of the term frequency alone, the partial
sum of 1/j² over 1/(π²/6); ``tf ≈ 0.607927 / (1.00001 − rank) − 0.5`` inverts it and rounding makes it exact.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import compress
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import BooleanField, Value
from django.db.models.expressions import RawSQL

from knowledge.models import ALL_UNITS, Document, Narrowing, PersonaPost, Unit
from knowledge.models.search import ENTITY_PREFIXES
from knowledge.search.lexemes import quoted_lexeme, tsquery_phrase
from knowledge.search.query import Question
from knowledge.search.statistics import Corpus

K1 = 0.9  # how soon repeating a word stops counting
B = 0.4  # how much a long passage is held back
LIMIT_MAX = 100  # passages
_OF_KIND = "kind = ANY(%s)"
_OF_PREFIX = (
    "(kind = ANY(%s) OR kind = 'entity' AND"
    " (SELECT prefix FROM knowledge_unit WHERE knowledge_unit.id = knowledge_searchpassage.unit_id) = ANY(%s))"
)
_FREQUENCY = (
    "round(0.607927::float8 / (1.00001::float8 - ts_rank('{1,1,1,1}', tsv, %s::tsquery)) - 0.5::float8)"
)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which passages may be found at all, beside being public. A date bound leaves out what has no date.

    ``kinds`` are SEARCH_KINDS: those of passages, and prefixes for the entities of that prefix alone. ``units`` that
    ask for anything leave only what these units say of themselves.
    """

    kinds: Collection[str] | None = None
    since: datetime | None = None
    until: datetime | None = None
    units: Narrowing = ALL_UNITS

    def admit(self, kind: str, published_at: datetime | None, unit: Unit) -> bool:
        """What ``where`` says, of a hit on this unit."""
        if self.kinds is not None and kind not in self.kinds and unit.prefix not in self._prefixes:
            return False
        if not self.units.admits(unit.type, unit.category, unit.country):
            return False
        if published_at is None:
            return self.since is None and self.until is None
        return (self.since is None or published_at >= self.since) and (
            self.until is None or published_at <= self.until
        )

    def where(self) -> tuple[str, list[Any]]:
        clauses, params = ["true"], list[Any]()
        if self.kinds is not None:
            prefixes = self._prefixes
            clauses.append(_OF_PREFIX if prefixes else _OF_KIND)
            params += [list(self.kinds), prefixes] if prefixes else [list(self.kinds)]
        for clause, bound in (("published_at >= %s", self.since), ("published_at <= %s", self.until)):
            if bound is not None:
                clauses.append(clause)
                params.append(bound)
        if any(self.units):
            asked = Unit.objects.all().narrowed(self.units).order_by().values("pk")
            among, of_units = asked.query.sql_with_params()
            clauses.append(f"unit_id IN ({among})")
            params += of_units
        return " AND ".join(clauses), params

    @property
    def _prefixes(self) -> list[str]:
        return [prefix for prefix in ENTITY_PREFIXES if prefix in (self.kinds or ())]


UNFILTERED = Filters()


class Scored(NamedTuple):
    """A passage with its BM25 score, of each pair of the question whether its words stand together in it, and which of
    the question's lexemes it holds."""

    passage_id: int
    bm25: float
    together: list[bool]
    held: frozenset[str]


def score(
    question: Question, corpus: Corpus, tsquery: str, filters: Filters, *, newest: int | None = None
) -> list[Scored]:
    """The best hundred of the public passages that ``tsquery`` finds, best BM25 first.

    Where it is known to find far too many, only the ``newest`` are looked at.
    """
    lexemes = [lexeme for lexeme in question.weights if corpus.df(lexeme)]
    statement, params = _statement(question, lexemes, corpus, tsquery, filters, newest)
    with transaction.atomic(), connection.cursor() as cursor:
        # Compiling the long expression costs more than running it.
        cursor.execute("SET LOCAL jit = off")
        cursor.execute(statement, [*params, LIMIT_MAX])
        return [
            Scored(key, bm25, together, frozenset(compress(lexemes, held)))
            for key, bm25, together, held in cursor.fetchall()
        ]


def _statement(
    question: Question,
    lexemes: Sequence[str],
    corpus: Corpus,
    tsquery: str,
    filters: Filters,
    newest: int | None,
) -> tuple[str, list[Any]]:
    """From the inside: each candidate's term frequencies, their BM25 sum in order, what is public, its pairs.

    Only column names and counts are written into the statement; everything from outside is a parameter.
    """
    frequencies = ", ".join(f"{_FREQUENCY} AS tf{at}" for at in range(len(lexemes)))
    total = " + ".join(f"%s::float8 * tf{at} / (tf{at} + length_norm)" for at in range(len(lexemes)))
    held = ", ".join(f"tf{at} > 0" for at in range(len(lexemes)))
    adjacent = ", ".join(["tsv @@ %s::tsquery"] * len(question.pairs))
    where, bounds = filters.where()
    public, public_params = _public()
    # Either way a fence: the planner must not copy the inner expressions into the outer layers.
    bound = "OFFSET 0" if newest is None else f"ORDER BY published_at DESC NULLS FIRST LIMIT {newest:d}"
    statement = f"""
        SELECT id, bm25, ARRAY[{adjacent}]::boolean[], ARRAY[{held}]::boolean[]
        FROM (
            SELECT *
            FROM (
                SELECT *, {total} AS bm25
                FROM (
                    SELECT id, unit_id, document_id, post_id,
                           %s::float8 + %s::float8 * dl AS length_norm, {frequencies}
                    FROM knowledge_searchpassage
                    WHERE tsv @@ %s::tsquery AND {where}
                    {bound}
                ) AS candidate
                ORDER BY bm25 DESC, id
            ) AS ranked
            WHERE {public}
            LIMIT %s
        ) AS best
        JOIN knowledge_searchpassage USING (id)
        ORDER BY bm25 DESC, id
    """  # noqa: S608
    pairs = [tsquery_phrase(*pair) for pair in question.pairs]
    weights = [question.weights[lexeme] * corpus.idf(lexeme) * (K1 + 1) for lexeme in lexemes]
    norm = [K1 * (1 - B), K1 * B / corpus.average_length]
    quoted = [quoted_lexeme(lexeme) for lexeme in lexemes]
    return statement, [*pairs, *weights, *norm, *quoted, tsquery, *bounds, *public_params]


@cache
def _public() -> tuple[str, tuple[Any, ...]]:
    """A condition on a ranked row: its subject is public now, whatever the index still believes.

    Scalar subqueries, because Postgres runs those row by row as the limit asks for them, while it may turn
    EXISTS or IN into a hash of a whole table.
    """
    clauses, params = [], tuple[Any, ...]()
    for column, model in (("unit_id", Unit), ("document_id", Document), ("post_id", PersonaPost)):
        found = model.objects.published().filter(pk=RawSQL(f"ranked.{column}", ())).order_by()  # noqa: S611
        yes = Value(True, output_field=BooleanField())
        probe, probe_params = found.values_list(yes).query.sql_with_params()
        clauses.append(f"WHEN ranked.{column} IS NOT NULL THEN coalesce(({probe}), false)")
        params += probe_params
    return f"CASE {' '.join(clauses)} ELSE false END", params
