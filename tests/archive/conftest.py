"""An archive of its own for each test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from archive import bodies
from archive.sisters import six_services


@pytest.fixture(autouse=True)
def root(tmp_path: Path, settings: Any) -> Path:
    """The folder of this test's day files."""
    bodies.kept.clear()
    folder = tmp_path / "archive"
    settings.STORAGES = {
        **settings.STORAGES,
        "archive": {"BACKEND": "archive.storage.DayFileStorage", "OPTIONS": {"location": str(folder)}},
    }
    return folder


@pytest.fixture(autouse=True)
def services(request: pytest.FixtureRequest) -> None:
    """The six rows of the first migration, which a test that flushes the database takes away."""
    if request.node.get_closest_marker("django_db") is not None:
        request.getfixturevalue("transactional_db" if _flushes(request) else "db")
        six_services()


def _flushes(request: pytest.FixtureRequest) -> bool:
    marker = request.node.get_closest_marker("django_db")
    return bool(marker and marker.kwargs.get("transaction"))
