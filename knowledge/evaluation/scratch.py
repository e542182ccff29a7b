"""Tables to try things out on: those of this app, empty, in a schema that vanishes.

Everything happens in one transaction that is rolled back, so nothing is left behind even by a killed process, and two
runs at once never meet: neither sees the other's schema.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pgtrigger
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from knowledge.linking.gazetteer import newest_gazetteer
from knowledge.search import typos

APP = "knowledge"
_NAMES = """
SELECT copy.conrelid::regclass::text, copy.conname, live.conname
FROM pg_constraint copy
JOIN pg_class copied ON copied.oid = copy.conrelid AND copied.relnamespace = %s::regnamespace
JOIN pg_class original ON original.relname = copied.relname AND original.relnamespace <> copied.relnamespace
JOIN pg_constraint live ON live.conrelid = original.oid AND live.conname <> copy.conname
    AND pg_get_constraintdef(live.oid) = pg_get_constraintdef(copy.oid)
WHERE copy.contype IN ('p', 'u', 'x') AND pg_table_is_visible(copied.oid)
"""


@contextmanager
def scratch_tables(*, triggers: bool = False) -> Iterator[None]:
    """Read and write empty copies of the tables until the block ends, however it ends.

    What is written there keeps what the tables' constraints say, but no foreign keys. ``triggers`` are for whoever
    loads units: names count as changed by them.
    """
    with transaction.atomic(durable=True):
        schema = _quoted(f"scratch_{uuid4().hex}")
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE SCHEMA {schema}")
            # All of them, for one that is missing would let the live one show through.
            for table in connection.introspection.table_names(cursor):
                if table.startswith(f"{APP}_"):
                    cursor.execute(f"CREATE TABLE {schema}.{table} (LIKE {table} INCLUDING ALL)")
            cursor.execute(
                "SELECT set_config('search_path', %s || ', ' || current_setting('search_path'), true)",
                [schema],
            )
            if triggers:
                _name_constraints(cursor, schema)
                _install_triggers()
        newest_gazetteer()  # of no names: read in a moment, so that no thread reads those of the live tables
        typos.read_names()
        try:
            yield
        finally:
            transaction.set_rollback(True)


def _name_constraints(cursor: CursorWrapper, schema: str) -> None:
    """Give the copies' constraints the names that functions of triggers say: LIKE keeps those of checks only."""
    cursor.execute(_NAMES, [schema])
    for table, copied, name in cursor.fetchall():
        cursor.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {_quoted(copied)} TO {_quoted(name)}")


def _install_triggers() -> None:
    # Of this app only: the tables of others have no copy here, and theirs would be put anew on the live ones.
    for model, trigger in pgtrigger.registered():
        if model._meta.app_label == APP:
            trigger.install(model)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def analyse_tables() -> None:
    """Let the planner see what was just written; autovacuum cannot reach into an open transaction."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE knowledge_document, knowledge_searchpassage, knowledge_searchterm")
