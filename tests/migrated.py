"""A database that has been migrated, of which each process of a run takes its own copy.

Migrating takes a core the better part of a minute, a copy less than a second. The first process that finds no database
of these migrations makes it while the others wait; it stays for later runs, until a migration changes.
"""

import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.backends.utils import CursorWrapper

LOCK = 0x6D616461  # any number that nobody else locks on this server
# What a migrated database can depend on, beside Python and the libraries.
FOLDERS = ("migrations", "models")
LIBRARIES = "requirements/dev.txt"


def template(kind: str = "template", *, run: str = "") -> str:
    """The name of a database with these migrations and no connection; it is made if it is not there.

    With ``run``, one of an earlier run is not taken. Raises what a migration raises.
    """
    stem = f"{kind}_{connection.settings_dict['NAME'][:30]}_"  # Postgres cuts names at 63 bytes
    name = stem + _fingerprint(run)
    with connection._nodb_cursor() as cursor:  # type: ignore[no-untyped-call]
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])  # until the connection is closed
        if not _found(cursor, name):
            for former in _found(cursor, f"{stem}%"):
                cursor.execute(f"DROP DATABASE IF EXISTS {_quoted(former)} WITH (FORCE)")
            _make(cursor, draft=f"{stem}draft", name=name)
    return name


def kept() -> bool:
    """Whether an earlier run left this process's test database."""
    with connection._nodb_cursor() as cursor:  # type: ignore[no-untyped-call]
        return bool(_found(cursor, connection.creation._get_test_db_name()))


def _make(cursor: CursorWrapper, *, draft: str, name: str) -> None:
    """Under a name of its own until it is whole: what was interrupted is never taken for it."""
    cursor.execute(f"CREATE DATABASE {_quoted(draft)}")
    with connected_to(draft):
        call_command("migrate", verbosity=0, interactive=False)
    cursor.execute(f"ALTER DATABASE {_quoted(draft)} RENAME TO {_quoted(name)}")


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
    yield settings.BASE_DIR / LIBRARIES
    for app in sorted(apps.get_app_configs(), key=lambda app: app.label):
        root = Path(app.path)
        if root.parent == settings.BASE_DIR:
            for folder in FOLDERS:
                yield from _texts(root / folder)
            yield from root.glob("models.py")


def _texts(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
