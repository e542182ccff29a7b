"""One writer of files at a time, on however many machines: of the city's days, or of a night's bulk files.

The lock is Postgres's and hangs on a connection of its own: the model's client gives Django's connection back before
it calls, and a lock left on a pooled connection would belong to whoever gets it next. A killed process loses its
connection and with it the lock, so the next run need not wait for anything to expire.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

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
    with held(SEAL_LOCK, "madang seal", wait_seconds) as ours:
        if not ours:
            raise SealBusy("another process is sealing; it holds the lock for longer than a seal takes")
        yield


@contextmanager
def held(key: int, application: str, wait_seconds: float) -> Iterator[bool]:
    """Whether this process holds a lock of this database; waits for it so long."""
    with psycopg.connect(**own.parameters(application)) as session:
        ours = _taken(session, key, wait_seconds)
        try:
            yield ours
        finally:
            if (
                ours
            ):  # Postgres ends a closed connection a moment later, and until then the lock would be held
                _given_back(session, key)


def _taken(session: psycopg.Connection[tuple[bool]], key: int, wait_seconds: float) -> bool:
    deadline = time.monotonic() + wait_seconds
    while not (ours := _tried(session, key)) and time.monotonic() <= deadline:
        time.sleep(RETRY_SECONDS)
    return ours


def _tried(session: psycopg.Connection[tuple[bool]], key: int) -> bool:
    row = session.execute("SELECT pg_try_advisory_lock(%s)", [key]).fetchone()
    return row is not None and row[0]


def _given_back(session: psycopg.Connection[tuple[bool]], key: int) -> None:
    with suppress(psycopg.OperationalError):  # a lost connection has lost its locks
        session.execute("SELECT pg_advisory_unlock(%s)", [key])
