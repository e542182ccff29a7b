"""Upkeep of the search index, by the worker: passages of some subjects are replaced and the difference counted.

Analysis comes before the lock on the corpus row, which is held only to write. Rows deleted by a cascade leave the
counts a little too high until ``rebuild_statistics`` runs.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from knowledge.models import Document, PersonaPost, Unit
from knowledge.models.search import SearchPassage
from knowledge.search import lexemes, morphemes, statistics
from knowledge.search.passages import (
    DOCUMENT_REVISION,
    POST_REVISION,
    UNIT_REVISION,
    document_passages,
    mentions_of,
    post_passages,
    unit_passages,
)

BATCH = 500  # subjects a transaction
LATELY = timedelta(days=1)  # an ingestion that failed between storing and indexing is noticed within this


class Subjects(NamedTuple):
    """One kind of subject: the foreign key of its passages, its rows, what tells a changed one, and its reader."""

    name: str
    rows: Any  # the manager of the model
    revision: Any
    passages: Callable[[Iterable[int]], Iterable[SearchPassage]]


UNITS = Subjects("unit", Unit.objects, UNIT_REVISION, unit_passages)
DOCUMENTS = Subjects("document", Document.objects, DOCUMENT_REVISION, document_passages)
POSTS = Subjects("post", PersonaPost.objects, POST_REVISION, post_passages)

_HOLD = "SELECT id FROM {} WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE"
_DELETE = "DELETE FROM knowledge_searchpassage WHERE {} = ANY(%s) RETURNING dl, tsvector_to_array(tsv)"
_TERMS = "SELECT tsvector_to_array(tsv) FROM knowledge_searchpassage WHERE id = ANY(%s)"
_RELINK = "UPDATE knowledge_searchpassage SET tsv = ts_delete(tsv, %s::text[]) || %s::tsvector WHERE id = %s"
_LINKED = """
SELECT id, document_id, ARRAY(SELECT lexeme FROM unnest(tsv) WHERE starts_with(lexeme, %s))
FROM knowledge_searchpassage WHERE document_id = ANY(%s) ORDER BY id FOR UPDATE
"""


def index(subjects: Subjects, ids: Iterable[int]) -> int:
    """Read these again; those no longer public leave the index. Returns how many passages it wrote."""
    keys = list(ids)
    return replace(subjects, keys, list(subjects.passages(keys))) if keys else 0


index_units, index_documents, index_posts = (partial(index, one) for one in (UNITS, DOCUMENTS, POSTS))


def remove(subjects: Subjects, ids: Iterable[int]) -> int:
    """Take the passages of these out of the index, before or after they are withdrawn; returns how many there were."""
    keys = list(ids)
    there = SearchPassage.objects.filter(**{f"{subjects.name}__in": keys}).count()
    if keys:
        replace(subjects, keys, [])
    return there


@transaction.atomic
def replace(subjects: Subjects, keys: Collection[int], rows: Iterable[SearchPassage]) -> int:
    """Make ``rows`` the only passages of the subjects ``keys``, and count the difference."""
    column = f"{subjects.name}_id"
    with connection.cursor() as cursor:
        # Subjects before the corpus, as an editor's transaction has them: the other order would deadlock with it.
        cursor.execute(_HOLD.format(subjects.rows.model._meta.db_table), [list(keys)])
        present = {pk for (pk,) in cursor.fetchall()}
        statistics.lock_corpus()
        cursor.execute(_DELETE.format(column), [list(keys)])
        deleted = cursor.fetchall()
        written = SearchPassage.objects.bulk_create(
            (row for row in rows if getattr(row, column) in present), batch_size=BATCH
        )
        # The lexemes as Postgres took them: what will be subtracted one day is what is added now.
        cursor.execute(_TERMS, [[row.pk for row in written]])
        change = Counter(term for (terms,) in cursor.fetchall() for term in terms)
    change.subtract(term for _dl, terms in deleted for term in terms)
    length = sum(row.dl for row in written) - sum(dl for dl, _terms in deleted)
    statistics.count_change(len(written) - len(deleted), length, change)
    return len(written)


def add(rows: Collection[SearchPassage]) -> None:
    """Write the passages of subjects that the caller's transaction inserted: there are none to replace yet, and nobody
    else can delete the subjects."""
    if rows:
        written = SearchPassage.objects.bulk_create(rows, batch_size=BATCH)
        statistics.count_added([row.pk for row in written])


@transaction.atomic
def relink_documents(ids: Iterable[int]) -> int:
    """Bring the entity lexemes of these documents' passages in line with their mentions; reads no text.

    Returns the number of passages touched. Merging units needs no relinking: see ``mentions_of``.
    """
    keys = list(ids)
    statistics.lock_corpus()
    mentioned = mentions_of(keys)
    change: Counter[str] = Counter()
    with connection.cursor() as cursor:
        cursor.execute(_LINKED, [lexemes.ENTITY_MARK, keys])
        rows = cursor.fetchall()
        for passage_id, document_id, old in rows:
            now_mentioned = mentioned.get(document_id, [])
            cursor.execute(_RELINK, [old, lexemes.tsvector_literal([], now_mentioned), passage_id])
            change.subtract(old)
            change.update({lexemes.entity_lexeme(public_id) for public_id in now_mentioned})
    statistics.count_change(0, 0, change)
    return len(rows)


def refresh(*, now: datetime | None = None, limit: int = BATCH) -> int:
    """Index what is missing or changed, read again what other rules analysed, drop what is no longer public.

    Returns how many subjects were read again and passages removed: at most ``limit`` subjects a kind, so call again
    until it is 0. With ``now``, of the documents only the lately fetched are compared one by one, for a look every
    minute at hundreds of thousands would cost more than it finds; a nightly call leaves it out.
    """
    units, posts = (_outdated(one, one.rows.published(), limit) for one in (UNITS, POSTS))
    recent = Document.objects.published()
    if now is not None:
        recent = recent.filter(fetched_at__gte=now - LATELY)
    documents = _outdated(DOCUMENTS, recent, limit)
    documents += _analysed_otherwise(limit - len(documents), known=documents)
    hidden_may_be = (UNITS, POSTS) if now is not None else (UNITS, POSTS, DOCUMENTS)
    removed = sum(remove(one, _hidden(one, limit)) for one in hidden_may_be)
    index_units(units)
    index_posts(posts)
    index_documents(documents)
    return len(units) + len(documents) + len(posts) + removed


def refresh_everything(*, limit: int = BATCH) -> int:
    """``refresh`` over all subjects until nothing is left to do; how many were read again or removed."""
    return sum(iter(partial(refresh, limit=limit), 0))


def _outdated(subjects: Subjects, published: QuerySet[Any], limit: int) -> list[int]:
    """Public subjects without a first passage made from this state of theirs by these rules."""
    first = SearchPassage.objects.filter(**{subjects.name: OuterRef("pk")}, ordinal=0)
    current = first.filter(analyzer=morphemes.ANALYZER, revision=OuterRef("current_revision"))
    stale = published.annotate(current_revision=subjects.revision).filter(~Exists(current))
    return list(stale.order_by("pk").values_list("pk", flat=True)[:limit])


def _analysed_otherwise(limit: int, known: Collection[int]) -> list[int]:
    # Two ranges instead of "not equal", which no index answers.
    other = Q(analyzer__lt=morphemes.ANALYZER) | Q(analyzer__gt=morphemes.ANALYZER)
    rows = SearchPassage.objects.filter(other, document__isnull=False).exclude(document__in=known)
    return list(rows.values_list("document_id", flat=True).distinct()[: max(limit, 0)])


def _hidden(subjects: Subjects, limit: int) -> list[int]:
    rows = SearchPassage.objects.filter(**{f"{subjects.name}__isnull": False})
    rows = rows.exclude(**{f"{subjects.name}__in": subjects.rows.published()})
    return list(rows.values_list(f"{subjects.name}_id", flat=True).distinct()[:limit])
