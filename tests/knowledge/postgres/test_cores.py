"""The cores of threads, and of the backends that work for them."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from knowledge.postgres import own
from knowledge.postgres.cores import Cores, count
from tests.database import own_backend

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or count() < 2, reason="no two cores, or no way to choose one"
)


@pytest.fixture
def cores() -> Iterator[Cores]:
    before = os.sched_getaffinity(0)
    begun = Cores()
    begun.begin()
    yield begun
    os.sched_setaffinity(0, before)


@dataclass
class Connection:
    """What is asked of psycopg's: a socket, and the number of a backend that says it is there."""

    wire: socket.socket
    backend: int
    info: Any = field(init=False)

    def __post_init__(self) -> None:
        self.info = SimpleNamespace(backend_pid=self.backend)

    def fileno(self) -> int:
        return self.wire.fileno()


@contextmanager
def connected(client: str, server: str) -> Iterator[socket.socket]:
    """A TCP connection between two addresses of the loopback."""
    with socket.create_server((server, 0)) as listener, closing(socket.socket()) as wire:
        wire.bind((client, 0))
        wire.connect(listener.getsockname())
        yield wire


def test_a_thread_leaves_a_core_and_comes_back(cores: Cores) -> None:
    all_of_them = os.sched_getaffinity(0)
    cores.keep_one_free(True)
    assert os.sched_getaffinity(0) == all_of_them - {min(all_of_them)}
    cores.keep_one_free(False)
    assert os.sched_getaffinity(0) == all_of_them


def test_nobody_is_kept_off_before_it_has_begun() -> None:
    before = os.sched_getaffinity(0)
    Cores().keep_one_free(True)
    assert os.sched_getaffinity(0) == before


@pytest.mark.django_db
def test_the_backend_of_a_connection_follows_its_thread(cores: Cores) -> None:
    with psycopg.connect(**own.parameters("cores")) as connection:
        backend = own_backend(connection)
        before = os.sched_getaffinity(0)
        for is_free in (True, False):
            cores.keep_one_free(is_free)
            cores.follow(connection)
            assert os.sched_getaffinity(backend) == os.sched_getaffinity(0)
        cores.keep_one_free(True)
        assert os.sched_getaffinity(0) != before


@pytest.mark.django_db
def test_where_a_backend_beside_it_cannot_follow_no_core_is_kept_free(cores: Cores) -> None:
    """Its number may be that of another container's process, as here of one that is no child of who listens."""
    before = os.sched_getaffinity(0)
    ours, theirs = socket.socketpair()
    cores.keep_one_free(True)
    with ours, theirs:
        cores.follow(Connection(ours, os.getpid()))  # type: ignore[arg-type]
    assert os.sched_getaffinity(0) == before
    cores.keep_one_free(True)
    assert os.sched_getaffinity(0) == before
    with psycopg.connect(**own.parameters("cores")) as connection:
        own_backend(connection)
        cores.follow(connection)
    cores.keep_one_free(True)
    assert os.sched_getaffinity(0) != before


def test_a_system_that_forbids_the_choice_fails_nobody(cores: Cores, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_who: int, _cores: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setaffinity", forbidden)
    cores.keep_one_free(True)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        cores.follow(Connection(ours, os.getpid()))  # type: ignore[arg-type]
    monkeypatch.undo()


def test_over_tcp_a_backend_is_on_this_machine_where_both_ends_have_one_address(cores: Cores) -> None:
    before = os.sched_getaffinity(0)
    for client, stays_off in (("127.0.0.2", True), ("127.0.0.1", False)):
        with connected(client, "127.0.0.1") as wire:
            cores.keep_one_free(True)
            cores.follow(Connection(wire, os.getpid()))  # type: ignore[arg-type]
            assert (os.sched_getaffinity(0) != before) is stays_off
