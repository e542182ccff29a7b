"""An archive of its own for each test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from archive import bodies


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
