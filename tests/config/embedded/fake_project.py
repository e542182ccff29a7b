"""A small project with programs of its own, over which the stack is run for real."""

import contextlib
import fcntl
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

CODE = Path(__file__).resolve().parents[3]
PATIENCE = 60.0  # seconds; nothing here takes long, but the machine may be busy


WEB = """
import http.server, os, sys
print("web has", os.environ["DATABASE_URL"])
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), http.server.BaseHTTPRequestHandler).serve_forever()
"""
STAY = """
import sys, time
print(sys.argv[1], "is here")
time.sleep(600)
"""
STUBBORN = """
import signal, time
for number in (signal.SIGTERM, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
print("stubborn is here")
time.sleep(600)
"""
MANAGE = """
import os, sys
print(sys.argv[1:], os.environ["DJANGO_SUPERUSER_USERNAME"], len(os.environ["DJANGO_SUPERUSER_PASSWORD"]))
"""
CONNECT = """
import os, urllib.parse, psycopg, redis
address = urllib.parse.urlsplit(os.environ["DATABASE_URL"])
options = dict(urllib.parse.parse_qsl(address.query))
connection = psycopg.connect(dbname=address.path.strip("/"), autocommit=True, **options)
"""
ASK_BOTH = f"""{CONNECT}
print(connection.execute("SELECT current_database(), current_setting('TimeZone')").fetchone())
print(connection.execute("SELECT to_tsvector('simple', '비트코인 급등')::text").fetchone()[0])
connection.close()
print("redis", redis.Redis.from_url(os.environ["REDIS_URL"]).ping())
"""
MAKE_A_TABLE = f"""{CONNECT}
connection.execute("CREATE TABLE IF NOT EXISTS trace AS SELECT 'kept' AS word")
connection.close()
"""
IMPATIENT = """
from config.embedded import guard
guard.PATIENCE = 1.0
"""
MIGRATE = f"""{CONNECT}
connection.execute("CREATE TABLE IF NOT EXISTS django_migrations AS SELECT 1 AS id")
connection.close()
print("migrated")
"""
ASK_FOR_THE_TABLE = f"""{CONNECT}
print(connection.execute("SELECT word FROM trace").fetchone())
connection.close()
"""


@dataclass
class Running:
    """A started supervisor; what it prints goes to a file."""

    process: subprocess.Popen[bytes]
    printed: Path

    @property
    def output(self) -> str:
        return self.printed.read_text(encoding="utf-8")

    def says(self, text: str) -> None:
        """Wait until it has printed the text."""
        wait_until(lambda: text in self.output or self.process.poll() is not None)
        assert text in self.output

    def ended(self) -> int:
        """Wait for its end and give its exit status."""
        return self.process.wait(PATIENCE)

    def interrupt(self) -> int:
        """Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.ended()


@dataclass
class FakeProject:
    """A folder with a Procfile and the programs it names, and the stack run there."""

    root: Path
    user: str | None = None
    python: str = sys.executable
    path: list[str] = field(default_factory=lambda: [str(CODE)])
    port: int = field(default_factory=lambda: unused_port())
    started: list[Running] = field(default_factory=list)

    def write(self, **processes: str) -> None:
        lines = [f"{name}: {command}\n" for name, command in processes.items()]
        (self.root / "Procfile").write_text("".join(lines), encoding="utf-8")

    def lose_patience(self) -> None:
        """Let every signal have a second before the next, harder one, where it has four."""
        folder = self.root / "impatient"
        folder.mkdir(exist_ok=True)
        (folder / "sitecustomize.py").write_text(IMPATIENT, encoding="utf-8")
        self.path = [str(folder), *self.path]

    def environment(self, **variables: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        base = {"HOME": str(self.root), "PYTHONPATH": os.pathsep.join(self.path), "PORT": str(self.port)}
        return {**kept, **base, **variables}

    def start(self, *command: str | Path, terminal: int | None = None, **variables: str) -> Running:
        """``terminal`` is written to in place of a file."""
        printed = self.root / f"printed-{time.monotonic_ns()}"
        with printed.open("wb") as file:
            process = subprocess.Popen(
                [self.python, "-m", "config.embedded", *map(str, command)],
                cwd=self.root,
                env=self.environment(**variables),
                stdin=subprocess.DEVNULL,
                stdout=file if terminal is None else terminal,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=self.user,
                group=pwd.getpwnam(self.user).pw_gid if self.user else None,
                extra_groups=[] if self.user else None,
            )
        self.started.append(Running(process, printed))
        return self.started[-1]

    def run(self, *command: str | Path, **variables: str) -> tuple[int, str]:
        """Run to the end: exit status and everything printed."""
        running = self.start(*command, **variables)
        return running.ended(), running.output

    def python_says(self, code: str, **variables: str) -> str:
        """What a Python program prints that is run with both servers up."""
        status, output = self.run("python", "-c", code, **variables)
        assert status == 0, output
        return output

    def leftovers(self) -> list[str]:
        """Processes of the stack that still run: those that name its folders, and whoever holds its lock."""
        folders = [str(folder) for folder in self.folders()]
        found = [line for line in command_lines() if any(folder in line for folder in folders)]
        return [*found, *(["somebody holds the lock"] if self.locked() else [])]

    def locked(self) -> bool:
        with contextlib.suppress(FileNotFoundError), (self.root / "var/embedded.lock").open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    def folders(self) -> list[Path]:
        """The project and what lies elsewhere because its own folder is closed or its path too long."""
        env, pointer = self.root / "var/env", self.root / "var/embedded.path"
        found = [self.root]
        if pointer.is_file():
            found.append(Path(pointer.read_text(encoding="utf-8").strip()))
        if env.is_file() and (match := re.search(r"host=([^&]+)", env.read_text(encoding="utf-8"))):
            found.append(Path(match[1]))
        return found


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)


def command_lines() -> list[str]:
    """Arguments of every living process."""
    if not Path("/proc/self/cmdline").exists():
        listing = subprocess.run(["ps", "-axww", "-o", "args="], capture_output=True, text=True, check=True)
        return listing.stdout.splitlines()
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            lines.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return lines


def unused_port() -> int:
    with socket.socket() as candidate:
        candidate.bind(("127.0.0.1", 0))
        port: int = candidate.getsockname()[1]
        return port


def fill(root: Path) -> FakeProject:
    """Write the programs and the Procfile of a project."""
    for name, text in {"web.py": WEB, "stay.py": STAY, "stubborn.py": STUBBORN, "manage.py": MANAGE}.items():
        (root / name).write_text(text, encoding="utf-8")
    project = FakeProject(root)
    project.write(
        release=f"python -c \"print('first')\" && python -c \"print('second && last')\" {root}",
        local=f"python -c \"print('a rehearsal')\" {root}",
        web=f"python web.py ${{PORT:-1}} {root}",
        worker=f"python stay.py worker {root}",
        beat=f"python stay.py beat {root}",
    )
    return project


@contextlib.contextmanager
def folder_open_to_all() -> Iterator[Path]:
    """pytest's own folders are closed to other users, and root lends the servers one."""
    root = Path(tempfile.mkdtemp(prefix="stack-", dir="/var/tmp"))
    root.chmod(0o755)
    try:
        yield root
    finally:
        shutil.rmtree(root)


def assert_nothing_left(project: FakeProject) -> None:
    """Also the end of every test: it takes away what lies outside the project's own folder."""
    for running in project.started:
        running.process.terminate()
    wait_until(lambda: not project.leftovers())
    left = project.leftovers()
    for folder in project.folders()[1:]:
        if project.root not in folder.parents:
            shutil.rmtree(folder, ignore_errors=True)
    assert left == []
