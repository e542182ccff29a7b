"""The supervisor's children and the one loop that looks after them.

No threads: what a forked child does before it becomes another program is only safe in a process without any,
and the kernel's "signal me when my parent dies" means the thread that forked.
"""

import contextlib
import ctypes
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from config.embedded.errors import EmbeddedError, StopRequested
from config.embedded.guard import PATIENCE, Guard
from config.embedded.identity import Identity

PR_SET_PDEATHSIG = 1
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Mildest first: gunicorn and Celery take QUIT as "drop your work", which beats KILL.
APPLICATION_STOP = (signal.SIGTERM, signal.SIGQUIT, signal.SIGKILL)
STEP_STOP = (signal.SIGTERM, signal.SIGKILL)
TAIL_LINES = 20

Say = Callable[[str, bytes], None]


@dataclass
class Program:
    """What to start: arguments, environment, folder, and how it is to be stopped."""

    name: str
    arguments: Sequence[str | Path]
    environment: Mapping[str, str]
    folder: Path
    stop_signals: Sequence[signal.Signals] = STEP_STOP
    identity: Identity | None = None
    log: Path | None = None
    stdin: bytes = b""
    quiet: bool = False  # its output is kept in the tail and not shown
    foundation: bool = False  # the others need it until their own end
    inherit: bool = False  # the terminal and the process group are the caller's: for an interactive command


@dataclass(eq=False)
class Child:
    """A running program; ``tail`` keeps its last lines."""

    program: Program
    process: subprocess.Popen[bytes]
    tail: deque[bytes] = field(default_factory=lambda: deque(maxlen=TAIL_LINES))
    _partial: bytes = b""

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def status(self) -> int | None:
        """None while it runs, else its exit status (negative: the signal that ended it)."""
        return self.process.returncode

    def send(self, signum: signal.Signals) -> None:
        """Mild signals go to the program, which tells its own children; KILL to its whole process group."""
        with contextlib.suppress(ProcessLookupError):
            if signum == signal.SIGKILL and not self.program.inherit:
                os.killpg(self.process.pid, signum)
            elif self.process.returncode is None:
                os.kill(self.process.pid, signum)

    def take(self, data: bytes) -> list[bytes]:
        """Whole lines out of what was read so far; at the end (no data) also an unfinished one."""
        *lines, self._partial = (self._partial + data).split(b"\n")
        if not data and self._partial:
            lines, self._partial = [*lines, self._partial], b""
        self.tail.extend(lines)
        return lines


class Children:
    """Starts programs, passes on their output, notices their end, and stops them."""

    def __init__(self, guard: Guard, say: Say) -> None:
        self._guard, self._say = guard, say
        self._selector = selectors.DefaultSelector()
        self.running: list[Child] = []
        self._requests: deque[int] = deque()
        self._make = os.getppid() if "MAKELEVEL" in os.environ else None
        self.vital: list[Child] = []
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._listen_for_signals()

    def _listen_for_signals(self) -> None:
        for end in (self._wake_reader, self._wake_writer):
            end.setblocking(False)
        self._selector.register(self._wake_reader, selectors.EVENT_READ)
        signal.set_wakeup_fd(self._wake_writer.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for signum in ENDING_SIGNALS:
            signal.signal(signum, lambda number, _frame: self._requests.append(number))

    def start(self, program: Program) -> Child:
        """Start a program in a process group of its own, with its end tied to this process's end."""
        child = Child(program, _spawn(program))
        # The caller's process group is not the guard's to kill: an interactive command only gets one signal.
        self._guard.watch(child.process.pid, program.stop_signals[: 1 if program.inherit else None])
        self.running.append(child)
        if child.process.stdout is not None:
            os.set_blocking(child.process.stdout.fileno(), False)
            self._selector.register(child.process.stdout, selectors.EVENT_READ, child)
        return child

    def run(self, program: Program) -> Child:
        """Start a program and wait for its end; read ``status`` and ``tail``."""
        child = self.start(program)
        self.wait(lambda: child.status is not None)
        return child

    def wait(self, until: Callable[[], bool], seconds: float | None = None) -> bool:
        """Look after everything until the condition holds (True) or the time is over (False).

        Raises StopRequested on Ctrl-C and the like, and EmbeddedError when a vital child has stopped.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while not until():
            if self._requests:
                raise StopRequested(self._requests.popleft())
            if self._make and self._make != os.getppid():  # killed, it can no longer pass on a Ctrl-C
                raise StopRequested(signal.SIGTERM)
            self._require_vital()
            if deadline is not None and time.monotonic() > deadline:
                return False
            self._look(0.05 if deadline is not None else 0.5)
        return True

    def _require_vital(self) -> None:
        for child in self.vital:
            if child.status is not None:
                raise EmbeddedError(
                    f"{child.name} stopped by itself ({describe(child)}), so everything was stopped."
                )

    def _look(self, seconds: float) -> None:
        """One turn: pass on output, then notice who has ended."""
        for key, _ in self._selector.select(seconds):
            if isinstance(key.data, Child):
                self._pass_on(key.data)
            else:
                with contextlib.suppress(BlockingIOError):
                    self._wake_reader.recv(4096)
        for child in [child for child in self.running if child.process.poll() is not None]:
            self._bury(child)

    def _pass_on(self, child: Child) -> bool:
        """Hand over what the child has printed; False when there is no more."""
        stream = child.process.stdout
        if stream is None or stream.closed:
            return False
        try:
            data = os.read(stream.fileno(), 65536)
        except BlockingIOError:
            return False
        for line in child.take(data):
            if not child.program.quiet:
                self._say(child.name, line)
        if not data:
            self._selector.unregister(stream)
            stream.close()
        return bool(data)

    def _bury(self, child: Child) -> None:
        """The last output of an ended child, and the end of whatever it left in its process group."""
        self.running.remove(child)
        if not child.program.inherit:
            child.send(signal.SIGKILL)
        while self._pass_on(child):
            pass
        self._guard.forget(child.process.pid)

    def stop(self, *children: Child) -> None:
        """Stop these together, harder every few seconds, and at once when the end is asked for again."""
        self.vital = [child for child in self.vital if child not in children]
        for severity in range(max((len(child.program.stop_signals) for child in children), default=0)):
            for child in children:
                signals = child.program.stop_signals
                if child.status is None:
                    child.send(signals[min(severity, len(signals) - 1)])
            if self._all_end_within(PATIENCE, children):
                return

    def _all_end_within(self, seconds: float, children: Sequence[Child]) -> bool:
        deadline = time.monotonic() + seconds
        while any(child.status is None for child in children):
            if time.monotonic() > deadline or self._requests:
                self._requests.clear()
                return False
            self._look(0.05)
        return True

    def stop_all(self) -> None:
        """Stop whatever still runs, the servers last."""
        self.stop(*(child for child in self.running if not child.program.foundation))
        self.stop(*self.running)

    def forward_to(self, child: Child) -> None:
        """Wait for an interactive command, handing it the signals that this process gets."""
        while child.status is None:
            try:
                self.wait(lambda: child.status is not None)
            except StopRequested as request:
                if request.signum != signal.SIGINT or not _in_foreground():
                    child.send(signal.Signals(request.signum))


def describe(child: Child) -> str:
    """How a child ended, in words."""
    status = child.status or 0
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"


def _in_foreground() -> bool:
    """Whether a terminal's Ctrl-C reaches this whole process group, the command included, by itself."""
    try:
        with Path("/dev/tty").open("rb") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False


def _spawn(program: Program) -> subprocess.Popen[bytes]:
    with contextlib.ExitStack() as files:
        output: int | IO[bytes] | None = None if program.inherit else subprocess.PIPE
        if program.log is not None:
            output = files.enter_context(program.log.open("ab"))
        borrowed = program.identity if program.identity and program.identity.borrowed else None
        return subprocess.Popen(
            [str(argument) for argument in program.arguments],
            stdin=None if program.inherit else _feed(program.stdin, files),
            stdout=output,
            stderr=None if program.inherit else subprocess.STDOUT,
            cwd=program.folder,
            env=program.environment,
            user=borrowed.uid if borrowed else None,
            group=borrowed.gid if borrowed else None,
            extra_groups=[] if borrowed else None,
            process_group=None if program.inherit else 0,
            preexec_fn=_end_with_parent(program.stop_signals[0]),
        )


def _feed(data: bytes, files: contextlib.ExitStack) -> IO[bytes] | int:
    """A standard input that holds ``data`` and then ends."""
    if not data:
        return subprocess.DEVNULL
    reader, writer = os.pipe()
    os.write(writer, data)  # a command line or two: less than a pipe holds
    os.close(writer)
    return files.enter_context(os.fdopen(reader, "rb"))


def _end_with_parent(signum: signal.Signals) -> Callable[[], None] | None:
    """What a child does just before its program: ask the kernel for ``signum`` when this process dies.

    Linux only. It runs after the change of user, which would clear the request.
    """
    if sys.platform != "linux":
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, int(signum), 0, 0, 0)
        if os.getppid() != parent:  # it died in between
            os._exit(1)

    return ask
