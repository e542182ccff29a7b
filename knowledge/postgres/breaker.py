"""A circuit breaker before the connection pool: while Postgres is away, who wants a connection is told so at once.

Waiting in the pool would hold a thread for seconds, and the threads of a web process are soon all waiting: those too
that could serve from memory. A worker has nothing better to do, so that only web processes arm theirs.
"""

from __future__ import annotations

import enum
import logging
from typing import Any

import psycopg

from knowledge.postgres.probe import Probe, probe

logger = logging.getLogger(__name__)


class State(enum.Enum):
    CLOSED = "connections are given"
    SUSPECTED = "the pool gave none in time: it is empty, or Postgres is away"
    OPEN = "Postgres is away"


class Breaker:
    """Opens when Postgres gives no connections, and closes when the probe, asked once a second, gets one."""

    def __init__(self, looks: Probe = probe) -> None:
        self._probe = looks
        self._state = State.CLOSED
        self.armed = False

    def require_closed(self) -> None:
        """Raises psycopg.OperationalError while Postgres is away: at once, or within a second of a suspicion."""
        if self._state is State.CLOSED or not self.armed:
            return
        # A suspicion is worth the wait for the probe's word: in the pool it would be several times as long.
        answers = self._probe.answers() if self._state is State.SUSPECTED else self._probe.known()
        if answers is not None:
            self._become(State.CLOSED if answers else State.OPEN)
        if self._state is State.OPEN:
            raise psycopg.OperationalError("Postgres gave no connection a moment ago")

    def trip(self) -> None:
        """A connection was refused and the pool has no other."""
        if self.armed and self._state is not State.OPEN:
            self._probe.forget()
            self._become(State.OPEN)

    def suspect(self) -> None:
        """The pool gave no connection in time, which many callers can cause as well: the probe will decide."""
        if self.armed and self._state is State.CLOSED:
            self._state = State.SUSPECTED

    def _become(self, state: State) -> None:
        former, self._state = self._state, state
        if state is State.OPEN and former is not State.OPEN:
            logger.warning("Postgres gives no connections; refusing at once until it does")
        elif former is State.OPEN and state is State.CLOSED:
            logger.info("Postgres gives connections again")


breaker = Breaker()


def pool_gave_up(pool: Any) -> None:
    """For psycopg's pool, when a connection could not be made. One that has others may go on with them."""
    if pool.get_stats().get("pool_size", 0) == 0:
        breaker.trip()
