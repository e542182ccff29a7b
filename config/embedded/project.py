"""Where the project is, and the files the stack keeps in its ``var/``."""

import hashlib
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from config.embedded.errors import EmbeddedError


@dataclass(frozen=True)
class Project:
    """A folder with a Procfile; everything generated lives in its ``var/``, of a rehearsal in ``var/demo/``."""

    root: Path
    rehearsal: bool = False

    @classmethod
    def here(cls, *, rehearsal: bool = False) -> "Project":
        """The current folder where it holds a Procfile, else the folder that holds this code."""
        current = Path.cwd()
        root = current if (current / "Procfile").is_file() else Path(__file__).resolve().parents[2]
        return cls(root, rehearsal)

    @cached_property
    def fingerprint(self) -> str:
        """Short name of this folder for places outside it, where several projects may meet."""
        named = self.var if self.rehearsal else self.root
        return hashlib.sha256(str(named.resolve()).encode()).hexdigest()[:12]

    @property
    def var(self) -> Path:
        return self.root / "var" / "demo" if self.rehearsal else self.root / "var"

    @property
    def command(self) -> str:
        """What starts it."""
        return "make demo" if self.rehearsal else "make run"

    @property
    def database(self) -> str:
        """The name of its database, by which the settings tell a rehearsal's from a real one."""
        return "madang_rehearsal" if self.rehearsal else "madang"

    @property
    def logs(self) -> Path:
        return self.var / "log"

    @property
    def owner(self) -> tuple[int, int]:
        """User and group whose project this is."""
        status = self.root.stat()
        return status.st_uid, status.st_gid

    def give_to_owner(self, path: Path) -> None:
        """What root writes into a user's project must not lock that user out of the next start."""
        if os.geteuid() == 0:
            os.chown(path, *self.owner)

    def make_var(self) -> None:
        """Create ``var/`` and ``var/log/``; raises EmbeddedError where this user may not."""
        try:
            for folder in (self.root / "var", self.var, self.logs):
                folder.mkdir(exist_ok=True)
                self.give_to_owner(folder)
            (self.logs / ".writable").touch()
            (self.logs / ".writable").unlink()
        except OSError as error:
            raise EmbeddedError(
                f"{self.var} cannot be written ({error.strerror}): "
                "run this as the user who owns it, or remove it if another user's run left it."
            ) from error
