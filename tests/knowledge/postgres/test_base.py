"""A connection is looked at before it is given out, and a Postgres that says nothing keeps nobody waiting."""

from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection
from psycopg_pool import PoolTimeout

from knowledge.postgres import base, breaker
from knowledge.postgres.breaker import Breaker
from knowledge.postgres.probe import Probe
from tests.fakes.mute_postgres import Manner, MutePostgres


@pytest.fixture
def postgres() -> Iterator[MutePostgres]:
    with MutePostgres() as server:
        yield server


@pytest.fixture
def given(postgres: MutePostgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[psycopg.Connection[Any]]]:
    """What the pool gives, each time another one; it has two, and then none."""
    handed_out: list[psycopg.Connection[Any]] = []

    def getconn(_pool: Any, timeout: float | None = None) -> psycopg.Connection[Any]:
        if len(handed_out) == 2:
            raise PoolTimeout
        handed_out.append(postgres.connect())
        return handed_out[-1]

    monkeypatch.setattr("psycopg_pool.ConnectionPool.getconn", getconn)
    monkeypatch.setattr("psycopg_pool.ConnectionPool.putconn", lambda _pool, _connection: None)
    monkeypatch.setattr(base, "DEADLINE_SECONDS", 0.05)
    yield handed_out
    for one in handed_out:
        one.close()


def armed(monkeypatch: pytest.MonkeyPatch, *, answers: bool) -> Breaker:
    def look() -> None:
        if not answers:
            raise psycopg.OperationalError

    made = Breaker(Probe(look))
    made.armed = True
    for module in (base, breaker):
        monkeypatch.setattr(module, "breaker", made)
    return made


def test_a_connection_that_answers_may_be_asked_again(postgres: MutePostgres) -> None:
    with closing(postgres.connect()) as one:
        for _ in range(3):
            base.check(one, 10)


@pytest.mark.parametrize(
    ("manner", "error"), [("silent", base.Silent), ("hangs up", psycopg.OperationalError)]
)
def test_a_silent_connection_is_told_from_a_dead_one(
    postgres: MutePostgres, manner: Manner, error: type[Exception]
) -> None:
    postgres.manner = manner
    with closing(postgres.connect()) as one, pytest.raises(psycopg.OperationalError) as raised:
        base.check(one, 0.05)
    assert type(raised.value) is error


@pytest.mark.django_db
def test_the_real_postgres_answers() -> None:
    connection.ensure_connection()
    base.check(connection.connection, 10)


@pytest.mark.django_db
def test_a_backend_is_told_to_follow_whoever_takes_its_connection(
    given: list[psycopg.Connection[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    followed: list[psycopg.Connection[Any]] = []
    monkeypatch.setattr(base.cores, "follow", followed.append)
    monkeypatch.setattr(base.backends, "follow_niceness", followed.append)
    connection.copy().get_new_connection({})
    assert followed == given * 2


@pytest.mark.django_db
def test_a_silent_postgres_is_refused_after_one_connection_that_is_tried(
    postgres: MutePostgres, given: list[psycopg.Connection[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    armed(monkeypatch, answers=False)
    postgres.manner = "silent"
    other = connection.copy()
    for _ in range(2):
        with pytest.raises(OperationalError):
            other.ensure_connection()
    assert [one.closed for one in given] == [True]


@pytest.mark.django_db
def test_one_connection_that_fell_silent_is_replaced_while_postgres_answers(
    postgres: MutePostgres, given: list[psycopg.Connection[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    tripped = armed(monkeypatch, answers=True)
    postgres.manner = "silent"

    def answers_again(*_arguments: object) -> None:
        postgres.manner = "answers"

    monkeypatch.setattr("psycopg_pool.ConnectionPool.putconn", answers_again)
    assert connection.copy().get_new_connection({}) is given[1]
    assert [one.closed for one in given] == [True, False]
    tripped.require_closed()


@pytest.mark.django_db
def test_connections_that_a_restart_left_dead_are_passed_over_without_a_suspicion(
    postgres: MutePostgres, given: list[psycopg.Connection[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    tripped = armed(monkeypatch, answers=False)
    postgres.manner = "hangs up"
    suspicions: list[int] = []
    suspect = tripped.suspect

    def counted() -> None:
        suspicions.append(len(given))
        suspect()

    monkeypatch.setattr(tripped, "suspect", counted)
    with pytest.raises(psycopg.OperationalError):
        connection.copy().get_new_connection({})
    assert [one.closed for one in given] == [True, True]
    assert suspicions == [2]  # the pool's end, and neither of the dead ones


@pytest.mark.django_db
def test_a_crowd_is_waited_for_as_long_as_the_pool_allows_while_postgres_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    armed(monkeypatch, answers=True)
    waited: list[float] = []

    def empty(_pool: Any, timeout: float | None = None) -> None:
        waited.append(1.0)
        raise PoolTimeout

    monkeypatch.setattr("psycopg_pool.ConnectionPool.getconn", empty)
    monkeypatch.setattr(base, "time", SimpleNamespace(monotonic=lambda: sum(waited)))
    with pytest.raises(PoolTimeout):
        connection.copy().get_new_connection({})
    assert sum(waited) == connection.settings_dict["OPTIONS"]["pool"]["timeout"]


@pytest.mark.django_db
def test_a_postgres_that_connects_and_never_answers_in_time_is_given_up(
    postgres: MutePostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[psycopg.Connection[Any]] = []

    def getconn(_pool: Any, timeout: float | None = None) -> psycopg.Connection[Any]:
        assert len(tried) < 9, "there is no end to it"
        tried.append(postgres.connect())
        return tried[-1]

    armed(monkeypatch, answers=True)
    postgres.manner = "silent"
    monkeypatch.setattr("psycopg_pool.ConnectionPool.getconn", getconn)
    monkeypatch.setattr("psycopg_pool.ConnectionPool.putconn", lambda _pool, _connection: None)
    monkeypatch.setattr(base, "DEADLINE_SECONDS", 0.02)
    monkeypatch.setattr(base, "time", SimpleNamespace(monotonic=lambda: float(len(tried))))
    with pytest.raises(psycopg.OperationalError):
        connection.copy().get_new_connection({})
    assert len(tried) == connection.settings_dict["OPTIONS"]["pool"]["timeout"]
    assert all(one.closed for one in tried)
