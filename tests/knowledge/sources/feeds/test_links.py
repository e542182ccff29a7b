"""Addresses are the web's, trackers go, identities stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.sources.feeds.links import MAX_IDENTITY_LENGTH, canonical_url, identity


@pytest.mark.parametrize(
    ("raw", "url"),
    [
        (
            "https://News.Example/Archives/1?utm_source=g&utm_medium=rss#top",
            "https://news.example/Archives/1",
        ),
        ("https://news.example/a?id=3&fbclid=x&b=&gclid=y", "https://news.example/a?id=3&b="),
        ("HTTPS://news.example:443/a", "https://news.example/a"),
        ("http://news.example:8080", "http://news.example:8080/"),
        ("  https://news.example/가격?q=비트 코인 ", "https://news.example/가격?q=비트%20코인"),
        ("https://news.example/a?x=<script>", "https://news.example/a?x=%3Cscript%3E"),
        ("https://news.example/a\u202e\u200bb", "https://news.example/ab"),
        ("https://[2606:4700::1111]/a", "https://[2606:4700::1111]/a"),
        ("https://news.example/view?id=A%26B", "https://news.example/view?id=A%26B"),
    ],
)
def test_an_address_is_written_one_way(raw: str, url: str) -> None:
    assert canonical_url(raw) == url
    assert canonical_url(url) == url


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,<script>",
        "ftp://news.example/a",
        "mailto:a@news.example",
        "https://",
        "https:///a",
        "//",
        "https://user@news.example/",
        "https://news.example@evil.example/",
        "https://evil.example\\@news.example/",
        "https://a<b>.example/",
        "https://news.example:99999/",
        "https://[::1/",
        "/only/a/path",
        "https://news.example/" + "a" * 2000,
    ],
)
def test_what_is_no_web_address_is_none(raw: str) -> None:
    assert canonical_url(raw) == ""


def test_a_relative_link_is_read_from_where_the_feed_was() -> None:
    assert canonical_url("/a/1", "https://news.example/feed") == "https://news.example/a/1"
    assert canonical_url("", "https://news.example/feed") == ""
    assert canonical_url("javascript:alert(1)", "https://news.example/feed") == ""


@given(st.text(max_size=120), st.text(max_size=40))
def test_any_text_is_a_web_address_or_none(raw: str, base: str) -> None:
    url = canonical_url(raw, base)
    assert url == "" or url.startswith(("http://", "https://"))
    assert canonical_url(url) == url
    assert not any(char in url for char in " <>\"'\n")


def test_an_identity_is_the_first_thing_said_and_fits_its_column() -> None:
    assert identity("", " \n", "guid-1", "guid-2") == "guid-1"
    assert identity("a\u200b\tb") == "a b"
    long = identity("x" * 1000)
    assert len(long) <= MAX_IDENTITY_LENGTH
    assert long != identity("x" * 1001)
    assert identity("", said=("ab", "c")) != identity("", said=("a", "bc"))
