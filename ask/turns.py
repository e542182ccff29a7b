"""Turns at what computes for tens of milliseconds, so that a core is left for whoever answers readers meanwhile."""

import fcntl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from knowledge.postgres.base import release_connection

LOOK_SECONDS = 0.005  # between two looks for a free place


class Turns:
    """At most one thread of a process is inside: it has one interpreter, and a second thread would finish none sooner
    and only take turns away from readers. Processes may share their turns.
    """

    def __init__(self) -> None:
        self._own = threading.BoundedSemaphore(1)
        self._shared: tuple[int, range] | None = None

    def share(self, file: int, places: range) -> None:
        """Take turns with the other processes that forked off with this file, which is open for writing: at most as
        many as there are places, which are bytes of it. The system ends the turn of a process that ends."""
        self._shared = file, places

    @contextmanager
    def turn(self, shared: Callable[[], bool] = lambda: True) -> Iterator[None]:
        """Wait for a turn, without a database connection in hand. ``shared`` is asked when it is our turn in this
        process: whether to wait for other processes as well."""
        release_connection()
        with self._own:
            is_shared = shared()
            if self._shared is None or not is_shared:
                yield
                return
            file, places = self._shared
            place = _taken(file, places)
            try:
                yield
            finally:
                fcntl.lockf(file, fcntl.LOCK_UN, 1, place)


def _taken(file: int, places: range) -> int:
    """A byte of the file that no other process has locked; waits where all are.

    A lock that the system waits for is refused as a deadlock (EDEADLK) where two threads of a process, each by itself,
    have one and await another: it takes a process for one waiter.
    """
    while True:
        for place in places:
            with suppress(BlockingIOError, PermissionError):
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
                return place
        time.sleep(LOOK_SECONDS)
