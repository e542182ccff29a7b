"""The engine of ``DATABASES``; Django asks for a module and a class of these names."""

from __future__ import annotations

import time
from typing import Any, cast

import psycopg
from django.db import connection
from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout, TooManyRequests

from knowledge.postgres import liveness
from knowledge.postgres.breaker import breaker
from knowledge.postgres.probe import DEADLINE_SECONDS

# So long a web process's thread waits in the pool before it asks whether Postgres is there at all.
PATIENCE_SECONDS = 1.0


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but nobody waits in the pool or on an old connection for a Postgres that is away."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection that answered just now. Raises psycopg.OperationalError where there is none."""
        if self.pool is None:
            return super().get_new_connection(conn_params)
        until = time.monotonic() + self.settings_dict["OPTIONS"]["pool"]["timeout"]
        while True:
            breaker.require_closed()
            try:
                given = super().get_new_connection(conn_params)
            except (PoolTimeout, TooManyRequests) as error:
                breaker.suspect()
                if isinstance(error, TooManyRequests) or time.monotonic() >= until:
                    raise
            else:
                if self._answers(given):
                    return given
                # One that is slow rather than gone would have connections made and closed for ever.
                if time.monotonic() >= until:
                    raise psycopg.OperationalError("No connection to Postgres answered in time")

    def _answers(self, given: Any) -> bool:
        """Whether this connection does; one that does not is closed, and the pool makes another."""
        try:
            liveness.check(given, DEADLINE_SECONDS)
        except psycopg.OperationalError as error:
            given.close()
            self.pool.putconn(given)
            if isinstance(error, liveness.Silent):
                breaker.suspect()
            return False
        return True


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
