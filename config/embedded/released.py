"""Whether the Procfile's steps still have something to do: they take as long as all the rest of a start.

A note beside the embedded database keeps for which files of the project and which migrations of the database they were
last run to their end. A database of the user's own may be another one by now, so there they run at every start.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from config.embedded.environment import DATABASE_URL
from config.embedded.project import Project
from config.embedded.startup import Servers

SUFFIXES = (".py", ".json", ".sql", ".txt", ".toml")
NAMES = ("Procfile", ".env")
NOT_READ = ("var", "tests", "docs", "node_modules")


def is_released(project: Project, servers: Servers, environment: Mapping[str, str]) -> bool:
    """Whether nothing has changed since ``note_released``."""
    note, state = _note(servers), _state(project, environment)
    return bool(note and state and note.is_file() and note.read_text(encoding="ascii") == state)


def note_released(project: Project, servers: Servers, environment: Mapping[str, str]) -> None:
    """The steps were run to their end."""
    note, state = _note(servers), _state(project, environment)
    if note and state:
        note.write_text(state, encoding="ascii")
        project.give_to_owner(note)


def _note(servers: Servers) -> Path | None:
    is_ours = DATABASE_URL in servers.addresses and servers.home is not None
    return servers.home.folder / "released" if is_ours and servers.home else None


def _state(project: Project, environment: Mapping[str, str]) -> str:
    """A hash of the project's files and of what the database was brought to; empty where no migration was run."""
    migrations = _migrations(environment[DATABASE_URL])
    if not migrations:
        return ""
    files = sorted(_files(project.root))
    return hashlib.sha256("\n".join([migrations, *files]).encode(errors="replace")).hexdigest()


def _migrations(address: str) -> str:
    # Installed with the service; the embedded servers alone are run before that.
    import psycopg
    from psycopg.conninfo import make_conninfo

    try:
        with psycopg.connect(make_conninfo(address), autocommit=True, connect_timeout=5) as connection:
            row = connection.execute("SELECT count(*), max(id) FROM django_migrations").fetchone()
    except psycopg.Error:
        return ""
    return str(row)


def _files(folder: Path) -> Iterator[str]:
    """Each file that a step may read, with its size and the time of its last change."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith((".", "__")) and entry.name not in NOT_READ:
                    yield from _files(Path(entry.path))
            elif entry.name.endswith(SUFFIXES) or entry.name in NAMES:
                found = entry.stat()
                yield f"{entry.path} {found.st_size} {found.st_mtime_ns}"
