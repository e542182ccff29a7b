"""Which cores threads compute on, together with the backends of Postgres that work for them.

Linux wakes a process where it ran last, or where its waker runs, and on a busy machine looks for no idle core: who
answers readers may wait some milliseconds behind one that computes while another core is at rest. So what computes for
long stays off one core altogether.
"""

import os
from contextlib import suppress
from typing import Any

import psycopg

from knowledge.postgres import backends


class Cores:
    """The cores of this process: all may be used, until one is kept free."""

    def __init__(self) -> None:
        self._all: frozenset[int] = frozenset()
        self._backends_follow = True

    def begin(self) -> None:
        """Have ``keep_one_free`` and ``follow`` work from now on; nothing where the system tells no cores, or one."""
        if hasattr(os, "sched_setaffinity"):
            self._all = frozenset(os.sched_getaffinity(0))

    def keep_one_free(self, is_free: bool) -> None:
        """Have the calling thread compute on all cores but one, or on all of them."""
        if len(self._all) > 1:
            is_kept_off = is_free and self._backends_follow
            # They were taken from this process since, or a sandbox forbids the choice.
            with suppress(OSError):
                os.sched_setaffinity(0, self._all - {min(self._all)} if is_kept_off else self._all)

    def follow(self, connection: psycopg.Connection[Any]) -> None:
        """Have the backend of a connection compute on the cores of the calling thread.

        A backend on this machine that cannot be told to would be on readers' core all the more for its client staying
        off it: no core is kept free until one can. One on another machine takes nothing from readers here.
        """
        if len(self._all) > 1:
            self._backends_follow = backends.is_elsewhere(connection) or _moved(connection)
            if not self._backends_follow:
                self.keep_one_free(False)


cores = Cores()


def count() -> int:
    """How many cores this process may compute on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _moved(connection: psycopg.Connection[Any]) -> bool:
    """Whether the backend is on the cores of the calling thread now."""
    with suppress(OSError):
        os.sched_setaffinity(backends.process_of(connection), os.sched_getaffinity(0))
        return True
    return False
