"""``make demo``: where it is refused, and when its world is made anew."""

import os
import shutil
import signal
import time
from collections.abc import Callable

from config.embedded.environment import read_assignments
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.project import Project
from config.embedded.servers import stop_leftover

# Written by `manage.py rehearse_world` before anything, and once everything is there.
BEGUN = "world-begun"
NOTE = "world-made"
# An older world ends in the past: its newest candle would not be of today.
WORLD_KEPT_SECONDS = 20 * 3600
_TRUE = frozenset({"true", "on", "ok", "y", "yes", "1"})  # as django-environ reads them


def require_own_machine(project: Project) -> None:
    """Raises EmbeddedError where DEBUG is off: invented records are nothing to publish."""
    debug = os.environ.get("DEBUG") or read_assignments(project.root / ".env").get("DEBUG")
    if debug and debug.lower() not in _TRUE:
        raise EmbeddedError(
            "make demo shows invented records and is refused with DEBUG=false: unset DEBUG, or use `make run`."
        )


def forget_old_world(project: Project, home: Home, tell: Callable[[str], None]) -> None:
    """Remove a world that is older than a day or was never finished, with its database and its day files."""
    begun, note, data = project.var / BEGUN, project.var / NOTE, home.folder / "postgres"
    if note.exists() and data.exists() and time.time() - note.stat().st_mtime < WORLD_KEPT_SECONDS:
        return
    if not (begun.exists() or note.exists()):
        return
    tell("The rehearsed world is of another day or unfinished, so it is made anew …")
    stop_leftover(data / "postmaster.pid", str(data), (signal.SIGINT, signal.SIGQUIT))
    for folder in (data, project.var / "archive"):
        shutil.rmtree(folder, ignore_errors=True)
    for file in (begun, note, home.folder / "admin-created"):
        file.unlink(missing_ok=True)
