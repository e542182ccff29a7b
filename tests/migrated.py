"""A database that has been migrated, of which each process of a run takes its own copy.

Migrating takes a core some seconds, a copy a tenth of one. The first process that finds no database of these migrations
makes it while the others wait; it stays for later runs, until a migration changes.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.backends.utils import CursorWrapper

LOCK = 0x6D616461  # any number that nobody else locks on this server
# What a migrated database can depend on, beside Python and the libraries.
FOLDERS = ("migrations", "models")
LIBRARIES = "requirements/dev.txt"
DATABASE = str(connection.settings_dict["NAME"])  # not yet that of a test
# This run of the suite: the same in all of its processes.
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid4().hex


def template() -> str:
    """The name of the migrated database; where changes are judged, of one that this run has migrated.

    Raises what a migration raises.
    """
    return made_once("template", migrate, run=RUN if os.environ.get("CI") else "")


def made_once(kind: str, make: Callable[[], None], *, run: str = "", of: str = "") -> str:
    """The name of a database of this kind, to which nobody is connected.

    If it is not there, ``make`` fills it, beginning with a copy of the database ``of``, or with nothing. With ``run``,
    one of an earlier run is not taken. Raises what ``make`` raises.
    """
    stem = f"{kind}_{DATABASE[:30]}_"  # Postgres cuts names at 63 bytes
    name = stem + _fingerprint(run)
    with connection._nodb_cursor() as cursor:  # type: ignore[no-untyped-call]
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])  # until the connection is closed
        if not _found(cursor, name):
            for former in _found(cursor, f"{stem}%"):
                drop(cursor, former)
            draft = f"{stem}draft"
            copy(cursor, of, draft)
            with connected_to(draft):
                make()
            # Under a name of its own until it is whole: what was interrupted is never taken for it.
            cursor.execute(f"ALTER DATABASE {_quoted(draft)} RENAME TO {_quoted(name)}")
    return name


def copy(cursor: CursorWrapper, template: str, name: str) -> None:
    """A new database: a copy of the other one, to which nobody may be connected; empty if there is no other."""
    cursor.execute(
        f"CREATE DATABASE {_quoted(name)}" + (f" TEMPLATE {_quoted(template)}" if template else "")
    )


def drop(cursor: CursorWrapper, name: str) -> None:
    """Whoever is connected to it is thrown out."""
    cursor.execute(f"DROP DATABASE IF EXISTS {_quoted(name)} WITH (FORCE)")


def kept() -> bool:
    """Whether an earlier run left this process's test database."""
    with connection._nodb_cursor() as cursor:  # type: ignore[no-untyped-call]
        return bool(_found(cursor, connection.creation._get_test_db_name()))


def migrate() -> None:
    """Its tables are left alone by autovacuum: one that is vacuumed between two tests is empty to the planner from
    then on, whose plans for the rows of the next test then take minutes.
    """
    call_command("migrate", verbosity=0, interactive=False)
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"ALTER TABLE {_quoted(table)} SET (autovacuum_enabled = false)")


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """No connection to it is left afterwards: a database in use can be neither renamed nor copied."""
    former = connection.settings_dict["NAME"]
    _reconnect(name)
    try:
        yield
    finally:
        _reconnect(former)


def _reconnect(name: str) -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name


def _found(cursor: CursorWrapper, pattern: str) -> list[str]:
    """The databases with names like this."""
    cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [pattern.replace("_", r"\_")])
    return [name for (name,) in cursor.fetchall()]


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _fingerprint(run: str) -> str:
    digest = hashlib.sha256(f"{sys.version}\n{run}\n".encode())
    for path in _files():
        digest.update(f"{path.relative_to(settings.BASE_DIR)}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _files() -> Iterator[Path]:
    yield Path(__file__)
    yield settings.BASE_DIR / LIBRARIES
    for app in sorted(apps.get_app_configs(), key=lambda app: app.label):
        root = Path(app.path)
        if root.parent == settings.BASE_DIR:
            for folder in FOLDERS:
                yield from _texts(root / folder)
            yield from root.glob("models.py")


def _texts(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
