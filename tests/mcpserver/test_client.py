"""The official client drives all twelve tools over a real socket, in both of its ways to connect."""

from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from tests.mcpserver.conftest import QUESTION, make_world
from tests.mcpserver.wire import NAMES

pytestmark = [pytest.mark.urls("tests.mcpserver.urls"), pytest.mark.django_db(transaction=True)]

CALLS: dict[str, dict[str, Any]] = {
    "ask_madang": {"question": QUESTION},
    "search": {"query": "가온코인"},
    "fetch": {"id": "asset:gaoncoin"},
    "resolve_entity": {"name": "가온코인"},
    "get_entity": {"id": "asset:gaoncoin", "response_format": "detailed"},
    "list_topics": {},
    "get_topic": {"id": "topic:gaon-premium"},
    "list_events": {"limit": 2},
    "get_event": {"id": "event:gaon-2"},
    "list_pulses": {"hours": 168},
    "search_answers": {"query": QUESTION},
    "get_city_day": {},
}


@pytest.fixture
def world(transactional_db: None) -> None:
    """Committed: a server in another thread reads it."""
    make_world()


@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_the_official_client_finds_and_calls_all_tools(
    world: None, live_server: Any, mode: str, version: str
) -> None:
    async def drive() -> None:
        async with Client(f"{live_server.url}/api/mcp", mode=mode) as client:
            assert client.protocol_version == version
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert list(tools) == NAMES
            for name, arguments in CALLS.items():
                result = await client.call_tool(name, arguments)
                assert not result.is_error, (name, result.content)
                schema = tools[name].output_schema
                assert schema is not None
                Draft202012Validator(schema).validate(result.structured_content)
            taught = await client.call_tool("search", {"query": "x", "limit": 0})
            assert taught.is_error

    anyio.run(drive)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.usefixtures("stopped_clock")
def test_the_official_client_survives_a_refusal_and_reads_its_wait(
    world: None, live_server: Any, settings: Any, mode: str
) -> None:
    settings.MCP_ASK_LIMITS = ["1/m"]

    async def drive() -> None:
        async with Client(f"{live_server.url}/api/mcp", mode=mode) as client:
            assert not (await client.call_tool("ask_madang", {"question": "첫 질문은?"})).is_error
            with pytest.raises(MCPError) as refused:
                await client.call_tool("ask_madang", {"question": "둘째 질문은?"})
            assert refused.value.error.code == -31429
            assert refused.value.error.data["retryAfterSeconds"] >= 1
            assert not (await client.call_tool("get_entity", {"id": "asset:gaoncoin"})).is_error

    anyio.run(drive)
