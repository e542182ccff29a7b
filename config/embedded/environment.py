"""The variables that the stack's children get, and ``var/env``, where a bare ``manage.py`` finds the same."""

import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

from config.embedded.project import Project

DATABASE_URL = "DATABASE_URL"
REDIS_URL = "REDIS_URL"
# What a rehearsal must not be given: where real data lie, keys, and who is told of errors.
REAL_ONLY = frozenset(
    {
        DATABASE_URL, REDIS_URL, "SECRET_KEY", "DEBUG", "BASE_URL", "CITY_URL", "ARCHIVE_ROOT", "FETCH_ALLOW_PRIVATE",
        "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ECOS_API_KEY", "FRED_API_KEY", "SENTRY_DSN",
    }
)  # fmt: skip


def read_assignments(path: Path) -> dict[str, str]:
    """KEY=VALUE lines of a file as a dict; blanks, comments, ``export`` and quotes are understood."""
    if not path.is_file():
        return {}
    values = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and not name.startswith("#"):
            values[name.strip()] = _unquoted(value.strip())
    return values


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if quoted else value


def configured(project: Project) -> dict[str, str]:
    """What the user set: the shell's variables over ``.env``; a blank value counts as not set.

    A rehearsal reads no ``.env``, and of the shell nothing that leads to real data or to somebody else.
    """
    if project.rehearsal:
        return {name: value for name, value in _nonblank(os.environ).items() if name not in REAL_ONLY}
    return {**_nonblank(read_assignments(project.root / ".env")), **_nonblank(os.environ)}


def _nonblank(values: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}


def write_env_file(project: Project, addresses: Mapping[str, str]) -> dict[str, str]:
    """Write ``var/env`` (mode 0600) and return its values; the secret key is made once and kept."""
    path = project.var / "env"
    values = {
        "DEBUG": "true",
        "SECRET_KEY": read_assignments(path).get("SECRET_KEY") or secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]",
        **({"REHEARSAL": "true"} if project.rehearsal else {}),
        **dict(sorted(addresses.items())),
    }
    draft = path.with_name("env.new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.writelines(f"{name}={value}\n" for name, value in values.items())
    project.give_to_owner(draft)
    draft.replace(path)
    return values


def for_children(project: Project, generated: Mapping[str, str]) -> dict[str, str]:
    """A whole environment: generated values, over them what the user set, and this interpreter's tools first.

    libpq reads PG* variables for everything an address leaves out (PGPORT: another socket), so
    they go where the database is the embedded one.
    """
    kept = {
        name: value for name, value in os.environ.items() if not (project.rehearsal and name in REAL_ONLY)
    }
    environment = {**kept, **generated, **configured(project), "PYTHONUNBUFFERED": "1"}
    if DATABASE_URL in generated and environment[DATABASE_URL] == generated[DATABASE_URL]:
        environment = {name: value for name, value in environment.items() if not name.startswith("PG")}
    tools = str(Path(sys.executable).parent)
    environment["PATH"] = os.pathsep.join([tools, environment.get("PATH", os.defpath)])
    return environment
