"""One look at Postgres serves everybody for a second, and no look makes anybody wait for long."""

import threading
from collections.abc import Iterator

import psycopg
import pytest

from knowledge.postgres.probe import DEADLINE_SECONDS, SHARED_SECONDS, Probe


class Postgres:
    """Something to look at: it answers, refuses, or says nothing until it is released."""

    def __init__(self) -> None:
        self.looks = 0
        self.refuses = False
        self.time = 0.0
        self.silent = threading.Event()
        self.silent.set()
        self.probe = Probe(self.look, clock=lambda: self.time)

    def look(self) -> None:
        self.looks += 1
        self.silent.wait()
        if self.refuses:
            raise psycopg.OperationalError


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    made = Postgres()
    yield made
    made.silent.set()


def test_an_answer_is_shared_for_a_second_and_then_asked_for_anew(postgres: Postgres) -> None:
    assert postgres.probe.answers()
    postgres.refuses = True
    postgres.time = SHARED_SECONDS - 0.1
    assert postgres.probe.answers()
    postgres.time = SHARED_SECONDS
    assert not postgres.probe.answers()
    assert postgres.looks == 2


def test_a_silent_postgres_is_away_and_looked_at_by_one_thread_only(postgres: Postgres) -> None:
    postgres.silent.clear()
    assert postgres.probe.known() is None
    for postgres.time in (DEADLINE_SECONDS, 5.0, 500.0):
        assert not postgres.probe.answers()
        assert postgres.probe.known() is False
    assert postgres.looks == 1
    postgres.silent.set()


def test_the_deadline_counts_from_the_begin_of_the_look(postgres: Postgres) -> None:
    postgres.silent.clear()
    postgres.probe.known()
    postgres.time = DEADLINE_SECONDS
    assert not postgres.probe.answers()  # at once: whoever comes late waits for nothing


def test_what_was_forgotten_is_asked_for_anew(postgres: Postgres) -> None:
    assert postgres.probe.answers()
    postgres.probe.forget()
    assert postgres.probe.answers()
    assert postgres.looks == 2
