"""The lock is free for the next as soon as it is given back."""

import pytest
from django.db import connection

from archive.lock import held

pytestmark = pytest.mark.django_db
KEY = 0x74657374


def test_it_is_free_at_once() -> None:
    for _time in range(50):
        with (
            connection.cursor() as cursor
        ):  # connected before: nothing that a new connection waits for hides a lock
            with held(KEY, "test of the lock", wait_seconds=0) as ours:
                assert ours
            cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s", [KEY])
            assert cursor.fetchone() == (0,)


def test_a_second_one_does_not_get_it() -> None:
    with held(KEY, "test of the lock", 0) as ours, held(KEY, "another", 0) as also_ours:
        assert ours
        assert not also_ours


def test_a_connection_that_is_lost_hides_nothing() -> None:
    with pytest.raises(KeyError), held(KEY, "test of a lost lock", 0):
        _lose("test of a lost lock")


def _lose(application: str) -> None:
    """End a connection in the middle of its owner's work, which then fails with KeyError."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s",
            [application],
        )
        assert cursor.fetchall() == [(True,)]
    raise KeyError
