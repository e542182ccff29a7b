"""How processes share the connections that come to one socket. Here they are acceptors on one event loop."""

import asyncio
import errno
import logging
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, cast

import pytest
import uvloop

from config.front import accepting
from config.front.accepting import PROCESSES_MAX, Acceptor

PATIENCE = 10.0


class Connection(asyncio.Protocol):
    """As uvicorn's: it adds itself to the open ones, and takes itself away."""

    def __init__(self, connections: set[Any]) -> None:
        self.connections = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.connections.add(self)

    def connection_lost(self, _error: Exception | None) -> None:
        self.connections.discard(self)


class Site:
    """A listening socket, what processes tell each other about it, and clients."""

    def __init__(self, stack: ExitStack) -> None:
        self.shared = memoryview(bytearray(2 * 8 * PROCESSES_MAX)).cast("Q")
        self.listening = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=64))
        self._stack = stack

    def process(self, number: int, kind: type[socket.socket] = socket.socket) -> Acceptor:
        acceptor = Acceptor(self.shared, number)
        mine = self._stack.enter_context(kind(fileno=self.listening.dup().detach()))
        acceptor.start([mine], lambda: Connection(acceptor.connections), None)
        self._stack.callback(acceptor.close)
        return acceptor

    def client(self) -> socket.socket:
        return self._stack.enter_context(socket.create_connection(self.listening.getsockname()))

    def other_says(self, number: int, count: int, *, when: int) -> None:
        self.shared[number], self.shared[PROCESSES_MAX + number] = count, when


def run(work: Callable[[Site], Coroutine[Any, Any, None]]) -> None:
    async def whole() -> None:
        with ExitStack() as stack:
            await work(Site(stack))

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(whole())


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.001)


@contextmanager
def told() -> Iterator[list[str]]:
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    accepting.logger.addHandler(handler)
    try:
        yield lines
    finally:
        accepting.logger.removeHandler(handler)


def test_what_comes_at_once_is_shared() -> None:
    async def work(site: Site) -> None:
        both = site.process(1), site.process(2)
        for _client in range(8):
            site.client()
        await until(lambda: sum(len(each.connections) for each in both) == 8)
        assert [len(each.connections) for each in both] == [4, 4]

    run(work)


def test_a_connection_is_left_to_a_process_with_fewer_until_one_here_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(accepting, "LEFT_SECONDS", 3600.0)

    async def work(site: Site) -> None:
        only = site.process(1)
        first = site.client()
        await until(lambda: len(only.connections) == 1)
        site.other_says(2, 0, when=2**63)
        site.client()
        await asyncio.sleep(0.05)
        assert len(only.connections) == 1
        (left,) = only.connections
        first.close()
        await until(lambda: bool(only.connections) and left not in only.connections)

    run(work)


def test_what_the_other_process_does_not_take_is_taken_a_moment_later() -> None:
    async def work(site: Site) -> None:
        only = site.process(1)
        site.other_says(2, 0, when=2**63)
        for _client in range(3):
            site.client()
        await until(lambda: len(only.connections) == 3)

    run(work)


@pytest.mark.parametrize("when", [0, 1])
def test_nothing_is_left_to_a_process_that_takes_none_or_has_ended(
    when: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accepting, "LEFT_SECONDS", 3600.0)

    async def work(site: Site) -> None:
        only = site.process(1)
        site.other_says(2, 0, when=when)
        for _client in range(3):
            site.client()
        await until(lambda: len(only.connections) == 3)

    run(work)


def test_a_process_without_file_descriptors_says_so_and_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accepting, "RETRY_SECONDS", 0.01)
    refusals = [errno.EMFILE, errno.ECONNABORTED]

    class Refused(socket.socket):
        def accept(self) -> tuple[socket.socket, Any]:
            if refusals:
                raise OSError(refusals.pop(), "refused")
            return super().accept()

    async def work(site: Site) -> None:
        only = site.process(1, Refused)
        site.client()
        with told() as lines:
            await until(lambda: len(only.connections) == 1)
        (line,) = lines
        assert "no connection can be accepted" in line

    run(work)


def test_a_closed_one_accepts_nothing_and_is_left_nothing() -> None:
    async def work(site: Site) -> None:
        leaving, staying = site.process(1), site.process(2)
        leaving.close()
        await leaving.wait_closed()
        leaving.say()
        for _client in range(3):
            site.client()
        await until(lambda: len(staying.connections) == 3)
        assert not leaving.connections

    run(work)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take what they are given")
def test_the_system_takes_little_of_what_a_client_does_not_read() -> None:
    body = bytes(8 << 20)

    class Giving(Connection):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            giving = cast(asyncio.WriteTransport, transport)  # uvloop's does not say that it is one
            giving.write(body)
            left.append(giving.get_write_buffer_size)

    left: list[Callable[[], int]] = []

    async def work(site: Site) -> None:
        acceptor = Acceptor(site.shared, 1)
        acceptor.start([site.listening], lambda: Giving(acceptor.connections), None)
        site.client()
        await until(lambda: bool(left))
        await asyncio.sleep(0.1)
        assert left[0]() > len(body) - 4 * accepting.UNSENT_BYTES
        acceptor.close()

    run(work)
