"""Each change of what pages show is told by NOTIFY, under the scope that those pages name."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.utils import timezone

from knowledge.postgres import own
from tests.factories.world import make_world
from tests.told import CHANGES, OF_THE_WORLD, answer_scope


@contextmanager
def listening() -> Iterator[Callable[[], set[str]]]:
    """What gives the payloads that were heard since it was last asked."""
    with psycopg.connect(**own.parameters("test of scopes")) as conn:
        conn.execute("LISTEN madang_change; LISTEN madang_scope")

        def heard() -> set[str]:
            conn.execute("SELECT 1")  # whatever was committed before it has come with the answer
            return {notice.payload for notice in conn.notifies(timeout=0)}

        yield heard


@pytest.mark.django_db(transaction=True)
def test_every_change_is_told_under_its_scope() -> None:
    make_world(timezone.now())
    own_scope = answer_scope()
    with listening() as heard:
        for write, expected in CHANGES:
            write()
            told = {scope.replace(own_scope, OF_THE_WORLD) for scope in heard()} - {""}
            assert told == expected, f"change {CHANGES.index((write, expected))}"
