"""``get_city_day``: one day, or the files of many, each with what it takes to prove it."""

import hashlib
from datetime import timedelta

import pytest
from django.utils import timezone

from archive import bodies
from archive.metrics import SLUGS
from archive.models import Snapshot
from archive.published import calendars
from tests.mcpserver.conftest import DAY
from tests.mcpserver.wire import lesson, record

pytestmark = [
    pytest.mark.urls("tests.mcpserver.urls"),
    pytest.mark.django_db,
    pytest.mark.usefixtures("world"),
]


def test_a_day_says_where_its_file_is_and_how_to_verify_it() -> None:
    found = record("get_city_day")
    body = bodies.day_body(calendars.get().by_day[DAY]).plain
    assert found["file"].endswith(f"/api/archive?date={DAY}")
    assert (found["bytes"], found["sha256"]) == (len(body), hashlib.sha256(body).hexdigest())
    assert any("SHA-256" in note for note in found["notes"])
    assert found["rehearsal"] is True
    assert any(note.startswith("rehearsal: ") for note in found["notes"])
    assert record("fetch", id=f"city:{DAY}")["metadata"]["file"] == found["file"]


def test_the_days_of_a_range_stand_newest_first_with_those_that_are_missing() -> None:
    Snapshot.objects.filter(day=DAY - timedelta(days=1)).delete()
    heard = Snapshot.objects.get(day=DAY)
    heard.facts["heard"].pop(SLUGS[0], None)
    heard.save()
    found = record("get_city_day", **{"from": "2026-11-10", "to": str(DAY)})
    assert [day["date"] for day in found["days"]] == ["2026-11-19", "2026-11-17"]
    assert found["gaps"] == ["2026-11-18"]
    assert (found["first_day"], found["last_day"]) == ("2026-11-17", "2026-11-19")
    assert SLUGS[0] in found["days"][0]["missing"]
    assert all(len(day["sha256"]) == 64 and day["file"].endswith(day["date"]) for day in found["days"])


def test_a_range_without_one_of_its_ends_is_two_weeks() -> None:
    assert len(record("get_city_day", to="2026-11-18")["days"]) == 2
    assert len(record("get_city_day", **{"from": "2026-11-18"})["days"]) == 2
    assert "hint" in record("get_city_day", to="2026-11-01")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"from": "2026-11-19", "to": "2026-11-01"}, "nothing lies between them"),
        ({"from": "2026-01-01", "to": "2026-11-01"}, "at most 60 days"),
        ({"date": "2026-11-19", "to": "2026-11-19"}, "the one or the other"),
        ({"from": "soon"}, "YYYY-MM-DD"),
    ],
)
def test_a_range_that_is_none_is_taught(arguments: dict[str, str], said: str) -> None:
    assert said in lesson("get_city_day", **arguments)


def test_a_day_that_is_not_over_is_not_sealed_yet() -> None:
    today = timezone.localdate().isoformat()
    assert "not sealed yet" in lesson("get_city_day", date=today)
    assert "there is no file for" in lesson("get_city_day", date="2026-11-01")
    taught = lesson("fetch", id="city:2020-01-01")
    assert "leave date out" not in taught
    assert "city:2026-11-17" in taught
