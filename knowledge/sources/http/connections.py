"""The network under the HTTP client: connects only to checked addresses and keeps one deadline for everything.

A per-read timeout does not stop a server that sends a byte a second, so every read, write and handshake gets no more
than what is left of the whole exchange's time.
"""

import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass
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

    def left(self, at_most: float | None = None) -> float:
        """Seconds left, more than 0; raises ``SourceError`` timeout when there are none."""
        left = self._end - self._monotonic()
        if left <= 0:
            raise SourceError("timeout", f"the exchange took longer than {self._seconds:g} s")
        return left if at_most is None else min(at_most, left)


@dataclass(frozen=True, slots=True)
class DeadlineStream(httpcore2.NetworkStream):
    """A connection whose every step ends with the deadline."""

    inner: httpcore2.NetworkStream
    deadline: ExchangeDeadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.inner.read(max_bytes, self.deadline.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.inner.write(buffer, self.deadline.left(timeout))

    def close(self) -> None:
        self.inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        try:
            inner = self.inner.start_tls(ssl_context, server_hostname, self.deadline.left(timeout))
        except httpcore2.ConnectError as error:
            raise SourceError("tls", str(error)) from error
        return DeadlineStream(inner, self.deadline)

    def get_extra_info(self, info: str) -> Any:
        return self.inner.get_extra_info(info)


@dataclass(frozen=True, slots=True)
class CheckedBackend(httpcore2.NetworkBackend):
    """Resolves a host once, checks every address, connects to a checked one.

    httpcore2 keeps the name for SNI and the Host header, so a second look-up between check and connection,
    which is what DNS rebinding needs, never happens.
    """

    deadline: ExchangeDeadline
    resolver: Resolver
    allow_private: bool

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        timeout = self.deadline.left(timeout)
        checked = checked_addresses(host, port, self.resolver, timeout, allow_private=self.allow_private)
        addresses = checked[:MAX_ADDRESSES_TRIED]
        for address in addresses:
            seconds = self.deadline.left(timeout / len(addresses))
            try:
                stream = httpcore2.SyncBackend().connect_tcp(address, port, seconds, None, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                if address == addresses[-1]:
                    raise
            else:
                return DeadlineStream(stream, self.deadline)
        raise AssertionError("a host without addresses is refused before")
