"""Seoul's calendar (R15)."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.days import day_of, days_between, end_of, is_over, korean, parse_day, start_of, yesterday


@pytest.fixture(params=["UTC", "Asia/Seoul", "America/Los_Angeles"])
def machine_in(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The whole process in another time zone."""
    former = os.environ.get("TZ")
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    if former is None:
        monkeypatch.delenv("TZ")
    else:
        monkeypatch.setenv("TZ", former)
    time.tzset()


@pytest.mark.usefixtures("machine_in")
@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2026-11-20T14:59:59+00:00", date(2026, 11, 20)),
        ("2026-11-20T15:00:00+00:00", date(2026, 11, 21)),
        ("2028-02-28T15:00:00+00:00", date(2028, 2, 29)),
        ("2028-02-29T14:59:59+00:00", date(2028, 2, 29)),
        ("2028-02-29T15:00:00+00:00", date(2028, 3, 1)),
        ("2027-02-28T15:00:00+00:00", date(2027, 3, 1)),
        ("2026-12-31T15:00:00+00:00", date(2027, 1, 1)),
        ("2026-11-20T06:59:59-08:00", date(2026, 11, 20)),
    ],
)
def test_a_day_changes_at_midnight_in_seoul_wherever_the_machine_is(moment: str, day: date) -> None:
    assert day_of(datetime.fromisoformat(moment)) == day


def test_the_newest_day_that_is_over_changes_with_the_second() -> None:
    assert yesterday(datetime(2026, 11, 20, 14, 59, 59, tzinfo=UTC)) == date(2026, 11, 19)
    assert yesterday(datetime(2026, 11, 20, 15, 0, 0, tzinfo=UTC)) == date(2026, 11, 20)


def test_a_naive_moment_belongs_to_no_day() -> None:
    with pytest.raises(ValueError, match="time zone"):
        day_of(datetime(2026, 11, 20))


@given(st.dates(date(1990, 1, 1), date(2199, 12, 31)))
def test_a_day_begins_and_ends_at_its_own_midnights(day: date) -> None:
    assert day_of(start_of(day)) == day
    assert day_of(end_of(day) - timedelta(microseconds=1)) == day
    assert end_of(day) - start_of(day) == timedelta(days=1)
    assert is_over(day, end_of(day))
    assert not is_over(day, end_of(day) - timedelta(microseconds=1))


@given(st.dates())
def test_a_day_is_read_as_it_is_written(day: date) -> None:
    assert parse_day(day.isoformat()) == day


@pytest.mark.parametrize(
    "text",
    ["", "2026-1-05", "20261120", "2026-W47-5", "2026-02-29", "2026-13-01", "2026-11-20T00:00", " 2026-11-20",
     "2026-11-20\n", "٢٠٢٦-١١-٢٠", "-026-11-20", "0000-01-01"],
)  # fmt: skip
def test_what_is_no_day_of_the_calendar_is_not_read(text: str) -> None:
    assert parse_day(text) is None


def test_the_days_between_include_both_ends_and_the_leap_day() -> None:
    assert days_between(date(2028, 2, 28), date(2028, 3, 1)) == [
        date(2028, 2, 28), date(2028, 2, 29), date(2028, 3, 1),
    ]  # fmt: skip
    assert days_between(date(2028, 3, 1), date(2028, 2, 28)) == []


def test_a_day_in_korean() -> None:
    assert korean(date(2026, 11, 20)) == "2026년 11월 20일 금요일"


def test_another_process_in_los_angeles_says_the_same() -> None:
    code = (
        "from datetime import datetime; from archive.days import day_of;"
        "print(day_of(datetime.fromisoformat('2026-11-20T15:00:00+00:00')))"
    )
    environment = {**os.environ, "TZ": "America/Los_Angeles"}
    said = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "2026-11-21"
