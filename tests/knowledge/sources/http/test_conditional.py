"""Nothing new is asked for twice, and nothing new is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from knowledge.sources.adapters import ADAPTERS
from knowledge.sources.base import PlainSource
from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient
from knowledge.sources.http.conditional import ConditionalClient, Validators
from tests.fakes.replay import Replay

MakeHttp = Callable[..., HttpClient]
FEED = b"<rss><channel><item><title>t</title><link>https://n.example/1</link></item></channel></rss>"


def run(http: HttpClient, url: str, validators: Validators | None = None) -> tuple[int, ConditionalClient]:
    """How many items one run of a feed gives, and what it remembers."""
    http = ConditionalClient(http, url, validators)
    return len(list(ADAPTERS["rss"].fetch(PlainSource("rss", url), since=None, http=http))), http


def test_an_unchanged_feed_is_fine_and_gives_nothing_new(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.serve("/feed", FEED, etag='W/"7"', headers={"Cache-Control": "max-age=900"})
    items, first = run(make_http(), url)
    assert (items, first.not_modified, first.max_age) == (1, False, 900)
    items, second = run(make_http(), url, first.validators)
    assert (items, second.not_modified, second.validators) == (0, True, first.validators)
    assert replay.last("/feed").headers["if-none-match"] == 'W/"7"'


def test_a_feed_without_validators_is_known_by_its_body(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.serve("/feed", FEED)
    _items, first = run(make_http(), url)
    items, second = run(make_http(), url, first.validators)
    assert (items, second.not_modified) == (0, True)
    replay.serve("/feed", FEED.replace(b"n.example/1", b"n.example/2"))
    items, third = run(make_http(), url, second.validators)
    assert (items, third.not_modified) == (1, False)


def test_a_body_that_cannot_be_read_is_asked_for_again(replay: Replay, make_http: MakeHttp) -> None:
    """The caller stores validators only of runs that succeeded, so the failed body is no "not modified"
    later.
    """
    url = replay.serve("/feed", b"<rss><channel>", etag='"broken"')
    for _attempt in range(2):
        with pytest.raises(SourceError, match="parse"):
            run(make_http(), url, Validators())


def test_only_the_address_of_the_source_is_conditional(replay: Replay, make_http: MakeHttp) -> None:
    replay.serve("/api/mempool", b'{"count":1,"vsize":1,"total_fee":1}', etag='"1"')
    source = PlainSource("mempool_space", replay.url("/api"), settings={"paths": ["mempool"]})
    http = ConditionalClient(make_http(), source.url, Validators(etag='"1"'))
    assert len(list(ADAPTERS["mempool_space"].fetch(source, since=None, http=http))) == 3
    assert "if-none-match" not in replay.last("/api/mempool").headers


def test_validators_too_long_to_be_kept_are_not_kept(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.serve("/feed", FEED, etag='"' + "x" * 5000 + '"', last_modified="y" * 500)
    _items, http = run(make_http(), url)
    assert (http.validators.etag, http.validators.last_modified) == ("", "")
    assert len(http.validators.body_sha256) == 64
