"""Runs: claimed once, written down whatever comes of them, retried later and later."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.ingestion import runs
from knowledge.ingestion.runs import FETCH_RUNS_KEPT, backoff, claim_due, ingest, ingest_claimed, prune
from knowledge.models import Document, FetchCause, FetchRun, RunOutcome, Source
from knowledge.sources.adapters import ADAPTERS
from knowledge.sources.http.client import HttpClient
from rehearsal.bodies import news
from tests.factories.knowledge import NOON, make_document, make_source, make_unit
from tests.fakes.hostile_feeds import hostile_feeds
from tests.fakes.replay import Exchange, Replay

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def no_jitter() -> float:
    return 0.0


def paper(replay: Replay, **fields: Any) -> Source:
    return make_source(url=replay.url("/rss"), **fields)


def test_a_run_is_a_row_with_what_it_brought(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", news(("1", "비트코인 상승", NOON), ("2", "이더리움 하락", NOON)))
    source = paper(replay, interval_minutes=20)
    run = ingest(source, now=NOON, http=http)
    assert (run.outcome, run.cause, run.fetched, run.created) == (RunOutcome.OK, "", 2, 2)
    source.refresh_from_db()
    assert source.last_success_at == source.first_success_at == NOON
    assert source.next_fetch_at == NOON + 20 * MINUTE
    assert FetchRun.objects.get() == run


def test_a_body_that_did_not_change_is_no_news_and_no_error(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", news(("1", "비트코인 상승", NOON)), etag='"v1"')
    source = paper(replay)
    ingest(source, now=NOON, http=http)
    source.refresh_from_db()
    run = ingest(source, now=NOON + 15 * MINUTE, http=http)
    assert replay.last("/rss").headers["if-none-match"] == '"v1"'
    assert (run.outcome, run.fetched, run.created) == (RunOutcome.UNCHANGED, 0, 0)
    source.refresh_from_db()
    assert source.last_success_at == NOON + 15 * MINUTE


def test_a_source_without_validators_is_known_by_its_body(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", news(("1", "비트코인 상승", NOON)))
    source = paper(replay)
    ingest(source, now=NOON, http=http)
    source.refresh_from_db()
    assert ingest(source, now=NOON, http=http).outcome == RunOutcome.UNCHANGED


def test_a_source_that_is_read_otherwise_is_read_in_full_again(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", news(("1", "비트코인 상승", NOON)), etag='"v1"')
    source = paper(replay)
    ingest(source, now=NOON, http=http)
    source.refresh_from_db()
    source.lang = "en"
    source.save()
    source.refresh_from_db()
    assert source.next_fetch_at is None
    run = ingest(source, now=NOON, http=http)
    assert (run.outcome, run.fetched) == (RunOutcome.OK, 1)


def test_max_age_of_the_answer_is_honoured(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", news(("1", "비트코인", NOON)), headers={"Cache-Control": "max-age=3600"})
    source = paper(replay, interval_minutes=10)
    ingest(source, now=NOON, http=http)
    source.refresh_from_db()
    assert source.next_fetch_at == NOON + 60 * MINUTE


@pytest.mark.parametrize(
    ("body", "status", "cause"),
    [
        (b"<!DOCTYPE html><p>Just a moment", 200, FetchCause.PARSE),
        (news(("1", "비트코인", NOON))[:-40], 200, FetchCause.PARSE),
        (b"", 200, FetchCause.EMPTY),
        (b"gone", 404, FetchCause.STATUS),
        (b"x" * (6 << 20), 200, FetchCause.TOO_LARGE),
    ],
    ids=["a challenge", "half a feed", "nothing", "an error", "far too much"],
)
def test_an_answer_that_is_no_feed_is_a_failed_run_with_its_cause(
    body: bytes, status: int, cause: str, replay: Replay, http: HttpClient
) -> None:
    replay.serve("/rss", body, status=status)
    source = paper(replay)
    run = ingest(source, now=NOON, http=http, jitter=no_jitter)
    assert (run.outcome, run.cause) == (RunOutcome.FAILED, cause)
    assert run.detail
    source.refresh_from_db()
    assert (source.consecutive_failures, source.last_cause, source.enabled) == (1, cause, True)
    assert source.last_success_at is None


def test_a_failure_stores_nothing_and_forgets_no_validator(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", news(("1", "비트코인", NOON)), etag='"v1"')
    source = paper(replay)
    ingest(source, now=NOON, http=http)
    replay.serve("/rss", b"<html>", etag='"v2"')
    source.refresh_from_db()
    ingest(source, now=NOON, http=http)
    source.refresh_from_db()
    assert source.etag == '"v1"'
    assert Document.objects.count() == 1


def test_a_later_success_ends_the_failures(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", b"<html>")
    source = paper(replay)
    ingest(source, now=NOON, http=http)
    replay.serve("/rss", news(("1", "비트코인", NOON)))
    ingest(source, now=NOON, http=http)
    source.refresh_from_db()
    assert (source.consecutive_failures, source.last_cause) == (0, "")


def test_failures_in_a_row_wait_1_2_4_minutes_up_to_an_hour(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", b"no", status=500)
    source = paper(replay)
    waits = []
    for _attempt in range(8):
        ingest(source, now=NOON, http=http, jitter=no_jitter)
        source.refresh_from_db()
        assert source.next_fetch_at is not None
        waits.append((source.next_fetch_at - NOON) / MINUTE)
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]


@given(failures=st.integers(1, 10_000), jitter=st.floats(0, 1), asked=st.none() | st.floats(0, 1e9))
def test_backoff_stays_within_its_bounds(failures: int, jitter: float, asked: float | None) -> None:
    wait = backoff(failures, asked, jitter)
    assert MINUTE <= wait <= timedelta(days=1)
    assert wait >= timedelta(seconds=min(asked or 0, 86_400))
    assert asked or wait <= 75 * MINUTE


def test_jitter_spreads_what_failed_together() -> None:
    assert backoff(3, None, 0.0) < backoff(3, None, 0.5) < backoff(3, None, 1.0)


def test_a_source_that_asks_for_silence_gets_it(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", b"slow down", status=429, headers={"Retry-After": "7200"})
    source = paper(replay)
    ingest(source, now=NOON, http=http, jitter=no_jitter)
    source.refresh_from_db()
    assert source.next_fetch_at == NOON + 120 * MINUTE


def test_a_source_without_its_key_waits_and_is_no_failure(
    replay: Replay, http: HttpClient, settings: Any
) -> None:
    settings.ECOS_API_KEY = ""
    series = [{"stat": "722Y001", "item": "0101000", "cycle": "D"}]
    source = make_source(adapter="ecos", kind="macro", url=replay.url("/api"), settings={"series": series})
    run = ingest(source, now=NOON, http=http)
    assert (run.outcome, run.cause, run.detail) == (
        RunOutcome.NEEDS_KEY,
        "",
        "needs a key: set ECOS_API_KEY",
    )
    source.refresh_from_db()
    assert (source.needs_key, source.consecutive_failures) == (True, 0)
    assert replay.asked == []


def test_an_adapter_that_breaks_is_the_failure_of_its_source_only(
    replay: Replay, http: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any, **kwargs: Any) -> Iterator[Any]:
        raise RuntimeError("\x00 a hole")

    replay.serve("/rss", news(("1", "비트코인", NOON)))
    monkeypatch.setitem(ADAPTERS, "rss", replace(ADAPTERS["rss"], parse=broken))
    run = ingest(paper(replay), now=NOON, http=http)
    assert (run.outcome, run.cause) == (RunOutcome.FAILED, FetchCause.INTERNAL)


@pytest.mark.parametrize(
    ("fields", "cause"),
    [
        ({"adapter": "gone"}, FetchCause.INTERNAL),
        ({"adapter": "fred", "settings": ["DGS10"]}, FetchCause.STATUS),
    ],
)
def test_a_source_that_was_set_up_wrong_is_its_own_failure_only(
    fields: dict[str, Any], cause: FetchCause, replay: Replay, http: HttpClient
) -> None:
    run = ingest(paper(replay, **fields), now=NOON, http=http)
    assert (run.outcome, run.cause) == (RunOutcome.FAILED, cause)


def test_a_run_of_many_slow_pages_ends(
    replay: Replay, http: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "RUN_SECONDS", -1.0)
    replay.serve("/rss", news(("1", "비트코인", NOON)))
    run = ingest(paper(replay), now=NOON, http=http)
    assert (run.outcome, run.cause) == (RunOutcome.FAILED, FetchCause.TIMEOUT)


def test_a_due_source_is_claimed_by_one_worker_only() -> None:
    source = make_source()
    (lease,) = claim_due(NOON)
    assert lease.source == source.pk
    assert claim_due(NOON) == []


def test_a_claim_lapses_when_its_worker_died() -> None:
    make_source()
    claim_due(NOON)
    assert claim_due(NOON + 9 * MINUTE) == []
    assert len(claim_due(NOON + 11 * MINUTE)) == 1


def test_sources_that_are_off_or_not_due_are_left_alone() -> None:
    make_source("off", enabled=False)
    make_source("later", next_fetch_at=NOON + MINUTE)
    make_source("now", next_fetch_at=NOON)
    assert [Source.objects.get(pk=lease.source).slug for lease in claim_due(NOON)] == ["now"]


def test_a_claim_that_is_delivered_twice_runs_once(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", news(("1", "비트코인", NOON)))
    paper(replay)
    (lease,) = claim_due(NOON)
    assert ingest_claimed(lease, now=NOON, http=http) is not None
    assert ingest_claimed(lease, now=NOON, http=http) is None
    assert replay.count("/rss") == FetchRun.objects.count() == 1


def test_a_claim_that_comes_late_does_not_run_beside_the_next_one(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", news(("1", "비트코인", NOON)))
    paper(replay)
    (late,) = claim_due(NOON)
    (fresh,) = claim_due(NOON + 11 * MINUTE)
    assert ingest_claimed(late, now=NOON + 12 * MINUTE, http=http) is None
    assert ingest_claimed(fresh, now=NOON + 12 * MINUTE, http=http) is not None


def test_a_source_that_was_switched_off_meanwhile_does_not_run(replay: Replay, http: HttpClient) -> None:
    source = paper(replay)
    (lease,) = claim_due(NOON)
    Source.objects.filter(pk=source.pk).update(enabled=False)
    assert ingest_claimed(lease, now=NOON, http=http) is None
    assert replay.asked == []


def test_hostile_feeds_fail_with_a_cause_and_stop_nothing(replay: Replay, http: HttpClient) -> None:
    """A good part of the generated feeds through one source, one after the other, and a sound one at the end."""
    make_unit()
    source = paper(replay)
    for number, feed in enumerate([feed for feed in hostile_feeds() if not feed.slow][::3]):
        source.url = feed.install(replay, f"/{number}")
        run = ingest(source, now=NOON, http=http)
        assert run.outcome in (RunOutcome.OK, RunOutcome.UNCHANGED, RunOutcome.FAILED)
        assert run.cause != FetchCause.INTERNAL, f"{feed.name}: {run.detail}"
        assert (run.outcome == RunOutcome.FAILED) == bool(run.cause)
    source.url = replay.serve("/good", news(("good", "비트코인 상승", NOON)))
    assert ingest(source, now=NOON, http=http).created == 1


def test_a_detail_with_control_characters_is_stored_readable(replay: Replay, http: HttpClient) -> None:
    body = b'{"RESULT": {"CODE": "ERROR-100", "MESSAGE": "no\\u0000 \\u202e entry"}}'
    replay.serve("/api", body, content_type="application/json")
    source = make_source(adapter="ecos", kind="macro", url=replay.url("/api"))
    run = ingest(source, now=NOON, http=http)
    assert run.detail == "ECOS answers ERROR-100 no  entry"


def test_one_source_that_hangs_up_does_not_keep_the_next_from_running(
    replay: Replay, http: HttpClient
) -> None:
    def hang_up(exchange: Exchange) -> None:
        raise ConnectionAbortedError

    replay.handle("/bad", hang_up)
    replay.serve("/good", news(("1", "비트코인", NOON)))
    make_source("bad", url=replay.url("/bad"))
    make_source("good", url=replay.url("/good"))
    outcomes = {}
    for lease in claim_due(NOON):
        run = ingest_claimed(lease, now=NOON, http=http)
        assert run is not None
        outcomes[run.source.slug] = run.outcome
    assert outcomes == {"bad": RunOutcome.FAILED, "good": RunOutcome.OK}


def test_old_runs_go_and_documents_stay() -> None:
    source = make_source()
    make_document(source, fetched_at=NOON - timedelta(days=900), published_at=NOON - timedelta(days=900))
    for age in (timedelta(), FETCH_RUNS_KEPT, FETCH_RUNS_KEPT + timedelta(seconds=1)):
        FetchRun.objects.create(source=source, started_at=NOON - age, outcome=RunOutcome.OK)
    assert prune(now=NOON) == 1
    assert prune(now=NOON) == 0
    assert (FetchRun.objects.count(), Document.objects.count()) == (2, 1)
