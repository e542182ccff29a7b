"""The real protocol and the real front on one connection: bytes in, bytes out, no process and no port.

The event loop runs in a thread of its own; what Django does runs in the test's, whose transaction it sees.
"""

import asyncio
import http.client
import io
import json
import logging
import queue
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from uvicorn.config import Config
from uvicorn.server import ServerState

from config.front import assembly
from config.front.application import Front, Places
from config.front.bridge import Bridge
from config.front.memory import Memory
from config.front.protocol import FrontProtocol
from config.front.worker import Worker
from config.request_bodies import WholeBodies

CLIENT = ("127.0.0.1", 40123)
SECONDS = 20.0


class Answer:
    """A response, or none where the server just closed the connection."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        parsed = http.client.HTTPResponse(Received(raw))  # type: ignore[arg-type]  # all it needs of a socket
        parsed.begin()
        self.status, self.headers, self.body = parsed.status, parsed.headers, parsed.read()

    def json(self) -> Any:
        return json.loads(self.body)


class Received(io.BytesIO):
    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self.getvalue())


class InThisThread(Executor):
    """Runs what is submitted in the thread that calls ``work``."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        promised: Future[Any] = Future()
        self._waiting.put((promised, lambda: fn(*arguments, **named)))
        return promised

    def work(self, is_done: Callable[[], bool]) -> None:
        """Run what comes until ``is_done``."""
        while not is_done():
            try:
                promised, call = self._waiting.get(timeout=0.002)
            except queue.Empty:
                continue
            try:
                promised.set_result(call())
            except BaseException as error:
                promised.set_exception(error)


class Heard:
    """A listener that has just heard."""

    is_away = False
    silent = 0.0

    def seconds_silent(self) -> float:
        return self.silent


class Server:
    """The front of one worker."""

    def __init__(self, application: Any = None) -> None:
        self.django = application or get_wsgi_application()
        self.whole_bodies = WholeBodies(self.django)
        self.executor, self.heard = InThisThread(), Heard()
        self.front = Front(
            Bridge(lambda environ, start: self.django(environ, start), self.executor),
            Memory(1 << 22),
            self.heard,
            Places(
                self.executor,
                self.executor,
                self.executor,
                64,
                frozenset({"/api/health"}),
                lambda *_request: False,
                crowd=9,
            ),
            lambda status, path: assembly.refuse(status, path),
            assembly.failed,
            assembly.report,
            trusts_proxies=settings.TRUSTED_PROXY_COUNT > 0,
            admin_path="/admin/",
        )
        self.config = Config(self.front, http=FrontProtocol, log_config=None, **Worker.CONFIG_KWARGS)
        self.config.load()
        self.state = ServerState()
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="loop", daemon=True)
        self._thread.start()
        self.lines = Lines()
        for name in ("uvicorn.error", "config.front.assembly"):
            logging.getLogger(name).addHandler(self.lines)
        logging.getLogger("uvicorn.error").setLevel(logging.INFO)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(_end_all(), self.loop).result(SECONDS)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(SECONDS)
        self.loop.close()

    def send(self, raw: bytes, client: tuple[str, int] = CLIENT) -> Answer:
        """What comes back when a client sends this, and nothing more."""
        return Answer(self.exchange(raw, client))

    def exchange(self, raw: bytes, client: tuple[str, int] = CLIENT) -> bytes:
        near, far = socket.socketpair()
        received: list[bytes] = []
        talking = threading.Thread(target=_talk, args=(near, raw, received))
        asyncio.run_coroutine_threadsafe(self._accept(far, client), self.loop).result(SECONDS)
        talking.start()
        with near, a_lasting_database():
            self.executor.work(lambda: not talking.is_alive())
        return b"".join(received)

    async def _accept(self, connected: socket.socket, client: tuple[str, int]) -> None:
        def protocol() -> FrontProtocol:
            made = FrontProtocol(self.config, self.state, {}, _loop=self.loop)
            begin = made.connection_made

            def connection_made(transport: Any) -> None:
                begin(transport)
                made.client, made.server = client, ("127.0.0.1", 8000)

            made.connection_made = connection_made  # type: ignore[method-assign]
            return made

        await self.loop.connect_accepted_socket(protocol, connected)

    def call(self, environ: dict[str, Any]) -> int:
        """The status of a request as a WSGI server hands it to the application."""
        said: list[str] = []
        with a_lasting_database():
            response = self.whole_bodies(environ, lambda status, _headers: said.append(status))
            b"".join(response)
        return int(said[0].partition(" ")[0])

    def post(self, path: str, body: bytes, content_type: str = "application/json", **headers: str) -> Answer:
        """A POST whose headers say of the body's length what they are told to, and nothing by themselves."""
        fields = {"Host": "localhost", "Content-Type": content_type, **headers}
        lines = [f"POST {path} HTTP/1.1", *(f"{k.replace('_', '-')}: {v}" for k, v in fields.items())]
        return self.send("\r\n".join([*lines, "", ""]).encode() + body)


@contextmanager
def a_lasting_database() -> Iterator[None]:
    """Requests leave the test's transaction open, as those of Django's own test client do."""
    both = (request_started, request_finished)
    for signal in both:
        signal.disconnect(close_old_connections)
    yield
    for signal in both:
        signal.connect(close_old_connections)


class Lines(logging.Handler):
    """What the server wrote of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


async def _end_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def _talk(near: socket.socket, raw: bytes, received: list[bytes]) -> None:
    try:
        near.sendall(raw)
        near.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # the server has closed
    try:
        while data := near.recv(1 << 16):
            received.append(data)
    except OSError:
        return


def chunked(body: bytes, size: int = 7) -> bytes:
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
