"""The engine of ``DATABASES``; Django asks for a module and a class of these names."""

from __future__ import annotations

from typing import Any, cast

import psycopg
from django.db import connection
from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout, TooManyRequests

from knowledge.postgres import liveness
from knowledge.postgres.breaker import breaker
from knowledge.postgres.probe import DEADLINE_SECONDS


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but nobody waits in the pool or on an old connection for a Postgres that is away."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection that answered just now. Raises psycopg.OperationalError where there is none."""
        while True:
            breaker.require_closed()
            given = self._given(conn_params)
            if self.pool is None:
                return given
            try:
                liveness.check(given, DEADLINE_SECONDS)
            except psycopg.OperationalError as error:
                # A closed one makes the pool connect anew. Each dead one costs a turn, so that the turns end.
                given.close()
                self.pool.putconn(given)
                if isinstance(error, liveness.Silent):
                    breaker.suspect()
            else:
                return given

    def _given(self, conn_params: dict[str, Any]) -> Any:
        try:
            return super().get_new_connection(conn_params)
        except (PoolTimeout, TooManyRequests):
            breaker.suspect()
            raise


def arm() -> None:
    """For a web process: a Postgres that refuses is known to be away at once, not after the pool's own attempts."""
    pool = cast(DatabaseWrapper, connection).pool
    if pool is not None:
        pool.reconnect_timeout = 0
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
