"""Reading while 200 ask a model that takes its time, and in the moment when it answers them.

Beside it what the same askers do to readers of an event loop that only answers, with as many bytes: what they lose is
not the service's, but the machine's and its system's.
"""

import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

from ask.models import AnswerVersion, Mode
from benchmarks.gates import at_most
from benchmarks.load import Address, fetch, get, paced, percentile
from benchmarks.serving.world import ENTITIES, World
from benchmarks.web_servers import front
from config import web_process

ASKERS = 200
MODEL_SECONDS = 5.0
ROUNDS = 5
READ_RATE, READ_CONNECTIONS = 100, 8
ALONE_SECONDS = 4.0
# Since all asked: until their questions are held or refused, and until just before the model answers them.
HELD_AFTER_SECONDS, HELD_SECONDS = 2.0, 2.6
RETURN_SECONDS = 3.0
SETTLING_SECONDS = 1.0
BESIDE_MAX, RETURNING_MAX = 1.2, 3.0
# The web process takes what it read at its start out of the garbage collector's sight, and answers nobody meanwhile;
# then the process starts that answers questions.
SETTLED_SECONDS = web_process.SETTLED_SECONDS + 20.0
ALONE, BESIDE, RETURNING = "reads alone", f"beside {ASKERS} asks", "as they are answered"
BARE, BARE_BESIDE, BARE_RETURNING = (f"a bare loop, {when}" for when in (ALONE, BESIDE, RETURNING))
OF_ALONE = {BESIDE: ALONE, RETURNING: ALONE, BARE_BESIDE: BARE, BARE_RETURNING: BARE}

Taken = list[float]


def asking(world: World) -> dict[str, Any]:
    """Paced reads alone, beside 200 asks in flight, and as their answers come; medians of the rounds."""
    taken = defaultdict[str, list[Taken]](list)
    with (
        slow_model() as model,
        front(
            world.database,
            folder=world.archive,
            static=world.static,
            environment={"ASK_LIMITS": "99999999/m", **model},
        ) as (address, _pid),
        bare_loop(fetch(address, get(ENTITIES)).size) as bare,
        crowd(address) as process,
    ):
        read(address, ALONE_SECONDS)  # warms up
        time.sleep(SETTLED_SECONDS)
        for _round in range(ROUNDS):
            for server, names in (
                (address, (ALONE, BESIDE, RETURNING)),
                (bare, (BARE, BARE_BESIDE, BARE_RETURNING)),
            ):
                for name, reads in zip(names, of_a_round(server, process), strict=True):
                    taken[name].append(reads)
        told = end(process)
    figures: dict[str, Any] = {name: numbers_of(rounds) for name, rounds in taken.items()}
    for name, alone in OF_ALONE.items():
        figures[name]["p99, of alone"] = of_others(taken[name], taken[alone])
    for name, bare_name in ((BESIDE, BARE_BESIDE), (RETURNING, BARE_RETURNING)):
        figures[name]["p99, of a bare loop's"] = of_others(taken[name], taken[bare_name])
    figures["asks"] = {f"status {status}": count for status, count in sorted(told.items())}
    figures["asks"]["by the model"] = AnswerVersion.objects.filter(mode=Mode.LLM).count()
    gates = {
        "read p99 with 200 asks in flight": at_most(BESIDE_MAX, figures[BESIDE]["p99, of alone"]),
        "read p99 as they are answered": at_most(RETURNING_MAX, figures[RETURNING]["p99, of alone"]),
    }
    return {**figures, "gates": gates}


def of_a_round(server: Address, process: subprocess.Popen[str]) -> tuple[Taken, Taken, Taken]:
    """Reads alone, while all ask, and as they are answered."""
    alone = read(server, ALONE_SECONDS)
    began = time.perf_counter()
    say(process)
    time.sleep(HELD_AFTER_SECONDS)
    beside = read(server, HELD_SECONDS)
    time.sleep(max(0.0, began + MODEL_SECONDS - time.perf_counter()))
    returning = read(server, RETURN_SECONDS)
    hear(process)
    time.sleep(SETTLING_SECONDS)
    return alone, beside, returning


def numbers_of(rounds: Sequence[Taken]) -> dict[str, float]:
    """Medians of the rounds, and the longest read of them all."""
    figures = {f"p{rank}, ms": median(percentile(taken, rank) for taken in rounds) for rank in (50, 90, 99)}
    return {**figures, "longest, ms": 1_000 * max(map(max, rounds))}


def of_others(rounds: Sequence[Taken], others: Sequence[Taken]) -> float:
    """The median of what the p99 of each round is to that of other reads in it."""
    return median(
        percentile(taken, 99) / percentile(other, 99) for taken, other in zip(rounds, others, strict=True)
    )


def read(address: Address, seconds: float) -> Taken:
    requests = [get(ENTITIES)] * int(seconds * READ_RATE)
    replies = paced(address, requests, rate=READ_RATE, connections=READ_CONNECTIONS)
    assert all(reply.status == 200 for reply, _taken in replies)
    return [taken for _reply, taken in replies]


@contextmanager
def bare_loop(size: int) -> Iterator[Address]:
    """A server that gives as many bytes, and does nothing else."""
    command = [sys.executable, "-m", "benchmarks.bare_loop", str(size)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            yield "127.0.0.1", int(server.stdout.readline())
        finally:
            server.terminate()


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


@contextmanager
def crowd(address: Address) -> Iterator[subprocess.Popen[str]]:
    """Clients in a process of their own, so that what they do weighs on the service and not on its clock."""
    first = time.time_ns() // 1_000_000  # no question was asked before
    command = [sys.executable, "-m", "benchmarks.askers", *map(str, address), str(ASKERS), str(first)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process


def say(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("ask\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def end(process: subprocess.Popen[str]) -> dict[int, int]:
    """How often each status was told."""
    assert process.stdin is not None
    process.stdin.close()
    return {int(status): count for status, count in json.loads(hear(process)).items()}
