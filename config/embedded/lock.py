"""Who runs the servers of a project, and who else uses them.

``var/embedded.lock`` is held by the one process that runs them and says in a line of JSON how to reach them.
``var/embedded.users`` is held, shared, by every other command that uses them: an owner that only ran a
command waits for those before it stops the servers.
"""

import fcntl
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, Self

from config.embedded.errors import EmbeddedError
from config.embedded.project import Project


@dataclass(frozen=True)
class Instance:
    """What the owner of the lock says of itself; ``addresses`` has the variables of servers it started."""

    pid: int
    phase: Literal["starting", "ready", "stopping"]
    url: str = ""  # of the web process; empty when only a command runs
    addresses: dict[str, str] = field(default_factory=dict)


class Lock:
    """A file lock; the system releases it when its holder is gone, however it went."""

    def __init__(self, path: Path) -> None:
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except PermissionError:
            raise EmbeddedError(f"{path} belongs to another user, who started the servers first.") from None

    def try_exclusive(self) -> bool:
        return self._try(fcntl.LOCK_EX)

    def try_shared(self) -> bool:
        return self._try(fcntl.LOCK_SH)

    def release(self) -> None:
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def _try(self, kind: int) -> bool:
        try:
            fcntl.flock(self._descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def write(self, text: str) -> None:
        """Replace the file's text; only for the holder."""
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, text.encode(), 0)

    def read(self) -> str:
        return os.pread(self._descriptor, 65536, 0).decode(errors="replace")


class InstanceLock:
    """The two locks of a project."""

    def __init__(self, project: Project) -> None:
        self.owner, self.users = (
            self._open(project, project.var / name) for name in ("embedded.lock", "embedded.users")
        )

    @staticmethod
    def _open(project: Project, path: Path) -> Lock:
        lock = Lock(path)
        project.give_to_owner(path)
        return lock

    @classmethod
    def of(cls, project: Project) -> Self:
        project.make_var()
        return cls(project)

    def publish(self, instance: Instance) -> None:
        """Tell others how far the owner is."""
        self.owner.write(json.dumps(asdict(instance)))

    def instance(self) -> Instance | None:
        """What the owner last said; None while it has said nothing that can be read."""
        try:
            return Instance(**json.loads(self.owner.read()))
        except (ValueError, TypeError):
            return None
