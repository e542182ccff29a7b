"""Nothing new is asked for twice, and nothing new is lost."""

from collections.abc import Callable

from knowledge.sources.http.client import HttpClient, Validators
from tests.fakes.replay import Replay

MakeHttp = Callable[..., HttpClient]
NOTHING_KNOWN = Validators()


def test_an_unchanged_body_is_fine_and_comes_empty(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.serve("/feed", b"news", etag='W/"7"', headers={"Cache-Control": "max-age=900"})
    first = make_http().get(url, validators=NOTHING_KNOWN)
    assert (first.body, first.not_modified, first.max_age) == (b"news", False, 900)
    second = make_http().get(url, validators=first.validators)
    assert (second.body, second.not_modified, second.validators) == (b"", True, first.validators)
    assert replay.last("/feed").headers["if-none-match"] == 'W/"7"'


def test_a_body_without_validators_is_known_by_its_hash(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.serve("/feed", b"news")
    first = make_http().get(url, validators=NOTHING_KNOWN)
    second = make_http().get(url, validators=first.validators)
    assert (second.body, second.not_modified) == (b"", True)
    replay.serve("/feed", b"other news")
    third = make_http().get(url, validators=second.validators)
    assert (third.body, third.not_modified) == (b"other news", False)


def test_what_nobody_remembers_is_never_unchanged(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.serve("/feed", b"news", etag='"1"')
    http = make_http()
    assert [http.get(url).not_modified for _ in range(2)] == [False, False]
    assert "if-none-match" not in replay.last("/feed").headers


def test_validators_too_long_to_be_kept_are_not_kept(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.serve("/feed", b"news", etag='"' + "x" * 5000 + '"', last_modified="y" * 500)
    kept = make_http().get(url).validators
    assert (kept.etag, kept.last_modified) == ("", "")
    assert len(kept.body_sha256) == 64
