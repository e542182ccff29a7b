"""Where the servers keep data and sockets: in ``var/``, or elsewhere if their user cannot reach ``var/``."""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from config.embedded.errors import EmbeddedError
from config.embedded.identity import Identity, choose_identity
from config.embedded.project import Project

# A unix socket's path may have 103 bytes on macOS and 107 on Linux, and the socket's own name comes on top.
SOCKET_PATH_LIMIT = 100
POINTER = "embedded.path"
LONGEST_SOCKET_NAME = ".s.PGSQL.5432.lock"
# What stands in an address unescaped: django-environ leaves %2F and its like as they are.
PLAIN_PATH = re.compile(r"[A-Za-z0-9/._-]+")


@dataclass(frozen=True)
class Home:
    """A folder that only the servers' user can enter, and a short one (perhaps inside it) for the sockets."""

    folder: Path
    sockets: Path
    identity: Identity


def settle(project: Project) -> Home:
    """Choose the servers' user and make its folders; raises EmbeddedError where they are somebody else's."""
    near = project.var / "embedded"
    identity = choose_identity(near if near.is_dir() else project.root)
    folder = near
    if _keeps_elsewhere(project) or not _usable(near, identity):
        folder = _elsewhere(project)
        claim(folder, identity)
    _take_over_copies(folder, identity)
    return Home(folder, _socket_folder(folder, project, identity), identity)


def _keeps_elsewhere(project: Project) -> bool:
    """Whether this very project has its data elsewhere; a copy of it must not share that data."""
    pointer = project.var / POINTER
    return pointer.is_file() and pointer.read_text(encoding="utf-8").strip() == str(_place(project))


def _elsewhere(project: Project) -> Path:
    """The folder beside all projects, and a note in ``var/`` of where it is."""
    pointer = project.var / POINTER
    pointer.write_text(f"{_place(project)}\n", encoding="utf-8")
    project.give_to_owner(pointer)
    return _place(project)


def _place(project: Project) -> Path:
    return Path("/var/tmp") / f"madang-{project.fingerprint}"  # noqa: S108 (owner and mode are checked)


def _take_over_copies(folder: Path, identity: Identity) -> None:
    """Data that root copied along with a project is root's, which the server refuses to touch."""
    data = folder / "postgres"
    if not identity.borrowed or not data.exists() or data.lstat().st_uid != os.geteuid():
        return
    for _, folders, files, descriptor in os.fwalk(data):
        for name in (*folders, *files):
            os.chown(name, identity.uid, identity.gid, dir_fd=descriptor, follow_symlinks=False)
    os.chown(data, identity.uid, identity.gid, follow_symlinks=False)


def _usable(folder: Path, identity: Identity) -> bool:
    """Make the folder and see whether the servers' user gets there; no folder above is changed for it."""
    try:
        claim(folder, identity)
    except OSError:
        return False
    if identity.can(lambda: os.access(folder, os.R_OK | os.W_OK | os.X_OK)):
        return True
    if any(folder.iterdir()):
        raise EmbeddedError(
            f"The data in {folder} belongs to user id {identity.uid}, whom a folder above keeps out: "
            "start as that user, open the way to it, or remove it to begin anew."
        )
    folder.rmdir()
    return False


def _socket_folder(folder: Path, project: Project, identity: Identity) -> Path:
    sockets = folder / "run"
    length = len(os.fsencode(sockets / LONGEST_SOCKET_NAME))
    if length >= SOCKET_PATH_LIMIT or not PLAIN_PATH.fullmatch(str(sockets)):
        sockets = Path("/tmp") / f"madang-{project.fingerprint}-{identity.uid}"  # noqa: S108 (claimed likewise)
    claim(sockets, identity)
    return sockets


def claim(folder: Path, identity: Identity) -> None:
    """Make ``folder`` the user's alone (0700); raises EmbeddedError if it is a link or somebody else's.

    After the first look it uses a descriptor: /tmp is everybody's, and a path may be swapped meanwhile.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    refusal = EmbeddedError(
        f"{folder} is a link or belongs to another user, so the servers' data cannot go there: "
        "start as the user who started it first, or remove it."
    )
    if not stat.S_ISDIR(folder.lstat().st_mode):
        raise refusal
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except PermissionError:
        raise refusal from None
    try:
        if os.fstat(descriptor).st_uid not in {identity.uid, os.geteuid()}:
            raise refusal
        if identity.borrowed:
            os.fchown(descriptor, identity.uid, identity.gid)
        os.fchmod(descriptor, 0o700)
    finally:
        os.close(descriptor)
