"""The engine of ``DATABASES``; Django asks for a module and a class of these names."""

from __future__ import annotations

from typing import Any, cast

from django.db import connection
from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout, TooManyRequests

from knowledge.postgres.breaker import breaker


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but nobody waits in the pool for a Postgres that is known to be away."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        breaker.require_closed()
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
