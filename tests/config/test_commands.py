"""Commands as they are typed."""

import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parents[2]


def test_the_shell_has_every_model_at_hand_and_misses_none(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("shell", command="print(Unit.__module__, Answer.__module__)")
    printed = capsys.readouterr().out
    assert "could not be" not in printed
    assert "imported automatically" in printed
    assert "knowledge.models.units ask.models" in printed


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_passes_a_command_to_manage_py_within_the_embedded_servers() -> None:
    asked = [
        "make",
        "--dry-run",
        "--no-print-directory",
        "--assume-old=.venv/.service-installed",
        "manage",
        "ARGS=ingest upbit-notices",
    ]
    printed = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[-1].endswith(
        "python -m config.embedded .venv/bin/python manage.py ingest upbit-notices"
    )
