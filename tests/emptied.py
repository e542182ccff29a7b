"""What stands in for Django's flush after a test whose rows others could see.

Django truncates every table, which makes hundreds of files anew, and then makes all content types, permissions and
groups: half a second of a core, and a wait for the disk. Here rows are deleted from the few tables that have any.
"""

from collections.abc import Callable
from typing import Any

from django.db import connection, transaction
from django.test import TransactionTestCase

# What Django makes after every migrate, and our groups: no test's own, so it stays.
MADE_BY_MIGRATE = ("django_content_type", "auth_permission", "auth_group", "auth_group_permissions")
flush: Callable[[Any], None] = TransactionTestCase._fixture_teardown


def replace_flush() -> None:
    """From now on; it is called once, where the database is as migrate has left it."""
    made = _made_by_migrate()

    def teardown(test: Any) -> None:
        nonlocal made
        if _may_pass_triggers() and _made_by_migrate() == made:
            empty()
        else:
            flush(test)
            made = _made_by_migrate()

    TransactionTestCase._fixture_teardown = teardown  # type: ignore[method-assign]


@transaction.atomic
def empty() -> None:
    """No model has rows but those that migrate makes, and all processes take note that names have changed."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # neither triggers nor foreign keys
        for table in _with_rows():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
        cursor.execute("SELECT knowledge_vocabulary_changed()")


def _with_rows() -> list[str]:
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    others = sorted(set(tables).difference(MADE_BY_MIGRATE))
    questions = [
        f"SELECT %s WHERE EXISTS (SELECT FROM {connection.ops.quote_name(table)})" for table in others
    ]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(questions), others)
        return [table for (table,) in cursor.fetchall()]


def _may_pass_triggers() -> bool:
    """Whether the role is a superuser, as that of the embedded server is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('is_superuser') = 'on'")
        return bool(cursor.fetchone()[0])


def _made_by_migrate() -> str:
    """A hash of its rows."""
    hashes = [
        f"(SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM {table} t)" for table in MADE_BY_MIGRATE
    ]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT concat({', '.join(hashes)})")
        return str(cursor.fetchone()[0])
