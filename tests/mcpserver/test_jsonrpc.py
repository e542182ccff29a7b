"""JSON-RPC 2.0 as MCP uses it."""

import json
from typing import Any

import pytest

from tests.mcpserver.wire import message, rpc, send

pytestmark = pytest.mark.urls("tests.mcpserver.urls")


def error_of(response: Any) -> tuple[int, int]:
    return response.status_code, response.json()["error"]["code"]


@pytest.mark.parametrize("body", [b" ", b"{", b"\xff\xfe", b'{"a":1,}', b"nonsense", b'{"jsonrpc":"2.0"'])
def test_what_is_not_json_is_a_parse_error_under_the_id_null(body: bytes) -> None:
    response = send(body)
    assert error_of(response) == (400, -32700)
    assert response.json()["id"] is None


@pytest.mark.parametrize("body", [[], [message("ping")], [message("ping"), message("ping", id=2)]])
def test_a_batch_is_refused(body: list[Any]) -> None:
    assert error_of(send(json.dumps(body))) == (400, -32600)


@pytest.mark.parametrize("wrong", [None, True, 1.5, [], {}, 2**53])
def test_an_id_is_a_string_or_an_integer(wrong: Any) -> None:
    response = send(json.dumps(message("ping", id=wrong)))
    assert error_of(response) == (400, -32600)
    assert response.json()["id"] is None


@pytest.mark.parametrize("right", ["", "a", "가", 0, -5, 2**53 - 1])
def test_the_id_comes_back_as_it_was(right: Any) -> None:
    assert send(json.dumps(message("ping", id=right))).json() == {"jsonrpc": "2.0", "id": right, "result": {}}


@pytest.mark.parametrize(
    "body",
    [
        {},
        "x",
        5,
        None,
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 1, "method": 7},
    ],
)
def test_what_is_no_message_is_an_invalid_request(body: Any) -> None:
    assert error_of(send(json.dumps(body))) == (400, -32600)


@pytest.mark.parametrize("params", [[], "x", 1, True])
def test_params_that_are_no_object_are_invalid_params_under_the_id(params: Any) -> None:
    response = rpc("tools/list", params)
    assert error_of(response) == (200, -32602)
    assert response.json()["id"] == 1


def test_an_unknown_method_is_no_404_in_the_handshake_era() -> None:
    response = rpc("resources/list")
    assert error_of(response) == (200, -32601)
    assert "tools/list" in response.json()["error"]["message"]


def test_an_unknown_tool_is_told_the_names_there_are() -> None:
    for params in ({"name": "no_such_tool"}, {"name": 5}, {}):
        response = rpc("tools/call", params)
        assert error_of(response) == (200, -32602)
        assert "fetch" in response.json()["error"]["data"]["tools"]


@pytest.mark.parametrize("arguments", [None, [], "x", 1])
def test_arguments_that_are_no_object_are_invalid_params(arguments: Any) -> None:
    assert error_of(rpc("tools/call", {"name": "fetch", "arguments": arguments})) == (200, -32602)


def test_a_cursor_for_the_list_of_tools_is_unknown() -> None:
    assert error_of(rpc("tools/list", {"cursor": "abc"})) == (200, -32602)


def test_what_a_caller_sent_comes_back_short_and_printable() -> None:
    text = rpc("tools/call", {"name": "\x1b[31m" + "가" * 500}).json()["error"]["message"]
    assert "\x1b" not in text
    assert "가" * 60 not in text


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_initialize_agrees_on_the_versions_it_speaks(version: str) -> None:
    response = rpc(
        "initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t"}}
    )
    result = response.json()["result"]
    assert result["protocolVersion"] == response.headers["MCP-Protocol-Version"] == version
    assert result["capabilities"] == {"tools": {}}
    assert result["serverInfo"]["name"] == "madang"
    assert 0 < len(result["instructions"]) <= 600
    assert "resultType" not in result


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2099-01-01", "nonsense", "2026-07-28"])
def test_initialize_for_any_other_version_is_answered_with_the_given_one(version: str) -> None:
    result = rpc("initialize", {"protocolVersion": version, "capabilities": {}}).json()["result"]
    assert result["protocolVersion"] == "2025-06-18"


def test_initialize_without_a_version_says_what_is_missing() -> None:
    assert error_of(rpc("initialize", {})) == (200, -32602)


def test_a_request_without_a_version_header_is_served_without_a_handshake() -> None:
    assert len(rpc("tools/list").json()["result"]["tools"]) == 12


@pytest.mark.parametrize("version", ["2025-03-26", "2000-01-01", "nonsense"])
def test_a_version_header_that_nobody_speaks_is_refused_with_what_is_supported(version: str) -> None:
    response = rpc("tools/list", MCP_Protocol_Version=version)
    assert error_of(response) == (400, -32022)
    assert response.json()["error"]["data"]["supported"] == ["2026-07-28", "2025-11-25", "2025-06-18"]
