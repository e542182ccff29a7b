"""A web server on a loopback socket that answers from tables and misbehaves on demand.

It stands in for any source: adapters take their base address from the source's row. Every fault is made on
the wire, so what is tested is what a hostile server can really do.
"""

import gzip
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

NOT_FOUND_PAGE = b"<!DOCTYPE html>\n<html lang=en><title>Error 404 (Not Found)</title><p>No such page.\n"


@dataclass(frozen=True)
class Asked:
    """One request as it came in; header names are lower-case."""

    path: str
    query: str
    headers: Mapping[str, str]

    @property
    def target(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


class Exchange:
    """The server's side of one request: what was asked, and the bare wire."""

    def __init__(self, handler: BaseHTTPRequestHandler, asked: Asked, stopping: threading.Event) -> None:
        self._handler = handler
        self.asked = asked
        self._stopping = stopping

    def answer(self, body: bytes, *, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """A complete answer; a Content-Length is added unless the headers hold one."""
        lengths = {} if headers and "Content-Length" in headers else {"Content-Length": str(len(body))}
        self.head(status, {**(headers or {}), **lengths})
        self.write(body)

    def head(self, status: int, headers: Mapping[str, str]) -> None:
        self._handler.send_response(status)
        for name, value in headers.items():
            self._handler.send_header(name, value)
        self._handler.end_headers()

    def write(self, data: bytes) -> None:
        self._handler.wfile.write(data)
        self._handler.wfile.flush()

    def wait(self, seconds: float) -> bool:
        """Pause; False when the server is being stopped meanwhile."""
        return not self._stopping.wait(seconds)


Handler = Callable[[Exchange], None]


@dataclass
class Replay:
    """What the server answers. Paths that nobody registered are a 404 with an HTML page, as on the real
    web.
    """

    port: int = 0
    asked: list[Asked] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    _handlers: dict[str, Handler] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        return f"{self.origin}{path}"

    def count(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(1 for asked in self.asked if asked.path == path)

    def last(self, path: str) -> Asked:
        return [asked for asked in self.asked if asked.path == path][-1]

    def handle(self, path: str, handler: Handler) -> str:
        """Answer a path by a function; returns the path's address. So do all that follow. With a query behind it the
        path is answered so for that query alone.
        """
        self._handlers[path] = handler
        return self.url(path)

    def serve(
        self,
        path: str,
        body: bytes,
        *,
        status: int = 200,
        content_type: str = "application/xml",
        etag: str = "",
        last_modified: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> str:
        """A body; with ``etag`` or ``last_modified`` a conditional request that matches gets 304."""
        all_headers = {"Content-Type": content_type, **(headers or {})}
        all_headers |= {"ETag": etag} if etag else {}
        all_headers |= {"Last-Modified": last_modified} if last_modified else {}

        def answer(exchange: Exchange) -> None:
            sent = exchange.asked.headers
            same_tag = bool(etag) and sent.get("if-none-match") == etag
            same_time = bool(last_modified) and sent.get("if-modified-since") == last_modified
            if same_tag or same_time:
                exchange.head(304, all_headers)
            else:
                exchange.answer(body, status=status, headers=all_headers)

        return self.handle(path, answer)

    def serve_file(self, path: str, file: Path, **how: Any) -> str:
        return self.serve(path, file.read_bytes(), **how)

    def redirect(self, path: str, to: str, status: int = 302) -> str:
        return self.handle(
            path, lambda exchange: exchange.answer(b"", status=status, headers={"Location": to})
        )

    def delay(self, path: str, body: bytes, seconds: float) -> str:
        """Says nothing for a while, then answers."""

        def answer(exchange: Exchange) -> None:
            if exchange.wait(seconds):
                exchange.answer(body)

        return self.handle(path, answer)

    def dribble(self, path: str, body: bytes, seconds: float) -> str:
        """One byte at a time, each after a pause that no read timeout minds."""

        def answer(exchange: Exchange) -> None:
            exchange.head(200, {"Content-Length": str(len(body)), "Content-Type": "application/xml"})
            for byte in body:
                if not exchange.wait(seconds):
                    return
                exchange.write(bytes([byte]))

        return self.handle(path, answer)

    def dribble_head(self, path: str, seconds: float) -> str:
        """Headers that never end, one after the other."""

        def answer(exchange: Exchange) -> None:
            exchange.write(b"HTTP/1.1 200 OK\r\n")
            while exchange.wait(seconds):
                exchange.write(b"X-More: yes\r\n")

        return self.handle(path, answer)

    def cut(self, path: str, body: bytes, after: int) -> str:
        """Promises the whole body and hangs up after some bytes of it."""

        def answer(exchange: Exchange) -> None:
            exchange.head(200, {"Content-Length": str(len(body)), "Content-Type": "application/xml"})
            exchange.write(body[:after])

        return self.handle(path, answer)

    def wrong_length(self, path: str, body: bytes, promised: int) -> str:
        headers = {"Content-Length": str(promised), "Content-Type": "application/xml"}
        return self.handle(path, lambda exchange: exchange.answer(body, headers=headers))

    def encoded(self, path: str, data: bytes, encoding: str) -> str:
        """Bytes that are said to be compressed."""
        headers = {"Content-Encoding": encoding, "Content-Type": "application/xml"}
        return self.handle(path, lambda exchange: exchange.answer(data, headers=headers))

    def gzip_bomb(self, path: str, megabytes: int) -> str:
        return self.encoded(path, gzip.compress(b"\0" * (megabytes << 20), 9), "gzip")

    def answer(self, exchange: Exchange) -> None:
        handler = self._handlers.get(exchange.asked.target) or self._handlers.get(exchange.asked.path)
        if handler is None:
            exchange.answer(NOT_FOUND_PAGE, status=404, headers={"Content-Type": "text/html"})
        else:
            handler(exchange)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up early is what many of these tests are about."""


def _handler_class(replay: Replay) -> type[BaseHTTPRequestHandler]:
    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(parts.path, parts.query, headers)
            replay.asked.append(asked)
            replay.answer(Exchange(self, asked, replay.stopping))

        def log_message(self, format: str, *args: object) -> None:
            """Tests are quiet."""

    return Answering


def running_replay() -> Iterator[Replay]:
    """A replay server for the length of a ``with`` or a fixture."""
    replay = Replay()
    server = _Server(("127.0.0.1", 0), _handler_class(replay))
    replay.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield replay
    finally:
        replay.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


@pytest.fixture(name="replay")
def replay_server() -> Iterator[Replay]:
    """A fresh server for a test."""
    yield from running_replay()
