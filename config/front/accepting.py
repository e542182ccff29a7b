"""Which web process takes a new connection: all of them listen on the same sockets.

An event loop that wakes takes every connection that waits. Of four that came at once, one of two idle processes so took
all four most of the time, and the other core did nothing for as long as they lasted. Here a process takes one at a
time, and while it has more than another it leaves the next to that one, for a moment.
"""

import asyncio
import logging
import socket
import time
from collections.abc import Callable, Sequence
from ssl import SSLContext
from typing import Any

PROCESSES_MAX = 64
LEFT_SECONDS = 0.002  # to another process, which by then has taken it or is busy
SILENT_NS = 2 * 10**9  # a process that has said nothing for longer has ended, or answers nobody
# What the system may take of a response beyond what it can send. Left to itself Linux copies up to 4 MB (``tcp_wmem``)
# for each client that reads slowly: for 125 of them it held 470 MB, and all others waited while it copied.
UNSENT_BYTES = 256 * 1024
RETRY_SECONDS = 1.0  # where the system gives no connection: mostly for want of file descriptors
logger = logging.getLogger("uvicorn.error")


class Acceptor:
    """What accepts connections in one process, in place of the event loop's servers.

    ``shared`` is memory that all processes share, of 2 x ``PROCESSES_MAX`` numbers: how many connections each has, and
    when it last said so (ns; 0 while it takes none). ``number`` tells this process from the others, modulo
    ``PROCESSES_MAX``.
    """

    def __init__(self, shared: "memoryview[int]", number: int) -> None:
        self.connections: set[Any] = _Connections(self._changed)
        self._counts, self._said = shared[:PROCESSES_MAX], shared[PROCESSES_MAX : 2 * PROCESSES_MAX]
        self._number = number % PROCESSES_MAX
        self._sockets: Sequence[socket.socket] = ()
        self._accepted: set[asyncio.Task[None]] = set()
        self._listens = False
        self._rest: asyncio.TimerHandle | None = None

    def start(
        self,
        sockets: Sequence[socket.socket],
        protocol: Callable[[], asyncio.Protocol],
        ssl: SSLContext | None,
    ) -> None:
        """Accept what comes on listening sockets. On the loop."""
        self._loop = asyncio.get_running_loop()
        self._sockets, self._protocol, self._ssl = sockets, protocol, ssl
        for each in sockets:
            each.setblocking(False)
            if each.family in (socket.AF_INET, socket.AF_INET6):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
        self._listen()

    def say(self) -> None:
        """Tell the other processes, more often than every ``SILENT_NS``."""
        self._counts[self._number] = self._count
        self._said[self._number] = time.monotonic_ns() if self._listens else 0

    def close(self) -> None:
        """Accept no more. As a server of the loop has it."""
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        self._turn_away()

    async def wait_closed(self) -> None:
        await asyncio.gather(*self._accepted, return_exceptions=True)

    @property
    def _count(self) -> int:
        return len(self.connections) + len(self._accepted)

    def _has_more_than_another(self) -> bool:
        mine = self._count
        if not mine:
            return False
        since = time.monotonic_ns() - SILENT_NS
        others = zip(self._counts.tolist(), self._said.tolist(), strict=True)
        return any(count < mine and said > since for count, said in others)

    def _changed(self) -> None:
        self.say()
        if self._rest is not None and not self._has_more_than_another():
            self._rest.cancel()
            self._listen()

    def _listen(self) -> None:
        self._rest, self._listens = None, True
        for each in self._sockets:
            self._loop.add_reader(each, self._come, each)
        self.say()

    def _turn_away(self) -> None:
        self._listens = False
        for each in self._sockets:
            self._loop.remove_reader(each)
        self.say()

    def _listen_no_more_for(self, seconds: float) -> None:
        self._turn_away()
        self._rest = self._loop.call_later(seconds, self._listen_after_all)

    def _listen_after_all(self) -> None:
        """Take what was left to others and is still there."""
        self._listen()
        for each in self._sockets:
            if self._listens:
                self._take(each)

    def _come(self, listening: socket.socket) -> None:
        if self._has_more_than_another():
            self._listen_no_more_for(LEFT_SECONDS)
        else:
            self._take(listening)

    def _take(self, listening: socket.socket) -> None:
        try:
            connection, _peer = listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return  # another process has it, or its client has left
        except OSError as error:
            logger.error("no connection can be accepted, tried again in %d s: %s", RETRY_SECONDS, error)
            self._listen_no_more_for(RETRY_SECONDS)
            return
        task = self._loop.create_task(self._serve(connection))
        self._accepted.add(task)
        task.add_done_callback(self._served)
        self.say()

    async def _serve(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, connection, ssl=self._ssl)
        except OSError:  # of a client that broke off its handshake, or is gone
            connection.close()

    def _served(self, task: asyncio.Task[None]) -> None:
        self._accepted.discard(task)
        self._changed()


class _Connections(set[Any]):
    """The open ones, as uvicorn keeps them."""

    def __init__(self, changed: Callable[[], None]) -> None:
        super().__init__()
        self._changed = changed

    def add(self, connection: Any) -> None:
        super().add(connection)
        self._changed()

    def discard(self, connection: Any) -> None:
        super().discard(connection)
        self._changed()
