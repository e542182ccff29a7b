"""The real worker of the real server on one connection: bytes in, bytes out, no process and no port."""

import http.client
import io
import json
import logging
import os
import runpy
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from gunicorn.config import Config
from gunicorn.workers.gthread import TConn

from config.request_bodies import WholeBodies

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ("127.0.0.1", 40123)


class Answer:
    """A response, or none where the server just closed the connection."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        parsed = http.client.HTTPResponse(Received(raw))  # type: ignore[arg-type]  # all it needs of a socket
        parsed.begin()
        self.status, self.headers, self.body = parsed.status, parsed.headers, parsed.read()

    def json(self) -> Any:
        return json.loads(self.body)


class Received(io.BytesIO):
    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self.getvalue())


class Server:
    """One worker with the settings of ``gunicorn.conf.py``."""

    def __init__(self) -> None:
        cfg = Config()
        for name, value in runpy.run_path(str(ROOT / "gunicorn.conf.py")).items():
            if name in cfg.settings:
                cfg.set(name, value)
        self.cfg = cfg
        self.worker = cfg.worker_class(0, os.getpid(), [], None, 30, cfg, cfg.logger_class(cfg))
        self.worker.wsgi = WholeBodies(get_wsgi_application())
        self.worker.log.error_log.handlers = [self.lines] = [Lines()]

    def close(self) -> None:
        self.worker.tmp.close()

    def send(self, raw: bytes, client: tuple[str, int] = CLIENT) -> Answer:
        """What comes back when a client sends this, and nothing more."""
        near, far = socket.socketpair()
        sender = threading.Thread(target=_send, args=(near, raw))
        sender.start()
        connection = TConn(self.cfg, far, client, ("127.0.0.1", 8000))
        with near, a_lasting_database():
            self.worker.handle(connection)
            connection.close(graceful=True)
            sender.join()
            with near.makefile("rb") as answer:
                return Answer(answer.read())

    def call(self, environ: dict[str, Any]) -> int:
        """The status of a request as the server hands it to the application."""
        said: list[str] = []
        with a_lasting_database():
            response = self.worker.wsgi(environ, lambda status, _headers: said.append(status))
            b"".join(response)
        return int(said[0].partition(" ")[0])

    def post(self, path: str, body: bytes, content_type: str = "application/json", **headers: str) -> Answer:
        """A POST whose headers say of the body's length what they are told to, and nothing by themselves."""
        fields = {"Host": "localhost", "Content-Type": content_type, **headers}
        lines = [f"POST {path} HTTP/1.1", *(f"{k.replace('_', '-')}: {v}" for k, v in fields.items())]
        return self.send("\r\n".join([*lines, "", ""]).encode() + body)


@contextmanager
def a_lasting_database() -> Iterator[None]:
    """Requests leave the test's transaction open, as those of Django's own test client do."""
    both = (request_started, request_finished)
    for signal in both:
        signal.disconnect(close_old_connections)
    yield
    for signal in both:
        signal.connect(close_old_connections)


class Lines(logging.Handler):
    """What the server wrote of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


def _send(near: socket.socket, raw: bytes) -> None:
    try:
        near.sendall(raw)
        near.shutdown(socket.SHUT_WR)
    except OSError:
        return  # the server has closed


def chunked(body: bytes, size: int = 7) -> bytes:
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
