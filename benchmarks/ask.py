"""Asking: how long stored and quoted answers take at 20 a second, and what 100 askers of a slow model do to readers.

Production's own process layout (two workers, 64 threads each) over a scratch database with made-up assets. Reads are
paced and measured in turns with and without askers, so that what else the machine does weighs on both.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any

from benchmarks.ask_questions import UNITS, question
from benchmarks.load import Client, Reply, fetch, get
from benchmarks.serving import Address, free_port, production_environment, scratch_database, seed
from knowledge.search import indexing
from knowledge.search.statistics import rebuild_statistics

RATE = 20  # asks a second
ASKS = 160
ASK_CONNECTIONS = 16
READS = 400
READ_RATE = 100  # a second
READ_CONNECTIONS = 8
ROUNDS = 3
ASKERS = 100
MODEL_SECONDS = 12.0
SETTLING_SECONDS = 6.0  # until a hundred questions are either held or refused
START_SECONDS = 60.0
CACHED_P95_MS, EXTRACTIVE_P95_MS, READ_P99_RATIO = 50.0, 300.0, 2.0
ENTITIES = get("/api/canonical/entities.json")


def run() -> dict[str, Any]:
    """Milliseconds and the three gates that asking must hold."""
    with scratch_database() as database:
        seed(UNITS)
        while indexing.refresh():
            pass
        rebuild_statistics()
        with service(database) as address:
            figures = {"quoting": quoting(address)}
        with slow_model() as model, service(database, **model) as address:
            figures["reading"] = reading(address)
    return {**figures, "gates": gates(figures)}


@contextmanager
def service(database: str, **environment: str) -> Iterator[Address]:
    """Production's web process over ``database``, once it answers."""
    address = ("127.0.0.1", free_port())
    command = [sys.executable, "-m", "gunicorn", f"benchmarks.ask_app:make_application({database!r})"]
    options = "-w 2 --threads 64 --log-level warning"
    unlimited = {"ASK_LIMITS": "99999999/m", "WEB_THREADS": "64", "ANTHROPIC_API_KEY": ""}
    server = subprocess.Popen(
        [*command, *options.split(), "-b", f"{address[0]}:{address[1]}"],
        env=production_environment() | unlimited | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(address, server)
        yield address
    finally:
        server.terminate()
        server.wait(START_SECONDS)


def wait_for(address: Address, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        try:
            if fetch(address, ENTITIES).status == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("gunicorn did not start")


@contextmanager
def slow_model() -> Iterator[dict[str, str]]:
    """The environment that has the service ask a fake model, which takes seconds."""
    command = [sys.executable, "-m", "benchmarks.ask_model", str(MODEL_SECONDS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ.copy()) as model:
        assert model.stdout is not None
        port = int(model.stdout.readline())
        try:
            yield {
                "ANTHROPIC_API_KEY": "no key",
                "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
                "LLM_DAILY_CAP_USD": "9999",
            }
        finally:
            model.terminate()


def quoting(address: Address) -> dict[str, float]:
    """p95 at 20 asks a second: new questions answered by quoting, then one that is stored."""
    paced(address, [question(number) for number in range(UNITS - 40, UNITS)], rate=RATE)  # warms up
    new = paced(address, [question(number) for number in range(ASKS)], rate=RATE)
    stored = paced(address, [question(0)] * ASKS, rate=RATE)
    modes = [json.loads(reply.body)["mode"] for reply, _taken in new]
    assert modes.count("extractive") == ASKS, f"{modes.count('extractive')} of {ASKS} questions were answered"
    assert all(json.loads(reply.body)["cached"] for reply, _taken in stored)
    return {
        "extractive_p50_ms": percentile(new, 50),
        "extractive_p95_ms": percentile(new, 95),
        "cached_p50_ms": percentile(stored, 50),
        "cached_p95_ms": percentile(stored, 95),
    }


def reading(address: Address) -> dict[str, float]:
    """p99 of reads alone, while 100 askers wait for a model, and while all of them ask anew at once; in turns."""
    alone, waiting, burst, answered = [], [], [], 0
    for number in range(ROUNDS):
        # A fresh process publishes, and a crowd that left is still being answered: neither is anybody's share.
        time.sleep(SETTLING_SECONDS)
        read(address)
        alone.append(percentile(read(address), 99))
        with askers(address, number) as counted:
            time.sleep(SETTLING_SECONDS)
            waiting.append(percentile(read(address), 99))
            # The model answers whom it kept waiting, and each comes back with another question.
            time.sleep(MODEL_SECONDS - SETTLING_SECONDS - READS / READ_RATE)
            burst.append(percentile(read(address), 99))
        answered += counted()[200]
    return {
        "alone_p99_ms": median(alone),
        "beside_waiting_p99_ms": median(waiting),
        "beside_to_alone": ratio(waiting, alone),
        "beside_burst_p99_ms": median(burst),
        "burst_to_alone": ratio(burst, alone),
        "answers_by_the_model": float(answered),
    }


def ratio(beside: Sequence[float], alone: Sequence[float]) -> float:
    return median(with_them / without for with_them, without in zip(beside, alone, strict=True))


def read(address: Address) -> list[tuple[Reply, float]]:
    replies = paced(address, [ENTITIES] * READS, rate=READ_RATE, connections=READ_CONNECTIONS)
    assert all(reply.status == 200 for reply, _taken in replies)
    return replies


@contextmanager
def askers(address: Address, number: int) -> Iterator[Callable[[], dict[int, int]]]:
    """A hundred clients in a process of their own, so that what they do weighs on the service and not on its clock.

    Yields what gives, at the end, how often each status was told.
    """
    command = [
        sys.executable,
        "-m",
        "benchmarks.askers",
        *map(str, address),
        str(ASKERS),
        str(number * 1_000_000),
    ]
    counts: dict[int, int] = {}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as crowd:
        yield lambda: counts
        told, _ = crowd.communicate(b"")
    counts |= {int(status): count for status, count in json.loads(told).items()}
    assert set(counts) == {200, 503}, counts


def paced(
    address: Address, requests: Sequence[bytes], *, rate: float, connections: int = ASK_CONNECTIONS
) -> list[tuple[Reply, float]]:
    """Each request at its own time, ``rate`` a second, with its seconds from that time: late is slow."""
    taken: list[tuple[Reply, float]] = []
    start = time.perf_counter() + 0.2

    def send(at: int) -> None:
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


def percentile(taken: Sequence[tuple[Reply, float]], rank: int) -> float:
    """Milliseconds."""
    return quantiles([seconds for _reply, seconds in taken], n=100)[rank - 1] * 1000


def gates(figures: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, object]]:
    quoted, readers = figures["quoting"], figures["reading"]
    return {
        "cached p95 in ms": at_most(CACHED_P95_MS, quoted["cached_p95_ms"]),
        "extractive p95 in ms": at_most(EXTRACTIVE_P95_MS, quoted["extractive_p95_ms"]),
        "read p99 with 100 asks in flight": at_most(READ_P99_RATIO, readers["beside_to_alone"]),
    }


def at_most(required: float, measured: float) -> dict[str, object]:
    return {"measured": measured, "required": f"≤ {required:g}", "holds": measured <= required}
