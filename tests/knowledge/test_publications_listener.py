"""Freshness: what is committed reaches every process, through lost connections and without a worker."""

import json
import logging
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
import time_machine
from django.db import connection

from knowledge.models import OutboxEntry, Publication, Unit
from knowledge.postgres import own
from knowledge.publications import builder, listener
from knowledge.publications.cache import PublicationCache
from knowledge.publications.listener import Listener
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
def listener_thread(bodies: PublicationCache) -> Iterator[Listener]:
    """A listener that a test may start and that is stopped with it."""
    thread = Listener(bodies)
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
    wait_until(lambda: not OutboxEntry.objects.exists())


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


def test_a_connection_that_breaks_in_the_middle_of_a_build_is_no_defect_of_it(
    listener_thread: Listener,
) -> None:
    def broken() -> None:
        raise psycopg.OperationalError("the connection is lost")

    with pytest.raises(psycopg.OperationalError):
        listener_thread._build(broken)
    assert listener_thread._not_before == 0.0  # and so nothing waits half a minute


def test_an_outage_is_one_line_in_the_log_and_the_last_bytes_stay(
    bodies: PublicationCache,
    listener_thread: Listener,
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
    with monkeypatch.context() as patch:
        patch.setattr(own, "parameters", nowhere)
        listener_thread.start()
        wait_until(lambda: len(attempts) > 3)
        assert labels(bodies) == ["비트코인"]
        assert [record.levelname for record in caplog.records] == ["WARNING"]
    units().update(label="새 이름")
    wait_until(lambda: labels(bodies) == ["새 이름"])


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

    monkeypatch.setattr(listener, "AGED_SECONDS", 0.1)
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

    monkeypatch.setattr(listener, "build", fail_twice)
    monkeypatch.setattr(listener, "BUILD_RETRY_SECONDS", 0.05)
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


@pytest.mark.django_db
def test_building_takes_at_most_half_of_the_threads_time(monkeypatch: pytest.MonkeyPatch) -> None:
    instant = [100.0]

    def four_seconds(**_options: Any) -> None:
        instant[0] += 4.0

    monkeypatch.setattr(listener, "time", SimpleNamespace(monotonic=lambda: instant[0]))
    monkeypatch.setattr(listener, "build", four_seconds)
    monkeypatch.setattr(listener, "connection", SimpleNamespace(close=lambda: None))
    thread = Listener(PublicationCache())
    thread._build(lambda: None)
    instant[0] = 107.9
    assert not thread._due(None)  # type: ignore[arg-type]  a build that may not begin asks nobody
    assert thread._not_before == 108.0
