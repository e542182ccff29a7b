"""The archive from one gunicorn: a day, sixty ordinary days, and sixty days of a megabyte for twenty clients.

Beside the rates: what a seal and its proof take a day, and how much memory the large bulk costs a worker.
"""

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone

from archive import storage
from archive.canonical import canonical_bytes, sha256_hex
from archive.days import ONE_DAY, end_of
from archive.models import Snapshot
from archive.rehearsal import rehearse
from archive.verification import verify
from benchmarks.archive_app import use_folder
from benchmarks.load import Client, fetch, get, requests_per_second
from benchmarks.serving import Address, free_port, production_environment, scratch_database
from knowledge.publications import build

DAYS = 60
UNTIL = date(2026, 11, 20)
SECONDS = 2.0
CLIENTS = 20
MEGABYTE = 1024 * 1024
WORKERS = 2
START_SECONDS = 30.0
MEMORY_MAX_MB = 60.0  # twenty clients of sixty megabytes each


def run() -> dict[str, Any]:
    """Seconds and bytes a day, requests a second, and megabytes a worker grew by under the large bulk."""
    with scratch_database() as database, tempfile.TemporaryDirectory() as folder:
        use_folder(folder)
        figures: dict[str, Any] = sealing()
        with gunicorn(database, folder) as (address, _pids):
            figures |= rates(address)
        make_large()
        with gunicorn(database, folder) as (address, pids):
            figures |= large_bulk(address, pids)
    grown = figures["large_bulk_grew_mb"]
    gate = {"measured": grown, "required": f"≤ {MEMORY_MAX_MB:g}", "holds": grown <= MEMORY_MAX_MB}
    return {**figures, "gates": {"memory under 20 large bulks": gate}}


def sealing() -> dict[str, float]:
    began = time.perf_counter()
    rows = list(rehearse(DAYS, until=UNTIL))
    sealed = time.perf_counter()
    wrong = sum(bool(found) for found in verify())
    proved = time.perf_counter()
    build(now=timezone.now())
    return {
        "seal_s_a_day": (sealed - began) / DAYS,
        "verify_s_a_day": (proved - sealed) / DAYS,
        "bytes_a_day": sum(row.size for row in rows) / DAYS,
        "days_that_do_not_hold": wrong,
    }


def rates(address: Address) -> dict[str, float]:
    paths = {
        "manifest": "/api/archive",
        "day": f"/api/archive?date={UNTIL}",
        "bulk": f"/api/archive?days={DAYS}",
    }
    found: dict[str, float] = {}
    for name, path in paths.items():
        found[f"{name}_gzip_bytes"] = fetch(address, get(path)).size
        found[f"{name}_rps"] = requests_per_second(address, get(path), status=200, seconds=SECONDS)
    return found


def make_large() -> None:
    """Sixty newer days of a megabyte each."""
    for number in range(DAYS):
        day = UNTIL + (number + 1) * ONE_DAY
        content = canonical_bytes({"date": day.isoformat(), "pad": "가" * (MEGABYTE // 3)})
        storage.write(day, 1, content)
        Snapshot.objects.create(
            day=day,
            status="complete",
            late=False,
            rehearsal=True,
            size=len(content),
            sha256=sha256_hex(content),
            sealed_at=end_of(day) + timedelta(seconds=1),
        )
    build(now=timezone.now())


def large_bulk(address: Address, pids: list[int]) -> dict[str, float]:
    """Twenty clients take the whole bulk at once."""
    path = get(f"/api/archive?days={DAYS}")
    fetch(address, get("/api/archive"))
    before = resident_mb(pids)
    sizes: list[int] = []
    clients = [threading.Thread(target=drain, args=(address, path, sizes)) for _client in range(CLIENTS)]
    began = time.perf_counter()
    for client in clients:
        client.start()
    highest = before
    while any(client.is_alive() for client in clients):
        highest = max(highest, resident_mb(pids))
        time.sleep(0.05)
    seconds = time.perf_counter() - began
    if len(sizes) < CLIENTS:
        raise RuntimeError(f"{CLIENTS - len(sizes)} clients were not served to the end")
    return {
        "large_bulk_mb": sizes[0] / MEGABYTE,
        "large_bulk_mb_a_second": sum(sizes) / MEGABYTE / seconds,
        "large_bulk_grew_mb": highest - before,
    }


def drain(address: Address, request: bytes, sizes: list[int]) -> None:
    client = Client(address)
    try:
        sizes.append(client.ask(request).size)
    finally:
        client.close()


def resident_mb(pids: list[int]) -> float:
    """The largest resident set among the processes, from /proc; 0 where there is none (macOS)."""
    found = [0.0]
    for pid in pids:
        status = Path(f"/proc/{pid}/status")
        if status.exists():
            lines = (line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
            found += [int(line.split()[1]) / 1024 for line in lines]
    return max(found)


@contextmanager
def gunicorn(database: str, folder: str) -> Iterator[tuple[Address, list[int]]]:
    """Two threaded workers over ``database`` and ``folder``, once they answer; with their process ids."""
    address = ("127.0.0.1", free_port())
    application = f"benchmarks.archive_app:make_application({database!r}, {folder!r})"
    options = f"-w {WORKERS} --threads 32 --log-level warning"
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", application, *options.split(), "-b", f"{address[0]}:{address[1]}"],
        env=production_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until_it_answers(address, server)
        yield address, children_of(server.pid)
    finally:
        server.terminate()
        server.wait(START_SECONDS)


def wait_until_it_answers(address: Address, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("gunicorn did not start")
        try:
            if fetch(address, get("/api/archive")).status == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)


def children_of(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []
