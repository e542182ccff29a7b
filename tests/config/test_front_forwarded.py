"""What Django learns through the front of who asks, by which scheme and of which host: what the connection shows, and
of what proxies say as much as is trusted."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.test import override_settings
from django.urls import clear_script_prefix
from pytest_django import Settings

from ask.client_address import client_address
from config.front import application, assembly, bridge
from config.log_lines import JsonLines
from config.server_log import ServerLogFormatter
from desk import lockout
from tests.config.raw_http import Server

PEER, ELSEWHERE = ("127.0.0.1", 40123), ("203.0.113.9", 4711)
HOPS = "X-Forwarded-For: 198.51.100.1, 198.51.100.2"


def raw(path: str, *fields: str, host: str = "localhost") -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", f"Host: {host}", *fields, "", ""]).encode()


@pytest.fixture
def seen(server: Server, monkeypatch: pytest.MonkeyPatch) -> list[WSGIRequest]:
    """The requests as Django makes them of what the front hands on."""
    requests: list[WSGIRequest] = []

    def application(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        requests.append(WSGIRequest(environ))
        start("200 OK", [("Content-Length", "0")])
        return [b""]

    monkeypatch.setattr(server, "django", application)
    return requests


@pytest.mark.parametrize(
    ("proxies", "fields", "address"),
    [
        (0, [HOPS], "203.0.113.9"),
        (1, [HOPS], "198.51.100.2"),
        (2, [HOPS], "198.51.100.1"),
        (1, [], "203.0.113.9"),
        (1, ["X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 198.51.100.2"], "198.51.100.2"),
        (1, [HOPS, "X_Forwarded_For: 192.0.2.1"], "198.51.100.2"),
        (2, [HOPS.replace("198.51.100.1", "6.6.6.6, 198.51.100.1")], "198.51.100.1"),
    ],
)
def test_limits_and_lockout_count_the_address_behind_our_own_proxies(
    server: Server,
    seen: list[WSGIRequest],
    settings: Settings,
    proxies: int,
    fields: list[str],
    address: str,
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    server.send(raw("/api/search", *fields), ELSEWHERE)
    server.send(raw("/"), (address, 1))
    through, direct = seen
    assert client_address(through) == address
    assert lockout.pseudonym(through) == lockout.pseudonym(direct)


@pytest.mark.parametrize(
    ("client", "fields", "scheme"),
    [
        (PEER, [], "http"),
        (PEER, ["X-Forwarded-Proto: https"], "https"),
        (PEER, ["X-Forwarded-Proto: http"], "http"),
        (PEER, ["X-Forwarded-Proto: HTTPS"], "http"),
        (PEER, ["X-Forwarded-Ssl: on"], "https"),
        (PEER, ["X-Forwarded-Protocol: ssl", "X-Forwarded-Proto: https"], "https"),
        (("::1", 1), ["X-Forwarded-Proto: https"], "https"),
        (ELSEWHERE, ["X-Forwarded-Proto: https"], "http"),
        (ELSEWHERE, ["X-Forwarded-Proto: https", "X-Forwarded-Ssl: off"], "http"),
    ],
)
def test_the_scheme_is_what_a_proxy_on_this_machine_says(
    server: Server,
    seen: list[WSGIRequest],
    settings: Settings,
    client: tuple[str, int],
    fields: list[str],
    scheme: str,
) -> None:
    settings.SECURE_PROXY_SSL_HEADER = None
    assert server.send(raw("/", *fields), client).status == 200
    assert seen[0].scheme == scheme


@pytest.mark.parametrize(
    "fields",
    [
        ["X-Forwarded-Proto: https", "X-Forwarded-Ssl: off"],
        ["X-Forwarded-Proto: https", "X-Forwarded-Proto: http"],
    ],
)
def test_a_proxy_that_says_two_things_is_refused(
    server: Server, seen: list[WSGIRequest], fields: list[str]
) -> None:
    assert server.send(raw("/api/search", *fields), PEER).status == 400
    assert seen == []


@pytest.fixture
def production() -> Iterator[Server]:
    """The application as it stands behind one proxy that ends TLS."""
    with override_settings(
        SECURE_SSL_REDIRECT=True,
        SECURE_HSTS_SECONDS=31536000,
        SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"),
        TRUSTED_PROXY_COUNT=1,
        ALLOWED_HOSTS=["localhost"],
    ):
        server = Server()
        yield server
        server.close()


def test_who_comes_without_tls_is_sent_on_and_who_comes_with_it_is_told_to_stay(production: Server) -> None:
    secure = "X-Forwarded-Proto: https"
    sent_on = production.send(raw("/robots.txt"), ELSEWHERE)
    assert (sent_on.status, sent_on.headers["Location"]) == (301, "https://localhost/robots.txt")
    served = production.send(raw("/robots.txt", secure), ELSEWHERE)
    assert served.status == 200
    assert served.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    # What was kept for the one is not given to the other.
    assert production.send(raw("/robots.txt", "X-Forwarded-Proto: http"), ELSEWHERE).status == 301


def test_what_is_kept_for_one_scheme_is_never_given_to_the_other(production: Server) -> None:
    """Django believes the first of several headers."""
    both = ("X-Forwarded-Proto: https", "X-Forwarded-Proto: http")
    assert production.send(raw("/robots.txt", *both), ELSEWHERE).status == 200
    assert production.send(raw("/robots.txt", both[1]), ELSEWHERE).status == 301


@pytest.mark.parametrize(
    ("path", "media_type"),
    [("/api/search", "application/problem+json"), ("/about", "text/html; charset=utf-8")],
)
def test_another_host_is_refused_in_the_shape_of_the_address(
    production: Server, path: str, media_type: str
) -> None:
    answer = production.send(raw(path, "X-Forwarded-Proto: https", host="example.org"), ELSEWHERE)
    assert (answer.status, answer.headers["Content-Type"]) == (400, media_type)


def test_a_service_that_is_mounted_somewhere_finds_its_addresses(
    server: Server, seen: list[WSGIRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge, "MOUNTED_AT", "/madang")
    server.send(raw("/madang/api/health?a=b"))
    (request,) = seen
    assert (request.path, request.path_info) == ("/madang/api/health", "/api/health")
    assert request.META["SCRIPT_NAME"] == "/madang"


@pytest.fixture
def mounted(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """At /madang. Django remembers in its thread, which is that of all tests, where the last request was mounted."""
    for module in (bridge, application):
        monkeypatch.setattr(module, "MOUNTED_AT", "/madang")
    yield server
    clear_script_prefix()


@pytest.mark.django_db
def test_a_mounted_service_gives_out_again_what_it_gave(mounted: Server) -> None:
    made, again = (mounted.send(raw("/madang/robots.txt")) for _time in range(2))
    assert (made.status, again.status, again.body) == (200, 200, made.body)
    assert mounted.front.memory.bytes > 0
    assert mounted.send(raw("/madang/nowhere")).status == 404


@pytest.mark.django_db
def test_no_log_holds_an_address_or_a_word_of_who_asks(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    lines = [JsonLines(), ServerLogFormatter()]
    client, word = ("198.51.100.77", 4242), "Gimcheonsangmu"
    body = json.dumps({"question": f"{word}?"}).encode()
    post = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    sent = [
        raw(f"/search?q={word}"),
        raw(f"/api/search?q={word}", f"X-Forwarded-For: {client[0]}"),
        raw(f"/nowhere/{word}"),
        raw(f"/robots.txt?{word}"),
        raw("/", host=f"{word}.example"),
        f"GET /{word} HTTP/9.9\r\n{word}\r\n\r\n".encode(),
        f"{word} / HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
        post % b"/api/ask" + b"Content-Length: %d\r\n\r\n" % len(body) + body,
        post % b"/api/ask" + b"Content-Length: 999\r\n\r\n" + body,
        post % b"/api/mcp" + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + body,
    ]
    for request in sent:
        assert server.send(request, client).status >= 200
    said = "\n".join(line.format(record) for record in caplog.records for line in lines)
    assert said.count("refused a request") >= 2
    assert "/api/search" in said
    assert client[0] not in said
    assert word.lower() not in said.lower()


@pytest.mark.parametrize(
    ("path", "media_type"),
    [("/api/search", "application/problem+json"), ("/about", "text/html; charset=utf-8")],
)
def test_a_full_pool_says_when_to_come_again_in_the_shape_of_the_address(path: str, media_type: str) -> None:
    refused = assembly.refuse(503, path)
    told = {name.lower(): value for name, value in refused.headers}
    assert (refused.status, told[b"content-type"].decode()) == (503, media_type)
    assert int(told[b"retry-after"]) >= 1
    assert told[b"cache-control"] == b"no-store"
