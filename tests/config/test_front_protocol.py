"""Connections as clients keep them, be they slow, broken or gone: each is served, refused or closed when it is due."""

import asyncio
import socket
import struct

import pytest

from config.front.protocol import (
    FIELD_MAX_BYTES,
    FIELDS_MAX,
    HEAD_MAX_BYTES,
    LINE_MAX_BYTES,
    PIPELINE_MAX,
    FrontProtocol,
)
from tests.config.front_line import PART, PARTS, Line, on_a_line
from tests.config.raw_http import chunked

GET = b"GET /a HTTP/1.1\r\nHost: a\r\n\r\n"


def get(path: str, *lines: str, method: str = "GET", version: str = "1.1") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/{version}", "Host: a", *lines, "", ""]).encode()


# ---- deadlines -----------------------------------------------------------------------------------------------
@on_a_line
async def test_a_connection_that_never_sends_is_closed_when_it_is_due(line: Line) -> None:
    async with line.client() as client:
        line.look(74.9)
        assert (len(line.connections), line.ended) == (1, {})
        line.look(75.1)
        assert await client.take_all() == b""
        line.look(1000)
        assert line.ended == {"idle": 1}


@on_a_line
async def test_a_head_that_comes_byte_by_byte_has_ten_seconds_as_a_whole(line: Line) -> None:
    async with line.client() as client:
        await client.send_in(GET[:-1], 1)
        await line.until(lambda: line.connections[0].awaits == "head")
        line.look(9.9)
        assert (len(line.connections), line.ended) == (1, {})
        line.look(10.1)
        assert await client.take_all() == b""
        assert line.ended == {"head": 1}


@on_a_line
async def test_a_head_in_single_bytes_is_read_like_any_other(line: Line) -> None:
    async with line.client() as client:
        await client.send_in(get("/김치?q=김치", "X-A: b"), 1)
        answer = await client.answer()
        assert answer.status == 200
        (environ,) = line.application.seen
        assert environ["PATH_INFO"].encode("latin-1").decode() == "/김치"
        assert environ["QUERY_STRING"] == "q=%EA%B9%80%EC%B9%98"
        assert environ["HTTP_X_A"] == "b"


@on_a_line
async def test_a_second_head_has_its_own_deadline_while_the_first_request_is_answered(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/held") + GET[:-4])
        await line.until(lambda: line.connections[0].awaits == "head")
        line.look(9.9)
        assert line.ended == {}
        line.look(10.1)
        assert await client.take_all() == b""
        assert line.ended == {"head": 1}


@on_a_line
async def test_half_a_second_head_does_not_make_the_connection_idle_when_the_first_is_answered(
    line: Line,
) -> None:
    async with line.client() as client:
        await client.send(GET + GET[:-4])
        await client.answer()
        line.look(10.1)
        assert await client.take_all() == b""
        assert line.ended == {"head": 1}


@on_a_line
async def test_a_body_has_thirty_seconds_as_a_whole(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/a", "Content-Length: 9", method="POST"))
        await client.send_in(b"12345678", 1)
        await line.until(lambda: line.connections[0].awaits == "body")
        line.look(29.9)
        assert line.ended == {}
        line.look(30.1)
        assert await client.take_all() == b""
        assert line.ended == {"body": 1}
        assert line.application.seen == []


@on_a_line
async def test_a_request_that_is_being_answered_has_no_deadline(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/held"))
        await asyncio.to_thread(line.application.held.acquire)
        line.look(10_000)
        line.application.let_go.set()
        assert (await client.answer()).body == b"GET /held "
        assert line.ended == {}


@on_a_line
async def test_after_an_answer_the_connection_is_idle_until_the_next_head(line: Line) -> None:
    async with line.client() as client:
        for _ in range(2):
            await client.send(GET)
            await client.answer()
            line.look(74.9)
        assert line.ended == {}
        line.look(75.1)
        assert await client.take_all() == b""
        assert line.ended == {"idle": 1}


@on_a_line
async def test_empty_lines_are_no_beginning_of_a_request(line: Line) -> None:
    async with line.client() as client:
        await client.send(b"\r\n\r\n" + GET + b"\r\n")
        await client.answer()
        line.look(10.1)
        await client.send(b"\r\n")
        await client.send(b"\r\n" + get("/김"))
        assert (await client.answer()).status == 200
        assert line.ended == {}


@on_a_line
async def test_a_reader_that_stalls_is_closed_after_a_minute(line: Line) -> None:
    async with line.client(taking=4096) as client:
        await client.send(get("/many?4000000"))
        await line.until(lambda: bool(line.connections[0].transport.get_write_buffer_size()))
        line.look(59.0)
        assert line.ended == {}
        line.look(61.0)
        await line.until(lambda: not line.connections)
        assert line.ended == {"reader": 1}
        assert len(await client.take_all()) < 4_000_000


@on_a_line
async def test_a_reader_that_goes_on_reading_gets_all_however_long_it_takes(line: Line) -> None:
    async with line.client(taking=4096) as client:
        await client.send(get("/many?1000000"))
        taken = 0
        while taken < 1_000_000:
            for _ in range(128):
                data = await client.take(1024)
                assert data
                taken += len(data)
                if taken >= 1_000_000:
                    break
            line.look(61.0)
        assert line.ended == {}


@on_a_line
async def test_a_reader_of_single_bytes_gets_a_body_and_holds_no_thread(line: Line) -> None:
    async with line.client(taking=4096) as client, line.client() as other:
        await client.send(get("/many?200000", "Connection: close"))
        taken = [await client.take(1) for _ in range(2000)]
        for _ in range(8):
            await other.send(GET)
            assert (await other.answer()).status == 200
        assert len(b"".join(taken) + await client.take_all()) > 200_000
        assert line.ended == {}


@on_a_line
async def test_a_slow_reader_of_a_stream_gets_all_of_it_as_long_as_it_goes_on(line: Line) -> None:
    async with line.client(taking=65536) as client, line.client() as other:
        await client.send(get("/stream", version="1.0"))
        taken = await client.take(1)
        while data := await client.take(128 * 1024):
            taken += data
            line.look(59.0)
            if len(taken) % 5 == 0:
                await other.send(GET)
                assert (await other.answer()).status == 200
        assert taken.endswith(PART * PARTS)
        assert line.ended == {}


@on_a_line
async def test_a_stalled_reader_of_a_stream_is_closed_and_so_is_the_stream(line: Line) -> None:
    async with line.client(taking=4096) as client:
        await client.send(get("/stream"))
        await client.take(1)
        await line.until(lambda: line.connections[0].flow.write_paused)
        line.look(61.0)
        assert await asyncio.to_thread(line.application.was_closed.wait, 5.0)
        assert line.ended == {"reader": 1}
        await line.until(lambda: not line.state.tasks)


@on_a_line
async def test_what_is_too_little_to_fill_the_buffer_has_its_deadline_too(line: Line) -> None:
    async with line.client(taking=4096) as client:
        (connection,) = line.connections
        connection.transport.set_write_buffer_limits(high=3_000_000)
        await client.send(get("/many?2000000"))
        await line.until(lambda: connection.transport.get_write_buffer_size() > 1_000_000)
        assert not connection.flow.write_paused
        await line.until(lambda: not line.state.tasks)
        line.look(59.0)
        assert line.ended == {}
        line.look(61.0)
        line.look(61.0)  # its system may have taken some more in advance
        await line.until(lambda: not line.connections)
        assert line.ended == {"reader": 1}


# ---- one after the other -------------------------------------------------------------------------------------
@on_a_line
async def test_three_requests_in_one_packet_get_three_answers_in_their_order(line: Line) -> None:
    async with line.client() as client:
        post = get("/b", "Content-Length: 3", method="POST") + b"xyz"
        await client.send(GET + post + get("/c"))
        assert [(await client.answer()).body for _ in range(3)] == [b"GET /a ", b"POST /b xyz", b"GET /c "]
        line.look(74.0)
        await client.send(GET)
        assert (await client.answer()).body == b"GET /a "


@on_a_line
async def test_a_malformed_request_after_good_ones_is_refused_after_their_answers(line: Line) -> None:
    async with line.client() as client:
        await client.send(GET + get("/held") + b"GET /api/c d e HTTP/1.1\r\n\r\n" + GET)
        assert (await client.answer()).body == b"GET /a "
        line.application.let_go.set()
        assert (await client.answer()).body == b"GET /held "
        refused = await client.answer()
        assert (refused.status, refused.body) == (400, b"refused /api/c")
        assert refused.headers["connection"] == "close"
        assert await client.take_all() == b""
        assert len(line.application.seen) == 2


@on_a_line
async def test_who_sends_hundreds_of_requests_at_once_is_answered_up_to_a_limit(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/held") + GET * (PIPELINE_MAX + 200))
        await asyncio.to_thread(line.application.held.acquire)
        assert len(line.connections[0].pipeline) == PIPELINE_MAX
        line.application.let_go.set()
        answers = [await client.answer() for _ in range(PIPELINE_MAX + 2)]
        assert [each.status for each in answers] == [200] * (PIPELINE_MAX + 1) + [429]
        assert await client.take_all() == b""


@on_a_line
async def test_head_has_the_length_and_no_body(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/a", method="HEAD") + GET)
        head = await client.answer("HEAD")
        assert (head.status, head.headers["content-length"]) == (200, "8")
        assert (await client.answer()).body == b"GET /a "


@on_a_line
async def test_a_body_that_is_announced_is_asked_for(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/a", "Content-Length: 3", "Expect: 100-continue", method="POST"))
        assert (await client.answer()).status == 100
        await client.send(b"xyz")
        assert (await client.answer()).body == b"POST /a xyz"


@on_a_line
async def test_an_old_client_gets_a_stream_without_chunks(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/stream", version="1.0"))
        answer = await client.answer()
        assert "transfer-encoding" not in answer.headers
        assert answer.body == PART * PARTS
    async with line.client() as client:
        await client.send(get("/a", version="1.0"))
        answer = await client.answer()
        assert (answer.headers["connection"], answer.body) == ("close", b"GET /a ")
        assert await client.take_all() == b""


# ---- other protocols -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("offer", ["websocket", "h2c"])
@on_a_line
async def test_who_offers_another_protocol_is_answered_in_this_one(line: Line, offer: str) -> None:
    upgrade = ("Connection: Upgrade", f"Upgrade: {offer}")
    async with line.client() as client:
        await client.send(get("/a", *upgrade) + get("/b"))
        assert [(await client.answer()).body for _ in range(2)] == [b"GET /a ", b"GET /b "]
        await client.send(get("/c"))
        assert (await client.answer()).body == b"GET /c "


@pytest.mark.parametrize("size", [1, 10_000])
@pytest.mark.parametrize("is_chunked", [True, False])
@on_a_line
async def test_a_body_is_read_also_of_who_offers_another_protocol(
    line: Line, is_chunked: bool, size: int
) -> None:
    framing = "Transfer-Encoding: chunked" if is_chunked else "Content-Length: 9"
    body = chunked(b"body body") if is_chunked else b"body body"
    head = get("/a", "Connection: Upgrade", "Upgrade: h2c", framing, method="POST")
    async with line.client() as client:
        await client.send_in((head + body) * 2 + get("/b"), size)
        said = [(await client.answer()).body for _ in range(3)]
        assert said == [b"POST /a body body"] * 2 + [b"GET /b "]


@on_a_line
async def test_what_follows_a_chunked_body_says_nothing_of_the_request(line: Line) -> None:
    async with line.client() as client:
        head = get("/a", "Transfer-Encoding: chunked", method="POST")
        await client.send(
            head + b"3\r\nabc\r\n0\r\nX-Forwarded-For: 203.0.113.9\r\nCookie: a=b\r\n\r\n" + GET
        )
        assert (await client.answer()).body == b"POST /a abc"
        assert (await client.answer()).body == b"GET /a "
        assert not {"HTTP_X_FORWARDED_FOR", "HTTP_COOKIE"} & set(line.application.seen[0])


# ---- clients that leave --------------------------------------------------------------------------------------
@on_a_line
async def test_who_sends_no_more_still_gets_its_answers(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/held") + GET)
        client.say_no_more()
        await line.until(lambda: line.connections[0]._has_ended)
        line.application.let_go.set()
        assert [(await client.answer()).body for _ in range(2)] == [b"GET /held ", b"GET /a "]
        assert await client.take_all() == b""


@on_a_line
async def test_who_ends_in_the_middle_of_a_body_is_told(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/a", "Content-Length: 9", method="POST") + b"abc")
        client.say_no_more()
        assert (await client.answer()).status == 400
        assert await client.take_all() == b""


def hang_up(near: socket.socket) -> None:
    """As a client does that is killed: with a reset."""
    near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    near.close()


@pytest.mark.parametrize(
    "sent", [b"", GET[:9], get("/a", "Content-Length: 9", method="POST") + b"abc"], ids=["", "head", "body"]
)
@on_a_line
async def test_who_leaves_before_its_request_is_whole_leaves_nothing(line: Line, sent: bytes) -> None:
    async with line.client() as client:
        await client.send(sent)
        hang_up(client.near)
        await line.until(lambda: not line.connections and not line.state.tasks)
        assert (line.application.seen, line.failures, line.ended) == ([], [], {})


@on_a_line
async def test_who_leaves_while_the_application_works_leaves_nothing(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/held"))
        await asyncio.to_thread(line.application.held.acquire)
        hang_up(client.near)
        await line.until(lambda: not line.connections)
        line.application.let_go.set()
        await line.until(lambda: not line.state.tasks)
        assert (line.failures, line.ended) == ([], {})
    await both_places_are_free(line)


@on_a_line
async def test_who_leaves_in_the_middle_of_a_stream_has_it_closed(line: Line) -> None:
    async with line.client(taking=4096) as client:
        await client.send(get("/stream"))
        await client.take(1)
        hang_up(client.near)
        assert await asyncio.to_thread(line.application.was_closed.wait, 5.0)
        await line.until(lambda: not line.connections and not line.state.tasks)
        assert (line.failures, line.ended) == ([], {})
    await both_places_are_free(line)


async def both_places_are_free(line: Line) -> None:
    line.application.let_go.clear()
    async with line.client() as one, line.client() as other:
        for number, client in enumerate((one, other)):
            await client.send(get(f"/held?{number}"))
            await asyncio.to_thread(line.application.held.acquire)
        line.application.let_go.set()
        assert {(await one.answer()).status, (await other.answer()).status} == {200}


# ---- limits --------------------------------------------------------------------------------------------------
def fields(count: int) -> bytes:
    return get("/api/a", *(f"X-{number}: b" for number in range(count - 1)))  # and Host


@pytest.mark.parametrize("size", [1000, 1_000_000], ids=["packets", "at once"])
@pytest.mark.parametrize(
    ("good", "bad", "status"),
    [
        (get("/" + "a" * (LINE_MAX_BYTES - 1)), get("/api/" + "a" * LINE_MAX_BYTES), 414),
        (get("/a", "X: " + "b" * (FIELD_MAX_BYTES - 1)), get("/api/a", "X: " + "b" * FIELD_MAX_BYTES), 431),
        (fields(FIELDS_MAX), fields(FIELDS_MAX + 1), 431),
        (get("/a", *["X: " + "b" * 7000] * 2), get("/api/a", *["X: " + "b" * 7000] * 3), 431),
        (GET, get("/api/a", "X: " + "b" * 100_000), 431),
    ],
    ids=["line", "field", "fields", "head", "one field"],
)
@on_a_line
async def test_what_is_too_large_is_refused_and_the_answer_arrives(
    line: Line, good: bytes, bad: bytes, status: int, size: int
) -> None:
    async with line.client() as client:
        await client.send_in(good, size)
        assert (await client.answer()).status == 200
        # What is still on its way when the refusal is sent must not take it away.
        await client.send_in(bad + b"x" * 400_000, size * 50)
        refused = await client.answer()
        assert (refused.status, refused.body[:14]) == (status, b"refused /api/a")
        client.say_no_more()
        assert await client.take_all() == b""
        assert line.ended == {}


@pytest.mark.parametrize("begin", [b"", b"GET /held HTTP/1.1\r\n\r\n"], ids=["first", "behind another"])
@on_a_line
async def test_a_field_without_an_end_is_not_held(line: Line, begin: bytes) -> None:
    async with line.client() as client:
        await client.send(begin + b"GET /b HTTP/1.1\r\nX: ")
        await client.send_in(b"y" * (HEAD_MAX_BYTES + 8000), 4000)
        line.application.let_go.set()
        if begin:
            assert (await client.answer()).status == 200
        assert (await client.answer()).status == 431


@on_a_line
async def test_what_follows_a_chunked_body_is_not_held_without_end(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/a", "Transfer-Encoding: chunked", method="POST") + b"0\r\nX: ")
        await client.send_in(b"y" * (HEAD_MAX_BYTES + 8000), 4000)
        assert (await client.answer()).status == 400


@on_a_line
async def test_who_is_refused_and_goes_on_sending_is_hung_up_on(line: Line) -> None:
    async with line.client() as client:
        await client.send(b"nonsense\r\n\r\n")
        assert (await client.answer()).status == 400
        await client.send(b"more")
        line.look(4.9)
        assert len(line.connections) == 1
        line.look(5.1)
        await line.until(lambda: not line.connections)
        assert line.ended == {}


@pytest.mark.parametrize(("path", "most"), [("/a", 256 * 1024), ("/admin/a", 2 * 1024 * 1024)])
@on_a_line
async def test_a_body_beyond_its_limit_is_not_held_and_does_not_reset_the_answer(
    line: Line, path: str, most: int
) -> None:
    """The application is told of a longer body than it can read, and its answer comes while the rest is dropped."""
    async with line.client() as client:
        await client.send(get(path, f"Content-Length: {most}", method="POST") + b"b" * most)
        assert len((await client.answer()).body) > most
        size = most + 3_000_000
        await client.send(get(path, f"Content-Length: {size}", method="POST") + b"b" * (most + 400_000))
        assert (await client.answer()).status == 400  # Django has better words for it
        assert line.application.seen[1]["CONTENT_LENGTH"] == str(size)
        assert len(line.connections[0].cycle.body) <= 400_000
        await client.send(b"b" * (size - most - 400_000))
        await line.until(lambda: line.connections[0].awaits == "idle")
        await client.send(GET)
        assert (await client.answer()).body == b"GET /a "
        line.look(74.0)
        assert line.ended == {}
        line.look(76.0)
        assert await client.take_all() == b""
        assert line.ended == {"idle": 1}


# ---- failures ------------------------------------------------------------------------------------------------
@on_a_line
async def test_what_fails_on_the_loop_is_told_without_the_request_and_its_sender(
    line: Line, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_protocol: FrontProtocol, data: bytes) -> None:
        raise RuntimeError(data)

    monkeypatch.setattr(FrontProtocol, "data_received", fail)
    async with line.client() as client:
        await client.send(get("/secret"))
        assert await client.take_all() == b""
    assert "RuntimeError" in caplog.text
    assert "secret" not in caplog.text
    assert "127.0.0.1" not in caplog.text


# ---- a process that stops ------------------------------------------------------------------------------------
@on_a_line
async def test_who_is_idle_when_the_process_stops_has_a_moment_for_a_last_request(line: Line) -> None:
    async with line.client() as idle, line.client() as asks, line.client() as waits:
        await waits.send(get("/held"))
        await asyncio.to_thread(line.application.held.acquire)
        for connection in line.connections:
            connection.shutdown()
        line.look(0.9)
        await asks.send(GET)
        last = await asks.answer()
        assert (last.status, last.headers["connection"]) == (200, "close")
        assert await asks.take_all() == b""
        line.look(1.1)
        assert await idle.take_all() == b""
        line.application.let_go.set()
        last = await waits.answer()
        assert (last.body, last.headers["connection"]) == (b"GET /held ", "close")
        assert await waits.take_all() == b""


# ---- requests in the bytes of an earlier one -----------------------------------------------------------------
@on_a_line
async def test_the_same_bytes_are_answered_from_memory_until_it_forgets(line: Line) -> None:
    kept, numbers = get("/kept"), set()
    async with line.client() as one, line.client() as other:
        for client in (one, one, other, other):
            await client.send(kept)
            answer = await client.answer()
            assert (answer.status, answer.body) == (200, b"GET /kept ")
            numbers.add(answer.headers.get("x-request-id"))
        # Django's own answer has none here.
        assert (len(line.application.seen), len(numbers)) == (1, 4)
        assert [data for _trusted, data in line.front.remembered] == [kept]
        line.front.tell({"entity"})
        for client in (one, other):
            await client.send(kept)
            assert (await client.answer()).body == b"GET /kept "
    assert len(line.application.seen) == 2


@on_a_line
async def test_what_was_remembered_of_a_head_or_a_condition_is_answered_as_such(line: Line) -> None:
    async with line.client() as client:
        for _time in range(3):
            for method, lines, status in (
                ("GET", (), 200),
                ("HEAD", (), 200),
                ("GET", ('If-None-Match: "e"',), 304),
            ):
                await client.send(get("/kept", *lines, method=method))
                assert (await client.answer(method)).status == status
    assert len(line.front.remembered) == 3


@pytest.mark.parametrize("more", [get("/kept"), get("/other"), b"GET /ot"])
@on_a_line
async def test_bytes_of_more_than_one_request_are_read_each_time(line: Line, more: bytes) -> None:
    async with line.client() as client:
        await client.send(get("/kept"))
        await client.answer()
        for _time in range(2):
            await client.send(get("/kept") + more)
            assert (await client.answer()).body == b"GET /kept "
            await client.send(b"her HTTP/1.1\r\nHost: a\r\n\r\n" if more == b"GET /ot" else b"")
            assert (await client.answer()).body in (b"GET /kept ", b"GET /other ")
    assert get("/kept") + more not in {data for _trusted, data in line.front.remembered}


@on_a_line
async def test_who_wants_the_connection_closed_has_it_closed_each_time(line: Line) -> None:
    for _time in range(3):
        async with line.client() as client:
            await client.send(get("/kept", "Connection: close"))
            assert b"GET /kept " in await client.take_all()
    assert not line.front.remembered


@on_a_line
async def test_a_request_whose_body_is_still_to_come_is_read_each_time(line: Line) -> None:
    async with line.client() as client:
        await client.send(get("/kept"))
        await client.answer()
        for body in (b"abc", b"def"):
            await client.send(get("/kept", "Content-Length: 3"))
            assert (await client.answer()).status == 200
            await client.send(body)
            await client.send(get("/echo", "Content-Length: 1") + b"x")
            assert (await client.answer()).body == b"GET /echo x"
    assert [data for _trusted, data in line.front.remembered] == []
