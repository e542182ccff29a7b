"""Questions are answered by a process of their own beside each web process (decision 0034).

Who answers a question computes for a tenth of a second and more, and would take turns at one interpreter with the loop
that answers readers. The other process runs the same application; this one hands it whole requests and takes whole
responses. While it is not there, questions are answered here.
"""

import logging
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from io import BytesIO
from multiprocessing.connection import Connection, Pipe
from typing import Any

from django.conf import settings

from config.front.bridge import Application, Environ
from config.front.memory import FrontResponse

RESTART_SECONDS = 10.0  # one that ends at its start is not started over and over
# What only this process can hold; the rest is text and flags.
NOT_HANDED_OVER = frozenset({"wsgi.input", "wsgi.errors"})
logger = logging.getLogger(__name__)


class AskProcess:
    """The other process. It ends when this one does, however that ends: each sees the other's end of a socket close."""

    def __init__(self, command: Sequence[str], *, inherited: Sequence[int] = ()) -> None:
        """``command`` is a Python module and its arguments; the number of the socket comes before them. ``inherited``
        are numbers of open files that it keeps."""
        self._line, its_line = socket.socketpair()
        module, *arguments = command
        with its_line:
            self._process = subprocess.Popen(
                [sys.executable, "-m", module, str(its_line.fileno()), *arguments],
                stdin=subprocess.DEVNULL,
                pass_fds=[its_line.fileno(), *inherited],
                cwd=settings.BASE_DIR,
            )
        self._free: deque[Connection] = deque()

    @property
    def pid(self) -> int:
        return self._process.pid

    def becomes_ready(self) -> bool:
        """Wait until it says that it can answer; False where it ended before."""
        return bool(self._heard())

    def let_go(self) -> None:
        """Have it end, as the end of this process would."""
        self._line.shutdown(socket.SHUT_WR)

    def await_end(self) -> int:
        """Wait until it ends; its exit status."""
        self._heard()
        with self._line:
            return self._process.wait()

    def _heard(self) -> bytes:
        """Its next word; empty once it has ended, also before it took all that was sent to it."""
        try:
            return self._line.recv(1)
        except ConnectionResetError:
            return b""

    def ask(self, environ: Environ, body: bytes) -> FrontResponse:
        """Its response to a request. Raises OSError or EOFError where it ended before it had one."""
        connection = self._connected()
        connection.send((environ, body))
        response: FrontResponse = connection.recv()
        self._free.append(connection)
        return response

    def _connected(self) -> Connection:
        """A connection that no other thread uses; the process has a thread for each."""
        try:
            return self._free.pop()
        except IndexError:
            mine, its = Pipe()
            with its:
                socket.send_fds(self._line, [b"\0"], [its.fileno()])
            return mine


class Beside:
    """A WSGI application. POSTs to ``paths`` are answered by the process that ``start`` starts, once it is ready, and
    everything else by ``application`` in this one. ``refuse(503, path)`` is what is said where that process ended."""

    def __init__(
        self,
        application: Application,
        paths: Iterable[str],
        start: Callable[[], AskProcess],
        refuse: Callable[[int, str], FrontResponse],
    ) -> None:
        self._application = application
        self._paths = frozenset(paths)
        self._start = start
        self._refuse = refuse
        self.process: AskProcess | None = None

    def keep(self) -> None:
        """Start the process, and another one whenever it ends; for a thread of its own."""
        while True:
            try:
                self._keep_one(self._start())
            except OSError as error:
                logger.error("no process that answers questions could be started: %s", error)
            time.sleep(RESTART_SECONDS)

    def _keep_one(self, process: AskProcess) -> None:
        if process.becomes_ready():
            self.process = process
        status = process.await_end()
        self.process = None
        logger.error(
            "the process that answers questions ended with status %d; another starts in %d s",
            status,
            RESTART_SECONDS,
        )

    def hands_over(self, method: str, path: str) -> bool:
        """Whether such a request is answered by the process beside this one, as it is now."""
        return self.process is not None and method == "POST" and path in self._paths

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        process, body, path = self.process, environ["wsgi.input"], environ["PATH_INFO"]
        # Of a body that is not whole Django says here what is wrong with it.
        is_handed_over = self.hands_over(environ["REQUEST_METHOD"], path) and isinstance(body, BytesIO)
        if process is None or not is_handed_over:
            return self._application(environ, start_response)
        handed_over = {name: value for name, value in environ.items() if name not in NOT_HANDED_OVER}
        try:
            response = process.ask(handed_over, body.getvalue())
        except (OSError, EOFError):
            response = self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, path)
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers]
        start_response(f"{response.status} {HTTPStatus(response.status).phrase}", headers)
        return [response.body]
