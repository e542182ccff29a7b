"""``--clock TIME``: every test meets the turn of a minute, of noon or of midnight in Seoul.

A test's set-up begins two seconds before TIME and its body at TIME, on a clock that goes on. ``--clock 00:00:00`` puts
the turn between the two, ``--clock 23:59:59.98`` into the body. Tests that set the clock themselves are as ever. The
database and other processes keep the real clock: what fails only because theirs differs by hours is no defect.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from tests.factories.knowledge import NOON

SEOUL = ZoneInfo("Asia/Seoul")
SET_UP = timedelta(seconds=2)
BODY_BEGINS = pytest.StashKey[datetime]()
CLOCK = pytest.StashKey[time_machine.Traveller]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--clock", metavar="TIME", help="begin each test at this time in Seoul, as in 23:59:59.98"
    )


def pytest_configure(config: pytest.Config) -> None:
    written = config.getoption("clock")
    if written is None:
        return
    try:
        at = time.fromisoformat(written)
    except ValueError as error:
        raise pytest.UsageError("--clock wants a time of day, as in 23:59:59.98") from error
    today = datetime.now(SEOUL).date()
    config.stash[BODY_BEGINS] = datetime.combine(today, at, SEOUL).astimezone(UTC)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    at = item.config.stash.get(BODY_BEGINS, None)
    if at is None:
        return (yield)
    with time_machine.travel(at - SET_UP) as item.stash[CLOCK]:
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    clock = item.stash.get(CLOCK, None)
    if clock is not None and datetime.fromtimestamp(clock.time_ns() / 1e9, UTC) < (
        at := item.config.stash[BODY_BEGINS]
    ):
        clock.move_to(at)
    return (yield)


@pytest.fixture
def stopped_clock() -> Iterator[time_machine.Traveller]:
    """The present moment stands still: no minute turns between two requests of the test."""
    with time_machine.travel(datetime.now(UTC), tick=False) as traveller:
        yield traveller


@pytest.fixture
def stopped_at_noon() -> Iterator[None]:
    """It is noon in Seoul and stays so, for tests that name days and ages."""
    with time_machine.travel(NOON, tick=False):
        yield
