"""A small load generator: a few keep-alive connections that ask for one thing again and again.

It runs beside the servers it measures, so only ratios within one run mean anything.
"""

import socket
import threading
import time
from dataclasses import dataclass

RECEIVE_BYTES = 1 << 18
TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    size: int
    body: bytes


class Client:
    """One keep-alive HTTP/1.1 connection."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._socket = socket.create_connection(address, timeout=TIMEOUT_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self) -> None:
        self._socket.close()

    def ask(self, request: bytes) -> Reply:
        """Send ``request`` and read its whole answer. Raises ConnectionError when the server hangs up."""
        self._socket.sendall(request)
        received = bytearray()
        while (end := received.find(b"\r\n\r\n")) < 0:
            received += self._more()
        status, headers = _head(bytes(received[:end]))
        # A 304 states the length that the body would have.
        size = 0 if status == 304 else int(headers.get("content-length", 0))
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
    fields = {"Host": "127.0.0.1", "X-Forwarded-Proto": "https", "Accept-Encoding": "gzip", **headers}
    lines = [
        f"GET {path} HTTP/1.1",
        *(f"{name.replace('_', '-')}: {value}" for name, value in fields.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def fetch(address: tuple[str, int], request: bytes) -> Reply:
    client = Client(address)
    try:
        return client.ask(request)
    finally:
        client.close()


def requests_per_second(
    address: tuple[str, int], request: bytes, *, status: int, seconds: float, connections: int = 4
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
