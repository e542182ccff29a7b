"""The processes that work for connections, and how they stand at the CPU."""

import os
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from knowledge.postgres import backends, own
from tests.database import own_backend

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(sys.platform != "linux", reason="threads have no niceness of their own"),
]


@pytest.fixture
def connection() -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(**own.parameters("backends")) as connected:
        yield connected


def niceness(process: int) -> int:
    return os.getpriority(os.PRIO_PROCESS, process)


def at_niceness(more: int, work: Callable[[], None]) -> int:
    """Do it in a thread of this niceness above ours, which is for its life; returns the niceness."""

    def nicely() -> int:
        reached = os.nice(more)
        work()
        return reached

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(nicely).result()


def test_a_backend_comes_no_sooner_than_whom_it_works_for(connection: psycopg.Connection[Any]) -> None:
    backend = own_backend(connection)
    assert backends.process_of(connection) == backend
    ours = niceness(0)
    reached = at_niceness(7, lambda: backends.follow_niceness(connection))
    assert niceness(backend) == reached > ours
    at_niceness(3, lambda: backends.follow_niceness(connection))
    assert niceness(backend) == reached
    assert niceness(0) == ours


def test_who_has_no_niceness_tells_nobody(
    connection: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    monkeypatch.setattr(os, "setpriority", lambda _which, process, _niceness: told.append(process))
    for usual in (-5, 0):
        monkeypatch.setattr(os, "getpriority", lambda _which, _who, usual=usual: usual)
        backends.follow_niceness(connection)
    assert told == []


def test_no_other_process_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of a backend in another container may be that of a process here."""
    told: list[int] = []
    monkeypatch.setattr(os, "setpriority", lambda _which, process, _niceness: told.append(process))
    mine: Any = SimpleNamespace(backend_pid=os.getpid())
    pair = socket.socketpair()
    with (
        pair[0],
        pair[1],
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as over_tcp,
    ):
        for wire in (pair[0], over_tcp):
            other: Any = SimpleNamespace(info=mine, fileno=wire.fileno)
            with pytest.raises(ProcessLookupError):
                backends.process_of(other)
            at_niceness(5, lambda other=other: backends.follow_niceness(other))  # type: ignore[misc]
    assert told == []


def test_a_backend_that_may_not_be_told_stays_as_it_is(
    connection: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_asked: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", forbidden)
    backend = own_backend(connection)
    before = niceness(backend)
    at_niceness(5, lambda: backends.follow_niceness(connection))
    assert niceness(backend) == before
