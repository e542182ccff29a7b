"""The service under clients that break rules, that are slow, or that read on while processes are replaced."""

import asyncio
import http.client
import os
import re
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.config.malformed_requests import malformed
from tests.config.web_processes import SECURE, Serving, serving, wait_until

pytestmark = [pytest.mark.soak, pytest.mark.django_db(transaction=True)]

READS = ("/api/canonical/entities.json", "/about", "/api/health", "/robots.txt")
READ_SECONDS = 3.0  # a reader waits no longer, be processes replaced or not
HANGS_SECONDS = 20.0
SEED = 20261123


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path / "log", ask_process=True) as served:
        yield served


class Readers:
    """Good requests, 40 a second: half of them on connections that stay, half on new ones."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.read, self.failed = 0, Counter[str]()
        self._until = threading.Event()

    @contextmanager
    def reading(self, seconds: float = READ_SECONDS) -> Iterator["Readers"]:
        readers = [
            threading.Thread(target=self._read_on, args=(number, seconds, number % 2 == 0))
            for number in range(16)
        ]
        for reader in readers:
            reader.start()
            time.sleep(0.4 / len(readers))
        try:
            yield self
        finally:
            self._until.set()
            for reader in readers:
                reader.join()

    def _read_on(self, number: int, seconds: float, stays: bool) -> None:
        connection = None
        while not self._until.wait(0.4):
            number += 1
            try:
                connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
                connection.request("GET", READS[number % len(READS)], headers=SECURE)
                response = connection.getresponse()
                response.read()
                self.read += 1
                if response.status != 200:
                    self.failed[str(response.status)] += 1
                if response.will_close or not stays:
                    connection.close()
                    connection = None
            except (OSError, http.client.HTTPException) as error:
                self.failed[repr(error)] += 1
                connection = None
        if connection is not None:
            connection.close()


# ---- malformed -----------------------------------------------------------------------------------------------
HEADS = re.compile(rb"HTTP/1\.1 (\d{3}) [^\r]*\r\n((?:[^\r\n]+\r\n)*)\r\n")


def complaints(port: int, raw: bytes) -> list[str]:
    """What is wrong with how a request was taken."""
    try:
        answer = exchanged(port, raw)
    except TimeoutError:
        return ["hangs"]
    found = []
    for status, _fields in HEADS.findall(answer):
        if status >= b"500" and not (status == b"501" and b"ransfer-" in raw):
            found.append(status.decode())
    first = HEADS.match(answer)
    if first and first[1] >= b"400" and is_of_the_api(raw) and b"/problem+json" not in first[2]:
        found.append(f"{first[1].decode()} in another shape")
    return found


def is_of_the_api(raw: bytes) -> bool:
    """Whether the address is one of those that speak problems, as far as it can be told."""
    words = raw.lstrip(b"\r\n").split(b" ")
    path = re.split(rb"[?#]", words[1])[0] if len(words) > 1 else b""
    return (
        path.startswith(b"/api/")
        and not path.startswith(b"/api/mcp")
        and path.isascii()
        and path.decode().isprintable()
    )


def exchanged(port: int, raw: bytes) -> bytes:
    with closing(socket.create_connection(("127.0.0.1", port), timeout=HANGS_SECONDS)) as near:
        received = []
        try:
            near.sendall(raw)
            near.shutdown(socket.SHUT_WR)
            while data := near.recv(1 << 16):
                received.append(data)
        except TimeoutError:
            raise
        except OSError:
            pass  # the server hung up
        return b"".join(received)


def test_of_5000_malformed_requests_none_fails_or_hangs_and_all_are_refused_in_shape(
    service: Serving,
) -> None:
    with Readers(service.port).reading(HANGS_SECONDS) as good, ThreadPoolExecutor(8) as clients:
        sent = malformed(5000, SEED)
        found = list(clients.map(lambda raw: complaints(service.port, raw), sent))
    wrong = [(said, raw[:300]) for said, raw in zip(found, sent, strict=True) if said]
    assert wrong[:20] == []
    assert good.failed == {}
    assert good.read > 20


# ---- slow ----------------------------------------------------------------------------------------------------
LARGE = (
    b"/static/admin/js/vendor/jquery/jquery.js"  # 40 of which are more than the systems of both sides hold
)


async def slow_client(port: int, kind: int, stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    with socket.socket() as near:
        near.setblocking(False)
        near.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2304)
        await loop.sock_connect(near, ("127.0.0.1", port))
        get = b"GET %s HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n\r\n"
        post = b"POST /api/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n"
        head = b"GET /about HTTP/1.1\r\nX-A: " + b"a" * 200
        starts = (b"", post, get % LARGE * 40, get % b"/robots.txt")
        await loop.sock_sendall(near, starts[kind])
        try:
            while not stop.is_set():
                await asyncio.sleep(1)
                if kind == 2:
                    await loop.sock_recv(near, 1)
                if kind < 2:
                    await loop.sock_sendall(near, head[:1] if kind == 0 else b" ")
                    head = head[1:]
        except OSError:
            return


def test_500_slow_clients_outlive_no_deadline_and_cost_readers_nothing(service: Serving) -> None:
    async def all_of_them() -> tuple[int, int, list[int]]:
        stop = asyncio.Event()
        clients = [asyncio.create_task(slow_client(service.port, n % 4, stop)) for n in range(500)]
        await asyncio.sleep(8)
        memory = [service.kilobytes()]
        began = await asyncio.to_thread(service.connected)
        for _ in range(8):
            await asyncio.sleep(11)
            memory.append(await asyncio.to_thread(service.kilobytes))
        left = await asyncio.to_thread(service.connected)
        stop.set()
        await asyncio.gather(*clients)
        return began, left, memory

    readers = Readers(service.port)
    with readers.reading(HANGS_SECONDS):
        began, left, memory = asyncio.run(all_of_them())
    assert began >= 500
    assert left <= 16  # the readers' own: the longest of all deadlines has passed
    assert max(memory) - memory[0] < 50 * 1024, memory
    assert readers.failed == {}
    time.sleep(2)  # they are told once a second
    ended = ended_in(service.log)
    assert ended["head"] >= 125
    assert ended["body"] >= 125
    assert ended["reader"] >= 100


def ended_in(log: Path) -> Counter[str]:
    """Why connections were closed, by what the processes wrote of it."""
    ended = Counter[str]()
    for line in log.read_text(errors="replace").splitlines():
        if "connections ended" in line:
            for reason, count in re.findall(r'"(head|body|reader|idle)":(\d+)', line):
                ended[reason] += int(count)
    return ended


# ---- replaced ------------------------------------------------------------------------------------------------
def reload_all(service: Serving) -> Callable[[], bool]:
    former = set(service.workers)
    os.kill(service.master.pid, signal.SIGHUP)
    return lambda: len(service.workers) == 2 and not former & set(service.workers)


def stop_one(service: Serving) -> Callable[[], bool]:
    first = service.workers[0]
    os.kill(first, signal.SIGTERM)
    return lambda: len(service.workers) == 2 and first not in service.workers


@pytest.mark.parametrize("replace", [reload_all, stop_one], ids=["HUP", "TERM of a worker"])
def test_no_reader_notices_that_processes_are_replaced(
    service: Serving, replace: Callable[[Serving], Callable[[], bool]]
) -> None:
    with Readers(service.port).reading() as readers:
        time.sleep(2)
        assert wait_until(replace(service), 60.0)
        time.sleep(8)
    assert readers.failed == {}
    assert readers.read > 300
    assert "Error while closing" not in service.log.read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "INT"])
def test_a_service_that_stops_breaks_no_answer_off(service: Serving, number: signal.Signals) -> None:
    with Readers(service.port).reading() as readers:
        time.sleep(3)
        os.kill(service.master.pid, number)
        assert service.master.wait(15.0) == 0
    # Whoever comes later finds nobody.
    broken = {error for error in readers.failed if "refused" not in error}
    if number == signal.SIGTERM:
        assert broken == set()
    assert readers.read > 50
