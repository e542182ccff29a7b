"""An archive with the six sisters."""

from pathlib import Path

import pytest

from archive.sisters import six_services


@pytest.fixture
def root(own_archive: Path) -> Path:
    """The folder of this test's day files."""
    return own_archive


@pytest.fixture(autouse=True)
def services(request: pytest.FixtureRequest) -> None:
    """The six rows of the first migration, which a test that flushes the database takes away."""
    if request.node.get_closest_marker("django_db") is not None:
        request.getfixturevalue("transactional_db" if _flushes(request) else "db")
        six_services()


def _flushes(request: pytest.FixtureRequest) -> bool:
    marker = request.node.get_closest_marker("django_db")
    return bool(marker and marker.kwargs.get("transaction"))
