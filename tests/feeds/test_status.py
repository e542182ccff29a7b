"""The state of the subsystems is worked out by one and told to all, for a moment."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError

from feeds import status
from feeds.status import LAST_SECONDS, SHARED_SECONDS, Evaluation
from knowledge.ingestion.health.freshness import OK, AgeLimits, Freshness
from tests.factories.knowledge import NOON

ROW = Freshness("news", NOON, timedelta(), AgeLimits(timedelta(1), timedelta(2)), OK)


class Store:
    """Subsystems whose reading is counted, and fails on demand."""

    def __init__(self) -> None:
        self.readings = 0
        self.time = 0.0
        self.during: Callable[[], Any] = lambda: None
        self.evaluation = Evaluation(clock=lambda: self.time)

    def read(self, _now: datetime, _installed_at: datetime) -> list[Freshness]:
        self.readings += 1
        self.during()
        return [ROW]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    made = Store()
    monkeypatch.setattr(status, "SUBSYSTEMS", (made.read,))
    monkeypatch.setattr(status, "installed_at", lambda: NOON)
    return made


def away() -> None:
    raise OperationalError("no connection")


def test_what_was_worked_out_a_moment_ago_is_told_again(store: Store) -> None:
    for store.time in (0.0, SHARED_SECONDS, SHARED_SECONDS + 0.1):
        assert store.evaluation.at(NOON) == [ROW]
    assert store.readings == 2


def test_who_comes_meanwhile_gets_the_last_state_and_does_not_wait(store: Store) -> None:
    store.evaluation.at(NOON)
    store.time = SHARED_SECONDS + 1
    told: list[list[Freshness]] = []
    other = threading.Thread(target=lambda: told.append(store.evaluation.at(NOON)))

    def visited() -> None:
        other.start()
        other.join()

    store.during = visited
    store.evaluation.at(NOON)
    assert told == [[ROW]]
    assert store.readings == 2


def test_a_store_that_is_busy_for_a_moment_does_not_change_the_state(store: Store) -> None:
    store.evaluation.at(NOON)
    store.during = away
    store.time = LAST_SECONDS
    assert store.evaluation.at(NOON) == [ROW]
    store.time = LAST_SECONDS + 1
    with pytest.raises(OperationalError):
        store.evaluation.at(NOON)
