"""One sealer at a time, on however many machines.

The lock is Postgres's and hangs on a connection of its own: the model's client gives Django's connection back before
it calls, and a lock left on a pooled connection would belong to whoever gets it next. A killed process loses its
connection and with it the lock, so the next run need not wait for anything to expire.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from knowledge.postgres import own

SEAL_LOCK = 0x63697479  # "city": a key of this database's advisory locks
WAIT_SECONDS = 120.0  # two model calls of the sealer before us, and then some
RETRY_SECONDS = 0.1


class SealBusy(Exception):  # noqa: N818 - not an error of this process
    """Another process has been sealing for longer than we wait."""


@contextmanager
def sealing_alone(wait_seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the seal's lock; waits for it, and raises SealBusy when it does not come free."""
    with psycopg.connect(**own.parameters("madang seal")) as session:
        _take(session, wait_seconds)
        yield  # the connection's end gives the lock back


def _take(session: psycopg.Connection[tuple[bool]], wait_seconds: float) -> None:
    deadline = time.monotonic() + wait_seconds
    while not _tried(session):
        if time.monotonic() > deadline:
            raise SealBusy("another process is sealing; it holds the lock for longer than a seal takes")
        time.sleep(RETRY_SECONDS)


def _tried(session: psycopg.Connection[tuple[bool]]) -> bool:
    row = session.execute("SELECT pg_try_advisory_lock(%s)", [SEAL_LOCK]).fetchone()
    return row is not None and row[0]
