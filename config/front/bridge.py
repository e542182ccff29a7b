"""From the event loop to the WSGI application and back: threads for as long as it works, never for who reads slowly."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import Executor
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from uvicorn._types import HTTPScope

from config.front.memory import FrontResponse, Headers
from config.request_bodies import StatedBody

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

PART_BYTES = 256 * 1024  # of a stream: what is read in one go, and held while its reader takes it
MOUNTED_AT = os.environ.get("SCRIPT_NAME", "")
# Between two parts of a stream nobody knows for how long its reader keeps it waiting.
Release = Callable[[], None]


class Bridge:
    """The WSGI application for callers on an event loop.

    ``release`` gives back what a thread holds for a request, such as a database connection; it is called after each
    part of a response that is a stream.
    """

    def __init__(self, application: Application, executor: Executor, release: Release = lambda: None) -> None:
        self._application = application
        self._executor = executor
        self._release = release

    async def ask(self, environ: Environ, executor: Executor | None = None) -> FrontResponse:
        """The answer, whole or up to its first part. What the application raises comes out."""
        loop = asyncio.get_running_loop()
        call = _Call(self._application, environ, self._release)
        body = await loop.run_in_executor(executor or self._executor, call.begin)
        rest = None if call.is_over else _RestOfCall(call, self._executor)
        return FrontResponse(call.status, call.headers, body, rest)


def whole_answer(application: Application, environ: Environ) -> FrontResponse:
    """For callers in a thread: the answer with all of its body, also that of a stream."""
    call = _Call(application, environ, lambda: None)
    parts = [call.begin()]
    while not call.is_over:
        parts.append(call.part())
    return FrontResponse(call.status, call.headers, b"".join(parts))


class _RestOfCall:
    """Each part is read in a thread, which is given back while a reader takes it."""

    def __init__(self, call: "_Call", executor: Executor) -> None:
        self._call = call
        self._executor = executor

    async def parts(self) -> AsyncIterator[bytes]:
        while not self._call.is_over:
            yield await asyncio.get_running_loop().run_in_executor(self._executor, self._call.part)

    async def end(self) -> None:
        if not self._call.is_over:
            await asyncio.get_running_loop().run_in_executor(self._executor, self._call.end)


class _Call:
    """One request to the application. Its methods run in threads, never two of them at once."""

    def __init__(self, application: Application, environ: Environ, release: Release) -> None:
        self.status = 0
        self.headers: Headers = []
        self.is_over = False
        self._given = 0
        self._stated: int | None = None  # the length of the body, where the application says it
        self._application = application
        self._environ = environ
        self._release = release
        self._response: Iterable[bytes] = ()
        self._parts: Iterator[bytes] = iter(())

    def begin(self) -> bytes:
        self._response = self._application(self._environ, self._started)
        self._parts = iter(self._response)
        return self.part()

    def part(self) -> bytes:
        """The next 256 KiB at least, or what is left."""
        taken, size = [], 0
        try:
            for part in self._parts:
                taken.append(part)
                size += len(part)
                self._given += len(part)
                # What is whole is no stream, however long it is: only so may it be kept.
                if size >= PART_BYTES and self._given != self._stated:
                    self._release()
                    break
            else:
                self.end()
        except BaseException:
            self.end()
            raise
        return b"".join(taken)

    def end(self) -> None:
        self.is_over = True
        if hasattr(self._response, "close"):
            self._response.close()

    def _started(self, status: str, headers: list[tuple[str, str]], *_failure: object) -> None:
        self.status = int(status[:3])
        self.headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        self._stated = next((int(value) for name, value in headers if name.lower() == "content-length"), None)


def environ_of(scope: HTTPScope, body: bytes, length: int) -> Environ:
    """The request as WSGI has it (PEP 3333). ``length`` is what its body has, or would have if all of it had been read.

    A name with an underscore is dropped: it would pass for one with a dash, which a proxy in front checks.
    """
    address, port = scope["client"] or ("", 0)
    server, server_port = scope["server"] or ("", None)
    raw_path = scope["raw_path"]
    query = scope["query_string"].decode("latin-1")
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": MOUNTED_AT,
        "PATH_INFO": unquote_to_bytes(raw_path).decode("latin-1").removeprefix(MOUNTED_AT),
        "QUERY_STRING": query,
        "RAW_URI": raw_path.decode("latin-1") + (f"?{query}" if query else ""),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server,
        "SERVER_PORT": str(server_port or (443 if scope["scheme"] == "https" else 80)),
        "REMOTE_ADDR": address,
        "REMOTE_PORT": str(port),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }
    for name, value in scope["headers"]:
        if b"_" not in name:
            key, text = _variable(name), value.decode("latin-1")
            environ[key] = f"{environ[key]},{text}" if key in environ else text
    # A chunked body is read whole, and states its length like any other.
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    if length or "CONTENT_LENGTH" in environ:
        environ["CONTENT_LENGTH"] = str(length)
    whole = BytesIO(body)
    environ["wsgi.input"] = whole if length == len(body) else StatedBody(whole, length, environ)
    return environ


def _variable(name: bytes) -> str:
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
