"""The numbers BM25 weighs by: how many passages there are, how long, and in how many each lexeme stands.

Every change locks the corpus row before any term and before passages that were there, so writers queue up instead of
locking each other out. A rebuild counts beside them and loses no change of theirs.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db import connection, transaction

from knowledge.models.search import SearchCorpus, SearchTerm

_READ = """
SELECT passages, total_length,
       ARRAY(SELECT ARRAY[term, df::text] FROM knowledge_searchterm WHERE term = ANY(%s::text[]))
FROM knowledge_searchcorpus
"""
_ADD = """
WITH totals AS (
    UPDATE knowledge_searchcorpus
    SET passages = GREATEST(passages + %s, 0), total_length = GREATEST(total_length + %s, 0)
)
INSERT INTO knowledge_searchterm AS known (term, df)
SELECT term, change FROM unnest(%s::text[], %s::int[]) AS delta(term, change)
ON CONFLICT (term) DO UPDATE SET df = GREATEST(known.df + excluded.df, 0)
"""
# Lexemes are counted as Postgres took them. The corpus row is locked before any term is: ``totals`` is read first.
_ADD_OF_PASSAGES = """
WITH added AS (
    SELECT dl, tsv FROM knowledge_searchpassage WHERE id = ANY(%s)
), totals AS (
    INSERT INTO knowledge_searchcorpus AS known (id, passages, total_length)
    SELECT 1, count(*), coalesce(sum(dl), 0) FROM added
    ON CONFLICT (id) DO UPDATE
    SET passages = known.passages + excluded.passages, total_length = known.total_length + excluded.total_length
    RETURNING id
)
INSERT INTO knowledge_searchterm AS known (term, df)
SELECT term, count(*) FROM totals, added, unnest(tsvector_to_array(tsv)) AS term GROUP BY term
ON CONFLICT (term) DO UPDATE SET df = known.df + excluded.df
"""
_SUBTRACT_TERMS = """
UPDATE knowledge_searchterm AS known SET df = GREATEST(known.df - change, 0)
FROM unnest(%s::text[], %s::int[]) AS delta(term, change) WHERE known.term = delta.term
"""
ONE_REBUILD_AT_A_TIME = 0x636F756E74  # "count": a key of this database's advisory locks
# Each of these is one statement, so that the passages and what was counted of them are of one moment.
_WRONG_TERMS = """
SELECT coalesce(term, word), coalesce(ndoc, 0) - coalesce(df, 0)
FROM ts_stat('SELECT tsv FROM knowledge_searchpassage') FULL JOIN knowledge_searchterm ON term = word
WHERE coalesce(ndoc, 0) <> coalesce(df, 0)
"""
_WRONG_TOTALS = """
SELECT count(*) - coalesce((SELECT passages FROM knowledge_searchcorpus), 0),
       coalesce(sum(dl), 0) - coalesce((SELECT total_length FROM knowledge_searchcorpus), 0)
FROM knowledge_searchpassage
"""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The totals of the corpus and the document frequencies of some lexemes (absent: 0)."""

    passages: int
    average_length: float
    frequencies: Mapping[str, int]

    def df(self, lexeme: str) -> int:
        return self.frequencies.get(lexeme, 0)

    def idf(self, lexeme: str) -> float:
        """BM25's weight of a lexeme; never negative, also while the totals lag behind."""
        df = self.df(lexeme)
        return math.log(1 + (max(self.passages, df) - df + 0.5) / (df + 0.5))


def read_corpus(lexemes: Collection[str]) -> Corpus:
    """The statistics that a question of these lexemes needs, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(_READ, [list(lexemes)])
        passages, total_length, found = cursor.fetchone() or (0, 0, [])
    return Corpus(
        passages, total_length / passages if passages else 1.0, {term: int(df) for term, df in found}
    )


def lock_corpus() -> None:
    """Become the only writer of passages until the transaction ends."""
    row = SearchCorpus.objects.select_for_update().filter(pk=1)
    if not row:
        SearchCorpus.objects.bulk_create([SearchCorpus(pk=1)], ignore_conflicts=True)
        row.get()


def count_change(passages: int, total_length: int, terms: Counter[str]) -> None:
    """Add (negative: take away) passages, their length and the lexemes they hold. Needs ``lock_corpus``."""
    more, fewer = +terms, -terms
    with connection.cursor() as cursor:
        cursor.execute(_ADD, [passages, total_length, list(more), list(more.values())])
        if fewer:
            cursor.execute(_SUBTRACT_TERMS, [list(fewer), list(fewer.values())])


def count_added(passages: Collection[int]) -> None:
    """Add passages that the caller's transaction inserted, by their keys; it is the only writer of passages from here
    on."""
    with connection.cursor() as cursor:
        cursor.execute(_ADD_OF_PASSAGES, [list(passages)])


@transaction.atomic
def rebuild_statistics() -> None:
    """Count everything again from the passages themselves: nightly, and after deletions by cascade.

    Counting takes minutes at a million passages, so it holds no lock that writers need: counts are corrected by as much
    as they were wrong, whatever they have become meanwhile.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ONE_REBUILD_AT_A_TIME])
        cursor.execute(_WRONG_TERMS)
        terms = Counter(dict(cursor.fetchall()))
        cursor.execute(_WRONG_TOTALS)
        passages, total_length = cursor.fetchone()
    lock_corpus()
    count_change(passages, total_length, terms)
    SearchTerm.objects.filter(df=0).delete()
