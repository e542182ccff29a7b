"""The bulk files' row on the status page and in health."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from bulk import shelf
from bulk.catalogue import catalogue
from bulk.freshness import bulk
from bulk.nights import due_at
from tests.bulk.conftest import DAY
from tests.factories.knowledge import NOON

pytestmark = pytest.mark.django_db
DUE = due_at(DAY)
LONG_AGO = DUE - timedelta(days=400)


@pytest.mark.parametrize(
    ("after", "status"),
    [
        (timedelta(minutes=119), "ok"),
        (timedelta(hours=2), "warn"),
        (timedelta(hours=6), "fail"),
        (timedelta(hours=23), "fail"),
    ],
)
def test_health_counts_from_four_in_the_morning(after: timedelta, status: str) -> None:
    found = bulk(DUE + after, LONG_AGO)
    assert (found.name, found.status, found.age) == ("bulk", status, after)
    assert (str(DAY) in found.note) == (status != "ok")


def test_health_is_well_once_the_files_are_there(written: Callable[..., dict[str, Any]]) -> None:
    written()
    found = bulk(NOON, LONG_AGO)
    assert (found.status, found.age, found.note, found.last_success) == ("ok", timedelta(), "", NOON)
    missed = bulk(DUE + timedelta(days=1, hours=7), LONG_AGO)
    assert (missed.status, missed.age, missed.last_success) == ("fail", timedelta(hours=7), NOON)


def test_a_new_service_owes_nothing_that_was_due_before_it() -> None:
    assert bulk(NOON, NOON - timedelta(minutes=5)).status == "ok"


def test_lists_that_cannot_be_read_have_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> Any:
        raise OSError(5, "Input/output error", "/srv/secret")

    monkeypatch.setattr(shelf, "listed_days", gone)
    catalogue.forget()
    found = bulk(NOON, LONG_AGO)
    assert found.status == "fail"
    assert "secret" not in found.note
