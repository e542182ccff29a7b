"""Nights of a small invented world."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest

from bulk import writing
from bulk.catalogue import catalogue
from bulk.nights import due_day
from tests.factories.knowledge import NOON
from tests.factories.world import World, make_world

DAY = date(2026, 11, 20)


@pytest.fixture
def world(db: None) -> World:
    return make_world(NOON)


@pytest.fixture
def written(db: None) -> Callable[..., dict[str, Any]]:
    """Write the files that are due, by what ``/api/bulk`` then says of them."""

    def write(now: datetime = NOON) -> dict[str, Any]:
        writing.write(due_day(now), now=now, tell=lambda line: None)
        night = catalogue.nights().lists[due_day(now)]
        return {item["name"]: item for item in night["items"]}

    return write
