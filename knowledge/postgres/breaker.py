"""A circuit breaker before the connection pool: while Postgres is away, who wants a connection is told so at once.

Waiting in the pool would hold a thread for seconds, and the threads of a web process are soon all waiting: those too
that could serve from memory. A worker has nothing better to do, so that only web processes arm theirs.
"""

import logging
from typing import Any

import psycopg

from knowledge.postgres.probe import Probe, probe

logger = logging.getLogger(__name__)


class Breaker:
    """Opens when Postgres gives no connections, and closes when the probe, asked once a second, gets one."""

    def __init__(self, looks: Probe = probe) -> None:
        self._probe = looks
        self._suspected = False
        self._is_open = False
        self.armed = False

    def require_closed(self) -> None:
        """Raises psycopg.OperationalError while Postgres is away: at once, or within a second of a suspicion."""
        if not self.armed or not (self._is_open or self._suspected):
            return
        # A suspicion is worth the wait for the probe's word: in the pool it would be several times as long.
        answers = self._probe.known() if self._is_open else self._probe.answers()
        if answers is not None:
            self._decide(is_open=not answers)
        if self._is_open:
            raise psycopg.OperationalError("Postgres gave no connection a moment ago")

    def trip(self) -> None:
        """A connection was refused and the pool has no other."""
        if self.armed and not self._is_open:
            self._probe.forget()
            self._decide(is_open=True)

    def suspect(self) -> None:
        """The pool gave no connection in time, which many callers can cause as well: the probe will decide."""
        self._suspected = True

    def _decide(self, *, is_open: bool) -> None:
        was_open, self._is_open, self._suspected = self._is_open, is_open, False
        if is_open and not was_open:
            logger.warning("Postgres gives no connections; refusing at once until it does")
        elif was_open and not is_open:
            logger.info("Postgres gives connections again")


breaker = Breaker()


def pool_gave_up(pool: Any) -> None:
    """For psycopg's pool, when a connection could not be made. One that has others may go on with them."""
    if pool.get_stats().get("pool_size", 0) == 0:
        breaker.trip()
