"""2026-07-28: every request says who it is."""

import base64
from typing import Any

import pytest

from mcpserver.eras.stateless import CAPABILITIES_KEY, SERVER_INFO_KEY, VERSION_KEY
from tests.mcpserver.wire import rpc, stateless

pytestmark = pytest.mark.urls("tests.mcpserver.urls")

META = {VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {}}


def error_of(response: Any) -> tuple[int, int]:
    return response.status_code, response.json()["error"]["code"]


def test_discover_says_versions_capabilities_and_how_long_it_holds() -> None:
    response = stateless("server/discover")
    result = response.json()["result"]
    assert response.headers["MCP-Protocol-Version"] == "2026-07-28"
    assert result["supportedVersions"] == ["2026-07-28", "2025-11-25", "2025-06-18"]
    assert result["capabilities"] == {"tools": {}}
    assert (result["resultType"], result["cacheScope"]) == ("complete", "public")
    assert result["ttlMs"] > 0
    assert result["_meta"][SERVER_INFO_KEY]["name"] == "madang"


def test_lists_and_calls_are_complete_results_and_only_lists_may_be_kept() -> None:
    listed = stateless("tools/list").json()["result"]
    assert (listed["resultType"], listed["cacheScope"], len(listed["tools"])) == ("complete", "public", 12)
    called = stateless("tools/call", {"name": "fetch", "arguments": {}}).json()["result"]
    assert called["resultType"] == "complete"
    assert "ttlMs" not in called


def test_none_of_it_appears_in_handshake_answers() -> None:
    for response in (rpc("tools/list"), rpc("initialize", {"protocolVersion": "2025-11-25"})):
        assert not {"resultType", "ttlMs", "cacheScope", "_meta"} & response.json()["result"].keys()


def test_the_version_in_meta_alone_is_enough_to_be_recognised() -> None:
    assert error_of(rpc("tools/list", {"_meta": META})) == (400, -32020)


@pytest.mark.parametrize("missing", [VERSION_KEY, CAPABILITIES_KEY])
def test_meta_must_say_version_and_capabilities(missing: str) -> None:
    meta = {name: value for name, value in META.items() if name != missing}
    response = stateless("tools/list", {"_meta": meta})
    assert error_of(response) == (400, -32602)
    assert missing in response.json()["error"]["message"]


@pytest.mark.parametrize(
    "meta", [5, [], "x", {VERSION_KEY: 5, CAPABILITIES_KEY: {}}, {**META, CAPABILITIES_KEY: []}]
)
def test_a_meta_of_another_form_is_invalid_params(meta: Any) -> None:
    assert error_of(stateless("tools/list", {"_meta": meta})) == (400, -32602)


@pytest.mark.parametrize(
    "headers",
    [
        {"Mcp_Method": None},
        {"Mcp_Method": "tools/call"},
        {"Mcp_Method": "TOOLS/LIST"},
        {"MCP_Protocol_Version": None},
        {"MCP_Protocol_Version": "2025-11-25"},
        {"MCP_Protocol_Version": "2099-01-01"},
    ],
)
def test_headers_that_contradict_the_body_are_refused(headers: dict[str, Any]) -> None:
    assert error_of(stateless("tools/list", **headers)) == (400, -32020)


@pytest.mark.parametrize("name", [None, "search", "Fetch", "=?base64?!!?=", "=?base64?ZmV0Y2g?="])
def test_the_tool_in_the_header_must_be_the_one_in_the_body(name: str | None) -> None:
    assert error_of(stateless("tools/call", {"name": "fetch"}, Mcp_Name=name)) == (400, -32020)


def test_the_tool_in_the_header_may_be_wrapped_in_base64() -> None:
    name = f"=?base64?{base64.b64encode(b'fetch').decode()}?="
    assert stateless("tools/call", {"name": "fetch"}, Mcp_Name=name).status_code == 200


def test_an_unknown_version_is_told_what_is_supported() -> None:
    meta = {**META, VERSION_KEY: "2099-01-01"}
    response = stateless("tools/list", {"_meta": meta}, MCP_Protocol_Version="2099-01-01")
    assert error_of(response) == (400, -32022)
    assert "2026-07-28" in response.json()["error"]["data"]["supported"]


@pytest.mark.parametrize("method", ["ping", "initialize", "logging/setLevel", "resources/list", "no/such"])
def test_unknown_and_removed_methods_are_404(method: str) -> None:
    assert error_of(stateless(method)) == (404, -32601)


def test_an_unknown_tool_is_400() -> None:
    assert error_of(stateless("tools/call", {"name": "none"})) == (400, -32602)
