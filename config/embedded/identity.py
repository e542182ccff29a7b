"""As whom the servers run: PostgreSQL refuses root, so a root start lends them an unprivileged user."""

import os
import pwd
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from config.embedded.errors import EmbeddedError


@dataclass(frozen=True)
class Identity:
    """The user of the two servers; ``borrowed`` when it is not the one who typed the command."""

    uid: int
    gid: int
    borrowed: bool

    def can(self, act: Callable[[], bool]) -> bool:
        """Whether ``act`` holds as seen by this user; asked in a forked child, since there is no way back."""
        if not self.borrowed:
            return _holds(act)
        child = os.fork()
        if child == 0:
            os._exit(0 if _holds(self.become) and _holds(act) else 1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

    def become(self) -> bool:
        """Turn this process into the user for good."""
        os.setgroups([])
        os.setgid(self.gid)
        os.setuid(self.uid)
        return True

    def own(self, path: Path) -> None:
        """Give a file or folder to the user; for the caller's own files there is nothing to do."""
        if self.borrowed:
            os.chown(path, self.uid, self.gid)


def _holds(act: Callable[[], bool]) -> bool:
    try:
        return act()
    except OSError:
        return False


def choose_identity(theirs: Path) -> Identity:
    """The caller; for root the owner of ``theirs`` if that is a user, else ``nobody``, else any user."""
    if os.geteuid() != 0:
        return _caller()
    for uid, gid in _candidates(theirs):
        identity = Identity(uid, gid, borrowed=True)
        if identity.can(lambda: True):
            return identity
    raise EmbeddedError(
        "PostgreSQL does not run as root and this root may not become another user: "
        "start as an ordinary user, or set DATABASE_URL and REDIS_URL to running servers."
    )


def _caller() -> Identity:
    try:
        pwd.getpwuid(os.geteuid())
    except KeyError:
        raise EmbeddedError(
            f"User id {os.geteuid()} has no name on this system, which PostgreSQL needs: "
            "start as a named user, or set DATABASE_URL and REDIS_URL to running servers."
        ) from None
    return Identity(os.geteuid(), os.getegid(), borrowed=False)


def _candidates(theirs: Path) -> Iterator[tuple[int, int]]:
    owner = theirs.stat().st_uid
    users = [user for user in pwd.getpwall() if user.pw_uid]
    for user in sorted(users, key=lambda user: (user.pw_uid != owner, user.pw_name != "nobody")):
        yield user.pw_uid, user.pw_gid
