"""What every test shares."""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings
from pytest_django.plugin import DjangoDbBlocker

from config.celery import app
from knowledge.linking import gazetteer
from tests import emptied, kept_worlds, migrated
from tests.shared import archive_in, start_over

pytest_plugins = ["tests.clock"]

# A thread that reads the names does not see what a test wrote and never commits.
gazetteer.PATIENCE_SECONDS = inf

# Tasks that a test sends stay in this process: a worker of `make run` listens on the same Valkey.
app.conf.broker_url = "memory://"

# Django's own hash takes a third of a second, on purpose; hundreds of tests make an editor with a password.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests stand first: a run that ended with them would leave all cores but one idle."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    django_db_keepdb: bool,
    django_db_createdb: bool,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    """The test database is a copy of a migrated one."""
    with django_db_blocker.unblock():
        if django_db_keepdb and not django_db_createdb and migrated.kept():
            return
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated.template()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The test database, left alone by everybody before it is dropped.

    Postgres learns of a killed client only when it next writes to it, so the backend of a process that a test killed
    may outlive the test, and a database in use cannot be dropped.
    """
    with django_db_blocker.unblock():
        emptied.replace_flush()
    yield
    with django_db_blocker.unblock():
        kept_worlds.drop_copies()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
    connection.close()


@pytest.fixture(scope="module")
def canon(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """All tests of the file begin with the starter canon, indexed, and leave it as it is: they may not flush."""
    with kept_worlds.in_copy_of("canon", django_db_blocker):
        yield


@pytest.fixture(autouse=True, scope="module")
def names_looked_for_anew() -> None:
    """The names of the last module's world hold for a second, in which this one's first test may already ask."""
    gazetteer._checked_at = -inf


@pytest.fixture(autouse=True, scope="session")
def own_cache() -> Iterator[None]:
    """Counters of nobody else: a `make run` on this machine uses the same Valkey."""
    local = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    with override_settings(CACHES=local):
        yield


@pytest.fixture(autouse=True)
def own_archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of this test's day files: ``var/archive`` is of `make run`."""
    folder = tmp_path_factory.getbasetemp() / f"archive-{uuid4().hex}"
    with archive_in(folder):
        yield folder


@pytest.fixture(autouse=True)
def empty_shelf() -> None:
    """The database starts over with every test, and so does what this process keeps."""
    start_over()


@pytest.fixture
def samples() -> Path:
    """The payloads recorded from real sources, beside the project; the test is skipped without them."""
    root = Path(settings.SAMPLES_DIR)
    folder = root if root.is_absolute() else settings.BASE_DIR / root
    if not folder.is_dir():
        pytest.skip("recorded payloads (SAMPLES_DIR) are not on this machine")
    return folder
