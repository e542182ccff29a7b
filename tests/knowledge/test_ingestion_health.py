"""Health's view of the sources: age decides, and a bad day of YouTube is no failure."""

from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from knowledge.ingestion.health.freshness import FAIL, OK, WARN, Freshness, search, sources
from knowledge.ingestion.runs import ingest
from knowledge.linking.store import link_documents
from knowledge.models import FetchCause, FetchRun, Source
from knowledge.search import indexing
from knowledge.sources.http.client import HttpClient
from rehearsal.bodies import channel
from tests.factories.knowledge import NOON, make_document, make_source
from tests.fakes.replay import Replay

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
INSTALLED = NOON - timedelta(days=30)


def one(now: Any = NOON, installed: Any = INSTALLED) -> Freshness:
    (row,) = sources(now, installed)
    return row


@pytest.mark.parametrize(
    ("kind", "age", "status"),
    [
        ("news", 0.5, OK),
        ("news", 2, WARN),
        ("news", 7, FAIL),
        ("video", 23, OK),
        ("video", 25, WARN),
        ("video", 73, FAIL),
        ("price", 3, WARN),
        ("macro", 47, OK),
    ],
)
def test_the_newest_success_of_a_kind_decides(kind: str, age: float, status: str) -> None:
    make_source("old", kind=kind, last_success_at=NOON - 99 * HOUR)
    make_source("new", kind=kind, last_success_at=NOON - age * HOUR)
    row = one()
    assert (row.name, row.status, row.age) == (f"sources.{kind}", status, age * HOUR)


def test_what_never_succeeded_fails_only_after_its_time() -> None:
    make_source(kind="news")
    assert one(installed=NOON - HOUR).status == WARN
    assert one(installed=NOON - 7 * HOUR).status == FAIL


def test_a_source_without_its_key_or_switched_off_fails_nobody() -> None:
    make_source("ecos", kind="macro", needs_key=True)
    make_source("off", kind="news", enabled=False)
    row = one()
    assert (row.name, row.status, row.note) == ("sources.macro", OK, "needs a key: ecos")


def video(replay: Replay) -> Source:
    return make_source("tv", kind="video", adapter="youtube_rss", url=replay.url("/tv"))


def test_a_404_of_youtube_backs_off_and_is_named_as_passing_for_72_hours(
    replay: Replay, http: HttpClient
) -> None:
    replay.serve("/tv", channel("마당TV", ("abcdefg1", "비트코인", NOON)))
    source = video(replay)
    ingest(source, now=NOON, http=http)
    replay.handle("/tv", lambda exchange: exchange.answer(b"<html>", status=404))
    for hours in (1, 2, 3):
        source.refresh_from_db()
        run = ingest(source, now=NOON + hours * HOUR, http=http, jitter=lambda: 0.0)
        assert (run.outcome, run.cause) == ("failed", FetchCause.STATUS)
    source.refresh_from_db()
    assert source.next_fetch_at == NOON + 3 * HOUR + timedelta(minutes=4)
    early = one(now=NOON + 23 * HOUR)
    assert (early.status, early.note) == (OK, "away for now: tv (status)")
    late = one(now=NOON + 73 * HOUR)
    assert (late.status, late.note) == (FAIL, "failing: tv (status)")


def test_only_what_is_often_away_is_passing(replay: Replay, http: HttpClient) -> None:
    replay.serve("/tv", b"<html>gone</html>", status=200)
    source = video(replay)
    source.last_success_at = NOON - HOUR
    source.save()
    ingest(source, now=NOON, http=http)
    assert source.last_cause == FetchCause.PARSE
    assert one().note == "failing: tv (parse)", "a page in place of a feed is a failure"
    assert FetchRun.objects.get().cause == FetchCause.PARSE


def test_documents_that_search_does_not_know_yet_age_its_row() -> None:
    document = make_document(make_source(), fetched_at=NOON - HOUR)
    assert (search(NOON).status, search(NOON).age) == (WARN, HOUR)
    link_documents([document])
    indexing.index_documents([document.pk])
    assert search(NOON).status == OK


def test_of_documents_that_were_stored_in_another_order_than_fetched_none_is_passed_over() -> None:
    source = make_source()
    ages = {"a": 1, "b": 3, "c": 2, "gone": 9}
    documents = {
        name: make_document(source, name, fetched_at=NOON - age * HOUR, withdrawn=name == "gone")
        for name, age in ages.items()
    }
    for indexed, age in (("", 3), ("b", 2), ("c", 1), ("a", 0)):
        if indexed:
            indexing.index_documents([documents[indexed].pk])
        assert search(NOON).age == age * HOUR


def test_health_compares_only_what_the_nightly_look_has_not_seen(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    make_document(make_source(), fetched_at=NOON - timedelta(days=30))
    with django_assert_num_queries(2) as asked:
        assert search(NOON).status == OK
    assert "fetched_at" in asked.captured_queries[0]["sql"].split("WHERE", 1)[1]
