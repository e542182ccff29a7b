"""The outbound door against a real server that behaves in every way a server can."""

import gzip
import logging
import socket
import threading
import time
import traceback
import zlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import brotli
import pytest

from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient, Validators, named_user_agent
from tests.fakes.replay import Exchange, Replay

MakeHttp = Callable[..., HttpClient]
FEED = b"<rss version='2.0'><channel><title>x</title></channel></rss>"


def quick_brotli(body: bytes) -> bytes:
    return bytes(brotli.compress(body, quality=3))


def failure(http: HttpClient, url: str, **options: object) -> SourceError:
    with pytest.raises(SourceError) as caught:
        http.get(url, **options)  # type: ignore[arg-type]
    return caught.value


def test_a_body_comes_back_with_its_headers_and_the_time_of_the_fetch(
    replay: Replay, make_http: MakeHttp
) -> None:
    url = replay.serve("/feed", FEED, headers={"Cache-Control": "public, max-age=900", "Age": "100"})
    fetched = make_http().get(url)
    assert fetched.body == FEED
    assert fetched.content_type == "application/xml"
    assert fetched.max_age == 800
    assert fetched.fetched_at.isoformat() == "2026-09-01T12:00:00+00:00"


def test_we_say_who_we_are_and_send_no_origin(replay: Replay, make_http: MakeHttp) -> None:
    agent = named_user_agent("마당 Madang\r\nX: y", "https://madang.example", "hello@madang.example")
    make_http(user_agent=agent).get(replay.serve("/feed", FEED), accept="application/json")
    sent = replay.last("/feed").headers
    assert sent["user-agent"] == "MadangX: y/1.0 (+https://madang.example/about; hello@madang.example)"
    assert sent["accept"] == "application/json"
    assert "origin" not in sent
    assert "cookie" not in sent


@pytest.mark.parametrize(
    ("encoding", "compress"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("br", brotli.compress),
        ("gzip, br", lambda body: brotli.compress(gzip.compress(body))),
    ],
)
def test_compressed_bodies_are_read(
    replay: Replay, make_http: MakeHttp, encoding: str, compress: Callable[[bytes], bytes]
) -> None:
    url = replay.encoded("/feed", compress(FEED), encoding)
    assert make_http().get(url).body == FEED


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate"])
def test_a_bomb_is_not_inflated(replay: Replay, make_http: MakeHttp, encoding: str) -> None:
    zeros = b"\0" * (64 << 20)
    packers: dict[str, Callable[[bytes], bytes]] = {
        "gzip": gzip.compress,
        "br": quick_brotli,
        "deflate": zlib.compress,
    }
    packed = packers[encoding](zeros)
    error = failure(make_http(), replay.encoded("/bomb", packed, encoding))
    assert error.cause == "too_large"


def test_a_bomb_within_a_bomb_is_not_inflated(replay: Replay, make_http: MakeHttp) -> None:
    nested = gzip.compress(gzip.compress(gzip.compress(b"\0" * (64 << 20))))
    assert failure(make_http(), replay.encoded("/bomb", nested, "gzip, gzip, gzip")).cause == "too_large"


def test_a_body_over_five_megabytes_is_refused_and_one_below_is_not(
    replay: Replay, make_http: MakeHttp
) -> None:
    limit = 5 * 1024 * 1024
    http = make_http(interval_seconds=0, connect_seconds=5.0, total_seconds=20.0)
    assert len(http.get(replay.serve("/just", b"x" * limit)).body) == limit
    assert failure(http, replay.serve("/over", b"x" * (limit + 1))).cause == "too_large"


def test_bytes_that_are_not_what_their_encoding_says_are_a_parse_error(
    replay: Replay, make_http: MakeHttp
) -> None:
    assert failure(make_http(), replay.encoded("/liar", b"this is no gzip", "gzip")).cause == "parse"


@pytest.mark.parametrize("fault", ["silence", "dribble", "endless headers"])
def test_the_whole_exchange_ends_by_the_wall_clock(replay: Replay, make_http: MakeHttp, fault: str) -> None:
    urls = {
        "silence": lambda: replay.delay("/slow", FEED, 30),
        "dribble": lambda: replay.dribble("/slow", FEED * 50, 0.05),
        "endless headers": lambda: replay.dribble_head("/slow", 0.05),
    }
    http = make_http(connect_seconds=1, total_seconds=0.6, interval_seconds=0)
    started = time.monotonic()
    assert failure(http, urls[fault]()).cause == "timeout"
    assert time.monotonic() - started < 10  # far from the 30 s and 150 s the server would like


def test_redirects_share_one_deadline(replay: Replay, make_http: MakeHttp) -> None:
    def slow_redirect(exchange: Exchange) -> None:
        if exchange.wait(0.4):
            exchange.answer(b"", status=302, headers={"Location": "/again"})

    replay.handle("/again", slow_redirect)
    http = make_http(total_seconds=0.6, redirects=100, interval_seconds=0, connect_seconds=5.0)
    assert failure(http, replay.url("/again")).cause == "timeout"
    assert replay.count("/again") <= 3


def test_three_redirects_are_followed_and_a_fourth_is_not(replay: Replay, make_http: MakeHttp) -> None:
    replay.serve("/end", FEED)
    replay.redirect("/3", "/end", status=308)
    replay.redirect("/2", replay.url("/3"), status=307)
    replay.redirect("/1", "3/../2", status=301)
    replay.redirect("/0", "/1")
    fetched = make_http().get(replay.url("/1"))
    assert (fetched.body, fetched.url) == (FEED, replay.url("/end"))
    assert failure(make_http(), replay.url("/0")).cause == "status"
    assert replay.count("/end") == 1


def test_a_redirect_loop_ends(replay: Replay, make_http: MakeHttp) -> None:
    replay.redirect("/a", "/b")
    replay.redirect("/b", "/a")
    assert failure(make_http(), replay.url("/a")).cause == "status"
    assert replay.count("/a") + replay.count("/b") == 4


@pytest.mark.parametrize(
    "location", ["http://[oops", "ftp://files.example/x", "file:///etc/passwd", "//:80/"]
)
def test_a_redirect_to_no_web_address_is_an_error(replay: Replay, make_http: MakeHttp, location: str) -> None:
    error = failure(make_http(), replay.redirect("/off", location))
    assert error.cause in ("status", "forbidden_address")


def test_a_refusal_says_its_status(replay: Replay, make_http: MakeHttp) -> None:
    missing = failure(make_http(), replay.url("/nowhere"))
    assert (missing.cause, missing.status) == ("status", 404)
    gone = failure(make_http(), replay.serve("/gone", b"", status=410))
    assert (gone.cause, gone.status) == ("status", 410)


@pytest.mark.parametrize(("header", "seconds"), [("120", 120), ("Tue, 01 Sep 2026 12:05:00 GMT", 300)])
def test_retry_after_is_reported_and_kept(
    replay: Replay, make_http: MakeHttp, header: str, seconds: float
) -> None:
    replay.serve("/busy", b"later", status=429, headers={"Retry-After": header})
    http = make_http(resolver=lambda host, port: ["127.0.0.1"])
    url = f"http://busy.example:{replay.port}/busy"
    assert failure(http, url).retry_after == seconds
    again = failure(http, url)
    assert again.cause == "status"
    assert again.retry_after == pytest.approx(seconds, abs=5)
    assert replay.count("/busy") == 1


@pytest.mark.parametrize("header", ["soon", "", "-5", "99999999999999999999"])
def test_an_unreadable_retry_after_says_nothing(replay: Replay, make_http: MakeHttp, header: str) -> None:
    url = replay.serve("/busy", b"later", status=503, headers={"Retry-After": header})
    assert failure(make_http(), url).retry_after is None


def test_a_conditional_request_that_matches_is_not_modified(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.serve("/feed", FEED, etag='"v1"', last_modified="Tue, 01 Sep 2026 10:00:00 GMT")
    http = make_http()
    first = http.get(url)
    assert not first.not_modified
    assert first.validators.last_modified == "Tue, 01 Sep 2026 10:00:00 GMT"
    second = http.get(url, validators=first.validators)
    assert (second.status, second.not_modified, second.body) == (304, True, b"")


def test_not_modified_without_having_asked_is_an_error(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.handle("/lazy", lambda exchange: exchange.head(304, {}))
    assert failure(make_http(), url).cause == "status"
    assert failure(make_http(), url, validators=Validators(etag='"broken\r\nvalidator"')).cause == "status"


def test_an_error_is_short_however_long_the_address(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.redirect("/far", "https://x.example:99/" + "a" * 50_000)
    assert len(str(failure(make_http(), url))) < 320


def test_an_empty_body_is_an_error_and_not_an_empty_feed(replay: Replay, make_http: MakeHttp) -> None:
    assert failure(make_http(), replay.serve("/empty", b"")).cause == "empty"
    assert failure(make_http(), replay.serve("/none", b"", status=204)).cause == "empty"


@pytest.mark.parametrize("kind", ["cut", "wrong length"])
def test_a_body_shorter_than_promised_is_an_error(replay: Replay, make_http: MakeHttp, kind: str) -> None:
    url = (
        replay.cut("/short", FEED, 20)
        if kind == "cut"
        else replay.wrong_length("/short", FEED, len(FEED) + 1000)
    )
    assert failure(make_http(), url).cause in ("refused", "timeout")


def test_bytes_behind_the_promised_length_are_not_read(replay: Replay, make_http: MakeHttp) -> None:
    assert make_http().get(replay.wrong_length("/long", FEED + b"<extra/>", len(FEED))).body == FEED


def test_a_closed_port_is_refused(make_http: MakeHttp) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    assert failure(make_http(), f"http://127.0.0.1:{port}/").cause == "refused"


def test_a_server_that_does_not_speak_http_is_refused(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.handle("/odd", lambda exchange: exchange.write(b"220 mail.example ESMTP\r\n\r\n"))
    assert failure(make_http(), url).cause == "refused"


def test_a_name_that_nobody_knows_is_a_dns_error(make_http: MakeHttp) -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    assert failure(make_http(resolver=unknown), "https://no-such.example/").cause == "dns"


def test_a_resolver_that_hangs_does_not_hang_the_worker(make_http: MakeHttp) -> None:
    released = threading.Event()

    def hanging(host: str, port: int) -> list[str]:
        released.wait(30)
        return []

    http = make_http(resolver=hanging, connect_seconds=0.2, interval_seconds=0, total_seconds=20.0)
    assert failure(http, "https://slow-dns.example/").cause == "dns"
    released.set()


def test_a_server_without_tls_behind_https_is_a_tls_error(replay: Replay, make_http: MakeHttp) -> None:
    assert failure(make_http(), f"https://127.0.0.1:{replay.port}/feed").cause == "tls"


def test_the_connection_goes_to_the_checked_address_with_the_name_in_sni(make_http: MakeHttp) -> None:
    hello = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def take_hello() -> None:
            connection, _address = listener.accept()
            with connection:
                hello.extend(connection.recv(4096))

        thread = threading.Thread(target=take_hello, daemon=True)
        thread.start()
        http = make_http(resolver=lambda host, port: ["127.0.0.1"])
        error = failure(http, f"https://feed.example:{listener.getsockname()[1]}/")
        thread.join(timeout=5)
    assert error.cause == "tls"
    assert b"feed.example" in hello


def test_the_host_header_keeps_the_name(replay: Replay, make_http: MakeHttp) -> None:
    replay.serve("/feed", FEED)
    http = make_http(resolver=lambda host, port: ["127.0.0.1"])
    http.get(f"http://feed.example:{replay.port}/feed")
    assert replay.last("/feed").headers["host"] == f"feed.example:{replay.port}"


def test_the_environment_cannot_put_a_proxy_in_between(
    replay: Replay, make_http: MakeHttp, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert make_http().get(replay.serve("/feed", FEED)).body == FEED


def test_two_requests_to_a_host_keep_their_distance() -> None:
    slept: list[float] = []
    http = HttpClient(
        allow_private=False,
        user_agent="x",
        interval_seconds=1.0,
        connect_seconds=0.2,
        resolver=lambda host, port: [],
        monotonic=lambda: 100.0,
        sleep=slept.append,
    )
    for url in (
        "https://one.example/a",
        "https://one.example/b",
        "https://two.example/",
        "https://one.example/c",
    ):
        failure(http, url)
    failure(http, "https://one.example/d", min_interval=10.0)
    failure(http, "https://one.example/e")
    assert slept == [1.0, 2.0, 3.0, 13.0]


def test_no_key_leaves_the_door(
    replay: Replay, make_http: MakeHttp, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    key = "canary-key/47+11"
    caplog.set_level(logging.DEBUG)
    settings.ECOS_API_KEY, http = key, make_http()
    replay.serve("/api/canary-key%2F47%2B11/rows", b"{}")
    fetched = http.get(replay.url("/api/canary-key%2F47%2B11/rows?api_key=other-secret"))
    errors = [
        failure(http, replay.url("/missing?api_key=canary-key%2F47%2B11")),
        failure(http, f"https://127.0.0.1:{replay.port}/{key}"),
        failure(http, f"gopher://x.example/{key}"),
        failure(http, replay.redirect("/hop", f"ftp://x.example/?token={key}")),
        failure(http, replay.url("/given-1234"), secrets=["given-1234"]),
    ]
    shown = [fetched.url, repr(fetched), caplog.text, *(str(error) + repr(error) for error in errors)]
    shown += ["".join(traceback.format_exception(error)).partition("SourceError")[2] for error in errors]
    for text in shown:
        assert "canary" not in text
        assert "other-secret" not in text
        assert "given-1234" not in text
    assert "***" in fetched.url


def test_a_pause_longer_than_a_day_is_cut_to_a_day(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.serve("/busy", b"x", status=429, headers={"Retry-After": "99999999"})
    assert failure(make_http(), url).retry_after == timedelta(days=1).total_seconds()
