"""What the server refuses by itself: in the service's shape, and with nobody's words or address in any line."""

import json
import logging
from urllib.parse import quote

import pytest
from gunicorn.http.errors import InvalidChunkSize

from config.server_log import ServerLogFormatter
from tests.config.raw_http import Server

WORDS = "내비밀질문"
ADDRESS = "203.0.113.9"
HOST = b"Host: localhost\r\n"
REFUSED = {
    "blanks in the address": (b"GET %s?q=my secret HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    "a method that is none": (b"get %s?q=secret HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    "no version": (b"GET %s?q=secret\r\n" + HOST + b"\r\n", 400),
    "a header without a colon": (b"GET %s HTTP/1.1\r\n" + HOST + b"secret\r\n\r\n", 400),
    "a control character": (b"GET %s HTTP/1.1\r\n" + HOST + b"X-A: secret\x01\r\n\r\n", 400),
    "an address too long": (b"GET %s?q=" + b"secret" * 2000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414),
    "a header too long": (b"GET %s HTTP/1.1\r\n" + HOST + b"X-A: " + b"secret" * 2000 + b"\r\n\r\n", 431),
    "an expectation": (b"POST %s HTTP/1.1\r\n" + HOST + b"Expect: secret\r\n\r\n", 417),
    "a transfer coding": (b"POST %s HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: secret\r\n\r\n", 501),
    "two lengths": (b"POST %s HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_http_is_refused_in_the_shape_of_its_address(server: Server, name: str) -> None:
    raw, status = REFUSED[name]
    for path, media_type in (
        ("/api/search", "application/problem+json"),
        ("/api/mcp", "application/json"),
        ("/search", "text/html; charset=utf-8"),
    ):
        answer = server.send(raw.replace(b"%s", path.encode()), (ADDRESS, 4711))
        assert (answer.status, answer.headers["Content-Type"]) == (status, media_type)
        assert answer.headers["Connection"] == "close"
        assert b"secret" not in answer.body
        assert b"Traceback" not in answer.body
        if path == "/api/search":
            problem = answer.json()
            assert (problem["status"], problem["instance"]) == (status, "/api/search")
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
        if path == "/api/mcp":
            assert answer.json()["jsonrpc"] == "2.0"
    assert server.lines.said == [f"refused a request: {status}"] * 3


def test_an_address_in_raw_utf_8_is_read_as_if_it_were_percent_encoded(server: Server, db: None) -> None:
    raw = f"GET /api/search?q={WORDS} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    answer = server.send(raw)
    assert answer.status == 200
    assert answer.json()["query"] == WORDS
    same = server.send(raw.replace(WORDS.encode(), quote(WORDS).encode()))
    assert same.body == answer.body
    assert server.send(f"GET /{WORDS} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()).status == 404
    assert server.lines.said == []


def test_what_asks_for_no_path_is_refused(server: Server) -> None:
    answer = server.send(b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert (answer.status, answer.headers["Connection"]) == (400, "close")


def test_bytes_outside_ascii_are_taken_in_the_address_only(server: Server) -> None:
    assert server.send("G김T / HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()).status == 400
    assert server.send("GET / HTTP/1.김\r\nHost: localhost\r\n\r\n".encode()).status == 400


@pytest.mark.parametrize("header", ["SCRIPT_NAME: /x", "PATH_INFO: /admin/"])
def test_no_client_says_where_the_service_is_mounted(server: Server, header: str) -> None:
    raw = f"GET /robots.txt HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n".encode()
    answer = server.send(raw, ("127.0.0.1", 4711))
    assert answer.status == 200
    assert b"Disallow: /admin/" in answer.body


def test_a_broken_application_is_told_without_the_request(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(WORDS)

    monkeypatch.setattr(server, "django", broken)
    answer = server.send(f"GET /api/search?q={quote(WORDS)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert (answer.status, answer.json()["code"]) == (500, "internal_error")
    (line,) = server.lines.said
    assert "RuntimeError" in line
    assert WORDS not in line
    assert quote(WORDS) not in line


def test_a_refusal_that_cannot_be_rendered_is_told_in_the_servers_own_words(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(WORDS)

    monkeypatch.setattr("config.errors.page", broken)
    answer = server.send(b"GET /a b HTTP/1.1\r\n\r\n")
    assert answer.status == 400
    assert WORDS not in answer.body.decode() + "".join(server.lines.said)


def test_a_line_of_the_server_is_one_object_of_json() -> None:
    try:
        raise InvalidChunkSize(b"zz")
    except InvalidChunkSize as error:
        record = logging.LogRecord("gunicorn.error", logging.ERROR, "f", 1, "it\nfailed: %s", (1,), None)
        record.exc_info = (InvalidChunkSize, error, error.__traceback__)
    line = json.loads(ServerLogFormatter().format(record))
    assert (line["level"], line["logger"], line["message"]) == ("ERROR", "gunicorn.error", "it\nfailed: 1")
    assert "InvalidChunkSize" in line["trace"]


def test_a_failure_at_a_request_is_told_without_its_message() -> None:
    try:
        try:
            raise ValueError(WORDS)
        except ValueError:
            raise RuntimeError(WORDS)  # noqa: B904  the context has words too
    except RuntimeError as error:
        record = logging.LogRecord("uvicorn.error", logging.ERROR, "f", 1, "failed", (), None)
        record.exc_info = (RuntimeError, error, error.__traceback__)
    line = ServerLogFormatter().format(record)
    assert "RuntimeError" in line
    assert "ValueError" in line
    assert WORDS not in line
