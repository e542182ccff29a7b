"""Requests as no client should send them: valid ones of every surface, each damaged in one to three ways."""

import json
from collections.abc import Callable
from random import Random

DEEP = b'{"a":' * 5000
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
NO_QUESTION = json.dumps({"question": " "}).encode()


def request(target: str, method: str = "GET", body: bytes = b"", media_type: str = "") -> bytes:
    lines = [
        f"{method} {target} HTTP/1.1",
        "Host: localhost",
        "Accept-Encoding: gzip",
        "X-Forwarded-Proto: https",
    ]
    if body:
        lines += [f"Content-Type: {media_type}", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


VALID = [
    *(
        request(target)
        for target in (
            "/",
            "/about",
            "/search?q=bitcoin",
            "/ask",
            "/status",
            "/asset/btc",
            "/api/health",
            "/api/search?q=bitcoin&limit=3",
            "/api/canonical/entities.json",
            "/api/canonical/topics.json",
            "/api/schema",
            "/archive/2026-11-01",
            "/rss.xml",
            "/robots.txt",
            "/admin/login/?next=/admin/",
        )
    ),
    request("/api/mcp", "POST", PING, JSON),
    request("/api/ask", "POST", NO_QUESTION, JSON),
    request("/ask", "POST", b"question=", FORM),
    request("/admin/login/", "POST", b"username=a&password=b", FORM),
    request("/about", "HEAD"),
    request("/api/search", "OPTIONS"),
]


def _bytes(request: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(request))
    return request[:at] + chance.randbytes(chance.choice((1, 1, 2, 8, 300))) + request[at:]


def _gap(request: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(request))
    return request[:at] + request[at + chance.randrange(1, 30) :]


def _end(request: bytes, chance: Random) -> bytes:
    return request[: chance.randrange(len(request))]


def _twice(request: bytes, chance: Random) -> bytes:
    lines = request.split(b"\r\n")
    line = chance.choice(lines)
    lines.insert(chance.randrange(len(lines)), line)
    return b"\r\n".join(lines)


def _newlines(request: bytes, chance: Random) -> bytes:
    return request.replace(b"\r\n", chance.choice((b"\n", b"\r", b"\r\r\n", b"\n\n")), chance.randrange(1, 4))


def _method(request: bytes, chance: Random) -> bytes:
    words = (b"get", b"PATCH", b"BREW", b"", b"PRI", b"CONNECT", b"TRACE", b"G\x00T", b"DELETE", b"M" * 5000)
    return chance.choice(words) + request[request.find(b" ") :]


def _version(request: bytes, chance: Random) -> bytes:
    words = (b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/1.2", b"HTTP/9.9", b"", b"ICE/1.0", b"http/1.1")
    return request.replace(b"HTTP/1.1", chance.choice(words), 1)


def _target(request: bytes, chance: Random) -> bytes:
    words = (
        b"%",
        b"%00",
        b"%zz",
        b"%ff%fe",
        b"/../../etc/passwd",
        b"?q=%ED%A0%80",
        b"?page=-1&page=99999999999999999999",
        b"?limit=1e9",
        b"\xff\xfe",
        b"//",
        b"#a",
        b"?" + b"a=1&" * 2000,
        b"/" * 5000,
        b"\t",
        b" a",
        b"?q=" + b"%F0%9F%98%80" * 100,
        b"?q=\x00",
        b"?format=xml&cursor=%00",
    )
    start, blank, rest = request.partition(b" HTTP/")
    return start + chance.choice(words) + blank + rest


def _field(request: bytes, chance: Random) -> bytes:
    words = (
        b"no colon",
        b": no name",
        b"A b: c",
        b"X: \x00",
        b"X: \x7f",
        b"X: " + b"y" * 9000,
        b" folded",
        b"Host: other",
        b"Host: ..",
        b"Content-Length: -1",
        b"Content-Length: 1e3",
        b"Content-Length: 99999999999999999999999",
        b"Content-Length: 9",
        b"Content-Length: 3000000",
        b"Transfer-Encoding: chunked",
        b"Transfer-Encoding: gzip, chunked",
        b"Transfer-Encoding: \x0bchunked",
        b"Expect: 200-ok",
        b"Expect: 100-continue",
        b"Upgrade: websocket\r\nConnection: upgrade",
        b"Upgrade: h2c\r\nConnection: upgrade",
        b"Connection: close, close",
        b"Cookie: sessionid=\xff\xfe; csrftoken=" + b"a" * 500,
        b"Range: bytes=9-1",
        b'If-None-Match: "',
        b"If-Modified-Since: tomorrow",
        b"Accept: */*;q=x",
        b"Accept-Encoding: " + b"gzip;q=0.1," * 500,
        b"Accept-Encoding: identity;q=0, *;q=0",
        b"Accept-Language: " + b"x-" * 2000,
        b"Content-Type: application/json; charset=\xff",
        b"Content-Type: multipart/form-data; boundary=",
        b"Content-Encoding: gzip",
        b"X-Forwarded-For: not, an, address",
        b"X-Forwarded-Proto: gopher",
        b"X-Forwarded-Proto: https\r\nX-Forwarded-Ssl: off",
        b"Authorization: Basic \xff",
        b"MCP-Protocol-Version: \xff",
        b"X-Request-Id: " + b"a" * 3000,
        b"\r\n".join(b"X-%d: a" % number for number in range(120)),
    )
    lines = request.split(b"\r\n")
    lines.insert(chance.randrange(1, max(2, lines.index(b"") if b"" in lines else 2)), chance.choice(words))
    return b"\r\n".join(lines)


def _chunks(request: bytes, chance: Random) -> bytes:
    words = (
        b"zz\r\n",
        b"-1\r\n",
        b"5\r\nab",
        b"5;" + b"e" * 20000,
        b"ffffffffffffffff\r\na",
        b"0\r\nX y\r\n\r\n",
    )
    head, _, body = request.partition(b"\r\n\r\n")
    head = head.replace(b"Content-Length", b"X-Length") + b"\r\nTransfer-Encoding: chunked"
    return head + b"\r\n\r\n" + b"%x\r\n%s\r\n" % (len(body) or 1, body or b"a") + chance.choice(words)


def _body(request: bytes, chance: Random) -> bytes:
    words = (
        DEEP,
        b"\xff\xfe\x00",
        b"[" * 3000,
        b'{"question": "\\ud800"}',
        b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_entity","arguments":{"id":1e999}}}',
        b"null",
        b'""',
        b"1" * 300_000,
        b"question=%00&question=%ff",
        b"",
    )
    head, _, _former = request.partition(b"\r\n\r\n")
    body = chance.choice(words)
    lines = [line for line in head.split(b"\r\n") if not line.startswith(b"Content-Length")]
    return b"\r\n".join([*lines, b"Content-Length: %d" % len(body), b"", b""]) + body


def _another(request: bytes, chance: Random) -> bytes:
    return request + chance.choice(VALID)[: chance.randrange(1, 60)]


DAMAGES: list[Callable[[bytes, Random], bytes]] = [
    _bytes,
    _gap,
    _end,
    _twice,
    _newlines,
    _method,
    _version,
    _target,
    _field,
    _field,
    _chunks,
    _body,
    _another,
]


def malformed(count: int, seed: int) -> list[bytes]:
    """That many requests; the same for the same seed."""
    chance = Random(seed)
    made = []
    while len(made) < count:
        damaged = chance.choice(VALID)
        for damage in chance.choices(DAMAGES, k=chance.choice((1, 1, 2, 3))):
            damaged = damage(damaged, chance) if damaged else damaged
        if damaged and damaged not in VALID:
            made.append(damaged)
    return made
