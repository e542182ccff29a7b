"""What the stack prints: one line at a time, each with the name of who said it."""

import os
import select
import signal
import sys
from typing import IO

OWN_NAME = "stack"


class Output:
    """Lines to a terminal, a file or a pipe. A reader who went away is a reason to stop, not to crash."""

    def __init__(self, stream: IO[str], names: tuple[str, ...] = ()) -> None:
        stream.flush()
        self._descriptor: int | None = stream.fileno()
        self._width = max(len(name) for name in (OWN_NAME, *names))
        self._is_hushed = False

    def hush(self) -> None:
        """From now on only the stack's own lines: what processes say while they stop looks like trouble and is none."""
        self._is_hushed = True

    def line(self, name: str, text: bytes) -> None:
        """One line that a process has printed."""
        if name == OWN_NAME or not self._is_hushed:
            self._write(f"{name:<{self._width}} | ".encode() + text + b"\n")

    def say(self, sentence: str) -> None:
        """One or more lines of the stack's own."""
        for line in sentence.splitlines():
            self.line(OWN_NAME, line.encode(errors="replace"))

    def _write(self, data: bytes) -> None:
        while data and self._descriptor is not None:
            try:
                data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:  # a terminal that another program left in that mode
                select.select([], [self._descriptor], [])
            except OSError:
                self._descriptor = None
                os.kill(os.getpid(), signal.SIGTERM)


def to_stdout(names: tuple[str, ...]) -> Output:
    """For ``make run``, whose output this is."""
    return Output(sys.stdout, names)


def to_stderr() -> Output:
    """Beside a command, whose standard output belongs to itself."""
    return Output(sys.stderr)
