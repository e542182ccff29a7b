"""HTTP/1.1 as uvicorn speaks it, with limits and deadlines for who is slow, and refusals in the service's own form.

The parser is httptools (llhttp). What it lets through and the service does not serve is refused here.
"""

import asyncio
import re
from collections.abc import MutableMapping
from typing import Any, Protocol
from urllib.parse import quote, urlsplit

import httptools
from uvicorn._types import (
    ASGI3Application,
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    HTTPScope,
    Scope,
)
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from config.front.counts import FrontCounts
from config.front.deadlines import Deadlines
from config.front.memory import FrontResponse, Wanted, lines_of

NOT_ASCII = re.compile(rb"[\x80-\xff]")
LINE_MAX_BYTES, FIELD_MAX_BYTES, HEAD_MAX_BYTES, FIELDS_MAX = 4094, 8190, 16 * 1024, 100
REMEMBERED_MAX_BYTES = 2048
PIPELINE_MAX = 64  # requests that were sent while one before them is answered
FRAMING = frozenset({b"content-length", b"transfer-encoding"})
BROKEN = "body_is_broken"  # in the request's state: its body ended before its end
# Who may say what the client's scheme was, and the words for https; as gunicorn's threaded worker has it.
TRUSTED_PEERS = frozenset({"127.0.0.1", "::1"})
SECURE = {b"x-forwarded-protocol": b"ssl", b"x-forwarded-proto": b"https", b"x-forwarded-ssl": b"on"}


class Refuses(Protocol):
    """What the protocol needs of the application."""

    counts: FrontCounts
    remembered: MutableMapping[tuple[bool, bytes], Wanted]

    async def refusal(self, status: int, path: str) -> FrontResponse: ...

    def wanted(self, scope: HTTPScope) -> Wanted: ...

    def ready(self, wanted: Wanted) -> tuple[int, bytes, bytes] | None: ...


class RefusedError(Exception):
    """A request that is not served as it is written."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class FrontProtocol(HttpToolsProtocol):
    """One connection. Whoever runs the loop calls ``look``, which closes it when it has reached a deadline."""

    app: Refuses  # the front, and nothing else, is served

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.access_log = False  # its line would hold the client's address and words
        self.is_leaving = False
        self._deadlines = Deadlines(self.loop.time)
        self._is_deaf = False  # nothing more is read
        self._has_ended = False  # the client said that it sends no more
        self._refused = 0
        self._in_line = False
        self._beginning = b""
        self._untold_bytes = 0  # received, and not yet told by the parser, which holds them
        self._is_told = False
        self._head_bytes = 0
        self._trailers = 0
        self._skipped: bytes | None = None
        self._begun = 0  # requests in what was received last
        self._given: Wanted | None = None  # what the last of them wanted, where it was given from memory

    # ---- deadlines -------------------------------------------------------------------------------------------
    def look(self, now: float) -> None:
        """Close what has reached its deadline. ``now`` is of the loop's clock."""
        missed = self._deadlines.missed(
            now,
            self.transport.get_write_buffer_size(),
            is_paused=self.flow.read_paused,
            is_leaving=self.is_leaving,
        )
        if missed is None:
            return
        if missed != "last_word":
            self.app.counts.end(missed)
        self._deadlines.lift()
        self.transport.abort()

    @property
    def awaits(self) -> str:
        """What the client has to send."""
        return self._deadlines.awaits

    def _await(self, what: str) -> None:
        self._deadlines.expect(what, is_leaving=self.is_leaving)

    def _until_taken(self) -> None:
        self._deadlines.have_taken(self.transport.get_write_buffer_size())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]  # a transport of a socket it is
        self._await("idle")

    @property
    def _is_trusted(self) -> bool:
        """Whether the peer may say what its client's scheme was."""
        return self.client is None or self.client[0] in TRUSTED_PEERS

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadlines.lift()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._until_taken()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._until_taken()

    def on_response_complete(self) -> None:
        """What uvicorn does, with a deadline in place of its timer for each connection that rests."""
        self.server_state.total_requests += 1
        if not self._deadlines.has_reader:
            self._until_taken()
        if self.transport.is_closing() or self.awaits == "last_word":
            return
        self.flow.resume_reading()
        if self.pipeline:
            # Never at once: each answer would be a deeper call than the one before.
            self._start_task(*self.pipeline.pop())
        elif self._refused:
            self._say_later()
        elif not self.awaits:
            self._await("idle")

    def eof_received(self) -> bool:  # type: ignore[override]  # uvicorn hangs up on who waits for an answer
        """Whoever sends no more may still read: the answer to what was asked, or that its body is not whole."""
        self._has_ended = True
        if self.awaits == "last_word":
            return False
        if self._refused:
            return True
        if self.cycle is None or self.cycle.response_complete:
            return False
        if self.awaits == "body":
            self._break_off()
        self.cycle.keep_alive = False
        return True

    def shutdown(self) -> None:
        """Answer what was asked, and for a moment what is on its way; then close."""
        self.is_leaving = True
        if self.cycle is not None:
            self.cycle.keep_alive = False
        if self.awaits == "idle":
            self._await("idle")

    # ---- reading ---------------------------------------------------------------------------------------------
    def data_received(self, data: bytes) -> None:
        if self._is_deaf:
            return
        is_first = self.awaits == "idle" and not self.is_leaving
        if is_first and self._is_given_again(data):
            return
        self._read(data)
        is_all = self._begun == 1 and self.awaits == "idle"
        if is_first and is_all and self._given is not None and len(data) <= REMEMBERED_MAX_BYTES:
            # Who may say what the scheme was would be given something else for the same bytes.
            self.app.remembered[self._is_trusted, data] = self._given

    def _is_given_again(self, data: bytes) -> bool:
        """Answer a request in the very bytes of one that was answered from memory, which need not be read again.

        Programs that ask again and again send the same bytes each time, and caches do for all their readers.
        """
        wanted = self.app.remembered.get((self._is_trusted, data))
        if wanted is None or self.transport.get_write_buffer_size():
            return False
        ready = self.app.ready(wanted)
        if ready is None:
            return False
        self._write(ready, keep_alive=True)
        self.server_state.total_requests += 1
        if not self._deadlines.has_reader:
            self._until_taken()
        self._await("idle")
        return True

    def _read(self, data: bytes) -> None:
        self._begun, self._given = 0, None
        if self.awaits in ("idle", ""):
            # Empty lines between requests are nothing (RFC 9112, 2.2).
            data = data.lstrip(b"\r\n")
            if not data:
                return
            self._await("head")
            self._in_line, self._beginning = True, b""
        if self._in_line:
            data = self._with_ascii_target(data)
        try:
            self._parse(data)
            self._require_little_untold(len(data))
        except httptools.HttpParserCallbackError as error:
            cause = error.__context__
            self._refuse(cause.status if isinstance(cause, RefusedError) else 400)
        except RefusedError as error:
            self._refuse(error.status)
        except httptools.HttpParserError:
            self._refuse(400)

    def _parse(self, data: bytes) -> None:
        """Nothing here speaks another protocol, so that whoever offers to is answered like anybody else.

        But the parser stops there, takes the body for the other protocol's, and has to be told that one follows.
        """
        while True:
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as stopped:
                data = data[stopped.args[0] :]
            else:
                return
            if self._skipped is not None:
                self.parser = httptools.HttpRequestParser(self)
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
                data = b"POST / HTTP/1.1\r\n" + self._skipped + b"\r\n\r\n" + data

    def _require_little_untold(self, size: int) -> None:
        """The parser tells of a field when it is whole, and holds it until then."""
        self._untold_bytes = 0 if self._is_told else self._untold_bytes + size
        self._is_told = False
        if self._untold_bytes > HEAD_MAX_BYTES:
            raise RefusedError(431)

    def _with_ascii_target(self, data: bytes) -> bytes:
        """The beginning of a request as browsers send it: people's tools leave UTF-8 in the address as it is typed."""
        line, newline, rest = data.partition(b"\n")
        is_first, self._in_line = not self._beginning, not newline
        if len(self._beginning) <= LINE_MAX_BYTES:
            self._beginning += line
        if line.isascii():
            return data
        method, blank, target = line.partition(b" ") if is_first else (b"", b"", line)
        return method + blank + NOT_ASCII.sub(lambda byte: b"%%%02X" % byte[0][0], target) + newline + rest

    def on_message_begin(self) -> None:
        if self._skipped is not None:
            return
        self._is_told = True
        self._begun += 1
        if self.awaits != "head":  # it came with the one before it
            self._await("head")
            self._beginning = b""
        self._head_bytes = self._trailers = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        if self._skipped is not None:
            return
        self._is_told = True
        super().on_url(url)
        self._head_bytes += len(url)
        if len(self.url) > LINE_MAX_BYTES:
            raise RefusedError(414)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._skipped is not None:
            return
        self._is_told = True
        if self.awaits == "body":
            # What follows a chunked body says nothing of the request: a proxy in front has not seen to it.
            self._trailers += 1
            if self._trailers > FIELDS_MAX:
                raise RefusedError(431)
            return
        self._head_bytes += len(name) + len(value) + len(": \r\n")
        if len(name) + len(value) > FIELD_MAX_BYTES or len(self.headers) >= FIELDS_MAX:
            raise RefusedError(431)
        if self._head_bytes > HEAD_MAX_BYTES:
            raise RefusedError(431)
        known = name.lower()
        if known == b"expect" and value.lower() != b"100-continue":
            raise RefusedError(417)
        if known == b"transfer-encoding" and value.lower() != b"chunked":
            raise RefusedError(501)
        if known == b"host" and any(each == b"host" for each, _value in self.headers):
            raise RefusedError(400)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._is_told = True
        if self._skipped is not None:
            self._skipped = None
            return
        if self.parser.get_http_version() not in ("1.0", "1.1"):
            raise RefusedError(400)
        if len(self.pipeline) >= PIPELINE_MAX:
            raise RefusedError(429)
        self.scope["scheme"] = self._scheme_told()
        self._await("body")
        try:
            super().on_headers_complete()
        except httptools.HttpParserInvalidURLError:
            # The address of a CONNECT has no path.
            self._await("head")
            raise RefusedError(400) from None
        if self.parser.should_upgrade():
            framing = (pair for pair in self.headers if pair[0] in FRAMING)
            self._skipped = next((b"%s: %s" % pair for pair in framing), None)

    def on_body(self, body: bytes) -> None:
        self._is_told = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        if self._skipped is not None:
            return
        super().on_message_complete()
        self._await("idle" if self.cycle.response_complete else "")

    def _scheme_told(self) -> str:
        """The connection's own, unless a trusted peer says what its client's was."""
        told = set()
        if self._is_trusted:
            told = {value == SECURE[name] for name, value in self.headers if name in SECURE}
        if len(told) > 1:
            raise RefusedError(400)
        if told:
            return "https" if True in told else "http"
        return self.scheme or "http"

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """What is in memory is written at once, unless its reader has not taken yet what it was given before."""
        wanted = self.app.wanted(cycle.scope)
        ready = None if self.transport.get_write_buffer_size() else self.app.ready(wanted)
        if ready is None:
            self._start_task(cycle, app)
            return
        if self.is_leaving and not self.pipeline:
            cycle.keep_alive = False
        self._write(ready, keep_alive=cycle.keep_alive)
        self._given = wanted if cycle.keep_alive else None
        cycle.response_started = cycle.response_complete = True
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()

    def _write(self, ready: tuple[int, bytes, bytes], *, keep_alive: bool) -> None:
        status, lines, body = ready
        ending = b"\r\n" if keep_alive else b"connection: close\r\n\r\n"
        default = lines_of(self.server_state.default_headers)
        self.transport.writelines([STATUS_LINE[status], default, lines, ending, body])

    def _start_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        if self.is_leaving and not self.pipeline:
            cycle.keep_alive = False
        is_old = cycle.scope["http_version"] == "1.0"
        super()._start_asgi_task(cycle, _without_chunks(cycle, app) if is_old else app)

    # ---- refusals --------------------------------------------------------------------------------------------
    def _refuse(self, status: int) -> None:
        """Say why, in the form of the address as far as that is known, and read no more."""
        is_asked = self.cycle is not None and not self.cycle.response_complete
        if self.awaits == "body" and is_asked:
            self._break_off()
            return
        self._is_deaf = True
        if self.awaits == "body":  # of a request that was answered without it
            self._hang_up()
            return
        self.logger.info("refused a request: %d", status)
        self._refused = status
        self._await("")
        if not is_asked:
            self._say_later()

    def _break_off(self) -> None:
        """The rest of a body will not come, or cannot be read: what Django says to that is the last answer here."""
        self._is_deaf = True
        self._await("")
        self.scope["state"][BROKEN] = True
        self.cycle.more_body, self.cycle.keep_alive = False, False
        self.cycle.transport = _LastWord(self)  # type: ignore[assignment]  # all that a cycle uses
        self.cycle.message_event.set()

    def _hang_up(self) -> None:
        """After the last word: to close while the client still sends would take the answer away from it."""
        if self._has_ended:
            self.transport.close()
        elif self.awaits != "last_word":
            self._is_deaf = True
            self._await("last_word")
            self.flow.resume_reading()
            self.transport.write_eof()

    def _say_later(self) -> None:
        task = self.loop.create_task(self._say())
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)

    async def _say(self) -> None:
        status = self._refused
        answer = await self.app.refusal(status, path_in(self.url, self._beginning))
        if self.transport.is_closing():
            return
        headers = [*self.server_state.default_headers, *answer.headers, (b"connection", b"close")]
        self.transport.writelines([STATUS_LINE[status], lines_of(headers), b"\r\n", answer.body])
        self._until_taken()
        self._hang_up()


class _LastWord:
    """The transport of a connection as a response uses it after which no other comes."""

    def __init__(self, connection: FrontProtocol) -> None:
        self.write = connection.transport.write
        self.is_closing = connection.transport.is_closing
        self.close = connection._hang_up


def _without_chunks(cycle: RequestResponseCycle, app: ASGI3Application) -> ASGI3Application:
    """The application before a client of HTTP/1.0, to which a response of unknown length ends with the connection."""

    async def told_apart(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        async def unchunked(message: ASGISendEvent) -> None:
            if message["type"] == "http.response.start":
                names = {name.lower() for name, _value in message["headers"]}
                cycle.chunked_encoding = None if b"content-length" in names else False
            elif message["type"] == "http.response.body" and cycle.expected_content_length == 0:
                cycle.expected_content_length = len(message["body"])
            await send(message)

        await app(scope, receive, unchunked)

    return told_apart


def path_in(url: bytes, beginning: bytes) -> str:
    """The path that a request asks for, as far as it can be told; ``/`` else.

    ``url`` is what the parser took for its target, ``beginning`` what it began with.
    """
    target = url.decode("latin-1") or (*beginning.decode("latin-1").split(" "), "")[1]
    try:
        path = urlsplit(target).path
    except ValueError:
        return "/"
    return quote(path, safe="/%") if path.startswith("/") else "/"
