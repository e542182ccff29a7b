"""The network under the HTTP client: connects only to checked addresses and keeps one deadline for
everything.

A per-read timeout does not stop a server that sends a byte a second, so every read, write and handshake
gets no more than what is left of the whole exchange's time.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable
from typing import Any

import httpcore2

from knowledge.sources.errors import SourceError
from knowledge.sources.http.addresses import Resolver, checked_addresses

# Trying one dead address after another would eat the time of the exchange.
MAX_ADDRESSES_TRIED = 3


class ExchangeDeadline:
    """The end of an exchange by wall clock."""

    def __init__(self, seconds: float, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._seconds = seconds
        self._end = monotonic() + seconds

    def left(self) -> float:
        """Seconds left, more than 0; raises ``SourceError`` timeout when there are none."""
        left = self._end - self._monotonic()
        if left <= 0:
            raise SourceError("timeout", f"the exchange took longer than {self._seconds:g} s")
        return left

    def within(self, seconds: float | None) -> float:
        left = self.left()
        return left if seconds is None else min(seconds, left)


class DeadlineStream(httpcore2.NetworkStream):
    """A connection whose every step ends with the deadline."""

    def __init__(self, inner: httpcore2.NetworkStream, deadline: ExchangeDeadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.within(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._deadline.within(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        seconds = self._deadline.within(timeout)
        try:
            inner = self._inner.start_tls(ssl_context, server_hostname, seconds)
        except httpcore2.ConnectError as error:
            raise SourceError("tls", str(error)) from error
        return DeadlineStream(inner, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class CheckedBackend(httpcore2.NetworkBackend):
    """Resolves a host once, checks every address, connects to a checked one.

    httpcore2 keeps the name for SNI and the Host header, so a second look-up between check and connection,
    which is what DNS rebinding needs, never happens.
    """

    def __init__(
        self, *, deadline: ExchangeDeadline, resolver: Resolver, allow_private: bool, connect_timeout: float
    ) -> None:
        self._deadline = deadline
        self._resolver = resolver
        self._allow_private = allow_private
        self._connect_timeout = connect_timeout
        self._sockets = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        addresses = checked_addresses(
            host,
            port,
            allow_private=self._allow_private,
            resolver=self._resolver,
            timeout=self._deadline.within(self._connect_timeout),
        )
        candidates = addresses[:MAX_ADDRESSES_TRIED]
        share = self._connect_timeout / len(candidates)
        for address in candidates[:-1]:
            try:
                return self._connect(address, port, share, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return self._connect(candidates[-1], port, share, socket_options)

    def _connect(
        self, address: str, port: int, seconds: float, options: Iterable[httpcore2.SOCKET_OPTION] | None
    ) -> httpcore2.NetworkStream:
        timeout = self._deadline.within(seconds)
        stream = self._sockets.connect_tcp(address, port, timeout=timeout, socket_options=options)
        return DeadlineStream(stream, self._deadline)
