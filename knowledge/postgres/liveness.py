"""Whether a connection from the pool still answers.

psycopg's own check has no time limit, and a Postgres that is stopped (a frozen machine, a full disk) keeps its
sockets open: whoever checked so would wait until it goes on.
"""

from __future__ import annotations

import select
import time
from typing import Any

import psycopg
from psycopg.pq import ExecStatus


class Silent(psycopg.OperationalError):
    """The connection is open, and nothing came back in time."""


def check(connection: psycopg.Connection[Any], seconds: float) -> None:
    """Send an empty query and await its end. Raises psycopg.OperationalError, and ``Silent`` after ``seconds``.

    A connection that raised is of no further use.
    """
    deadline = time.monotonic() + seconds
    wire = connection.pgconn
    wire.send_query(b"")
    wire.flush()  # a few bytes: they fit any socket's buffer
    arrived = select.poll()
    arrived.register(wire.socket, select.POLLIN)
    while (result := _next_result(wire, arrived, deadline)) is not None:
        if result.status != ExecStatus.EMPTY_QUERY:
            raise psycopg.OperationalError(wire.get_error_message())


def _next_result(
    wire: psycopg.pq.abc.PGconn, arrived: select.poll, deadline: float
) -> psycopg.pq.abc.PGresult | None:
    while wire.is_busy():
        left = deadline - time.monotonic()
        if left <= 0 or not arrived.poll(left * 1000):
            raise Silent("Postgres did not answer on an open connection")
        wire.consume_input()
    return wire.get_result()
