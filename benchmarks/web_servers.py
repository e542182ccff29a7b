"""Web servers for the time of a measurement: ours as production has it, and others to compare it with."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from benchmarks.load import Address, fetch, get

WORKERS = 2
START_SECONDS = 60.0
THREADS = "-k gthread --threads 64"  # as many as the front has places
Environment = dict[str, str]
HEARD_SECONDS = 2.0  # a listener that is at work looks once a second


class Server(NamedTuple):
    """A gunicorn. Its workers are ready, and hear of changes."""

    address: Address
    pid: int

    @property
    def workers(self) -> list[int]:
        """Their process ids, from /proc; none where there is none (macOS)."""
        listed = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        return [int(child) for child in listed.read_text().split()] if listed.exists() else []

    @property
    def resident_mb(self) -> float:
        """Of the larger worker; 0 where there is no /proc."""
        found = [0.0]
        for pid in self.workers:
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            found += [int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:")]
        return max(found)


class Shown(NamedTuple):
    """What a worker says of itself: its process id, its index of entities, seconds since it last heard."""

    pid: int
    etag: str
    silent: float


@contextmanager
def front(
    database: str,
    *,
    folder: str = "",
    static: str = "",
    environment: Environment | None = None,
    log: Path | None = None,
) -> Iterator[Server]:
    """Production's web process over ``database``: gunicorn.conf.py's worker and application."""
    call = f"benchmarks.web_app:front({database!r}, folder={folder!r}, static={static!r})"
    with gunicorn(call, "", environment or {}, log) as server:
        yield server


@contextmanager
def threads(
    database: str, *, folder: str = "", static: str = "", environment: Environment | None = None
) -> Iterator[Server]:
    """The same project as a WSGI application under gunicorn's threaded worker."""
    call = f"benchmarks.web_app:plain({database!r}, folder={folder!r}, static={static!r})"
    with gunicorn(call, THREADS, environment or {}) as server:
        yield server


@contextmanager
def gunicorn(
    application: str, options: str, environment: Environment, log: Path | None = None
) -> Iterator[Server]:
    """Two workers with production's settings and ``environment`` over them, ended afterwards; what they log goes to a
    file where one is named."""
    address = ("127.0.0.1", free_port())
    command = [sys.executable, "-m", "gunicorn", application, "-b", f"{address[0]}:{address[1]}"]
    with Path(log or os.devnull).open("wb") as written:  # for what Django answers, a line each
        process = subprocess.Popen(
            [*command, *f"-w {WORKERS} --log-level warning {options}".split()],
            env=production_environment() | environment,
            cwd=settings.BASE_DIR,
            stdout=subprocess.DEVNULL,
            stderr=written,
        )
    try:
        _wait_for_workers(address, process)
        yield Server(address, process.pid)
    finally:
        process.terminate()
        process.wait(START_SECONDS)


def _wait_for_workers(address: Address, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    seen: set[int] = set()
    while len(seen) < WORKERS:
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("gunicorn did not start")
        try:
            shown = shown_by_a_worker(address)
            if shown.silent < HEARD_SECONDS:
                seen.add(shown.pid)
        except OSError:
            time.sleep(0.1)


def shown_by_a_worker(address: Address) -> Shown:
    """By whichever takes the connection."""
    reply = fetch(address, get("/bench/probe", Accept_Encoding="identity"))
    return Shown(**json.loads(reply.body)) if reply.status == 200 else Shown(0, "", HEARD_SECONDS)


def production_environment() -> dict[str, str]:
    """Production's settings over this process's environment, with the static files that it starts with only."""
    _collect_static_files()
    return _production()


@cache
def _collect_static_files() -> None:
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity=0"]
    subprocess.run(command, env=_production(), cwd=settings.BASE_DIR, check=True)


def _production() -> dict[str, str]:
    # DEBUG would let WhiteNoise look for a file at every request.
    return {
        **os.environ,
        "DEBUG": "false",
        "FETCH_ALLOW_PRIVATE": "false",
        "FAKE_LLM": "false",
        "SECRET_KEY": "for this benchmark only, and no longer than it runs",
        "ALLOWED_HOSTS": "127.0.0.1",
        "BASE_URL": "https://localhost",
        "CITY_URL": "https://localhost",
        "TRUSTED_PROXY_COUNT": "1",
        "METRICS_TOKEN": "for this benchmark only",
    }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
