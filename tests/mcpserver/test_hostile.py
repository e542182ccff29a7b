"""R3: three hundred hostile bodies get nothing but JSON-RPC errors under 4xx."""

from __future__ import annotations

import json
import random

import pytest

from tests.mcpserver.wire import message, send

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


def test_there_are_three_hundred_of_them() -> None:
    assert len(set(hostile_bodies())) >= 290


@pytest.mark.parametrize("start", range(0, 300, 50))
def test_hostile_bodies_get_json_rpc_errors_under_4xx(start: int) -> None:
    for body in hostile_bodies()[start : start + 50]:
        response = send(body)
        assert 400 <= response.status_code < 500, body[:200]
        assert response.headers["Content-Type"] == "application/json"
        assert response.json()["error"]["code"] < 0
