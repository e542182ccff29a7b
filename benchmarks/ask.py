"""Asking: how long stored and quoted answers take at 20 a second.

Production's own processes over a scratch database with made-up assets. What askers of a slow model do to readers is
measured by ``serving.asking``.
"""

import json
from collections.abc import Mapping
from typing import Any

from benchmarks.ask_questions import UNITS, question
from benchmarks.gates import Gate, at_most
from benchmarks.load import Address, paced, percentile
from benchmarks.scratch import scratch_database, seed
from benchmarks.web_servers import front
from knowledge.search import indexing
from knowledge.search.statistics import rebuild_statistics

RATE = 20  # asks a second
ASKS = 160
UNLIMITED = {"ASK_LIMITS": "99999999/m", "ANTHROPIC_API_KEY": ""}
CACHED_P95_MS, EXTRACTIVE_P95_MS = 50.0, 300.0


def run() -> dict[str, Any]:
    """Milliseconds and the two gates that asking must hold."""
    with scratch_database() as database:
        seed(UNITS)
        while indexing.refresh():
            pass
        rebuild_statistics()
        with front(database, environment=UNLIMITED) as (address, _pid):
            figures = quoting(address)
    return {"quoting": figures, "gates": gates(figures)}


def quoting(address: Address) -> dict[str, float]:
    """p95 at 20 asks a second: new questions answered by quoting, then one that is stored."""
    paced(address, [question(number) for number in range(UNITS - 40, UNITS)], rate=RATE)  # warms up
    new = paced(address, [question(number) for number in range(ASKS)], rate=RATE)
    stored = paced(address, [question(0)] * ASKS, rate=RATE)
    modes = [json.loads(reply.body)["mode"] for reply, _taken in new]
    assert modes.count("extractive") == ASKS, f"{modes.count('extractive')} of {ASKS} questions were answered"
    assert all(json.loads(reply.body)["cached"] for reply, _taken in stored)
    taken = {
        "extractive": [seconds for _reply, seconds in new],
        "cached": [seconds for _reply, seconds in stored],
    }
    return {
        f"{name}_p{rank}_ms": percentile(seconds, rank)
        for name, seconds in taken.items()
        for rank in (50, 95)
    }


def gates(quoted: Mapping[str, float]) -> dict[str, Gate]:
    return {
        "cached p95 in ms": at_most(CACHED_P95_MS, quoted["cached_p95_ms"]),
        "extractive p95 in ms": at_most(EXTRACTIVE_P95_MS, quoted["extractive_p95_ms"]),
    }
