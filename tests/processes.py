"""Processes of their own, with Django set up and the test's database: each is forked from one that was set up once.

A process that sets itself up takes two to three seconds of a core, which is more than most tests do in it.
"""

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Barrier
from typing import Generic, ParamSpec, TypeVar

from django.conf import settings
from django.db import connection

Given = ParamSpec("Given")
Result = TypeVar("Result")

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.ready"])


class Started(Generic[Result]):
    """A process that runs one function."""

    def __init__(self, process: ForkServerProcess, told: Connection) -> None:
        self._process = process
        self._told = told

    def result(self, seconds: float = 180) -> Result:
        """What the function returned, once it has; a ``RuntimeError`` if it raised or the process died."""
        if not self._told.poll(seconds):
            raise TimeoutError
        try:
            found: Result = self._told.recv()
        except EOFError:
            raise RuntimeError(f"the process ended with {self.wait(seconds)}") from None
        self.wait(seconds)
        return found

    def wait(self, seconds: float = 180) -> int | None:
        """The exit code, or the negative number of the signal that ended it; None if it still runs."""
        self._process.join(seconds)
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()
        self._process.join()


def start(function: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> Started[Result]:
    """Run a function of a module in a process of its own.

    The process has the settings of the environment, not those that a test has set.
    """
    told, teller = pipe()
    name = str(connection.settings_dict["NAME"])
    process = _context.Process(target=_run, args=(teller, name, function, args, kwargs), daemon=True)
    process.start()
    teller.close()
    return Started(process, told)


def barrier(parties: int) -> Barrier:
    """What so many processes wait at for one another."""
    return _context.Barrier(parties, timeout=60)


def pipe() -> tuple[Connection, Connection]:
    """The end that a test reads, and the end that is given to a process which has more than one thing to tell."""
    return _context.Pipe(duplex=False)


def _run(
    teller: Connection,
    database: str,
    function: Callable[..., object],
    args: tuple[object, ...],
    kwargs: dict[str, object],
) -> None:
    settings.DATABASES["default"]["NAME"] = database
    teller.send(function(*args, **kwargs))
