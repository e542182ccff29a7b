"""gunicorn's worker: uvicorn's, with the front's protocol, and a change of processes that no reader notices.

The master process imports this module and keeps it through every reload, so it imports nothing else of this project:
new workers would meet its old version.
"""

import asyncio
import logging
import mmap
import os
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any, Protocol, cast

from gunicorn.arbiter import Arbiter
from gunicorn.config import Config as ServerConfig
from uvicorn.server import Server
from uvicorn_worker import UvicornWorker

SUCCESSORS_SECONDS = 20.0  # how long a worker serves on while those that replace it start
LOOK_SECONDS = 0.5
# Shared by the master and all its workers: the newest generation that was started, and the newest that serves (every
# reload of gunicorn starts one); then what each says of its connections.
_SHARED = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("Q")
_GENERATIONS, _CONNECTIONS = _SHARED[:64], _SHARED[64:]
_STARTED, _SERVING = 0, 1
# A file without a name, on whose bytes the workers lock their turns at long computations.
TURNS, _name = tempfile.mkstemp()
Path(_name).unlink()


class Connection(Protocol):
    """What the loop needs of the front's protocol."""

    is_leaving: bool

    def look(self, now: float) -> None: ...

    def shutdown(self) -> None: ...


class Worker(UvicornWorker):
    """gunicorn makes it in the master, and runs it after the fork."""

    CONFIG_KWARGS: dict[str, Any] = {
        "loop": "auto",
        "ws": "none",
        "lifespan": "off",
        "interface": "asgi3",
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
    }
    _configured_by: ServerConfig | None = None  # in the master: whose workers the newest generation are

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.config.timeout_graceful_shutdown = self.cfg.graceful_timeout
        if Worker._configured_by is not self.cfg:
            Worker._configured_by = self.cfg
            _GENERATIONS[_STARTED] += 1
        self.generation = _GENERATIONS[_STARTED]

    async def _serve(self) -> None:
        from config.front.protocol import FrontProtocol

        if not asyncio.iscoroutinefunction(type(self.wsgi).__call__):
            self.log.critical(
                "this worker serves config.asgi; for config.wsgi name another: gunicorn -k gthread config.wsgi"
            )
            sys.exit(Arbiter.APP_LOAD_ERROR)
        self.config.app, self.config.http = self.wsgi, FrontProtocol
        server = FrontServer(self)
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(tell_without_words)
        loop.add_signal_handler(signal.SIGQUIT, server.stop_at_once)
        # gunicorn's own objects around them would close them once more after the loop, by a number that may be
        # somebody else's by then.
        await server.serve(sockets=[listener.sock for listener in self.sockets])
        if not server.started:
            sys.exit(Arbiter.WORKER_BOOT_ERROR)

    def serves(self) -> None:
        _GENERATIONS[_SERVING] = max(_GENERATIONS[_SERVING], self.generation)

    @property
    def is_being_replaced(self) -> bool:
        """Whether a newer generation was started of which nobody serves yet."""
        return _GENERATIONS[_STARTED] > self.generation >= _GENERATIONS[_SERVING]


class FrontServer(Server):
    """The loop of one worker."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(worker.config)
        self._worker = worker
        self._is_leaving = False

    def stop_at_once(self) -> None:
        """Answer nobody any more."""
        self.should_exit = self.force_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        from config.front.accepting import Acceptor

        self._acceptor = Acceptor(_CONNECTIONS, self._worker.age)
        self.server_state.connections = self._acceptor.connections
        await super().startup([])
        self._acceptor.start(sockets or [], self._protocol, self.config.ssl)
        self.servers = [cast(asyncio.Server, self._acceptor)]  # uvicorn closes it
        self._worker.serves()
        self._looking = asyncio.get_running_loop().create_task(self._look_on())

    def _protocol(self) -> asyncio.Protocol:
        from config.front.protocol import FrontProtocol

        return FrontProtocol(self.config, self.server_state, self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve on until the successors do, then answer what was asked, then end."""
        loop = asyncio.get_running_loop()
        until = loop.time() + SUCCESSORS_SECONDS
        while self._waits_for_successors and loop.time() < until:
            await asyncio.sleep(0.05)
        self._is_leaving = True
        await super().shutdown(sockets)
        self._looking.cancel()
        # uvicorn raises them anew when it is done, and gunicorn takes a worker that a signal ended for a failure.
        self._captured_signals.clear()

    @property
    def _waits_for_successors(self) -> bool:
        is_orphan = os.getppid() != self._worker.ppid
        return self._worker.is_being_replaced and not is_orphan and not self.force_exit

    async def _look_on(self) -> None:
        """Close who has reached a deadline."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self.should_exit:
                # uvicorn's own turn has ended; the Date of answers and the master's watch go on.
                await self.on_tick(0)
            for each in list(self.server_state.connections):
                connection = cast(Connection, each)
                if self._is_leaving and not connection.is_leaving:
                    connection.shutdown()  # it was accepted in the last moment
                connection.look(loop.time())
            self._acceptor.say()


def tell_without_words(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What failed on the loop, without what asyncio's own line shows of it: data, transport, address."""
    from config.log_lines import failure_lines

    error = context.get("exception")
    lines = failure_lines(error, private=True) if error is not None else [str(context.get("message"))]
    logging.getLogger("uvicorn.error").error("the event loop: %s", "\n".join(lines))
