"""The front before an application: what it gives out by itself, and what it asks for."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from config.front.application import AWAY_SECONDS, HEARD_SECONDS, Front, Places
from config.front.bridge import PART_BYTES, Bridge
from config.front.memory import FrontResponse, Memory
from config.front.starts import AT_A_TIME, AT_A_TIME_ELSEWHERE
from knowledge.publications.keeping import KEEP_HEADER, WAIT_HEADER

Headers = dict[str, str]
PUBLIC = {
    "Cache-Control": "public, max-age=30",
    "ETag": '"a"',
    "Vary": "Accept-Encoding",
    "X-Request-Id": "made",
}


def terms(*scopes: str, seconds: float = 30, variant: str | None = "") -> Headers:
    return {KEEP_HEADER: json.dumps({"seconds": seconds, "scopes": scopes, "variant": variant, "view": "v"})}


class Django:
    """An application that says what it is told to, and counts how often."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: Headers = PUBLIC | terms("entity")
        self.status, self.body = "200 OK", b"body"
        self.during: Callable[[], None] = lambda: None

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        self.asked.append(environ)
        self.during()
        start(self.status, list(self.headers.items()))
        return [self.body]

    def is_elsewhere(self, method: str, path: str) -> bool:
        return (method, path) == ("POST", "/api/ask")


class Listener:
    is_away = False
    silent = 0.0

    def seconds_silent(self) -> float:
        return self.silent


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class World:
    """A front over an application, with a clock and a listener that stand still."""

    def __init__(self, places: int = 8) -> None:
        self.django, self.listener, self.clock = Django(), Listener(), Clock()
        self.threads = ThreadPoolExecutor(8)
        self.released = 0
        self.failures: list[Exception] = []
        self.front = Front(
            Bridge(self.django, self.threads, self._release),
            Memory(1 << 24, self.clock),
            self.listener,
            Places(
                self.threads,
                self.threads,
                self.threads,
                places,
                frozenset({"/api/health"}),
                self.django.is_elsewhere,
                crowd=9,
            ),
            lambda status, path: FrontResponse(status, [(b"about", path.encode())], b"refused"),
            self.failures.append,
            lambda _counts: None,
            trusts_proxies=True,
            admin_path="/admin/",
        )

    def _release(self) -> None:
        self.released += 1

    async def get(self, target: str = "/asset/btc", method: str = "GET", **headers: str) -> "Got":
        path, _mark, query = target.partition("?")
        fields = {"host": "a.example", "accept_encoding": "gzip"} | headers
        scope = {
            "type": "http",
            "method": method,
            "scheme": "https",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "http_version": "1.1",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in fields.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "state": {},
        }
        got = Got()
        await self.front(scope, got.receive, got.send)  # type: ignore[arg-type]
        return got


class Got:
    status = 0

    def __init__(self) -> None:
        self.headers: Headers = {}
        self.body = b""
        self._asked = False

    async def receive(self) -> Any:
        if self._asked:
            await asyncio.sleep(60)
        self._asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message["body"]


def run(work: Callable[[World], Awaitable[None]], **options: int) -> World:
    async def in_a_world() -> World:
        world = World(**options)
        await asyncio.wait_for(work(world), 20)
        return world

    return asyncio.run(in_a_world())


def test_what_django_allows_is_given_again_without_it() -> None:
    async def work(world: World) -> None:
        first, second = await world.get(), await world.get()
        assert (second.status, second.body) == (first.status, first.body) == (200, b"body")
        assert KEEP_HEADER.lower() not in first.headers | second.headers
        assert second.headers.pop("x-request-id") != first.headers.pop("x-request-id") == "made"
        assert first.headers == second.headers

    assert len(run(work).django.asked) == 1


def test_a_head_has_no_body_and_a_reader_who_holds_it_gets_a_304() -> None:
    async def work(world: World) -> None:
        world.django.headers |= {
            "Content-Length": "4",
            "Content-Type": "text/html",
            "Content-Encoding": "gzip",
        }
        await world.get()
        head = await world.get(method="HEAD")
        assert (head.status, head.body, head.headers["content-length"]) == (200, b"", "4")
        for wanted in ('"a"', 'W/"a"', '"b", "a"', "*"):
            held = await world.get(if_none_match=wanted)
            assert (held.status, held.body) == (304, b"")
            assert {"content-length", "content-type", "content-encoding"}.isdisjoint(held.headers)
            assert held.headers["etag"] == '"a"'
        assert (await world.get(if_none_match='"b"')).status == 200

    assert len(run(work).django.asked) == 1


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        ("404 Not Found", {}),
        ("200 OK", {"ETag": 'W/"a"'}),
        ("200 OK", {"ETag": ""}),
        ("200 OK", {"Cache-Control": "no-store"}),
        ("200 OK", {"Set-Cookie": "a=b"}),
        ("200 OK", {"Vary": "Accept-Encoding, Cookie"}),
        ("200 OK", {"Content-Encoding": "br"}),
        ("200 OK", {KEEP_HEADER: ""}),
    ],
)
def test_what_no_cache_may_keep_is_asked_for_each_time(status: str, headers: Headers) -> None:
    async def work(world: World) -> None:
        world.django.status = status
        world.django.headers = {
            name: value for name, value in (world.django.headers | headers).items() if value
        }
        await world.get()
        await world.get()

    assert len(run(work).django.asked) == 2


@pytest.mark.parametrize(
    ("target", "headers"),
    [
        ("/asset/btc", {"cookie": "a=b"}),
        ("/asset/btc", {"authorization": "Bearer a"}),
        ("/asset/btc", {"range": "bytes=0-1"}),
        ("/asset/btc", {"if_modified_since": "Mon, 23 Nov 2026 00:00:00 GMT"}),
        ("/asset/btc", {"accept_encoding": "identity;q=0, *;q=0"}),
        ("/asset/btc?" + "a" * 201, {}),
        ("/" + "a" * 301, {}),
    ],
)
def test_who_speaks_of_itself_gets_an_answer_of_its_own(target: str, headers: Headers) -> None:
    async def work(world: World) -> None:
        await world.get(target, **headers)
        await world.get(target, **headers)
        assert len(world.front.memory) == 0

    assert len(run(work).django.asked) == 2


def test_the_same_page_by_other_names_is_one() -> None:
    async def work(world: World) -> None:
        await world.get()
        for target, headers in (
            ("/asset/btc", {"host": "A.example:8000"}),
            ("/asset/btc", {"x_forwarded_proto": "https, http"}),
        ):
            await world.get(target, **headers)
        assert len(world.django.asked) == 1
        await world.get("/asset/btc?utm_source=a")
        await world.get("/asset/btc?utm_source=a")
        assert len(world.django.asked) == 2
        for headers in ({"host": "b.example"}, {"x_forwarded_proto": "http"}, {"accept_encoding": "br"}):
            await world.get(**headers)
        assert len(world.django.asked) == 5

    run(work)


def test_who_holds_the_bytes_already_has_them_kept_for_the_next() -> None:
    async def work(world: World) -> None:
        def judge() -> None:
            holds = world.django.asked[-1].get("HTTP_IF_NONE_MATCH") == '"a"'
            world.django.status, world.django.body = (
                ("304 Not Modified", b"") if holds else ("200 OK", b"body")
            )

        world.django.during = judge
        assert (await world.get(if_none_match='"a"')).status == 304
        assert len(world.django.asked) == 2
        assert (await world.get()).body == b"body"
        assert (await world.get(if_none_match='"a"')).status == 304
        assert len(world.django.asked) == 2

    run(work)


def test_time_and_news_end_what_is_kept() -> None:
    async def work(world: World) -> None:
        await world.get()
        world.clock.now += 29
        await world.get()
        assert len(world.django.asked) == 1
        world.clock.now += 1
        await world.get()
        assert len(world.django.asked) == 2
        world.front.tell({"topic"})
        await world.get()
        assert len(world.django.asked) == 2
        world.front.tell({"entity"})
        await world.get()
        assert len(world.django.asked) == 3

    run(work)


def test_news_that_come_while_django_is_at_work_keep_its_answer_out() -> None:
    async def work(world: World) -> None:
        world.django.during = lambda: world.front.tell_from_elsewhere({"entity"})
        await world.get()
        world.django.during = lambda: None
        world.clock.now += 1
        await world.get()
        await world.get()

    assert len(run(work).django.asked) == 2


def test_a_listener_that_is_silent_ends_it_and_a_store_that_is_away_a_minute_later() -> None:
    async def work(world: World) -> None:
        await world.get()
        world.listener.silent = HEARD_SECONDS
        await world.get()
        assert len(world.django.asked) == 2
        world.listener.is_away = True
        world.clock.now += 50
        world.listener.silent = AWAY_SECONDS - 1
        await world.get()
        assert len(world.django.asked) == 2
        world.listener.silent = AWAY_SECONDS
        await world.get()
        assert len(world.django.asked) == 3

    run(work)


def test_of_many_who_ask_for_the_same_page_at_once_one_asks_django() -> None:
    async def work(world: World) -> None:
        got = await asyncio.gather(*(world.get() for _ in range(30)))
        assert {one.body for one in got} == {b"body"}
        assert len(world.django.asked) == 1
        world.django.headers = PUBLIC
        await world.get("/search")
        world.django.asked.clear()
        await asyncio.gather(*(world.get("/search") for _ in range(5)))
        # Nobody waits in line for what is not kept anyway.
        assert len(world.django.asked) == 5

    run(work)


def test_who_has_to_wait_for_somebody_elses_work_is_asked_again_when_it_is_done() -> None:
    async def work(world: World) -> None:
        world.django.headers, world.django.status = {WAIT_HEADER: "answer:a"}, "503 Busy"
        asking = [asyncio.create_task(world.get("/api/ask", "POST")) for _ in range(20)]
        while len(world.front._waiting["answer:a"]) < 20:
            await asyncio.sleep(0.01)
        assert not any(one.done() for one in asking)
        world.django.headers, world.django.status = {}, "200 OK"
        world.front.tell({"answer:a"})
        got = await asyncio.gather(*asking)
        assert {(one.status, one.body) for one in got} == {(200, b"body")}
        assert not world.front._waiting
        assert len(world.django.asked) == 40

    # Fewer places than those who come and are woken at once.
    run(work, places=3)


def test_news_that_came_before_anybody_waited_are_not_waited_for() -> None:
    async def work(world: World) -> None:
        def made() -> None:
            world.django.headers = {WAIT_HEADER: "answer:a"}
            world.django.during = finished
            world.front.tell_from_elsewhere({"answer:a"})

        def finished() -> None:
            world.django.headers = {}

        world.django.during = made
        assert WAIT_HEADER.lower() not in (await asyncio.wait_for(world.get("/ask/q/a"), 1)).headers
        assert len(world.django.asked) == 2

    run(work)


def test_a_full_pool_refuses_but_not_what_is_in_memory_nor_health(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.front.application.PLACE_SECONDS", 0.05)

    async def work(world: World) -> None:
        await world.get()
        gate = asyncio.Event()
        loop = asyncio.get_running_loop()
        world.django.during = lambda: asyncio.run_coroutine_threadsafe(gate.wait(), loop).result(10) and None
        slow = [asyncio.create_task(world.get(f"/slow/{number}")) for number in range(2)]
        while len(world.django.asked) < 3:
            await asyncio.sleep(0.01)
        world.django.during = lambda: None
        refused = await world.get("/api/search")
        assert (refused.status, refused.headers["about"]) == (503, "/api/search")
        assert (await world.get()).status == 200
        assert (await world.get("/api/health")).status == 200
        assert world.front.counts.ended["full"] == 1
        gate.set()
        await asyncio.gather(*slow)
        assert (await world.get("/api/search")).status == 200

    run(work, places=2)


@pytest.mark.parametrize(
    ("method", "path", "at_a_time"),
    [("GET", "/slow", AT_A_TIME), ("POST", "/api/ask", AT_A_TIME_ELSEWHERE)],
    ids=["here", "elsewhere"],
)
def test_of_a_crowd_a_few_begin_at_a_time_and_who_takes_long_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch, method: str, path: str, at_a_time: int
) -> None:
    monkeypatch.setattr("config.front.starts.STARTING_SECONDS", 0.2)

    async def work(world: World) -> None:
        gate, loop = asyncio.Event(), asyncio.get_running_loop()
        world.django.during = lambda: asyncio.run_coroutine_threadsafe(gate.wait(), loop).result(10) and None
        ask = partial(world.get, method=method)
        crowd = [asyncio.create_task(ask(f"{path}?{number}")) for number in range(at_a_time + 1)]
        while len(world.django.asked) < at_a_time:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)
        assert len(world.django.asked) == at_a_time
        while len(world.django.asked) == at_a_time:  # until they have been at it for long
            await asyncio.sleep(0.01)
        gate.set()
        assert {answer.status for answer in await asyncio.gather(*crowd)} == {200}
        # Whoever was done before the time was up gave its place back once, and not again when it was up.
        await asyncio.sleep(0.25)
        starts = world.front._starts if method == "GET" else world.front._starts_elsewhere
        assert starts._free._value == at_a_time

    run(work)


def test_what_another_process_answers_takes_no_place_from_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.front.starts.STARTING_SECONDS", 60.0)
    monkeypatch.setattr("config.front.application.PLACE_SECONDS", 0.2)

    async def work(world: World) -> None:
        gate, loop = asyncio.Event(), asyncio.get_running_loop()
        world.django.during = lambda: asyncio.run_coroutine_threadsafe(gate.wait(), loop).result(10) and None
        crowd = [asyncio.create_task(world.get("/api/ask", "POST")) for _asker in range(AT_A_TIME)]
        while len(world.django.asked) < AT_A_TIME_ELSEWHERE:
            await asyncio.sleep(0.001)
        world.django.during = lambda: None
        assert (await world.get("/api/search")).status == 200
        assert (await world.get("/api/ask", "POST")).status == 503
        gate.set()
        assert {answer.status for answer in await asyncio.gather(*crowd)} == {200}

    run(work, places=AT_A_TIME)


def test_what_the_application_raises_is_a_500_and_told_once() -> None:
    async def work(world: World) -> None:
        def fail() -> None:
            raise RuntimeError

        world.django.during = fail
        assert (await world.get()).status == 500
        assert [type(one) for one in world.failures] == [RuntimeError]

    run(work)


class Stream:
    """A body in parts of 100 kB, which knows whether it was closed."""

    def __init__(self, parts: int) -> None:
        self.left = parts
        self.closed = 0

    def __iter__(self) -> "Stream":
        return self

    def __next__(self) -> bytes:
        if not self.left:
            raise StopIteration
        self.left -= 1
        return b"x" * 100_000

    def close(self) -> None:
        self.closed += 1


def test_a_stream_goes_out_part_by_part_and_is_closed_once() -> None:
    async def work(world: World) -> None:
        stream = Stream(20)
        world.front._bridge._application = streaming(stream)
        got = await world.get()
        assert len(got.body) == 2_000_000
        assert (stream.closed, world.released) == (1, 6)
        assert len(world.front.memory) == 0

    run(work)
    assert PART_BYTES < 2_000_000


def test_a_whole_body_is_kept_however_long_it_is() -> None:
    async def work(world: World) -> None:
        world.django.body = b"x" * (PART_BYTES + 1)
        world.django.headers |= {"Content-Length": str(PART_BYTES + 1)}
        for _ in range(3):
            assert len((await world.get()).body) == PART_BYTES + 1

    assert len(run(work).django.asked) == 1


def test_a_stream_that_was_asked_for_only_to_be_kept_is_ended() -> None:
    async def work(world: World) -> None:
        stream = Stream(1000)

        def application(environ: Any, start: Callable[..., Any]) -> Iterable[bytes]:
            holds = "HTTP_IF_NONE_MATCH" in environ
            start("304 Not Modified" if holds else "200 OK", [*(PUBLIC | terms()).items()])
            return [b""] if holds else stream

        world.front._bridge._application = application
        assert (await world.get(if_none_match='"a"')).status == 304
        assert (stream.closed, stream.left) == (1, 997)

    run(work)


def test_a_head_reads_no_more_of_a_stream_than_it_has_to() -> None:
    async def work(world: World) -> None:
        stream = Stream(1000)
        world.front._bridge._application = streaming(stream)
        assert (await world.get(method="HEAD")).body == b"x" * 300_000  # the protocol drops it
        assert (stream.closed, stream.left) == (1, 997)

    run(work)


def test_a_mounted_service_knows_its_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.front.application.MOUNTED_AT", "/mounted")
    monkeypatch.setattr("config.front.application.PLACE_SECONDS", 0.05)

    async def work(world: World) -> None:
        assert (await world.get("/mounted/api/health")).status == 200
        assert (await world.get("/mounted/api/search")).headers["about"] == "/api/search"

    run(work, places=0)


def test_a_stream_is_not_read_on_for_who_went_away() -> None:
    async def work(world: World) -> None:
        stream = Stream(1000)
        world.front._bridge._application = streaming(stream)
        got = Got()

        async def gone() -> Any:
            if got._asked:
                return {"type": "http.disconnect"}
            got._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}

        got.receive = gone  # type: ignore[method-assign]
        scope = {
            **dict.fromkeys(("client", "server")),
            "type": "http",
            "method": "GET",
            "scheme": "https",
            "path": "/",
            "raw_path": b"/",
            "query_string": b"",
            "http_version": "1.1",
            "headers": [],
            "state": {},
        }
        await world.front(scope, got.receive, got.send)  # type: ignore[arg-type]
        assert stream.closed == 1
        assert stream.left > 900

    run(work)


def streaming(stream: Stream) -> Callable[..., Iterable[bytes]]:
    def application(_environ: object, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [*(PUBLIC | terms()).items()])
        return stream

    return application
