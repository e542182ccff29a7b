"""Web processes over the test's database; in production's form behind one proxy that ends TLS."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.database import address_of_test_database

PRODUCTION = {
    "DEBUG": "false",
    "TRUSTED_PROXY_COUNT": "1",
    "ALLOWED_HOSTS": "localhost,127.0.0.1",
    "BASE_URL": "https://localhost",
    "SECRET_KEY": "of these tests, and of nothing else that anybody serves",
}
SECURE = {"X-Forwarded-Proto": "https"}  # as its proxy says it
START_SECONDS = 120.0
STOP_SECONDS = 60.0


@dataclass
class Serving:
    """A gunicorn with its workers; ``log`` is what they wrote."""

    port: int
    master: "subprocess.Popen[bytes]"
    log: Path

    @property
    def workers(self) -> list[int]:
        """The processes of the master's that live."""
        return [int(pid) for pid in self._children().split()]

    def _children(self) -> str:
        return Path(f"/proc/{self.master.pid}/task/{self.master.pid}/children").read_text()

    def kilobytes(self) -> int:
        """What the workers hold in memory."""
        lines = [Path(f"/proc/{pid}/status").read_text().splitlines() for pid in self.workers]
        return sum(int(line.split()[1]) for each in lines for line in each if line.startswith("VmRSS"))

    def connected(self) -> int:
        """How many connections the workers have."""
        rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return sum(row[1].endswith(f":{self.port:04X}") and row[3] == "01" for row in rows)

    def answers(self) -> bool:
        try:
            return status_and_body(self.port, "/api/health")[0] == 200
        except (OSError, http.client.HTTPException):
            return False


@contextmanager
def serving(
    log: Path, *, workers: int = 2, settings: Mapping[str, str] = PRODUCTION, ask_process: bool = False
) -> Iterator[Serving]:
    """A running gunicorn that answers. Its processes for questions would come ten seconds later, and take five."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    own = {"DATABASE_URL": address_of_test_database(), "ASK_PROCESS": str(ask_process).lower()}
    environment = {**os.environ, **settings, **own}
    if settings is PRODUCTION:
        collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
        subprocess.run(collect, env=environment, check=True)
    command = [sys.executable, "-m", "gunicorn", "config.asgi", "-w", str(workers), "-b", f"127.0.0.1:{port}"]
    with log.open("wb") as written:
        master = subprocess.Popen(command, env=environment, stderr=written, stdout=written)
    served = Serving(port, master, log)
    try:
        assert wait_until(served.answers, START_SECONDS), log.read_text()[-2000:]
        yield served
    finally:
        master.terminate()
        master.wait(STOP_SECONDS)


def status_and_body(port: int, path: str) -> tuple[int, str]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", path, headers=SECURE)
        response = connection.getresponse()
        return response.status, response.read().decode()


def wait_until(is_so: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
