"""Worlds on which several files build: each is made once a run, in a database of its own, and copied by each process.

The starter canon takes a core twenty seconds, a copy a fifth of one. The tests of a file that stands on a copy run in
transactions and never flush, so that the copy serves the next file as well.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.contrib.contenttypes.models import ContentType
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from tests import migrated
from tests.ask import quality_world
from tests.shared import start_over

KINDS: dict[str, Callable[[], None]] = {"canon": quality_world.build_canon}
_copies: dict[str, str] = {}


@contextmanager
def in_copy_of(kind: str, blocker: DjangoDbBlocker) -> Iterator[None]:
    """The connection leads to this process's copy of a world, and afterwards to the test database again."""
    with blocker.unblock():
        if kind not in _copies:
            _copies[kind] = _copied(kind)
    with migrated.connected_to(_copies[kind]):
        ContentType.objects.clear_cache()  # a flush of the test database gave them other numbers
        yield
    ContentType.objects.clear_cache()


def drop_copies() -> None:
    with connection._nodb_cursor() as cursor:  # type: ignore[no-untyped-call]
        while _copies:
            migrated.drop(cursor, _copies.popitem()[1])


def _copied(kind: str) -> str:
    world = migrated.made_once(kind, lambda: _make(kind), run=migrated.RUN, of=migrated.template())
    name = f"{connection.settings_dict['NAME']}_{kind}"
    with connection._nodb_cursor() as cursor:  # type: ignore[no-untyped-call]
        migrated.drop(cursor, name)  # an interrupted run's
        migrated.copy(cursor, world, name)
    return name


def _make(kind: str) -> None:
    start_over()
    KINDS[kind]()
