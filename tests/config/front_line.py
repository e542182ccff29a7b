"""The real protocol and the real front on TCP connections of this machine, before a small application of the test's.

Deadlines are reached by telling the protocol a later time, never by waiting.
"""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import wraps
from inspect import signature
from typing import Any, NamedTuple

import uvloop
from uvicorn.config import Config
from uvicorn.server import ServerState

from config.front.application import Front, Places
from config.front.bridge import Bridge
from config.front.memory import FrontResponse, Memory
from config.front.protocol import FrontProtocol
from config.front.worker import Worker, tell_without_words
from knowledge.publications.keeping import KEEP_HEADER
from tests.config.raw_http import Heard

PARTS, PART = 64, b"p" * (64 * 1024)
TERMS = {"seconds": 3600, "scopes": ["entity"], "variant": "", "view": "kept"}
KEPT = [("ETag", '"e"'), ("Cache-Control", "public, max-age=30"), (KEEP_HEADER, json.dumps(TERMS))]
PATIENCE = 10.0  # of a test for what must come


class Said(NamedTuple):
    """One response."""

    status: int
    headers: dict[str, str]
    body: bytes


class Application:
    """WSGI. ``/stream`` says when it was closed; ``/held`` answers when ``let_go`` is set; ``/kept`` may be kept until
    ``entity`` is told; the rest echoes."""

    def __init__(self) -> None:
        self.let_go, self.was_closed = threading.Event(), threading.Event()
        self.held = threading.Semaphore(0)
        self.seen: list[dict[str, Any]] = []

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        self.seen.append(environ)
        path = environ["PATH_INFO"]
        if path == "/held":
            self.held.release()
            assert self.let_go.wait(PATIENCE)
        if path == "/stream":
            start("200 OK", [("Content-Type", "application/octet-stream")])
            return self._stream()
        try:
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        except OSError:
            start("400 Bad Request", [("Content-Length", "0")])
            return [b""]
        if path == "/many":
            body = b"m" * int(environ["QUERY_STRING"])
        said = f"{environ['REQUEST_METHOD']} {path} ".encode() + body
        start("200 OK", [("Content-Length", str(len(said))), *(KEPT if path == "/kept" else ())])
        return [said]

    def _stream(self) -> Iterator[bytes]:
        try:
            for _ in range(PARTS):
                yield PART
        finally:
            self.was_closed.set()


class Line:
    """The server of one process."""

    def __init__(self) -> None:
        self.application = Application()
        self.places = ThreadPoolExecutor(2)
        self.reserved = ThreadPoolExecutor(1)
        self.front = Front(
            Bridge(self.application, self.places),
            Memory(1 << 20),
            Heard(),
            Places(
                self.places,
                self.reserved,
                self.places,
                2,
                frozenset({"/reserved"}),
                lambda *_request: False,
                crowd=9,
            ),
            lambda status, path: _refusal(status, path),
            self._failed,
            lambda _counts: None,
            trusts_proxies=False,
            admin_path="/admin/",
        )
        self.failures: list[Exception] = []
        self.config = Config(self.front, http=FrontProtocol, log_config=None, **Worker.CONFIG_KWARGS)
        self.config.load()
        self.state = ServerState()

    def _failed(self, error: Exception) -> None:
        self.failures.append(error)

    @property
    def ended(self) -> dict[str, int]:
        """What was closed, by its reason."""
        return dict(self.front.counts.ended)

    @property
    def connections(self) -> list[FrontProtocol]:
        return list(self.state.connections)  # type: ignore[arg-type]  # no others are made here

    def look(self, seconds: float) -> None:
        """What the worker does, as if it were this much later."""
        later = asyncio.get_running_loop().time() + seconds
        for connection in self.connections:
            connection.look(later)

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not is_so():
                await asyncio.sleep(0.001)

    @asynccontextmanager
    async def client(self, taking: int | None = None) -> AsyncIterator["Client"]:
        """A connection; ``taking`` is how many bytes its system takes in advance."""
        near = socket.socket()
        if taking is not None:
            near.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, taking)
        near.setblocking(False)
        known = len(self.connections)
        with near:
            await asyncio.get_running_loop().sock_connect(near, self.address)
            await self.until(lambda: len(self.connections) > known)
            yield Client(near)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator["Line"]:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(tell_without_words)
        listener = socket.socket()
        # A small one, so that what a slow reader leaves stays with the process and not with its system.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 * 1024)
        listener.bind(("127.0.0.1", 0))
        self.address = listener.getsockname()
        server = await loop.create_server(
            lambda: FrontProtocol(self.config, self.state, {}, _loop=loop), sock=listener
        )
        try:
            yield self
        finally:
            self.application.let_go.set()
            for connection in self.connections:
                connection.transport.abort()
            server.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            self.places.shutdown()
            self.reserved.shutdown()


class Client:
    """What a client sends and gets, byte by byte if need be."""

    def __init__(self, near: socket.socket) -> None:
        self.near = near
        self.loop = asyncio.get_running_loop()
        self._taken = b""

    async def send(self, data: bytes) -> None:
        await self.loop.sock_sendall(self.near, data)

    async def send_in(self, data: bytes, size: int) -> None:
        """In packets of this size."""
        self.near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start in range(0, len(data), size):
            await self.send(data[start : start + size])
            await asyncio.sleep(0)

    def say_no_more(self) -> None:
        self.near.shutdown(socket.SHUT_WR)

    async def take(self, size: int = 65536) -> bytes:
        """What has come; empty at the end. Raises ConnectionResetError where the server hung up."""
        async with asyncio.timeout(PATIENCE):
            return await self.loop.sock_recv(self.near, size)

    async def take_all(self) -> bytes:
        """All that comes until the server hangs up, in whichever way."""
        taken, self._taken = [self._taken], b""
        try:
            while data := await self.take():
                taken.append(data)
        except ConnectionResetError:
            taken.append(b"")
        return b"".join(taken)

    async def answer(self, method: str = "GET") -> Said:
        """The next response, by its framing."""
        head = (await self._until(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split(" ")[1])
        headers = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)
        }
        if method == "HEAD" or status in (100, 304):
            return Said(status, headers, b"")
        if headers.get("transfer-encoding") == "chunked":
            body = b""
            while size := int(await self._until(b"\r\n"), 16):
                body += (await self._next(size + 2))[:-2]
            await self._next(2)
            return Said(status, headers, body)
        if "content-length" in headers:
            return Said(status, headers, await self._next(int(headers["content-length"])))
        return Said(status, headers, await self.take_all())

    async def _until(self, mark: bytes) -> bytes:
        while mark not in self._taken:
            await self._more()
        part, _, self._taken = self._taken.partition(mark)
        return part + mark

    async def _next(self, size: int) -> bytes:
        while len(self._taken) < size:
            await self._more()
        part, self._taken = self._taken[:size], self._taken[size:]
        return part

    async def _more(self) -> None:
        data = await self.take()
        assert data, f"the server hung up after {self._taken[-200:]!r}"
        self._taken += data


def _refusal(status: int, path: str) -> FrontResponse:
    body = f"refused {path}".encode()
    return FrontResponse(status, [(b"content-length", str(len(body)).encode())], body)


def on_a_line(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test on an event loop as the workers have it, with a ``Line`` as its first argument."""

    @wraps(test)
    def run(**fixtures: Any) -> None:
        async def whole() -> None:
            async with Line().listening() as line:
                await test(line, **fixtures)

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(whole())

    # pytest would take its first argument for a fixture.
    known = signature(test)
    run.__signature__ = known.replace(parameters=list(known.parameters.values())[1:])  # type: ignore[attr-defined]
    return run
