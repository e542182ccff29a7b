"""The migrated database of which test databases are copies."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from tests import migrated

KIND = "tried"


def there() -> list[str]:
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{KIND}%"])
        return [name for (name,) in cursor.fetchall()]


@pytest.fixture(autouse=True)
def none_is_left(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with django_db_blocker.unblock():
        yield
        with connection._nodb_cursor() as cursor:
            for name in there():
                cursor.execute(f"DROP DATABASE {connection.ops.quote_name(name)}")


def made(run: str = "") -> str:
    return migrated.made_once(KIND, migrated.migrate, run=run)


@pytest.fixture
def migrations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The databases that were migrated, by a migration that takes no time."""
    names: list[str] = []

    def migrate(*_command: str, **_options: Any) -> None:
        names.append(connection.settings_dict["NAME"])
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE made ()")

    monkeypatch.setattr(migrated, "call_command", migrate)
    return names


def test_a_database_is_migrated_once_until_a_file_changes(
    migrations: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    main = connection.settings_dict["NAME"]
    file = tmp_path / "0001_initial.py"
    monkeypatch.setattr(settings, "BASE_DIR", tmp_path)
    monkeypatch.setattr(migrated, "_files", lambda: [file])
    file.write_text("one")
    first = made()
    assert made() == first
    assert len(migrations) == 1
    file.write_text("two")
    second = made()
    assert second != first
    assert there() == [second], "the former one is gone"
    assert made(run="of CI") != second
    assert len(migrations) == 3
    assert connection.settings_dict["NAME"] == main


def test_what_was_interrupted_is_not_taken_for_a_migrated_database(
    migrations: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_command: str, **_options: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(migrated, "call_command", interrupted)
        with pytest.raises(KeyboardInterrupt):
            made()
    assert migrations == []
    whole = made()
    assert len(migrations) == 1
    assert there() == [whole]


def test_every_migration_and_every_file_of_sql_counts() -> None:
    written = {
        path
        for app in ("archive", "ask", "feeds", "knowledge")
        for pattern in ("migrations/*.py", "**/*.sql")
        for path in (settings.BASE_DIR / app).glob(pattern)
    }
    assert len(written) > 90
    assert written <= set(migrated._files())
