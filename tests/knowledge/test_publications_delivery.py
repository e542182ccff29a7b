"""Encodings and validators of a ready body."""

import gzip

import brotli
import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from knowledge.publications import StoredBody, respond
from knowledge.publications.bodies import etag_of, ready_body
from knowledge.publications.delivery import EncodingNotAcceptable, best_coding
from tests.factories.knowledge import NOON

BODY = '{"label":"비트코인"}'.encode() * 50
LAST_MODIFIED = "Fri, 20 Nov 2026 03:00:00 GMT"


def ready() -> StoredBody:
    return ready_body(BODY, content_type="application/json", built_at=NOON)


def ask(method: str = "GET", **headers: str) -> HttpResponse:
    return respond(RequestFactory().generic(method, "/", headers=headers), ready())


def tag(suffix: str = "") -> str:
    return f'"{etag_of(BODY)}{suffix}"'


@pytest.mark.parametrize(
    ("header", "coding"),
    [
        ("", "identity"),
        ("gzip", "gzip"),
        ("x-gzip", "gzip"),
        ("br", "br"),
        ("gzip, deflate, br, zstd", "br"),
        ("GZIP;Q=1.0, BR;Q=0.5", "gzip"),
        ("gzip;q=0", "identity"),
        ("br;q=0, gzip", "gzip"),
        ("br;q=0, *", "gzip"),
        ("*", "br"),
        ("*;q=0, gzip", "gzip"),
        ("*;q=0, identity", "identity"),
        ("*;q=0.5", "br"),
        ("identity", "identity"),
        ("identity, gzip;q=0.5", "identity"),
        ("gzip;q=0.001", "gzip"),
        ("identity;q=0, gzip", "gzip"),
        ("deflate, zstd", "identity"),
        ("gzip;q=2", "identity"),
        ("gzip;level=9", "identity"),
        (" gzip ; q=0.8 , br ; q=0.9 ", "br"),
        (",,;,", "identity"),
        ("*;q=0", None),
        ("identity;q=0", None),
        ("identity;q=0, br;q=0, gzip;q=0", None),
        ("identity;q=0, deflate", None),
    ],
)
def test_the_best_coding_that_the_client_accepts(header: str, coding: str | None) -> None:
    assert best_coding(header) == coding


@given(st.text(max_size=80) | st.text(alphabet="gzipbr*;=q01.,- ", max_size=80))
def test_any_accept_encoding_gets_a_coding_or_a_refusal(header: str) -> None:
    assert best_coding(header) in ("br", "gzip", "identity", None)


def test_every_encoding_decodes_to_the_same_body_under_an_etag_of_its_own() -> None:
    plain, gz, br = ask(), ask(accept_encoding="gzip"), ask(accept_encoding="br")
    assert plain.content == gzip.decompress(gz.content) == brotli.decompress(br.content) == BODY
    assert [plain["ETag"], gz["ETag"], br["ETag"]] == [tag(), tag("-gz"), tag("-br")]
    assert "Content-Encoding" not in plain
    assert (gz["Content-Encoding"], br["Content-Encoding"]) == ("gzip", "br")
    assert {response["Vary"] for response in (plain, gz, br)} == {"Accept-Encoding"}


def test_the_headers_of_a_full_answer() -> None:
    response = ask()
    assert response["Content-Type"] == "application/json"
    assert response["Cache-Control"] == "public, max-age=30, stale-while-revalidate=300, stale-if-error=86400"
    assert response["Last-Modified"] == LAST_MODIFIED
    assert response["Content-Length"] == str(len(BODY))


def test_no_acceptable_coding_is_a_406() -> None:
    with pytest.raises(EncodingNotAcceptable) as caught:
        ask(accept_encoding="*;q=0")
    assert caught.value.status_code == 406


@pytest.mark.parametrize(
    "header", ["*", tag(), f"W/{tag()}", f'"other", {tag()}', f'W/"x",W/{tag()} , "y"', f'"a,b", {tag()}']
)
def test_a_matching_if_none_match_is_a_304(header: str) -> None:
    response = ask(if_none_match=header)
    assert response.status_code == 304
    assert response.content == b""
    assert response["ETag"] == tag()
    assert response["Vary"] == "Accept-Encoding"
    assert "max-age=30" in response["Cache-Control"]
    assert not {"Content-Type", "Content-Length"} & set(response.headers)


@pytest.mark.parametrize("header", ['"other"', "", etag_of(BODY), tag("-gz"), f'"{tag()}"', '"*"'])
def test_another_if_none_match_is_a_200(header: str) -> None:
    assert ask(if_none_match=header).status_code == 200


def test_the_etag_of_an_encoding_matches_that_encoding_only() -> None:
    assert ask(if_none_match=tag("-br"), accept_encoding="br").status_code == 304
    assert ask(if_none_match=tag("-br"), accept_encoding="gzip").status_code == 200


@pytest.mark.parametrize(
    ("since", "status"),
    [
        (LAST_MODIFIED, 304),
        ("Fri, 20 Nov 2026 03:00:01 GMT", 304),
        ("Fri, 20 Nov 2026 02:59:59 GMT", 200),
        ("yesterday", 200),
        ("Fri, 99 Nov 2026 03:00:00 GMT", 200),
    ],
)
def test_if_modified_since_counts_whole_seconds(since: str, status: int) -> None:
    assert ask(if_modified_since=since).status_code == status


def test_if_none_match_wins_over_if_modified_since() -> None:
    assert ask(if_none_match='"other"', if_modified_since=LAST_MODIFIED).status_code == 200


def test_what_guards_a_change_is_nothing_to_a_read() -> None:
    assert ask(if_match='"other"').status_code == 200
    assert ask(if_unmodified_since="Fri, 20 Nov 2020 03:00:00 GMT").status_code == 200


def test_a_head_has_the_headers_of_the_get_and_no_body() -> None:
    get, head = ask(accept_encoding="br"), ask("HEAD", accept_encoding="br")
    assert head.content == b""
    assert dict(head.items()) == dict(get.items())
    assert ask("HEAD", if_none_match=tag()).status_code == 304
