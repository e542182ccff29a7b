"""The engine of ``DATABASES``; Django asks for a module and a class of these names."""

import select
import time
from datetime import UTC
from typing import Any, cast

import psycopg
from django.db import connection
from django.db.backends.postgresql import base
from psycopg.pq import ExecStatus
from psycopg_pool import PoolTimeout, TooManyRequests

from knowledge.postgres import backends
from knowledge.postgres.breaker import breaker
from knowledge.postgres.cores import cores
from knowledge.postgres.probe import DEADLINE_SECONDS
from knowledge.postgres.times import TimeLoader

# So long a web process's thread waits in the pool before it asks whether Postgres is there at all.
PATIENCE_SECONDS = 1.0


class Silent(psycopg.OperationalError):
    """The connection is open, and nothing came back in time."""


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but nobody waits in the pool or on an old connection for a Postgres that is away, and times are
    read faster."""

    def get_connection_params(self) -> dict[str, Any]:
        parameters: dict[str, Any] = super().get_connection_params()
        if self.timezone == UTC:
            parameters["context"].register_loader("timestamptz", TimeLoader)
        return parameters

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection that answered just now, and whose backend has no better place at the CPU than this thread.
        Raises psycopg.OperationalError where there is none."""
        given = super().get_new_connection(conn_params) if self.pool is None else self._given(conn_params)
        backends.follow_niceness(given)
        cores.follow(given)
        return given

    def _given(self, conn_params: dict[str, Any]) -> Any:
        """A connection of the pool that answered just now."""
        until = time.monotonic() + self.settings_dict["OPTIONS"]["pool"]["timeout"]
        while True:
            breaker.require_closed()
            try:
                given = super().get_new_connection(conn_params)
            except (PoolTimeout, TooManyRequests) as error:
                breaker.suspect()
                if isinstance(error, TooManyRequests) or time.monotonic() >= until:
                    raise
                continue
            try:
                check(given, DEADLINE_SECONDS)
            except psycopg.OperationalError as error:
                given.close()
                self.pool.putconn(given)  # which makes another
                if isinstance(error, Silent):
                    breaker.suspect()
                # One that is slow rather than gone would have connections made and closed for ever.
                if time.monotonic() >= until:
                    raise
            else:
                return given


def check(connection: psycopg.Connection[Any], seconds: float) -> None:
    """Send an empty query and await its end. Raises psycopg.OperationalError, and ``Silent`` after ``seconds``.

    psycopg's own check has no time limit, and a Postgres that is stopped (a frozen machine, a full disk) keeps its
    sockets open: whoever checked so would wait until it goes on. A connection that raised is of no further use.
    """
    deadline = time.monotonic() + seconds
    wire = connection.pgconn
    wire.send_query(b"")
    wire.flush()  # a few bytes: they fit any socket's buffer
    arrived = select.poll()
    arrived.register(wire.socket, select.POLLIN)
    while True:
        while wire.is_busy():
            left = deadline - time.monotonic()
            if left <= 0 or not arrived.poll(left * 1000):
                raise Silent("Postgres did not answer on an open connection")
            wire.consume_input()
        result = wire.get_result()
        if result is None:
            return
        if result.status != ExecStatus.EMPTY_QUERY:
            raise psycopg.OperationalError(wire.get_error_message())


def arm() -> None:
    """For a web process: a Postgres that refuses or says nothing is known to be away within a second or two, not
    after the pool's own attempts.
    """
    pool = cast(DatabaseWrapper, connection).pool
    if pool is not None:
        pool.reconnect_timeout = 0
        pool.timeout = PATIENCE_SECONDS
    breaker.armed = True


def renew_pool() -> None:
    """Replace what the pool holds: after a restart of Postgres its connections are dead, each to be found out by a
    visitor of its own who waits meanwhile.
    """
    pool = cast(DatabaseWrapper, connection).pool
    if pool is not None:
        pool.drain()


def release_connection() -> None:
    """Give this thread's connection back to the pool while the thread waits. A transaction keeps it."""
    if not connection.in_atomic_block:
        connection.close()
