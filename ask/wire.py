"""The connection to the model: one wall-clock deadline for everything, and a record of how far it came.

A timeout per read does not stop a server that sends a byte a second, so every step gets no more than what is left of
the whole exchange's time. Whether the request went out decides whether it may have to be paid.
"""

import contextlib
import functools
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpcore2
import httpx2

CONNECT_SECONDS = 5.0
ADDRESSES_TRIED = 3
# As it comes and unpacked; three web searches with ten results each stay below 1 MiB.
ANSWER_MAX_BYTES = 8 * 1024 * 1024


class DeadlinePassedError(Exception):
    """The exchange's time is over."""


class AnswerTooLongError(Exception):
    """More bytes came than any answer has."""


class Deadline:
    """The end of an exchange by wall clock."""

    def __init__(self, seconds: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._end = monotonic() + seconds

    def left(self) -> float:
        """Seconds left; 0 or less when the time is over."""
        return self._end - self._monotonic()

    def within(self, seconds: float | None) -> float:
        """What a step that asks for ``seconds`` gets. Raises DeadlinePassedError when nothing is left."""
        left = self.left()
        if left <= 0:
            raise DeadlinePassedError
        return left if seconds is None else min(seconds, left)


class Exchange:
    """How far one exchange came. ``request_sent`` says that some of the request left this machine."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self.request_sent = False
        self.received_bytes = 0

    def receive(self, data: bytes) -> bytes:
        self.received_bytes += len(data)
        if self.received_bytes > ANSWER_MAX_BYTES:
            raise AnswerTooLongError
        return data


def bounded(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """An unpacked body piece by piece. Raises AnswerTooLongError: a small body may unpack to any size."""
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > ANSWER_MAX_BYTES:
            raise AnswerTooLongError
        yield piece


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream, exchange: Exchange) -> None:
        self._inner = inner
        self._exchange = exchange

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._inner.read(max_bytes, self._exchange.deadline.within(timeout))
        return self._exchange.receive(data)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        seconds = self._exchange.deadline.within(timeout)
        self._exchange.request_sent = True
        self._inner.write(buffer, seconds)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        seconds = self._exchange.deadline.within(timeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, seconds), self._exchange)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Network(httpcore2.NetworkBackend):
    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._sockets = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        addresses = _resolve(host, port, self._exchange.deadline.within(CONNECT_SECONDS))
        # A name may have addresses that this network cannot reach (IPv6), so each gets its part of the time.
        share = CONNECT_SECONDS / len(addresses)
        for address in addresses[:-1]:
            with contextlib.suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return self._connect(address, port, share, local_address, socket_options)
        return self._connect(addresses[-1], port, share, local_address, socket_options)

    def _connect(
        self,
        address: str,
        port: int,
        seconds: float,
        local_address: str | None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None,
    ) -> httpcore2.NetworkStream:
        seconds = self._exchange.deadline.within(seconds)
        stream = self._sockets.connect_tcp(address, port, seconds, local_address, socket_options)
        return _Stream(stream, self._exchange)


def _resolve(host: str, port: int, seconds: float) -> list[str]:
    """Addresses of a host. getaddrinfo has no timeout, so it runs in a thread that may be left behind."""
    answers: queue.SimpleQueue[list[str]] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, ValueError):  # ValueError: a name that IDNA cannot encode
            found = []
        answers.put(list(dict.fromkeys(str(entry[4][0]) for entry in found))[:ADDRESSES_TRIED])

    threading.Thread(target=look_up, name="resolve", daemon=True).start()
    try:
        addresses = answers.get(timeout=seconds)
    except queue.Empty:
        raise httpcore2.ConnectTimeout("the name was not resolved in time") from None
    if not addresses:
        raise httpcore2.ConnectError("the name cannot be resolved")
    return addresses


@functools.cache
def _tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)


class _Body(httpx2.SyncByteStream):
    def __init__(self, chunks: Iterable[bytes], close: Callable[[], None]) -> None:
        self._chunks = chunks
        self._close = close

    def __iter__(self) -> Iterator[bytes]:
        yield from self._chunks

    def close(self) -> None:
        self._close()


def _unpacked(packed: httpx2.Response) -> httpx2.Response:
    # Here and not by whoever reads it: the SDK reads an error's body whole.
    headers = packed.headers.copy()
    for name in ("Content-Encoding", "Content-Length"):
        headers.pop(name, None)
    # httpx2 unpacks 1 MiB at a time.
    body = _Body(bounded(packed.iter_bytes()), packed.close)
    return httpx2.Response(packed.status_code, headers=headers, stream=body)


class DeadlineTransport(httpx2.BaseTransport):
    """An httpx2 transport for one exchange. Its errors are httpcore2's and this module's own."""

    def __init__(self, exchange: Exchange) -> None:
        self._pool = httpcore2.ConnectionPool(
            ssl_context=_tls(), http1=True, http2=False, retries=0, network_backend=_Network(exchange)
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        target = httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        response = self._pool.handle_request(
            httpcore2.Request(request.method, target, headers=request.headers.raw, content=request.stream)
        )
        assert isinstance(response.stream, Iterable)
        packed = httpx2.Response(
            response.status, headers=response.headers, stream=_Body(response.stream, response.close)
        )
        return _unpacked(packed) if "Content-Encoding" in packed.headers else packed

    def close(self) -> None:
        self._pool.close()
