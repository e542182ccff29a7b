"""Three lists of variables that must agree: what settings read, ``.env.example``, and the README's table."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READ = re.compile(r"\b(?:env\.\w+|required|origin|listed|whole|chosen|dollars|gateway)\(\s*\"([A-Z_]+)\"")
PRODUCTION = {
    "SECRET_KEY": "x" * 60,
    "ALLOWED_HOSTS": "madang.example",
    "BASE_URL": "https://madang.example",
    "DATABASE_URL": "postgres://u:p@127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "TRUSTED_PROXY_COUNT": "1",
}


def variables_read() -> set[str]:
    sources = (ROOT / "config" / "settings").glob("*.py")
    return {name for path in sources for name in READ.findall(path.read_text(encoding="utf-8"))}


def test_the_example_file_lists_exactly_what_is_read() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^# ([A-Z_]+)=", example, re.MULTILINE)) == variables_read()


def test_the_readme_table_lists_exactly_what_is_read() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("## Settings", 1)[1].split("\n## ", 1)[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)} == variables_read()


def test_nothing_outside_the_settings_reads_the_environment() -> None:
    apps = ("knowledge", "ask", "archive", "mcpserver", "feeds")
    offenders = [
        path
        for app in apps
        for path in (ROOT / app).rglob("*.py")
        if re.search(r"os\.environ|os\.getenv|\bgetenv\(", path.read_text(encoding="utf-8"))
    ]
    assert offenders == []


def run_check(**variables: str) -> subprocess.CompletedProcess[str]:
    """``manage.py check`` with these variables and nothing else, away from any .env and var/."""
    environment = {"PATH": os.environ["PATH"], **variables}
    code = (
        "import environ; environ.Env.read_env = classmethod(lambda *a, **k: None);"
        "import django, os; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; django.setup()"
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_a_complete_production_environment_starts() -> None:
    result = run_check(**PRODUCTION)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"])
def test_a_missing_production_variable_fails_with_a_sentence_that_says_how_to_set_it(name: str) -> None:
    result = run_check(**{key: value for key, value in PRODUCTION.items() if key != name})
    assert result.returncode != 0
    last = result.stderr.strip().splitlines()[-1]
    assert f"{name} is not set." in last
    assert "make run" in last


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FETCH_ALLOW_PRIVATE", "true"),
        ("FAKE_LLM", "true"),
        ("BASE_URL", "http://madang.example"),
        ("BASE_URL", "https://madang.example/path"),
        ("LLM_DAILY_CAP_USD", "-1"),
    ],
)
def test_production_refuses_what_only_a_rehearsal_may_have(name: str, value: str) -> None:
    result = run_check(**{**PRODUCTION, name: value})
    assert result.returncode != 0
    assert name in result.stderr.strip().splitlines()[-1]
