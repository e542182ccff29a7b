"""R3: three hundred hostile bodies get nothing but JSON-RPC errors under 4xx."""

import json
import random
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from mcpserver.registry import BY_NAME
from mcpserver.teaching import lesson_of
from mcpserver.tool import Tool
from tests.mcpserver.wire import message, rpc, send

pytestmark = pytest.mark.urls("tests.mcpserver.urls")

GOOD = json.dumps(
    message("tools/call", {"name": "search", "arguments": {"query": "가온"}}), ensure_ascii=False
).encode()
VALUES = [
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00x"',
    '"\\ud800\\ud800"',
    "1e999",
    "-1e999",
    "NaN",
    "Infinity",
    "-Infinity",
    "1" * 5000,
    "01",
    "+1",
    ".5",
    "0x10",
    "'x'",
    "undefined",
    "[1,]",
    "{,}",
    '{"a":1,"a":2}',
    "[" * 50_000,
    "[" * 5000 + "]" * 5000,
    '{"a":' * 5000 + "1" + "}" * 5000,
    '"\t"',
    '"\n"',
    '"\\x41"',
    '"\\u12"',
    "tru",
    "/* */1",
    "1 2",
]
FRAMES = [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":%s}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":%s}}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","extra":%s}',
    '{"jsonrpc":"2.0","id":%s,"method":"ping"}',
    "[%s]",
    "%s",
]


def hostile_bodies() -> list[bytes]:
    framed = [(frame % value).encode("utf-8", "surrogatepass") for value in VALUES for frame in FRAMES]
    encodings = [GOOD.decode().encode(name) for name in ("utf-16", "utf-32", "utf-8-sig", "cp949")]
    keys = [
        GOOD[:-1] + b',"id":2}',
        GOOD.replace(b'"query"', b'"query":"a","query"'),
        b'{"jsonrpc":"2.0",' + GOOD[1:],
    ]
    large = [GOOD + b" " * (5 * 1024 * 1024), b'"' + b"x" * 5_000_000 + b'"', b"[" * 5_000_000]
    cut = [GOOD[:length] for length in range(0, len(GOOD) - 1, 2)]
    dice = random.Random(5)
    noise = [bytes(dice.randrange(128, 256) for _ in range(40)) for _ in range(300)]
    return (framed + encodings + keys + large + cut + noise)[:300]


@pytest.mark.parametrize("start", range(0, len(hostile_bodies()), 50))
def test_hostile_bodies_get_json_rpc_errors_under_4xx(start: int) -> None:
    for body in hostile_bodies()[start : start + 50]:
        response = send(body)
        assert 400 <= response.status_code < 500, body[:200]
        assert response.headers["Content-Type"] == "application/json"
        assert response.json()["error"]["code"] < 0


# Arguments that are JSON, and nothing that a tool can use
def nested(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = {"a": value}
    return value


WRONG: list[Any] = [
    *(2**63, 10**30, -(10**4000), 1e308, -1e308, 5e-324, True, None, []),
    *(nested(60), nested(300), nested(600), "\ud800", "\udc00\ud800", "x" * 100_000),
]
TEXTS = [
    *("", "\u202e\ufeff\u200b", "\\' OR 1=1 --", "event:" * 40, "/asset/%00", "//["),
    *("city:0001-01-01", "9999-12-31", "0001-01-01T00:00:00+23:59", "bnVsbA"),
]
EXTRAS = ["", "x" * 3000, "\ud800", "\u202e", "__class__"]


def odd_arguments(tool: Tool) -> Iterator[dict[str, Any]]:
    """Values that fit no argument, names that no argument has, and texts that only the tool itself can judge."""
    fitting = {name: tool.example[name] for name in tool.input_schema.get("required", ())}
    properties = tool.input_schema["properties"]
    for value in WRONG:
        yield fitting | {next(iter(properties)): value}
    for extra in EXTRAS:
        yield fitting | {extra: 2**70}
    free = [
        name for name, schema in properties.items() if schema["type"] == "string" and "enum" not in schema
    ]
    for name, value in product(free, TEXTS):
        yield fitting | {name: value}


@pytest.mark.django_db
def test_no_arguments_of_any_tool_make_the_server_fail(
    published: None, caplog: pytest.LogCaptureFixture
) -> None:
    for tool in BY_NAME.values():
        for arguments in odd_arguments(tool):
            response = rpc("tools/call", {"name": tool.name, "arguments": arguments})
            assert response.status_code < 500, (tool.name, repr(arguments)[:200])
            assert [one.message for one in caplog.records if one.exc_info] == [], repr(arguments)[:200]


def test_a_list_of_very_many_wrong_values_is_refused_by_its_first() -> None:
    steps = 0

    def count(*_: object) -> None:
        nonlocal steps
        steps += 1

    tool = BY_NAME["search"]
    wrong = [value for number in range(300) for value in (number, str(number), [number])]
    sys.setprofile(count)
    try:
        taught = lesson_of(tool, {"query": "x", "kinds": wrong})
    finally:
        sys.setprofile(None)
    assert taught is not None
    assert taught.argument == "kinds"
    assert steps < 5_000  # each value against each other: 400,000
