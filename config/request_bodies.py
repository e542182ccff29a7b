"""Request bodies that are whole, or cannot be read: a layer between a WSGI server and Django.

Django reads a body by its stated length. A chunked one states none, so it is read here, up to the largest public body,
and its length is stated. Who reads a body that is broken, or that ends before its length, gets OSError; Django makes
it UnreadablePostError, and ``config.errors`` a 400.
"""

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any, Protocol

from gunicorn.http.errors import ParseException

from knowledge.publications.keeping import KEEP_HEADER, WAIT_HEADER
from mcpserver.protocol import BODY_MAX_BYTES, Readable, drop

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

# Set in the environment of a request whose body turned out to be cut off or broken.
UNREADABLE = "request_bodies.unreadable"


class Lines(Readable, Protocol):
    def readline(self, size: int, /) -> bytes: ...


class WholeBodies:
    """The application, which meets stated lengths only, and no body that ends before its length.

    What it says to the front door, of which there is none here, is taken off.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if "HTTP_TRANSFER_ENCODING" in environ:
            source, length = read_chunks(environ["wsgi.input"])
            del environ["HTTP_TRANSFER_ENCODING"]
            environ["CONTENT_LENGTH"] = str(length)
            environ["wsgi.input"] = StatedBody(source, length, environ)
        elif environ.get("CONTENT_LENGTH", "").isdecimal():
            length = int(environ["CONTENT_LENGTH"])
            environ["wsgi.input"] = StatedBody(environ["wsgi.input"], length, environ)

        def started(status: str, headers: list[tuple[str, str]], *failure: Any) -> Any:
            shown = [pair for pair in headers if pair[0] not in (KEEP_HEADER, WAIT_HEADER)]
            return start_response(status, shown, *failure)

        return self.application(environ, started)


def read_chunks(source: Readable) -> tuple[Lines, int]:
    """What a chunked body holds, and its length; a broken one is empty and shorter than its length.

    Of a body beyond the limit only the beginning is kept.
    """
    try:
        body = source.read(BODY_MAX_BYTES + 1)
        dropped = drop(source) if len(body) > BODY_MAX_BYTES else 0
    except (OSError, ParseException):
        return BytesIO(), 1
    return BytesIO(body), len(body) + dropped


class StatedBody:
    """A body of a stated length; reading beyond its early end raises OSError."""

    def __init__(self, source: Lines, length: int, environ: dict[str, Any]) -> None:
        self.source = source
        self.missing = length
        self.environ = environ

    def read(self, size: int) -> bytes:
        data = self._next(self.source.read, size)
        if len(data) < size:
            self._require_nothing_missing()
        return data

    def readline(self, size: int) -> bytes:
        line = self._next(self.source.readline, size)
        if len(line) < size and not line.endswith(b"\n"):
            self._require_nothing_missing()
        return line

    def _next(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            data = read(size)
        except OSError:
            self.environ[UNREADABLE] = True
            raise
        self.missing -= len(data)
        return data

    def _require_nothing_missing(self) -> None:
        if self.missing > 0:
            self.environ[UNREADABLE] = True
            raise OSError("the body ended before its stated length")
