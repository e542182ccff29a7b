"""``manage.py release`` does everything that a new version needs before it serves."""

from typing import Any

import pytest
from django.core.management import call_command

from config.management.commands import release


@pytest.mark.parametrize(
    ("debug", "steps"),
    [(True, ["migrate", "load_canon"]), (False, ["migrate", "load_canon", "collectstatic"])],
)
def test_a_release_migrates_loads_the_canon_and_collects_static_files_in_production(
    settings: Any, monkeypatch: pytest.MonkeyPatch, debug: bool, steps: list[str]
) -> None:
    settings.DEBUG = debug
    ran: list[str] = []
    monkeypatch.setattr(release, "call_command", lambda name, **_options: ran.append(name))
    call_command("release")
    assert ran == steps
