"""The service level: verdicts by the hour, days in Seoul, shares of what was measured."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone

from knowledge.ingestion.health import verdicts
from knowledge.ingestion.health.freshness import AgeLimits, Freshness
from knowledge.ingestion.health.service_level import Level, LevelDay, service_level
from knowledge.models import SubsystemVerdict
from tests.factories.health import store_verdicts
from tests.factories.knowledge import NOON

pytestmark = pytest.mark.django_db
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MIDNIGHT = NOON - 12 * HOUR  # in Seoul: the 20th begins
TODAY = date(2026, 11, 20)
LIMITS = AgeLimits(HOUR, 2 * HOUR)


def found(name: str, status: str = "ok") -> Freshness:
    return Freshness(name, NOON, timedelta(), LIMITS, status)


def stored() -> list[tuple[Any, ...]]:
    rows = SubsystemVerdict.objects.order_by("day", "hour", "subsystem")
    return list(rows.values_list("subsystem", "day", "hour", "status"))


def day_of(level: Level, day: date) -> LevelDay:
    return next(one for one in level.days if one.day == day)


def test_one_verdict_an_hour_is_kept_and_it_is_the_first() -> None:
    for minute, said in ((5, "ok"), (25, "fail"), (59, "warn")):
        verdicts.record([found("search", said)], now=NOON + timedelta(minutes=minute, seconds=7))
    verdicts.record([found("search", "warn"), found("archive")], now=NOON + HOUR)
    assert stored() == [
        ("search", TODAY, 12, "ok"),
        ("archive", TODAY, 13, "ok"),
        ("search", TODAY, 13, "warn"),
    ]


@pytest.mark.parametrize(("hour", "said"), [(12, "fine"), (24, "ok")])
def test_a_verdict_of_no_known_kind_or_hour_is_refused_by_the_database(hour: int, said: str) -> None:
    with pytest.raises(IntegrityError):
        SubsystemVerdict.objects.create(subsystem="search", day=TODAY, hour=hour, status=said)


def test_nothing_stored_gives_no_share_rather_than_all_days_met() -> None:
    found_level = service_level(NOON, ["search"])
    for level in (found_level.whole, found_level.subsystems["search"]):
        assert (level.share, level.holds, level.measured, level.met) == (None, None, 0, 0)
        assert [one.status for one in level.days] == ["not_measured"] * 89 + ["unfinished"]
        assert (level.days[0].day, level.days[-1].day) == (TODAY - 89 * DAY, TODAY)


@pytest.mark.parametrize(("stored", "said"), [(19, "not_measured"), (20, "met"), (24, "met")])
def test_a_day_needs_twenty_verdicts_to_be_measured(stored: int, said: str) -> None:
    store_verdicts("search", MIDNIGHT - DAY, ["ok"] * stored)
    level = service_level(NOON, []).subsystems["search"]
    assert day_of(level, TODAY - DAY).status == said
    assert (level.measured, level.share) == ((1, 1.0) if said == "met" else (0, None))


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        (["ok"] * 24, "met"),
        (["warn"] * 24, "met"),
        (["ok"] * 23 + ["fail"], "missed"),
        (["fail"] * 19, "not_measured"),
    ],
)
def test_one_failure_misses_the_day_and_lateness_does_not(statuses: list[str], said: str) -> None:
    store_verdicts("search", MIDNIGHT - DAY, statuses)
    assert day_of(service_level(NOON, []).subsystems["search"], TODAY - DAY).status == said


def test_days_begin_at_midnight_in_seoul() -> None:
    store_verdicts("search", MIDNIGHT - 2 * DAY, ["ok"] * 23 + ["fail"] + ["ok"] * 24)
    level = service_level(NOON, []).subsystems["search"]
    assert [day_of(level, TODAY - back * DAY).status for back in (2, 1)] == ["missed", "met"]
    assert (level.share, level.holds) == (0.5, False)
    # At 23:59 the 20th is still today, a minute later it is a day like others.
    last_minute = MIDNIGHT + DAY - timedelta(minutes=1)
    store_verdicts("search", MIDNIGHT, ["ok"] * 24)
    before, after = (service_level(at, []).subsystems["search"] for at in (last_minute, MIDNIGHT + DAY))
    assert (day_of(before, TODAY).status, before.measured) == ("unfinished", 2)
    assert (day_of(after, TODAY).status, after.measured) == ("met", 3)


def test_today_is_shown_with_its_verdicts_and_does_not_count() -> None:
    store_verdicts("search", MIDNIGHT, ["fail"] * 12)
    level = service_level(NOON, []).subsystems["search"]
    assert level.days[-1] == LevelDay(TODAY, "unfinished", 12, 12)
    assert (level.share, service_level(NOON, []).whole.share) == (None, None)


def test_ninety_days_are_shown_and_older_ones_left_out() -> None:
    store_verdicts("search", MIDNIGHT - 90 * DAY, ["fail"] * 24 + ["ok"] * 24)
    level = service_level(NOON, []).subsystems["search"]
    assert (len(level.days), level.measured, level.share) == (90, 1, 1.0)


def test_a_day_of_the_whole_is_missed_by_one_and_measured_only_by_all() -> None:
    for name, days in {
        "search": ["ok", "ok", "fail", "ok"],
        "archive": ["ok", "fail", "", "ok"],
    }.items():
        for at, said in enumerate(days):
            store_verdicts(name, MIDNIGHT - (4 - at) * DAY, [said] * 24 if said else ["ok"] * 5)
    store_verdicts("gone", MIDNIGHT - 4 * DAY, ["ok"] * 24)
    store_verdicts("young", MIDNIGHT - DAY, ["ok"] * 3)
    found_level = service_level(NOON, ["search", "young"])
    assert list(found_level.subsystems) == ["search", "young", "archive", "gone"]
    days = found_level.whole.days[-5:-1]
    assert [one.status for one in days] == ["met", "missed", "missed", "not_measured"]
    assert [one.missed for one in days] == [(), ("archive",), ("search",), ()]
    assert (found_level.whole.measured, found_level.whole.share) == (3, 0.3333)


@pytest.mark.parametrize(("missed", "holds"), [(1, True), (2, False)])
def test_the_promise_is_95_days_of_a_hundred(missed: int, holds: bool) -> None:
    days = [LevelDay(TODAY, "missed" if at < missed else "met") for at in range(20)]
    assert Level(days).holds is holds


def test_all_is_one_statement(django_assert_num_queries: Any) -> None:
    store_verdicts("search", MIDNIGHT - DAY, ["ok"] * 24)
    with django_assert_num_queries(1):
        service_level(NOON, ["search"])


def test_verdicts_are_kept_for_four_hundred_days() -> None:
    kept = TODAY - 400 * DAY
    store_verdicts("search", MIDNIGHT - 400 * DAY - HOUR, ["ok", "ok"])
    assert verdicts.prune(now=NOON) == 1
    assert verdicts.prune(now=NOON) == 0
    assert stored() == [("search", kept, 0, "ok")]


def test_the_hour_is_seouls_whatever_the_offset_of_the_clock() -> None:
    for moment in (NOON - 13 * HOUR, timezone.localtime(NOON - 12 * HOUR)):
        verdicts.record([found("search")], now=moment)
    assert stored() == [("search", TODAY - DAY, 23, "ok"), ("search", TODAY, 0, "ok")]
