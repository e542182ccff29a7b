"""Raw messages to the endpoint, and what comes back."""

import json
from typing import Any

from django.test import Client

from mcpserver.eras.stateless import CAPABILITIES_KEY, VERSION_KEY
from mcpserver.protocol import STATELESS

PATH = "/api/mcp"
BOTH = "application/json, text/event-stream"
# Of the tools, in the order of the list.
NAMES = [
    "ask_madang",
    "search",
    "fetch",
    "resolve_entity",
    "get_entity",
    "list_topics",
    "get_topic",
    "list_events",
    "get_event",
    "list_pulses",
    "search_answers",
    "get_city_day",
]


def send(body: bytes | str, **headers: Any) -> Any:
    """One POST with these headers (underscores for hyphens); None takes a default away."""
    fields = {"Content-Type": "application/json", "Accept": BOTH}
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    content_type = fields.pop("Content-Type")
    present = {name: value for name, value in fields.items() if value is not None}
    return Client().post(PATH, body, content_type=content_type or "", headers=present)


def message(method: str, params: Any = None, **changes: Any) -> dict[str, Any]:
    found = {"jsonrpc": "2.0", "id": 1, "method": method}
    return found | ({} if params is None else {"params": params}) | changes


def rpc(method: str, params: Any = None, **headers: Any) -> Any:
    return send(json.dumps(message(method, params)), **headers)


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    """The result of a tool in the handshake era."""
    response = rpc("tools/call", {"name": tool, "arguments": arguments})
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()["result"]
    return found


def record(tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool found; a failure is shown."""
    result = call(tool, **arguments)
    assert not result["isError"], result["content"][0]["text"]
    found: dict[str, Any] = result["structuredContent"]
    return found


def lesson(tool: str, **arguments: Any) -> str:
    """What a tool teaches about wrong arguments."""
    result = call(tool, **arguments)
    assert result["isError"]
    assert "structuredContent" not in result
    found: str = result["content"][0]["text"]
    return found


def stateless(method: str, params: dict[str, Any] | None = None, **headers: Any) -> Any:
    """A request of 2026-07-28, complete unless ``headers`` or ``_meta`` say otherwise."""
    meta = {VERSION_KEY: STATELESS, CAPABILITIES_KEY: {}}
    body = {"_meta": meta} | (params or {})
    fields = {"MCP_Protocol_Version": STATELESS, "Mcp_Method": method}
    if "name" in body:
        fields["Mcp_Name"] = body["name"]
    return send(json.dumps(message(method, body)), **(fields | headers))
