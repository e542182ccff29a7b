"""A small load generator: a few keep-alive connections that ask for one thing again and again.

It runs beside the servers it measures, so only ratios within one run mean anything.
"""

import os
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import quantiles

RECEIVE_BYTES = 1 << 18
TIMEOUT_SECONDS = 60.0
PACED_CONNECTIONS = 16

Address = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    size: int
    body: bytes


class Client:
    """One keep-alive HTTP/1.1 connection."""

    def __init__(self, address: Address) -> None:
        self._socket = socket.create_connection(address, timeout=TIMEOUT_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_failure: object) -> None:
        self.close()

    def ask(self, request: bytes, *, is_head: bool = False) -> Reply:
        """Send ``request`` and read its whole answer. Raises ConnectionError when the server hangs up."""
        self._socket.sendall(request)
        received = bytearray()
        while (end := received.find(b"\r\n\r\n")) < 0:
            received += self._more()
        status, headers = _head(bytes(received[:end]))
        # A 304 and the answer to a HEAD may state the length that the body would have.
        size = 0 if status == 304 or is_head else int(headers.get("content-length", 0))
        chunks, missing = [bytes(received[end + 4 :])], size - (len(received) - end - 4)
        while missing > 0:
            chunks.append(self._more())
            missing -= len(chunks[-1])
        return Reply(status, headers, size, b"".join(chunks))

    def _more(self) -> bytes:
        data = self._socket.recv(RECEIVE_BYTES)
        if not data:
            raise ConnectionError("the server closed the connection")
        return data


def _head(head: bytes) -> tuple[int, dict[str, str]]:
    status_line, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines if ": " in line)
    return int(status_line.split(" ", 2)[1]), {name.lower(): value for name, value in headers.items()}


def get(path: str, **headers: str) -> bytes:
    """The bytes of a GET as a browser behind the TLS balancer would send it."""
    own = {name.replace("_", "-"): value for name, value in headers.items()}
    fields = {"Host": "127.0.0.1", "X-Forwarded-Proto": "https", "Accept-Encoding": "gzip", **own}
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def fetch(address: Address, request: bytes) -> Reply:
    client = Client(address)
    try:
        return client.ask(request)
    finally:
        client.close()


def requests_per_second(
    address: Address, request: bytes, *, status: int, seconds: float, connections: int = 4
) -> float:
    """How many of these requests are answered a second. Another status than ``status`` is an error."""
    counts = [0] * connections
    errors: list[BaseException] = []
    began = time.perf_counter()

    def ask_again_and_again(at: int) -> None:
        try:
            client = Client(address)
            while time.perf_counter() - began < seconds:
                reply = client.ask(request)
                assert reply.status == status, f"{reply.status} where {status} was due"
                counts[at] += 1
            client.close()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=ask_again_and_again, args=(at,)) for at in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return sum(counts) / (time.perf_counter() - began)


def paced(
    address: Address, requests: Sequence[bytes], *, rate: float, connections: int = PACED_CONNECTIONS
) -> list[tuple[Reply, float]]:
    """Each request at its own time, ``rate`` a second, with its seconds from that time: late is slow. The client has
    the CPU whenever it wants it, where the system lets it, so that what is late is the service."""
    taken: list[tuple[Reply, float]] = []
    start = time.perf_counter() + 0.2

    def send(at: int) -> None:
        first_at_the_cpu()
        client = Client(address)
        for number in range(at, len(requests), connections):
            due = start + number / rate
            time.sleep(max(0.0, due - time.perf_counter()))
            taken.append((client.ask(requests[number]), time.perf_counter() - due))
        client.close()

    threads = [threading.Thread(target=send, args=(at,)) for at in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == len(requests), "a connection was lost"
    return taken


def first_at_the_cpu() -> None:
    """Let nobody compute while this thread could run, as nobody on a server's machine keeps a client elsewhere waiting.
    Needs root on Linux; elsewhere the thread waits its turn, which looks like slowness of the service."""
    with suppress(AttributeError, PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def percentile(seconds: Sequence[float], rank: int) -> float:
    """Milliseconds."""
    return quantiles(seconds, n=100)[rank - 1] * 1000
