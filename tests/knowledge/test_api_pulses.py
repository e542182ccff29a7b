"""The pulses of the last H hours over HTTP: cut by the clock, the same bytes from every process."""

from datetime import datetime, timedelta
from typing import Any
from weakref import ref

import orjson
import pytest
import time_machine
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from knowledge.models import Pulse, Status, Unit
from knowledge.publications import StoredBody, build, publication_cache
from knowledge.publications.bodies import ready_body
from knowledge.publications.indexes import pulses_within, window_of
from tests.factories.knowledge import NOON, make_pulse, make_unit

PATH = "/api/pulse/active.json"
HOUR = timedelta(hours=1)


@pytest.fixture
def asset(db: None) -> Unit:
    return make_unit(symbol="BTC")


def pulse_of(asset: Unit, key: str, hours_ago: float, **fields: Any) -> Pulse:
    return make_pulse(asset, key, NOON - timedelta(hours=hours_ago), **fields)


def get(client: Client, query: str = "", *, at: datetime = NOON, **headers: str) -> Any:
    with time_machine.travel(at, tick=False):
        return client.get(PATH + query, headers=headers)


def keys(response: Any) -> list[str]:
    return [pulse["id"].removeprefix("pulse:") for pulse in response.json()["pulses"]]


def test_the_window_is_three_days_unless_told(client: Client, asset: Unit) -> None:
    for key, hours in [("new", 1), ("edge", 71.9), ("old", 72), ("older", 100)]:
        pulse_of(asset, key, hours)
    pulse_of(asset, "hidden", 2, status=Status.RETRACTED)
    response = get(client)
    body = response.json()
    assert list(body) == ["version", "generated_at", "window_hours", "count", "site", "licence", "pulses"]
    assert (body["version"], body["window_hours"], body["count"]) == ("v1", 72, 2)
    assert keys(response) == ["new", "edge"]


@pytest.mark.parametrize(
    ("hours", "expected"), [(1, []), (2, ["a"]), (100, ["a", "b"]), (168, ["a", "b", "c"])]
)
def test_the_window_is_as_long_as_asked(client: Client, asset: Unit, hours: int, expected: list[str]) -> None:
    for key, age in [("a", 1.5), ("b", 99), ("c", 167.9), ("d", 168)]:
        pulse_of(asset, key, age)
    response = get(client, f"?hours={hours}")
    assert response.json()["window_hours"] == hours
    assert keys(response) == expected


@pytest.mark.parametrize(
    "query",
    [
        *(
            "hours=",
            "hours=0",
            "hours=169",
            "hours=-1",
            "hours=%2B5",
            "hours=+5",
            "hours=5+",
            "hours=1.0",
            "hours=1e2",
        ),
        *("hours=%EF%BC%95", "hours=%D9%A5", "hours=abc", "hours=5&hours=6", "hours=5&hours=5", "hours=5%00"),
        *("hours=5%0A", "hours=0x10", "hours=1_0", "hours=" + "9" * 5000, "hours", "hours=%FF"),
    ],
)
@pytest.mark.django_db
def test_any_other_hours_is_a_400_that_names_the_fix(client: Client, query: str) -> None:
    response = get(client, f"?{query}")
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    body = response.json()
    assert body["code"] == "invalid_parameter"
    assert "168" in body["detail"]
    assert body["errors"][0]["parameter"] == "hours"


def test_a_pulse_leaves_the_window_without_any_write(
    client: Client, asset: Unit, django_assert_num_queries: Any
) -> None:
    pulse_of(asset, "leaving", 23.5)
    pulse_of(asset, "staying", 2)
    before = get(client, "?hours=24")
    with django_assert_num_queries(0):
        same = get(client, "?hours=24", at=NOON + HOUR / 4, **{"if-none-match": before["ETag"]})
        after = get(client, "?hours=24", at=NOON + HOUR, **{"if-none-match": before["ETag"]})
    assert keys(before) == ["staying", "leaving"]
    assert same.status_code == 304
    assert keys(after) == ["staying"]
    assert after.json()["generated_at"] == "2026-11-20T12:30:00+09:00"


def test_a_pulse_is_not_shown_before_it_was_detected(client: Client, asset: Unit) -> None:
    pulse_of(asset, "ahead", -0.5)
    assert keys(get(client)) == []
    later = get(client, at=NOON + HOUR)
    assert keys(later) == ["ahead"]
    assert later.json()["generated_at"] == "2026-11-20T12:30:00+09:00"


def test_every_process_gives_the_same_bytes(client: Client, asset: Unit) -> None:
    pulse_of(asset, "leaving", 23.5)
    pulse_of(asset, "staying", 2)
    build(now=NOON)
    pulses_within(24, now=NOON)
    pulses_within(24, now=NOON + HOUR)
    one = pulses_within(24, now=NOON + 5 * HOUR)
    publication_cache.clear()
    other = pulses_within(24, now=NOON + 9 * HOUR)
    assert one is not other
    assert one.contents == other.contents
    assert one.built_at == other.built_at


def test_another_publication_of_the_same_records_keeps_the_etag(client: Client, asset: Unit) -> None:
    pulse_of(asset, "a", 2)
    build(now=NOON)
    before = get(client)["ETag"]
    assert "pulses" not in build(now=NOON + 3 * HOUR, force=True)
    publication_cache.clear()
    assert get(client, at=NOON + 3 * HOUR)["ETag"] == before


def test_a_new_pulse_shows_once_published(client: Client, asset: Unit) -> None:
    pulse_of(asset, "a", 2)
    build(now=NOON)
    get(client)
    pulse_of(asset, "b", 1)
    build(now=NOON)
    publication_cache.clear()
    assert keys(get(client)) == ["b", "a"]


def test_a_window_outside_the_bounds_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="168"):
        pulses_within(169, now=NOON)


@given(
    ages=st.lists(st.integers(-5, 200), max_size=30),
    hours=st.integers(1, 168),
    asked=st.integers(0, 50),
)
def test_a_window_holds_exactly_what_was_detected_within_it(ages: list[int], hours: int, asked: int) -> None:
    moments = sorted((NOON - HOUR * age for age in ages), reverse=True)
    now = NOON + HOUR * asked
    body = window_of(published(moments), hours, now=now)
    told = orjson.loads(body.plain)
    shown = told["pulses"]
    assert [datetime.fromisoformat(pulse["detectedAt"]) for pulse in shown] == [
        moment for moment in moments if now - HOUR * hours < moment <= now
    ]
    assert told["count"] == len(shown)
    assert NOON <= body.built_at <= now or body.built_at == NOON


def test_windows_of_a_former_version_leave_the_memory() -> None:
    former, latest = published([NOON - HOUR]), published([NOON])
    kept = ref(window_of(former, 24, now=NOON))
    shown = window_of(latest, 24, now=NOON)
    assert kept() is None
    assert window_of(latest, 24, now=NOON) is shown


def published(moments: list[datetime]) -> StoredBody:
    body = orjson.dumps({"pulses": [{"detectedAt": moment.isoformat()} for moment in moments]})
    return ready_body(body, content_type="application/json", built_at=NOON)
