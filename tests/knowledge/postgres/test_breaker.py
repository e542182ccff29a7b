"""While Postgres is away nobody waits for a connection; when it is back, nobody has to restart anything."""

import logging
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection
from psycopg_pool import PoolTimeout

from knowledge.postgres import base, breaker
from knowledge.postgres.breaker import Breaker, pool_gave_up
from knowledge.postgres.probe import Probe


class Known(Probe):
    """A probe whose answer is written in the test."""

    def __init__(self) -> None:
        super().__init__(lambda: None)
        self.answer: bool | None = None
        self.awaited = False

    def answers(self) -> bool:
        return self.awaited

    def known(self) -> bool | None:
        return self.answer

    def forget(self) -> None:
        self.answer = None


class Pool:
    def __init__(self, size: int) -> None:
        self.size = size

    def get_stats(self) -> dict[str, int]:
        return {"pool_size": self.size} if self.size else {}


@pytest.fixture
def probe() -> Known:
    return Known()


@pytest.fixture
def tried(probe: Known, monkeypatch: pytest.MonkeyPatch) -> Breaker:
    made = Breaker(probe)
    made.armed = True
    for module in (base, breaker):
        monkeypatch.setattr(module, "breaker", made)
    return made


def refuses(tried: Breaker) -> bool:
    try:
        tried.require_closed()
    except psycopg.OperationalError:
        return True
    return False


def test_after_a_refused_connection_everybody_is_refused_at_once_until_postgres_answers(
    tried: Breaker, probe: Known, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    probe.answer = True  # of a moment before the outage
    assert not refuses(tried)
    for _ in range(3):
        pool_gave_up(Pool(0))
    assert [refuses(tried) for _ in range(3)] == [True] * 3
    probe.answer = False
    assert refuses(tried)
    probe.answer = True
    assert not refuses(tried)
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_a_pool_that_has_other_connections_goes_on_with_them(tried: Breaker) -> None:
    pool_gave_up(Pool(3))
    assert not refuses(tried)


def test_a_worker_waits_in_the_pool_as_long_as_the_pool_allows(tried: Breaker) -> None:
    tried.armed = False
    pool_gave_up(Pool(0))
    tried.suspect()
    assert not refuses(tried)


def test_an_empty_pool_is_an_outage_only_if_postgres_does_not_answer(tried: Breaker, probe: Known) -> None:
    tried.suspect()
    probe.awaited = True
    assert not refuses(tried)
    tried.suspect()
    probe.awaited = False
    assert probe.known() is None  # the last look is too old: a new one is waited for, and not the pool
    assert refuses(tried)


@pytest.mark.django_db
def test_a_query_fails_at_once_with_djangos_own_error(
    tried: Breaker, probe: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkouts: list[float | None] = []

    def empty(_pool: Any, timeout: float | None = None) -> None:
        checkouts.append(timeout)
        raise PoolTimeout

    monkeypatch.setattr("psycopg_pool.ConnectionPool.getconn", empty)
    other = connection.copy()
    with pytest.raises(OperationalError):
        other.ensure_connection()
    probe.answer = False
    with pytest.raises(OperationalError):
        other.ensure_connection()
    assert len(checkouts) == 1  # the second one did not even ask the pool
