"""A small process that outlives its parent only to stop what the parent left running.

A ``kill -9`` gives the supervisor no chance to stop its children. On Linux the kernel then signals them (see
``children.py``), but a worker in the middle of a task may take that lightly, and macOS has nothing like it.
So the guard, a fork of the supervisor, reads from a pipe which children live, and when the pipe ends it stops
them, harder step by step. It holds the instance's lock until they are gone: a new start waits for that.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Sequence

# Between one signal and the next, harder one.
PATIENCE = 4.0


class Guard:
    """The supervisor's side: tells the guard which children live. Use only before any thread is started."""

    def __init__(self, on_orphaned: Callable[[], None]) -> None:
        """``on_orphaned`` is called in the guard when the supervisor has vanished without ``dismiss()``."""
        reader, self._writer = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._writer)
            _stand_guard(reader, on_orphaned)
        os.close(reader)

    def watch(self, pid: int, signals: Sequence[signal.Signals]) -> None:
        """A child lives, the leader of a process group; it is to be stopped by ``signals``, mildest first."""
        self._tell(f"{pid} {' '.join(str(int(one)) for one in signals)}\n")

    def forget(self, pid: int) -> None:
        """A child is gone."""
        self._tell(f"{pid}\n")

    def dismiss(self) -> None:
        """Everything is stopped; wait for the guard to leave as well."""
        os.close(self._writer)
        os.waitpid(self._pid, 0)

    def _tell(self, line: str) -> None:
        with contextlib.suppress(BrokenPipeError):
            os.write(self._writer, line.encode())


def _stand_guard(reader: int, on_orphaned: Callable[[], None]) -> None:
    """Never returns. A new session keeps the terminal's Ctrl-C away, which is for the supervisor."""
    try:
        os.setsid()
        _let_go_of_the_terminal()
        for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(ignored, signal.SIG_IGN)
        with os.fdopen(reader) as lines:
            orphans = _read_living(lines.read())
        if orphans:
            on_orphaned()
            _stop(orphans)
    finally:
        os._exit(0)


def _let_go_of_the_terminal() -> None:
    """Who reads the supervisor's output must see its end when the supervisor ends."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def _read_living(report: str) -> dict[int, list[int]]:
    living: dict[int, list[int]] = {}
    for line in report.splitlines():
        pid, *signals = map(int, line.split())
        if signals:
            living[pid] = signals
        else:
            living.pop(pid, None)
    return living


def _stop(orphans: dict[int, list[int]]) -> None:
    for severity in range(max(len(signals) for signals in orphans.values())):
        for pid, signals in orphans.items():
            _send(pid, signals[min(severity, len(signals) - 1)])
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            orphans = {pid: signals for pid, signals in orphans.items() if _group_lives(pid)}
            if not orphans:
                return
            time.sleep(0.05)


def _send(pid: int, signum: int) -> None:
    """Mild signals go to the leader, which tells its own children; the last one to the whole group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if signum == signal.SIGKILL:
            os.killpg(pid, signum)
        else:
            os.kill(pid, signum)


def _group_lives(pid: int) -> bool:
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
