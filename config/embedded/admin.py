"""The first administrator: made once for a database, with a password that is shown once."""

import hashlib
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

from config.embedded.children import Child, Children, Program
from config.embedded.environment import DATABASE_URL
from config.embedded.project import Project
from config.embedded.startup import Servers

USERNAME = "admin"


def first_password(project: Project, servers: Servers, environment: Mapping[str, str]) -> str | None:
    """A new password; None where the database had its first administrator before."""
    if _note(project, servers, environment).exists() or not (project.root / "manage.py").is_file():
        return None
    return secrets.token_urlsafe(12)


def create_first_admin(
    password: str, project: Project, children: Children, environment: Mapping[str, str]
) -> Child:
    """The command that makes the administrator, on its way: it takes as long as Django takes to start."""
    account = {
        "DJANGO_SUPERUSER_USERNAME": USERNAME,
        "DJANGO_SUPERUSER_EMAIL": f"{USERNAME}@localhost",
        "DJANGO_SUPERUSER_PASSWORD": password,
    }
    command = [sys.executable, "manage.py", "createsuperuser", "--noinput"]
    return children.start(Program("admin", command, {**environment, **account}, project.root, quiet=True))


def has_password(child: Child, project: Project, servers: Servers, environment: Mapping[str, str]) -> bool:
    """Whether the administrator got the password of a command that has ended.

    A name that is already taken is no failure: the database may be older than the note of it.
    """
    note = _note(project, servers, environment)
    note.touch()
    project.give_to_owner(note)
    return child.status == 0


def _note(project: Project, servers: Servers, environment: Mapping[str, str]) -> Path:
    """The file that says "done", kept with an embedded database, so that both go together."""
    if DATABASE_URL in servers.addresses and servers.home is not None:
        return servers.home.folder / "admin-created"
    address = hashlib.sha256(environment[DATABASE_URL].encode()).hexdigest()[:12]
    return project.var / f"admin-created-{address}"
