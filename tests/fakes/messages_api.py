"""A Messages API on a loopback socket: scripted replies, a log of requests, and every fault on the wire itself.

The real client talks to it through ``base_url``. A reply is a function of one connection; the next in the script is
taken for each request, the last one for all that follow.
"""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

JSON = "application/json"
HTML = b"<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>"


@dataclass(frozen=True)
class Request:
    """One request as it came in; header names are lower-case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


class Connection:
    """The server's end of one connection."""

    def __init__(self, connected: socket.socket, stopping: threading.Event) -> None:
        self._socket = connected
        self._stopping = stopping

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def wait(self, seconds: float) -> None:
        self._stopping.wait(seconds)

    def reset(self) -> None:
        """End with RST in place of FIN."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()


Reply = Callable[[Connection], None]


def head(status: int, length: int | None, headers: Mapping[str, str] | None = None) -> bytes:
    lines = [f"HTTP/1.1 {status} Said", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in {"Content-Type": JSON, **(headers or {})}.items()]
    lines += [f"Content-Length: {length}"] if length is not None else []
    return "\r\n".join([*lines, "", ""]).encode()


def raw(body: bytes, status: int = 200, **headers: str) -> Reply:
    """These bytes; keyword ``content_type`` becomes the header."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    return lambda connection: connection.send(head(status, len(body), named) + body)


def document(value: object, status: int = 200) -> Reply:
    return raw(json.dumps(value, ensure_ascii=False).encode(), status)


def message(*blocks: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """A whole message; keywords replace its fields."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-5-5",
        "content": list(blocks),
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1000, "output_tokens": 100},
        **fields,
    }


def said(text: str, *citations: Mapping[str, Any]) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": text, **({"citations": list(citations)} if citations else {})}


def failed(status: int, kind: str, **headers: str) -> Reply:
    body = json.dumps({"type": "error", "error": {"type": kind, "message": "as asked"}}).encode()
    return raw(body, status, **headers)


def delayed(seconds: float, reply: Reply) -> Reply:
    def answer(connection: Connection) -> None:
        connection.wait(seconds)
        reply(connection)

    return answer


def dribbled(body: bytes, pause: float) -> Reply:
    """One byte at a time, each well within any read timeout."""

    def answer(connection: Connection) -> None:
        connection.send(head(200, len(body)))
        for byte in body:
            connection.send(bytes([byte]))
            connection.wait(pause)

    return answer


def cut(body: bytes, after: int, *, promised: int | None = None) -> Reply:
    """A body that ends early."""
    length = len(body) if promised is None else promised
    return lambda connection: connection.send(head(200, length) + body[:after])


def reset(before: bytes = b"") -> Reply:
    def answer(connection: Connection) -> None:
        if before:
            connection.send(before)
            connection.wait(0.05)
        connection.reset()

    return answer


def closed(connection: Connection) -> None:
    """The request was read, and no byte comes back."""


@dataclass
class MessagesApi:
    """The server; ``script`` is what it answers, ``requests`` what it was asked."""

    port: int = 0
    requests: list[Request] = field(default_factory=list)
    script: list[Reply] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answer(self, *replies: Reply | Mapping[str, Any]) -> None:
        """Set the script; a mapping is sent as a JSON document."""
        self.script = [reply if callable(reply) else document(reply) for reply in replies]

    def take(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            return self.script[min(len(self.requests), len(self.script)) - 1]


def _serve(api: MessagesApi, connected: socket.socket) -> None:
    with connected:
        try:
            request = _read(connected)
            if request is not None:
                api.take(request)(Connection(connected, api.stopping))
        except OSError:
            """A client that hangs up early is what many of these tests are about."""


def _read(connected: socket.socket) -> Request | None:
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = connected.recv(65536)
        if not chunk:
            return None
        data += chunk
    top, _, body = data.partition(b"\r\n\r\n")
    first, *lines = top.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connected.recv(65536)
    return Request(first.split()[1], headers, json.loads(body))


def _accept(api: MessagesApi, listener: socket.socket) -> None:
    while True:
        try:
            connected, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_serve, args=(api, connected), daemon=True).start()


def running_messages_api() -> Iterator[MessagesApi]:
    """A server for the length of a ``with`` or a fixture."""
    api = MessagesApi()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        api.port = listener.getsockname()[1]
        thread = threading.Thread(target=_accept, args=(api, listener), daemon=True)
        thread.start()
        try:
            yield api
        finally:
            api.stopping.set()
            listener.shutdown(socket.SHUT_RDWR)
    thread.join(timeout=5)


@pytest.fixture(name="messages_api")
def messages_api_server() -> Iterator[MessagesApi]:
    """A fresh server for a test."""
    yield from running_messages_api()
