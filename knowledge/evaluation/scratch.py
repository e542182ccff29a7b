"""A search index of one's own for a while: the service's tables, empty, in a schema that vanishes.

Everything happens in one transaction that is rolled back, so nothing is left behind even by a killed process,
and two runs at once never meet: neither sees the other's schema.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from uuid import uuid4

from django.db import connection, transaction

from knowledge.models import Document, Source, SourceKind


@contextmanager
def scratch_index() -> Iterator[None]:
    """Search and index in empty copies of the tables until the block ends, however it ends."""
    with transaction.atomic(durable=True):
        schema = connection.ops.quote_name(f"scratch_{uuid4().hex}")
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE SCHEMA {schema}")
            # All of them, for one that is missing would let the live one show through.
            for table in connection.introspection.table_names(cursor):
                if table.startswith("knowledge_"):
                    cursor.execute(f"CREATE TABLE {schema}.{table} (LIKE {table} INCLUDING ALL)")
            cursor.execute(
                "SELECT set_config('search_path', %s || ', ' || current_setting('search_path'), true)",
                [schema],
            )
        try:
            yield
        finally:
            transaction.set_rollback(True)


def add_documents(titles: Iterable[str], *, now: datetime) -> list[int]:
    """Undated notices of a made-up source, for passages to belong to. Returns their keys in order."""
    source = Source.objects.create(
        slug="scratch", name="scratch", kind=SourceKind.NOTICE, adapter="none", url="https://example.org/"
    )
    rows = [
        Document(
            source=source,
            kind=SourceKind.NOTICE,
            external_id=str(number),
            url=f"https://example.org/{number}",
            title=title[:500] or str(number),
            lang="ko",
            fetched_at=now,
            content_sha256="",
        )
        for number, title in enumerate(titles)
    ]
    return [row.pk for row in Document.objects.bulk_create(rows, batch_size=1000)]


def analyse_tables() -> None:
    """Let the planner see what was just written; autovacuum cannot reach into an open transaction."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE knowledge_document, knowledge_searchpassage, knowledge_searchterm")
