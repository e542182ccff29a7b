"""Streamable HTTP as far as this server has it: JSON answers, no stream, no session, no key."""

import gzip
import json
from typing import Any

import brotli
import pytest
from django.test import Client

from mcpserver.protocol import BODY_MAX_BYTES
from tests.mcpserver.wire import PATH, message, rpc, send

pytestmark = pytest.mark.urls("tests.mcpserver.urls")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD", "PATCH"])
def test_other_methods_are_told_which_there_are(method: str) -> None:
    response = Client().generic(method, PATH)
    assert response.status_code == 405
    assert response.headers["Allow"] == "POST, OPTIONS"
    assert response.headers["Content-Type"] == "application/json"


def test_the_address_answers_with_and_without_a_slash_at_once() -> None:
    body = json.dumps(message("ping"))
    for path in ("/api/mcp", "/api/mcp/"):
        response = Client().post(path, body, content_type="application/json")
        assert (response.status_code, response.json()["result"]) == (200, {})


def test_options_answers_without_a_body() -> None:
    response = Client().options(PATH)
    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["Allow"] == "POST, OPTIONS"


@pytest.mark.parametrize(
    "origin", ["http://localhost:8000", "http://localhost:6274", "http://127.0.0.1:3000", "https://claude.ai"]
)
def test_pages_of_known_origins_may_call_and_read_the_answer(origin: str) -> None:
    response = rpc("ping", Origin=origin)
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == origin
    preflight = Client().options(PATH, headers={"Origin": origin, "Access-Control-Request-Method": "POST"})
    assert preflight.status_code == 204
    assert "Mcp-Method" in preflight.headers["Access-Control-Allow-Headers"]


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "https://claude.ai.evil.example",
        "http://localhost.evil.example",
        "http://[",
        "",
        "https://localhost:8000",
        "http://localhost@evil.example",
    ],
)
def test_pages_of_other_origins_are_refused_before_anything_is_read(origin: str) -> None:
    for response in (rpc("ping", Origin=origin), Client().options(PATH, headers={"Origin": origin})):
        assert response.status_code == 403
        assert response.json()["error"]["code"] == -32600
        assert "Access-Control-Allow-Origin" not in response.headers


def test_a_client_that_names_no_origin_may_call() -> None:
    assert rpc("ping").status_code == 200


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        (None, 200),
        ("*/*", 200),
        ("application/json", 200),
        ("application/*;q=0.5", 200),
        ("text/html, */*;q=0.1", 200),
        ("application/json, text/event-stream", 200),
        ("application/json; charset=utf-8", 200),
        ("", 200),
        ("text/event-stream", 406),
        ("text/html", 406),
        ("application/json;q=0, */*", 406),
        ("*/*;q=0.0", 406),
    ],
)
def test_accept_must_leave_room_for_json(accept: str | None, status: int) -> None:
    assert rpc("ping", Accept=accept).status_code == status


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/xml", None, "multipart/form-data; boundary=x"]
)
def test_another_content_type_is_415(content_type: str | None) -> None:
    response = send(json.dumps(message("ping")), Content_Type=content_type)
    assert response.status_code == 415
    assert "application/json" in response.json()["error"]["message"]


def test_a_charset_beside_the_content_type_is_fine() -> None:
    assert (
        send(json.dumps(message("ping")), Content_Type="application/json; charset=utf-8").status_code == 200
    )


def test_a_body_of_256_kib_is_read_and_one_byte_more_is_413() -> None:
    body = json.dumps(message("ping"))
    assert send(body + " " * (BODY_MAX_BYTES - len(body))).status_code == 200
    assert send(body + " " * (BODY_MAX_BYTES + 1 - len(body))).status_code == 413


def test_no_answer_is_kept_and_none_carries_a_session_or_a_cookie() -> None:
    responses: list[Any] = [
        rpc("ping"),
        rpc("initialize", {"protocolVersion": "2025-06-18"}),
        Client().get(PATH),
    ]
    for response in responses:
        assert response.headers["Cache-Control"] == "no-store"
        assert "Mcp-Session-Id" not in response.headers
        assert not response.cookies


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_the_protocol_version_is_echoed(version: str) -> None:
    assert rpc("ping", MCP_Protocol_Version=version).headers["MCP-Protocol-Version"] == version


def test_no_method_is_ever_unauthorised() -> None:
    assert rpc("tools/list", Authorization="Bearer wrong").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "no/such/thing"},
        {"jsonrpc": "2.0", "id": 5, "result": {}},
        {"jsonrpc": "2.0", "id": 5, "error": {"code": -1, "message": "no"}},
    ],
)
def test_notifications_and_responses_are_accepted_without_a_body(body: dict[str, Any]) -> None:
    response = send(json.dumps(body))
    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize(
    ("accepted", "coding", "decode"),
    [("gzip", "gzip", gzip.decompress), ("gzip, deflate, br", "br", brotli.decompress)],
)
def test_a_long_answer_is_compressed_for_whoever_takes_it(accepted: str, coding: str, decode: Any) -> None:
    plain = rpc("tools/list")
    response = rpc("tools/list", Accept_Encoding=accepted)
    assert response.headers["Content-Encoding"] == coding
    assert decode(response.content) == plain.content
    assert len(response.content) < len(plain.content) / 3
    for one in (plain, response):
        assert one.headers["Vary"] == "Origin, Accept-Encoding"
        assert one.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("accepted", [None, "identity", "gzip;q=0", "zstd", "*;q=0"])
def test_whoever_takes_no_coding_gets_the_answer_plain(accepted: str | None) -> None:
    response = rpc("tools/list", Accept_Encoding=accepted)
    assert "Content-Encoding" not in response.headers
    assert len(response.json()["result"]["tools"]) == 12


def test_a_short_answer_stays_as_it_is() -> None:
    assert "Content-Encoding" not in rpc("ping", Accept_Encoding="gzip").headers
