"""The two servers: how each is prepared, started and known to be ready. On unix sockets in a 0700 folder."""

import contextlib
import locale
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from config.embedded.children import Child, Children, Program
from config.embedded.engines import Engine
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home

DATABASE_USER = "madang"
# Servers see nothing of the caller's environment: a stray PGDATA or a broken LC_ALL is not theirs.
SERVER_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
# Sized for a machine of two cores that runs everything else as well.
POSTGRES_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "max_parallel_workers_per_gather": "0",  # the web fills the cores, and containers have little /dev/shm
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
}
# Of a database that is made anew in a minute: a commit does not wait for the disk.
DISPOSABLE_SETTINGS = {"synchronous_commit": "off"}
VALKEY_SETTINGS = {
    "--port": "0",
    "--unixsocketperm": "700",
    "--save": "",  # a queue, counters and short caches: nothing here has to outlive a stop
    "--appendonly": "no",
    "--maxmemory": "256mb",
    "--maxmemory-policy": "volatile-lru",
    "--set-proc-title": "no",  # a leftover is known by its arguments
}


class Server(Protocol):
    """What the stack needs of a server."""

    @property
    def label(self) -> str: ...

    @property
    def address(self) -> str: ...

    def prepare(self, children: Children) -> None: ...

    def program(self, log: Path) -> Program: ...

    def ready(self, child: Child) -> bool: ...


@dataclass(frozen=True)
class Postgres:
    """PostgreSQL with one database, over a cluster that is made at the first start."""

    engine: Engine
    home: Home
    database: str
    disposable: bool = False
    label: str = "PostgreSQL"

    @property
    def data(self) -> Path:
        return self.home.folder / "postgres"

    @property
    def address(self) -> str:
        """In the form that django-environ understands: it does not decode a host given as %2F…"""
        return f"postgres:///{self.database}?host={self.home.sockets}&user={DATABASE_USER}"

    def prepare(self, children: Children) -> None:
        """Make the cluster if there is none; stop a server that an earlier, killed start left behind."""
        if (self.data / "PG_VERSION").is_file():
            self._require_same_version()
            stop_leftover(self.data / "postmaster.pid", str(self.data), (signal.SIGINT, signal.SIGQUIT))
        else:
            self._create_cluster(children)
        for stale in self.home.sockets.glob(".s.PGSQL.*"):
            stale.unlink()

    def _require_same_version(self) -> None:
        has = (self.data / "PG_VERSION").read_text(encoding="ascii").strip()
        said = subprocess.run(
            [self.engine.path, "--version"],
            env=SERVER_ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        match = re.search(r"\d+", said)
        if match and match[0] != has:
            raise EmbeddedError(
                f"{self.data} was made by PostgreSQL {has}, but version {match[0]} is installed: install the "
                "old version again and dump the database, or remove that folder to begin anew."
            )

    def _create_cluster(self, children: Children) -> None:
        """In a temporary folder, renamed when complete: what was interrupted is never taken for a cluster."""
        draft = self.data.with_name("postgres.new")
        shutil.rmtree(draft, ignore_errors=True)
        initdb: list[str | Path] = [
            self.engine.path.with_name("initdb"),
            f"--pgdata={draft}",
            f"--username={DATABASE_USER}",
            "--auth=trust",  # whoever can enter the 0700 socket folder
            "--encoding=UTF8",
            "--locale=C",
            f"--lc-ctype={_character_locale()}",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            *(["--no-sync"] if self.disposable else []),
        ]
        self._step(children, "initdb", initdb)
        single: list[str | Path] = [self.engine.path, "--single", "-D", draft, "postgres"]
        self._step(children, "create database", single, stdin=f"CREATE DATABASE {self.database}\n".encode())
        draft.rename(self.data)

    def _step(self, children: Children, name: str, command: Sequence[str | Path], stdin: bytes = b"") -> None:
        program = Program(
            name=name,
            arguments=command,
            environment=SERVER_ENVIRONMENT,
            folder=self.home.folder,
            identity=self.home.identity,
            stdin=stdin,
            quiet=True,
        )
        child = children.run(program)
        if child.status != 0 or any(b"ERROR:" in line for line in child.tail):
            raise EmbeddedError(
                f"PostgreSQL: {name} failed.\n" + b"\n".join(child.tail).decode(errors="replace")
            )

    def program(self, log: Path) -> Program:
        settings = {
            **POSTGRES_SETTINGS,
            **(DISPOSABLE_SETTINGS if self.disposable else {}),
            "unix_socket_directories": str(self.home.sockets),
        }
        return Program(
            name=self.label,
            arguments=[
                self.engine.path,
                "-D",
                self.data,
                *(f"--{name}={value}" for name, value in settings.items()),
            ],
            environment=SERVER_ENVIRONMENT,
            folder=self.home.folder,
            # TERM would wait for idle clients; INT disconnects them, QUIT needs recovery at the next start.
            stop_signals=(signal.SIGINT, signal.SIGQUIT, signal.SIGKILL),
            identity=self.home.identity,
            log=log,
            foundation=True,
        )

    def ready(self, child: Child) -> bool:
        """The eighth line of postmaster.pid is the server's own word on its state."""
        with contextlib.suppress(FileNotFoundError):
            lines = (self.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
            return len(lines) >= 8 and lines[0] == str(child.process.pid) and lines[7].strip() == "ready"
        return False


def _character_locale() -> str:
    """A UTF-8 character table of the C library: text search asks it for letters; "C" knows only a to z."""
    before = locale.setlocale(locale.LC_CTYPE)
    try:
        for name in ("C.UTF-8", "en_US.UTF-8", "UTF-8"):
            with contextlib.suppress(locale.Error):
                locale.setlocale(locale.LC_CTYPE, name)
                return name
        return "C"
    finally:
        locale.setlocale(locale.LC_CTYPE, before)


@dataclass(frozen=True)
class Valkey:
    """Valkey (or Redis) that keeps nothing on disk."""

    engine: Engine
    home: Home
    label: str = "Valkey"

    @property
    def socket(self) -> Path:
        return self.home.sockets / "valkey.sock"

    @property
    def address(self) -> str:
        return f"unix://{self.socket}?db=0"

    @property
    def pid_file(self) -> Path:
        return self.home.sockets / "valkey.pid"

    def prepare(self, children: Children) -> None:
        """Stop a server that an earlier, killed start left behind."""
        stop_leftover(self.pid_file, str(self.socket), (signal.SIGTERM, signal.SIGKILL))
        self.socket.unlink(missing_ok=True)

    def program(self, log: Path) -> Program:
        settings = {**VALKEY_SETTINGS, "--unixsocket": str(self.socket), "--pidfile": str(self.pid_file)}
        return Program(
            name=self.label,
            arguments=[self.engine.path, *(part for setting in settings.items() for part in setting)],
            environment=SERVER_ENVIRONMENT,
            folder=self.home.folder,
            identity=self.home.identity,
            log=log,
            foundation=True,
        )

    def ready(self, child: Child) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(1)
                client.connect(str(self.socket))
                client.sendall(b"PING\r\n")
                return client.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def stop_leftover(pid_file: Path, mark: str, signals: Sequence[signal.Signals]) -> None:
    """Stop the server of an owner that is gone; ``mark`` is in its arguments, as the number may be reused.

    The lock is ours, so who serves this folder lost its supervisor (on Linux it is about to end by itself).
    """
    pid = _pid_in(pid_file)
    if pid is None:
        return
    for signum in signals:
        if mark in _command_line(pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signum)
            _await_end(pid, mark)
    if _command_line(pid):
        pid_file.unlink(
            missing_ok=True
        )  # the number is another program's now, and the server would take it for itself


def _await_end(pid: int, mark: str) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and mark in _command_line(pid):
        time.sleep(0.05)


def _pid_in(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="utf-8").split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def _command_line(pid: int) -> str:
    """A process's arguments; empty when there is no such process."""
    if sys.platform == "darwin":
        listing = subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, check=False)
        return listing.stdout.decode(errors="replace")
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""
