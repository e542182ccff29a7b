"""Freshness: what is committed reaches every process, through lost connections and without a worker."""

import json
import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
import time_machine
from django.db import connection, transaction

from knowledge.models import OutboxEntry, Publication, Unit
from knowledge.postgres import own
from knowledge.publications import builder, listener, publisher
from knowledge.publications.cache import PublicationCache
from knowledge.publications.hearing import Hearing
from knowledge.publications.listener import Listener
from knowledge.publications.publisher import Publisher
from knowledge.publications.registry import PublicationGroup
from tests import processes
from tests.factories.knowledge import NOON, make_unit
from tests.factories.series import make_series, observe
from tests.knowledge import web_process

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE_SECONDS = 30.0


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def labels(bodies: PublicationCache) -> list[str]:
    if "entities" not in bodies:
        return []
    body = json.loads(bodies.get("entities").plain)
    return [record["label"] for record in body["entities"]]


def units() -> Any:
    return Unit.objects


@pytest.fixture
def bodies() -> PublicationCache:
    return PublicationCache()


@pytest.fixture
def told() -> Hearing:
    return Hearing()


@pytest.fixture
def listener_thread(bodies: PublicationCache, told: Hearing) -> Iterator[Listener]:
    """A listener that a test may start and that is stopped with it."""
    thread = Listener(bodies, told)
    yield thread
    thread.stop()


@pytest.fixture
def listening(listener_thread: Listener) -> None:
    listener_thread.start()


@pytest.mark.usefixtures("listening")
def test_a_process_takes_in_the_canon_and_every_edit_by_itself(bodies: PublicationCache) -> None:
    wait_until(lambda: "entities" in bodies)
    make_unit()
    wait_until(lambda: labels(bodies) == ["비트코인"])
    units().update(label="새 이름")
    wait_until(lambda: labels(bodies) == ["새 이름"])
    units().bulk_create([Unit(type="asset", slug="eth", label="이더리움", status="published")])
    wait_until(lambda: labels(bodies) == ["새 이름", "이더리움"])
    wait_until(lambda: not OutboxEntry.objects.filter(for_indexes=True).exists())


def test_what_changes_is_told_at_once_and_again_when_it_is_published(
    bodies: PublicationCache, listener_thread: Listener, told: Hearing, monkeypatch: pytest.MonkeyPatch
) -> None:
    published = threading.Event()

    def build_later(**arguments: Any) -> list[str]:
        published.wait(PATIENCE_SECONDS)
        return builder.build(**arguments)

    monkeypatch.setattr(publisher, "build", build_later)
    news: list[frozenset[str]] = []
    told.subscribe(news.append)
    listener_thread.start()
    wait_until(lambda: {"all"} in news)
    make_unit()
    # A build that hangs keeps no process from hearing.
    wait_until(lambda: {"entity"} in news)
    assert labels(bodies) == []
    published.set()
    wait_until(lambda: any("index:entities" in scopes for scopes in news))
    assert labels(bodies) == ["비트코인"]
    with connection.cursor() as cursor:
        cursor.execute("NOTIFY madang_scope, 'answer:1'")
    wait_until(lambda: {"answer:1"} in news)


@pytest.mark.usefixtures("listening")
def test_a_killed_connection_is_replaced(bodies: PublicationCache) -> None:
    wait_until(lambda: "entities" in bodies)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE application_name = 'madang publications' AND datname = current_database()"
        )
        assert cursor.fetchone() == (1,)
    make_unit()
    wait_until(lambda: labels(bodies) == ["비트코인"])


def test_an_outage_is_one_line_in_the_log_and_the_last_bytes_stay(
    bodies: PublicationCache,
    listener_thread: Listener,
    told: Hearing,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    make_unit()
    builder.build(now=NOON)
    with connection.cursor() as cursor:
        bodies.refresh(cursor)
    monkeypatch.setattr(listener, "RETRY_SECONDS", (0.01,))
    attempts: list[int] = []

    def nowhere(_application: str) -> dict[str, Any]:
        attempts.append(1)
        return {"host": "127.0.0.1", "port": 1, "connect_timeout": 1}

    caplog.set_level(logging.INFO, logger=listener.__name__)
    caplog.clear()
    news: list[frozenset[str]] = []
    told.subscribe(news.append)
    with monkeypatch.context() as patch:
        patch.setattr(own, "parameters", nowhere)
        listener_thread.start()
        wait_until(lambda: len(attempts) > 3)
        assert labels(bodies) == ["비트코인"]
        assert (told.is_away, told.seconds_silent(), news) == (True, math.inf, [])
        assert [record.levelname for record in caplog.records] == ["WARNING"]
    units().update(label="새 이름")
    wait_until(lambda: labels(bodies) == ["새 이름"])
    # Nobody heard what happened meanwhile.
    assert {"all"} in news
    assert not told.is_away
    assert told.seconds_silent() < PATIENCE_SECONDS


def test_a_missed_notification_is_made_up_for_by_looking(
    bodies: PublicationCache, listener_thread: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "CHANGE_CHANNEL", "nobody_notifies_this")
    monkeypatch.setattr(listener, "PUBLICATION_CHANNEL", "nor_this")
    listener_thread.start()
    wait_until(lambda: "entities" in bodies)
    make_unit()
    wait_until(lambda: labels(bodies) == ["비트코인"])


def test_an_overdue_value_is_shown_as_such_though_nobody_writes(
    bodies: PublicationCache, listener_thread: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stale() -> list[bool]:
        rows = json.loads(bodies.get("series").plain)["series"] if "series" in bodies else []
        return [row["latest"]["stale"] for row in rows]

    monkeypatch.setattr(publisher, "AGED_SECONDS", 0.1)
    make_series("us-10y")
    observe("us-10y", NOON, 4.25)
    with time_machine.travel(NOON, tick=False) as clock:
        listener_thread.start()
        wait_until(lambda: stale() == [False])
        clock.shift(timedelta(days=6))
        wait_until(lambda: stale() == [True])
        listener_thread.stop()


def test_a_defect_in_a_build_does_not_end_the_thread(
    bodies: PublicationCache,
    listener_thread: Listener,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    failures: list[int] = []

    def fail_twice(**arguments: Any) -> list[str]:
        if len(failures) < 2:
            failures.append(1)
            raise ExceptionGroup("some publications could not be built", [ValueError("a defect")])
        return builder.build(**arguments)

    monkeypatch.setattr(publisher, "build", fail_twice)
    monkeypatch.setattr(publisher, "BUILD_RETRY_SECONDS", 0.05)
    make_unit()
    listener_thread.start()
    wait_until(lambda: labels(bodies) == ["비트코인"])
    assert "a build failed" in caplog.text


def test_the_listener_releases_what_it_took(bodies: PublicationCache, listener_thread: Listener) -> None:
    listener_thread.start()
    make_unit()
    wait_until(lambda: labels(bodies) == ["비트코인"])
    listener_thread.stop()

    def gone() -> bool:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE application_name = 'madang publications' AND datname = current_database()"
            )
            row = cursor.fetchone()
        return bool(row == (0,))

    wait_until(gone)


# Two web processes, as gunicorn would start them


def shown_by(process: Connection, wanted: list[str]) -> str:
    """The ETag under which a process shows these labels, once it does."""
    while process.poll(PATIENCE_SECONDS):
        etag, labels = process.recv()
        if labels == wanted:
            return str(etag)
    raise AssertionError(f"the process does not show {wanted}")


@pytest.fixture
def web_processes() -> Iterator[list[Connection]]:
    pipes = [processes.pipe() for _ in range(2)]
    started = [processes.start(web_process.serve, writer) for _reader, writer in pipes]
    yield [reader for reader, _writer in pipes]
    for process in started:
        process.kill()


def test_two_processes_show_a_committed_edit_under_one_etag(web_processes: list[Connection]) -> None:
    make_unit()
    first = {shown_by(process, ["비트코인"]) for process in web_processes}
    units().update(label="새 이름")
    second = {shown_by(process, ["새 이름"]) for process in web_processes}
    assert len(first) == len(second) == 1
    assert first != second
    assert Publication.objects.get(name="entities").etag in second


class Spoken:
    """Stands for a connection on which notifications come in these groups."""

    def __init__(self, *groups: Sequence[tuple[str, str]]) -> None:
        self.groups = list(groups)

    def notifies(self, *, timeout: float, stop_after: int | None = None) -> list[psycopg.Notify]:
        if not timeout or not self.groups:
            return []
        return [psycopg.Notify(channel, payload, 1) for channel, payload in self.groups.pop(0)]


@pytest.mark.django_db
def test_only_what_is_to_be_published_or_taken_in_ends_the_wait(
    listener_thread: Listener, told: Hearing
) -> None:
    news: list[frozenset[str]] = []
    told.subscribe(news.append)
    spoken = Spoken(
        [("madang_scope", "answer:1")],
        [("madang_scope", "documents")],
        [("madang_change", "")],  # counts
        [("madang_scope", "answer:2")],
    )
    listener_thread._hear(spoken)  # type: ignore[arg-type]
    assert news == [{"answer:1"}, {"documents"}]
    spoken.groups[:] = [[("madang_change", "entity"), ("madang_scope", "all")], []]
    listener_thread._hear(spoken)  # type: ignore[arg-type]
    spoken.groups[:] = [[("madang_publication", "entities")], []]
    listener_thread._hear(spoken)  # type: ignore[arg-type]
    assert news[2:] == [{"entity", "all"}]
    assert len(spoken.groups) == 1


@pytest.mark.django_db
def test_new_documents_are_told_together(
    listener_thread: Listener, told: Hearing, monkeypatch: pytest.MonkeyPatch
) -> None:
    instant = [100.0]
    monkeypatch.setattr(listener, "time", SimpleNamespace(monotonic=lambda: instant[0]))
    news: list[tuple[float, frozenset[str]]] = []
    told.subscribe(lambda scopes: news.append((instant[0], scopes)))
    for instant[0] in (100.0, 101.0, 104.9, 105.0, 109.0, 110.0):
        listener_thread._tell(["documents:new"] if instant[0] < 105.0 else [])
    assert news == [(100.0, {"documents"}), (105.0, {"documents"})]
    # An edit is told at once, and new ones with it.
    instant[0] = 111.0
    listener_thread._tell(["documents:new"])
    for instant[0] in (112.0, 113.0, 117.0):
        listener_thread._tell(["documents:new", "documents"] if instant[0] == 113.0 else [])
    assert [at for at, _scopes in news[2:]] == [111.0, 113.0]


@pytest.mark.django_db
def test_building_takes_at_most_half_of_a_threads_time(monkeypatch: pytest.MonkeyPatch) -> None:
    instant = [100.0]

    def four_seconds(**_options: Any) -> list[str]:
        instant[0] += 4.0
        return []

    monkeypatch.setattr(publisher, "time", SimpleNamespace(monotonic=lambda: instant[0]))
    monkeypatch.setattr(publisher, "build", four_seconds)
    monkeypatch.setattr(publisher, "connection", SimpleNamespace(close=lambda: None))
    thread = Publisher(PublicationGroup.INDEXES)
    thread._build()
    assert thread._not_before == 108.0


@pytest.mark.parametrize(
    ("takes", "group", "seconds", "counts_only", "due"),
    [
        (30.0, PublicationGroup.INDEXES, 0, False, True),
        (30.0, PublicationGroup.INDEXES, 0, True, True),
        (30.0, PublicationGroup.CRAWLERS, 60, False, False),
        (30.0, PublicationGroup.CRAWLERS, 90, False, True),
        # What is built in half a second waits for no worker; counts do.
        (0.5, PublicationGroup.CRAWLERS, 1, False, False),
        (0.5, PublicationGroup.CRAWLERS, 2, False, True),
        (0.5, PublicationGroup.CRAWLERS, 60, True, False),
        (0.5, PublicationGroup.CRAWLERS, 90, True, True),
        (0.8, PublicationGroup.CRAWLERS, 60, False, False),
    ],
)
def test_a_web_process_builds_files_for_crawlers_where_no_worker_has_or_it_takes_little_time(
    monkeypatch: pytest.MonkeyPatch,
    takes: float,
    group: PublicationGroup,
    seconds: int,
    counts_only: bool,
    due: bool,
) -> None:
    instant = [100.0]

    def build(**_options: Any) -> list[str]:
        instant[0] += takes
        return ["sitemap"]

    monkeypatch.setattr(publisher, "time", SimpleNamespace(monotonic=lambda: instant[0]))
    monkeypatch.setattr(publisher, "build", build)
    thread = Publisher(group)
    thread._build()  # the first one compares everything
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        (now,) = cursor.fetchone()
        OutboxEntry.objects.create(
            scope="entity", at=now - timedelta(seconds=seconds), counts_only=counts_only
        )
        assert thread.is_due(connection.connection) is due
        transaction.set_rollback(True)
