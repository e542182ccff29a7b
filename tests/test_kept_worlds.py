"""A world on which several files build is made once, and stands in a database of its own."""

from collections.abc import Iterator

import pytest
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from knowledge.models import Unit
from tests import kept_worlds
from tests.factories.knowledge import make_unit

KIND = "tried_world"
made: list[str] = []


def make() -> None:
    made.append(make_unit().public_id)


@pytest.fixture
def tried(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    monkeypatch.setitem(kept_worlds.KINDS, KIND, make)
    with django_db_blocker.unblock():
        yield
        kept_worlds.drop_copies()
        with connection._nodb_cursor() as cursor:
            cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{KIND}%"])
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP DATABASE {connection.ops.quote_name(name)}")


def test_it_is_made_once_and_the_test_database_knows_nothing_of_it(
    tried: None, django_db_blocker: DjangoDbBlocker
) -> None:
    own = connection.settings_dict["NAME"]
    for _file in range(2):
        with kept_worlds.in_copy_of(KIND, django_db_blocker):
            assert [unit.public_id for unit in Unit.objects.all()] == ["asset:btc"]
            copy = connection.settings_dict["NAME"]
    assert made == ["asset:btc"]
    assert copy != own
    assert connection.settings_dict["NAME"] == own
    assert not Unit.objects.exists()
    connection.close()
