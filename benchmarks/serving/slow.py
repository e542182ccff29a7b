"""500 slow clients beside paced reads: what they cost readers and memory, and for how long a connection is theirs.

The reads begin as they come; the longest is shown, and what the system holds for all connections, both ends of them.

The same clients at nginx show what they cost the machine, whoever serves them.
"""

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.gates import at_most
from benchmarks.load import Address, percentile
from benchmarks.serving.asking import read
from benchmarks.serving.world import World
from benchmarks.slow_clients import CONNECTIONS
from config.front.deadlines import SECONDS, WRITE_SECONDS

EACH = 125
ALONE_SECONDS = 40.0  # before, and again after them
BESIDE_SECONDS = 85.0  # longer than any of them may stay
ELSEWHERE_SECONDS = 30.0
SOCKETS = Path("/proc/net/sockstat")
BESIDE_MAX = 2.0
GROWS_MAX_MB = 20.0
LATE_SECONDS = 3.0
DEADLINES = {**{kind: SECONDS[kind] for kind in ("head", "body", "idle")}, "reader": WRITE_SECONDS}


def slow(world: World) -> dict[str, Any]:
    """p99 of reads alone and beside them, what the larger worker grew by, and the longest stay of each kind."""
    if not CONNECTIONS.exists():
        return {"slow clients": {"skipped": "there is no /proc"}, "gates": {}}
    address = world.front.address
    alone, before = read(address, ALONE_SECONDS), world.front.resident_mb
    with slow_clients(address) as stays:
        beside = read(address, BESIDE_SECONDS)
        grew, held = world.front.resident_mb - before, held_by_system_mb()
    alone += read(address, ALONE_SECONDS)
    reads = {"alone, p99 ms": percentile(alone, 99), "beside, p99 ms": percentile(beside, 99)}
    reads["beside, longest ms"] = 1_000 * max(beside)
    if world.files is not None:
        with slow_clients(world.files):
            reads["while they are nginx's, p99 ms"] = percentile(read(address, ELSEWHERE_SECONDS), 99)
    ratio = reads["beside, p99 ms"] / reads["alone, p99 ms"]
    late = {kind: stays[kind] - deadline for kind, deadline in DEADLINES.items()}
    return {
        "reads": {**reads, "workers grew, MB": grew, "held by the system, MB": held},
        "longest stay, s": {kind: stays[kind] for kind in DEADLINES},
        "gates": {
            "read p99 beside 500 slow clients": at_most(BESIDE_MAX, ratio),
            "workers grew beside them, MB": at_most(GROWS_MAX_MB, grew),
            "seconds beyond a deadline": at_most(LATE_SECONDS, max(late.values())),
        },
    }


def held_by_system_mb() -> float:
    """What Linux keeps for all TCP connections of the machine."""
    (line,) = (line.split() for line in SOCKETS.read_text().splitlines() if line.startswith("TCP:"))
    return int(line[line.index("mem") + 1]) * resource.getpagesize() / 1e6


@contextmanager
def slow_clients(address: Address) -> Iterator[dict[str, float]]:
    """Yields what has, at the end, the longest stay of each kind."""
    command = [sys.executable, "-m", "benchmarks.slow_clients", *map(str, address), str(EACH)]
    stays: dict[str, float] = {}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield stays
        told, _ = process.communicate(b"")
    stays |= json.loads(told)
