"""gunicorn's worker and its log: every refusal in the service's own shape, and nobody's words or address in a line.

gunicorn refuses what is not HTTP before the application sees it, with a page of its own and a log line that names the
client and repeats its request. The master process imports this module, so Django is imported where it is used.
"""

import json
import logging
import os
import re
import socket
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlsplit

from gunicorn import glogging
from gunicorn.config import Config
from gunicorn.http import errors, message
from gunicorn.http.parser import RequestParser
from gunicorn.util import write_error
from gunicorn.workers.gthread import TConn, ThreadWorker

STATUSES: dict[type[Exception], int] = {
    errors.LimitRequestLine: 414,
    errors.ExpectationFailed: 417,
    errors.LimitRequestHeaders: 431,
    errors.UnsupportedTransferCoding: 501,
}
NOT_ASCII = re.compile(rb"[\x80-\xff]")


class UnservableRequestError(Exception):
    """A request that is not served as it is written: the status it gets, and the path it asked for."""

    def __init__(self, status: int, path: str) -> None:
        super().__init__(status)
        self.status = status
        self.path = path


class Utf8Request(message.Request):
    """A request whose target may hold UTF-8 as people type it, and whose refusal knows the path."""

    def __init__(self, *arguments: Any) -> None:
        self.beginning = bytearray()
        try:
            super().__init__(*arguments)
        except errors.ParseException as error:
            raise UnservableRequestError(
                STATUSES.get(type(error), 400), path_in(bytes(self.beginning))
            ) from error

    def _parse_python(self, unreader: Any, buf: bytearray) -> bytes:
        self.beginning = buf
        rest: bytes = super()._parse_python(unreader, buf)
        return rest

    def parse_request_line(self, line_bytes: bytes) -> None:
        super().parse_request_line(percent_encoded(line_bytes))


class Parser(RequestParser):
    mesg_class = Utf8Request


def percent_encoded(line: bytes) -> bytes:
    """A request line with every byte of its target that is not ASCII percent-encoded, as browsers do."""
    method, blank, rest = line.partition(b" ")
    return method + blank + NOT_ASCII.sub(lambda byte: b"%%%02X" % byte[0][0], rest)


def path_in(beginning: bytes) -> str:
    """The path that the beginning of a request asks for, as far as it can be told; ``/`` else."""
    words = beginning.lstrip(b"\r\n").partition(b"\r\n")[0].decode("latin-1").split(" ")
    try:
        path = urlsplit(words[1]).path
    except (IndexError, ValueError):
        return "/"
    return quote(path, safe="/%") if path.startswith("/") else "/"


class Worker(ThreadWorker):
    """The threaded worker."""

    def handle(self, conn: TConn) -> Any:
        if conn.parser is None:
            conn.parser = Parser(self.cfg, conn.sock, conn.client)
        return super().handle(conn)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: Exception) -> None:
        """Answer what cannot be served; ``req`` is known where the application was asked and failed."""
        from config.log_lines import failure_lines

        if req is not None and isinstance(exc, errors.ParseException) and req.body.failed:
            # The answer was sent before the rest of a body, which nobody read, turned out to be broken.
            return
        if isinstance(exc, UnservableRequestError):
            self.log.info("refused a request: %d", exc.status)
            status, path = exc.status, exc.path
        else:
            self.log.error("the application failed: %s", "\n".join(failure_lines(exc, private=True)))
            status, path = 500, req.path if req else "/"
        try:
            client.sendall(refusal(status, path))
        except OSError:
            self.log.debug("nobody waits for the refusal")
        except Exception as unrendered:
            self.log.error("the refusal failed: %s", "\n".join(failure_lines(unrendered, private=True)))
            write_error(client, status, HTTPStatus(status).phrase, "")


def refusal(status: int, path: str) -> bytes:
    """A whole HTTP response: what the application would say at ``path``."""
    from django.http import HttpRequest

    from config.errors import page
    from config.middleware import PublicHeaders

    request = HttpRequest()
    request.path = request.path_info = path
    response = PublicHeaders(lambda request: page(request, status))(request)
    response.headers["Connection"] = "close"
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{k}: {v}" for k, v in response.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + response.content


class Logger(glogging.Logger):
    """gunicorn's own lines as JSON, as all others are; as text with DEBUG."""

    def setup(self, cfg: Config) -> None:
        super().setup(cfg)
        if os.environ.get("DEBUG", "").lower() not in ("true", "1", "on", "yes"):
            for handler in self.error_log.handlers:
                handler.setFormatter(ServerLogFormatter())


class ServerLogFormatter(logging.Formatter):
    """A line of the server. ``config.log_lines`` has the application's, with settings that the master must not load:
    its workers are to read them anew."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
