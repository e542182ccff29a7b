"""How soon an edit is shown by every process: in the index, and on the page of what was edited."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import median, quantiles
from typing import Any

from django.db import connection

from benchmarks.gates import at_most
from benchmarks.load import Address, Client, get
from benchmarks.serving.busy import ingestion
from benchmarks.serving.world import ENTITIES, World
from benchmarks.web_servers import WORKERS, Server
from knowledge.models import Unit

EDITS = 50
STEP_SECONDS = 0.01
PATIENCE_SECONDS = 30.0
HEARTBEAT_SECONDS = 2.0  # a worker tells its master each second that it lives
SECONDS_MAX = {"1,000": 1.0, "20,000": 2.0}


def fresh(world: World, rows: str = "1,000") -> dict[str, Any]:
    """Seconds from the commit of each of 50 edits, one after the other, until every process shows it, beside a worker
    that builds the files for crawlers."""
    with ExitStack() as stack:
        stack.enter_context(ingestion(world.database))
        stack.enter_context(halted(world.threads))
        clients = [stack.enter_context(client) for client in one_for_each_worker(world.front.address)]
        taken = [seconds_to_show(number, clients) for number in range(EDITS)]
    p99 = quantiles(taken, n=100, method="inclusive")[98]
    figures = {f"edits of {rows} rows": {"median, s": median(taken), "p99, s": p99, "longest, s": max(taken)}}
    return {
        **figures,
        "gates": {f"edit to every process at {rows}, p99 in s": at_most(SECONDS_MAX[rows], p99)},
    }


@contextmanager
def halted(server: Server) -> Iterator[None]:
    """A server that ours is compared with at other times is at rest: its processes hear of edits and build as well, and
    nobody runs both."""
    _stop(server)
    while _is_being_built():  # one that is halted would keep its lock
        _go_on(server)
        _stop(server)
    try:
        yield
    finally:
        _go_on(server)


def _stop(server: Server) -> None:
    for pid in (server.pid, *server.workers):
        os.kill(pid, signal.SIGSTOP)


def _go_on(server: Server) -> None:
    for pid in server.workers:
        os.kill(pid, signal.SIGCONT)
    time.sleep(HEARTBEAT_SECONDS)  # before the master looks whether they are alive
    os.kill(server.pid, signal.SIGCONT)


def _is_being_built() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory')")
        return bool(cursor.fetchone()[0])


def one_for_each_worker(address: Address) -> list[Client]:
    """A connection stays with the process that took it."""
    found: dict[bytes, Client] = {}
    while len(found) < WORKERS:
        client = Client(address)
        pid = client.ask(get("/bench/probe/pid")).body
        if pid in found:
            client.close()
        else:
            found[pid] = client
    return list(found.values())


def seconds_to_show(number: int, clients: list[Client]) -> float:
    path = f"/asset/made-up-{number}"
    requests = [get(ENTITIES), get(path)]
    former = [[client.ask(request).headers["etag"] for request in requests] for client in clients]
    Unit.objects.filter(slug=f"made-up-{number}").update(label=f"고친 이름 {time.time_ns()}")
    committed = time.perf_counter()
    for client, etags in zip(clients, former, strict=True):
        for request, etag in zip(requests, etags, strict=True):
            while client.ask(request).headers["etag"] == etag:
                if time.perf_counter() - committed > PATIENCE_SECONDS:
                    raise RuntimeError(f"the edit of {path} is not shown")
                time.sleep(STEP_SECONDS)
    return time.perf_counter() - committed
