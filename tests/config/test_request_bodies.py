"""Bodies as clients send them: whole ones are read however they are framed, others are their sender's fault."""

import json
import logging
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from django.core.signals import got_request_exception
from django.test import RequestFactory

from ask.models import Answer
from mcpserver.protocol import BODY_MAX_BYTES
from tests.ask.records import KOREAN, maru
from tests.config.raw_http import Server, chunked

pytestmark = pytest.mark.django_db

PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
QUESTION = json.dumps({"question": KOREAN}).encode()
FORM = urlencode({"question": KOREAN}).encode()
FORM_TYPE = "application/x-www-form-urlencoded"
TOKEN = "a" * 32
BODIES = {
    "/api/mcp": (PING, "application/json"),
    "/api/ask": (QUESTION, "application/json"),
    "/ask": (FORM, FORM_TYPE),
    "/admin/login/": (f"csrfmiddlewaretoken={TOKEN}&username=a".encode(), FORM_TYPE),
}


@pytest.fixture
def failures() -> Iterator[list[object]]:
    """What a report of failures would get."""
    seen: list[object] = []

    def note(**found: object) -> None:
        seen.append(found)

    got_request_exception.connect(note)
    yield seen
    got_request_exception.disconnect(note)


def levels(caplog: pytest.LogCaptureFixture) -> set[int]:
    """Of what was logged; what was given from memory before is added up and told once a second."""
    return {record.levelno for record in caplog.records if record.getMessage() != "requests from memory"}


@pytest.mark.parametrize("path", BODIES)
def test_a_client_that_hangs_up_in_the_middle_of_a_body_is_no_failure_of_ours(
    server: Server, failures: list[object], caplog: pytest.LogCaptureFixture, path: str
) -> None:
    body, content_type = BODIES[path]
    with caplog.at_level(logging.DEBUG, logger="requests"):
        answer = server.post(path, body, content_type, Content_Length="500", Cookie=f"csrftoken={TOKEN}")
    assert answer.status == 400
    assert failures == []
    assert levels(caplog) <= {logging.DEBUG}
    assert server.lines.said == []


class Reset:
    """A connection that its client has reset."""

    def read(self, _size: int) -> bytes:
        raise ConnectionResetError

    readline = read


@pytest.mark.parametrize("path", BODIES)
def test_a_connection_that_is_reset_in_the_middle_of_a_body_is_no_failure_of_ours(
    server: Server, failures: list[object], caplog: pytest.LogCaptureFixture, path: str
) -> None:
    request = RequestFactory().post(
        path, content_type=BODIES[path][1], headers={"cookie": f"csrftoken={TOKEN}"}
    )
    status = server.call({**request.environ, "CONTENT_LENGTH": "500", "wsgi.input": Reset()})
    assert (status, failures, levels(caplog)) == (400, [], set())


@pytest.mark.parametrize("chunks", [b"zz\r\n", b"5\r\nabc", b"", b"5\r\nabcdeXX0\r\n\r\n"])
@pytest.mark.parametrize("path", BODIES)
def test_broken_chunks_are_a_refusal(
    server: Server, failures: list[object], caplog: pytest.LogCaptureFixture, path: str, chunks: bytes
) -> None:
    _body, content_type = BODIES[path]
    headers = {"Transfer_Encoding": "chunked", "Cookie": f"csrftoken={TOKEN}"}
    answer = server.post(path, chunks, content_type, **headers)
    assert answer.status == 400
    if path == "/api/mcp":
        assert answer.json()["error"]["code"] == -32700
    elif path == "/api/ask":
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "bad_request"
    assert failures == []
    assert levels(caplog) <= {logging.INFO}
    assert server.lines.said == []


@pytest.mark.parametrize(("path", "status"), [("/api/mcp", 200), ("/api/ask", 200), ("/ask", 303)])
def test_whole_chunks_are_read_as_any_body(server: Server, path: str, status: int) -> None:
    maru()
    body, content_type = BODIES[path]
    answer = server.post(path, chunked(body), content_type, Transfer_Encoding="chunked")
    assert answer.status == status


def test_a_question_that_was_cut_off_is_neither_answered_nor_counted(server: Server) -> None:
    maru()
    cut = server.post("/api/ask", QUESTION, Content_Length="600")
    assert cut.status == 400
    assert not Answer.objects.exists()
    whole = server.post("/api/ask", QUESTION, Content_Length=str(len(QUESTION)))
    assert whole.status == 200
    assert whole.headers["RateLimit"].startswith('"minute";r=4;')


@pytest.mark.parametrize(
    ("path", "media_type"),
    [
        ("/api/mcp", "application/json"),
        ("/api/ask", "application/problem+json"),
        ("/ask", "text/html; charset=utf-8"),
    ],
)
def test_chunks_beyond_the_limit_are_too_large(server: Server, path: str, media_type: str) -> None:
    body = chunked(b"x" * (BODY_MAX_BYTES + 70_000), size=60_000)
    answer = server.post(path, body, BODIES[path][1], Transfer_Encoding="chunked")
    assert (answer.status, answer.headers["Content-Type"]) == (413, media_type)


@pytest.mark.parametrize("again", ["made", "given again from memory"])
def test_a_page_answers_whatever_body_nobody_reads(server: Server, again: str) -> None:
    raw = b"GET /robots.txt HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
    if again != "made":
        assert server.send(b"GET /robots.txt HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 200
    assert server.send(raw).status == 200
    assert server.lines.said == []
