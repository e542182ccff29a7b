"""The ASGI application before Django: gives out again what is in memory, and asks Django for the rest.

It has no list of routes and makes no content: Django says by two headers, which readers never see, what may be kept,
for how long and until which change (``Front-Keep``), and what a request should wait for before it is sent again
(``Front-Wait``).
"""

import asyncio
import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol, cast

import orjson
from cachetools import LRUCache
from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

from config.front.bridge import MOUNTED_AT, Bridge, environ_of
from config.front.counts import FrontCounts
from config.front.memory import FrontResponse, Headers, KeptResponse, Key, Memory, RestOfStream, Wanted
from config.front.protocol import BROKEN
from config.front.slices import ShortSlices
from config.front.starts import AT_A_TIME, AT_A_TIME_ELSEWHERE, Starts
from config.request_log import GIVEN
from knowledge.publications.delivery import HEADER_MAX_LENGTH, best_coding
from knowledge.publications.keeping import KEEP_HEADER, WAIT_HEADER

KEEP, WAIT = KEEP_HEADER.lower().encode(), WAIT_HEADER.lower().encode()
QUERY_MAX_BYTES = 200  # of a request that may be kept
PATH_MAX_LENGTH = 300
REMEMBERED_MAX = 1024  # requests of which the bytes are known
PUBLIC_BODY_MAX_BYTES, ADMIN_BODY_MAX_BYTES = 256 * 1024, 2 * 1024 * 1024
# Who speaks of itself, or asks for a part, gets its own answer from Django.
OWN = frozenset(
    {b"cookie", b"authorization", b"range", b"if-modified-since", b"if-unmodified-since", b"if-match"}
)
NOT_KEPT = frozenset({KEEP, WAIT, b"x-request-id"})
PORT = re.compile(rb":[0-9]*$")
OF_A_BODY = frozenset({b"content-type", b"content-length", b"content-encoding"})
HEARD_SECONDS = 3.0  # a listener that was silent for longer may have missed something
AWAY_SECONDS = 60.0  # what is kept is given for this long while the store is away
SAME_SECONDS = 1.0  # how long a request waits for the answer to one like it
REPORT_SECONDS = 1.0
WAIT_SECONDS = 10.0  # for somebody else's work; looked at in between, since who is at it may have died
WAIT_STEP_SECONDS = 2.5
# What comes in a crowd is through in less; a pool that is full for longer is full of slow work.
PLACE_SECONDS = 1.0


class Hears(Protocol):
    """What the front asks of the listener."""

    is_away: bool

    def seconds_silent(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Places:
    """How many requests Django works at, at a time: ``count`` in ``general``, and as many in ``elsewhere``, for what
    another process answers (``answers_elsewhere(method, path)`` says so). ``reserved`` are for the few addresses that
    must always answer. While ``crowd`` are elsewhere at once, the loop asks for short slices of the CPU."""

    general: Executor
    reserved: Executor
    elsewhere: Executor
    count: int
    reserved_paths: frozenset[str]
    answers_elsewhere: Callable[[str, str], bool]
    crowd: int


class Front:
    """One a process.

    ``refuse(status, path)`` makes a refusal in the form of an address, in a thread; ``failed`` is told what the
    application raised; ``report``, in a thread once a second, what was counted since.
    """

    def __init__(
        self,
        bridge: Bridge,
        memory: Memory,
        hears: Hears,
        places: Places,
        refuse: Callable[[int, str], FrontResponse],
        failed: Callable[[Exception], None],
        report: Callable[[FrontCounts], None],
        *,
        trusts_proxies: bool,
        admin_path: str,
    ) -> None:
        self.memory = memory
        self.counts = FrontCounts()
        # Requests by their bytes, and by whether their peer may say what the scheme was.
        self.remembered: LRUCache[tuple[bool, bytes], Wanted] = LRUCache(REMEMBERED_MAX)
        self._bridge = bridge
        self._hears = hears
        self._places = places
        self._refuse = refuse
        self._failed = failed
        self._report = report
        self._loop: asyncio.AbstractEventLoop | None = None
        self._trusts_proxies = trusts_proxies
        self._admin_path = admin_path
        self._free, self._free_elsewhere = asyncio.Semaphore(places.count), asyncio.Semaphore(places.count)
        self._starts, self._starts_elsewhere = Starts(AT_A_TIME), Starts(AT_A_TIME_ELSEWHERE)
        self._short_slices = ShortSlices(places.crowd)
        self._asking: dict[Key, asyncio.Future[None]] = {}
        # Where Django kept nothing the last time, nobody waits for the answer to somebody else.
        self._never_kept: LRUCache[Key, bool] = LRUCache(4096)
        self._waiting: defaultdict[str, set[asyncio.Future[None]]] = defaultdict(set)

    def tell_from_elsewhere(self, scopes: Collection[str]) -> None:
        """``tell`` for another thread. Before the first request there is nothing to forget."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and the process does
                self._loop.call_soon_threadsafe(self.tell, scopes)

    def tell(self, scopes: Collection[str]) -> None:
        """Something of the scopes changed: forget what was made from it, and wake who waits for it. On the loop."""
        self.memory.forget(scopes)
        for scope in scopes:
            for waiting in self._waiting.pop(scope, ()):
                if not waiting.done():
                    waiting.set_result(None)

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] != "http":
            return
        if self._loop is None:
            self._begin()
        wanted = self.wanted(scope)
        key = wanted.key
        kept = self._at_hand(key)
        if kept is None and key is not None and key in self._asking:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._asking[key]), SAME_SECONDS)
            kept = self._at_hand(key)
        if kept is not None:
            await _give(self._given(kept, wanted), scope, receive, send)
        elif (answer := await self._asked(scope, key, receive)) is not None:
            await _give(answer, scope, receive, send)

    def _begin(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._reporting = self._loop.create_task(self._report_on())

    async def _report_on(self) -> None:
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            taken = self.counts.take()
            if taken:
                await asyncio.get_running_loop().run_in_executor(self._places.reserved, self._report, taken)

    def wanted(self, scope: HTTPScope) -> Wanted:
        headers = _first_of_each(scope)
        return Wanted(self._key(scope, headers), scope["method"], headers)

    def ready(self, wanted: Wanted) -> tuple[int, bytes, bytes] | None:
        """Status, header lines and body of what is in memory for a request; None where it takes longer.

        The protocol asks before it starts a task: most of what such an answer costs would be the task, and checking
        headers that were checked before.
        """
        kept = self._at_hand(wanted.key)
        if kept is None:
            return None
        lines = b"x-request-id: %s\r\n" % self._request_id(wanted.headers)
        if self._is_held_already(kept, wanted):
            return 304, kept.lines_304 + lines, b""
        return 200, kept.lines + lines, b"" if wanted.method == "HEAD" else kept.body

    def _given(self, kept: KeptResponse, wanted: Wanted) -> FrontResponse:
        """The same as a response of ASGI."""
        own = [(b"x-request-id", self._request_id(wanted.headers))]
        if self._is_held_already(kept, wanted):
            return FrontResponse(304, kept.headers_304 + own, b"")
        return FrontResponse(200, kept.headers + own, b"" if wanted.method == "HEAD" else kept.body)

    def _is_held_already(self, kept: KeptResponse, wanted: Wanted) -> bool:
        """Whether the reader has these bytes; either way it is counted."""
        etags = wanted.headers.get(b"if-none-match")
        held = etags is not None and _matches(etags, kept.etag)
        has_body = not held and wanted.method == "GET"
        self.counts.hit(kept.view, wanted.method, 304 if held else 200, len(kept.body) if has_body else 0)
        return held

    def _at_hand(self, key: Key | None) -> KeptResponse | None:
        """While the store is away there is nothing newer: what is kept outlives its time, by a minute at most."""
        kept = self.memory.get(key) if key is not None else None
        if kept is None:
            return None
        silent = self._hears.seconds_silent()
        if self._hears.is_away:
            return kept if silent < AWAY_SECONDS else None
        return kept if silent < HEARD_SECONDS and self.memory.clock() < kept.not_after else None

    def _key(self, scope: HTTPScope, headers: Mapping[bytes, bytes]) -> Key | None:
        """None for a request that is never answered from memory."""
        path, query = scope["path"], scope["query_string"]
        if scope["method"] not in ("GET", "HEAD") or len(query) > QUERY_MAX_BYTES:
            return None
        if len(path) > PATH_MAX_LENGTH or not OWN.isdisjoint(headers):
            return None
        coding = _coding(headers.get(b"accept-encoding"))
        if coding is None:
            return None
        # Django looks at a host's name alone, and nothing that is kept says more.
        host = PORT.sub(b"", headers.get(b"host", b"")).lower()
        return Key(self._scheme(scope, headers), host, path, query, coding)

    def _scheme(self, scope: HTTPScope, headers: Mapping[bytes, bytes]) -> str:
        """As Django will see it (SECURE_PROXY_SSL_HEADER)."""
        forwarded = headers.get(b"x-forwarded-proto") if self._trusts_proxies else None
        if forwarded is None:
            return scope["scheme"]
        return "https" if forwarded.partition(b",")[0].strip() == b"https" else "http"

    def _request_id(self, headers: Mapping[bytes, bytes]) -> bytes:
        given = headers.get(b"x-request-id", b"") if self._trusts_proxies else b""
        if given and GIVEN.fullmatch(given.decode("latin-1")):
            return given
        return os.urandom(8).hex().encode()

    async def _asked(
        self, scope: HTTPScope, key: Key | None, receive: ASGIReceiveCallable
    ) -> FrontResponse | None:
        """Django's answer; None where nobody waits for it any more."""
        body = await self._body(scope, receive)
        if body is None:
            return None
        if scope["method"] != "GET" or key is None or key in self._asking or key in self._never_kept:
            return await self._answer(scope, key, *body)
        self._asking[key] = asyncio.get_running_loop().create_future()
        try:
            return await self._answer(scope, key, *body)
        finally:
            self._asking.pop(key).set_result(None)

    async def _body(self, scope: HTTPScope, receive: ASGIReceiveCallable) -> tuple[bytes, int] | None:
        """What of the body was read, and how long it should be; None when its sender went away.

        Of one that is too large the beginning is enough for Django to say so.
        """
        is_admin = _path(scope).startswith(self._admin_path)
        most = ADMIN_BODY_MAX_BYTES if is_admin else PUBLIC_BODY_MAX_BYTES
        taken = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return None
            taken += message.get("body", b"")
            if message.get("more_body", False) and len(taken) <= most:
                continue
            is_whole = not message.get("more_body", False) and BROKEN not in scope["state"]
            stated = dict(scope["headers"]).get(b"content-length", b"")
            return bytes(taken), len(taken) if is_whole else max(len(taken) + 1, int(stated or 0))

    async def _answer(self, scope: HTTPScope, key: Key | None, body: bytes, length: int) -> FrontResponse:
        """What Django says; where it says to wait for somebody else's work, what it says after that."""
        until = self.memory.clock() + WAIT_SECONDS
        answer, asked_at = await self._django(scope, body, length)
        while (awaited := _internal(answer.headers, WAIT)) and (left := until - self.memory.clock()) > 0:
            await self._told(awaited.decode(), asked_at, min(WAIT_STEP_SECONDS, left))
            answer, asked_at = await self._django(scope, body, length)
        if key is not None and scope["method"] == "GET":
            kept = answer
            if answer.status == HTTPStatus.NOT_MODIFIED and _internal(answer.headers, KEEP):
                # Whoever holds the bytes keeps them from nobody else: the next one finds them in memory.
                kept, asked_at = await self._django(_unconditional(scope), body, length)
                if kept.rest is not None:
                    await kept.rest.end()
            self._note(key, self._kept(key, kept, asked_at))
        return _without_internal(answer)

    async def _told(self, scope: str, since: float, seconds: float) -> None:
        """Wait until something of a scope changed ``since`` then, at most for some seconds."""
        if self.memory.has_changed(since, {scope}):
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[scope].add(waiting)
        with suppress(TimeoutError):
            await asyncio.wait_for(waiting, seconds)
        if waiting in self._waiting.get(scope, ()):
            self._waiting[scope].discard(waiting)
            if not self._waiting[scope]:
                del self._waiting[scope]

    async def _django(self, scope: HTTPScope, body: bytes, length: int) -> tuple[FrontResponse, float]:
        """One call of the application, and when it was asked; a 503 where all places stay taken for a moment."""
        path = _path(scope)
        if path in self._places.reserved_paths:
            return await self._called(scope, body, length, self._places.reserved)
        is_elsewhere = self._places.answers_elsewhere(scope["method"], path)
        free = self._free_elsewhere if is_elsewhere else self._free
        try:
            await asyncio.wait_for(free.acquire(), PLACE_SECONDS)
        except TimeoutError:
            self.counts.end("full")
            return await self.refusal(503, path), self.memory.clock()
        try:
            if is_elsewhere:
                with self._short_slices:
                    async with self._starts_elsewhere.place():
                        return await self._called(scope, body, length, self._places.elsewhere)
            async with self._starts.place():
                return await self._called(scope, body, length, self._places.general)
        finally:
            free.release()

    async def _called(
        self, scope: HTTPScope, body: bytes, length: int, executor: Executor
    ) -> tuple[FrontResponse, float]:
        asked_at = self.memory.clock()
        try:
            return await self._bridge.ask(environ_of(scope, body, length), executor), asked_at
        except Exception as error:
            self._failed(error)
            return await self.refusal(500, _path(scope)), asked_at

    async def refusal(self, status: int, path: str) -> FrontResponse:
        """What is said in place of Django's answer, in the form of its address. Only problems name it."""
        loop = asyncio.get_running_loop()
        about = path if path.startswith("/api/") else "/"
        return await loop.run_in_executor(self._places.reserved, self._refuse, status, about)

    def _note(self, key: Key, kept: bool) -> None:
        if not kept:
            self._never_kept[key] = True
        elif key in self._never_kept:
            del self._never_kept[key]

    def _kept(self, key: Key, answer: FrontResponse, asked_at: float) -> bool:
        """Keep an answer, if Django says so and any cache might keep it."""
        said = _internal(answer.headers, KEEP)
        if said is None or answer.status != HTTPStatus.OK or answer.rest is not None:
            return False
        headers = [(name.lower(), value) for name, value in answer.headers]
        told = dict(headers)
        etag, vary = told.get(b"etag", b""), told.get(b"vary", b"accept-encoding")
        if told.get(b"content-encoding", b"identity") not in (b"identity", key.coding.encode()):
            return False  # WhiteNoise weighs what a client accepts otherwise than Django does
        if not etag.startswith(b'"') or b"set-cookie" in told or vary.lower() != b"accept-encoding":
            return False
        if b"public" not in told.get(b"cache-control", b""):
            return False
        terms = orjson.loads(said)
        lasting = [pair for pair in headers if pair[0] not in NOT_KEPT]
        kept = KeptResponse(
            headers=lasting,
            headers_304=[pair for pair in lasting if pair[0] not in OF_A_BODY],
            body=answer.body,
            etag=etag,
            view=terms["view"],
            scopes=frozenset(terms["scopes"]),
            not_after=asked_at + terms["seconds"],
        )
        variant = None if terms["variant"] is None else terms["variant"].encode()
        return self.memory.keep(key, kept, asked_at=asked_at, variant=variant)


async def _give(
    answer: FrontResponse, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
) -> None:
    try:
        rest = answer.rest if scope["method"] != "HEAD" else None
        await send(
            {
                "type": "http.response.start",
                "status": answer.status,
                "headers": answer.headers,
                "trailers": False,
            }
        )
        await send({"type": "http.response.body", "body": answer.body, "more_body": rest is not None})
        if rest is not None:
            await _give_rest(rest, receive, send)
    finally:
        if answer.rest is not None:
            await answer.rest.end()


async def _give_rest(rest: RestOfStream, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Whoever went away takes no more parts, and what is left of the stream is not read for nobody."""
    gone = asyncio.ensure_future(receive())
    try:
        async for part in rest.parts():
            if gone.done():
                return
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        gone.cancel()


def _path(scope: HTTPScope) -> str:
    """The path within the service, wherever that is mounted."""
    return scope["path"].removeprefix(MOUNTED_AT)


def _first_of_each(scope: HTTPScope) -> dict[bytes, bytes]:
    """Headers by name; of several with one name the first, as Django has it of what proxies say."""
    return dict(reversed(scope["headers"]))  # type: ignore[call-overload]  # a list it is


def _unconditional(scope: HTTPScope) -> HTTPScope:
    headers = [pair for pair in scope["headers"] if pair[0] != b"if-none-match"]
    return cast(HTTPScope, {**scope, "headers": headers})


def _internal(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> bytes | None:
    return next((value for name, value in headers if name.lower() == wanted), None)


def _without_internal(answer: FrontResponse) -> FrontResponse:
    shown: Headers = [pair for pair in answer.headers if pair[0].lower() not in (KEEP, WAIT)]
    return FrontResponse(answer.status, shown, answer.body, answer.rest)


def _coding(accepted: bytes | None) -> str | None:
    """As Django chooses it for this reader; None for one that refuses all."""
    return "identity" if accepted is None else best_coding(accepted.decode("latin-1")[:HEADER_MAX_LENGTH])


def _matches(wanted: bytes, etag: bytes) -> bool:
    """If-None-Match (RFC 9110, 13.1.2), compared weakly."""
    if wanted == etag or wanted.strip() == b"*":
        return True
    return etag in (each.strip().removeprefix(b"W/") for each in wanted.split(b","))
