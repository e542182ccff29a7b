"""The archive from one gunicorn: a day, sixty ordinary days, and sixty days of a megabyte for twenty clients.

Beside the rates: what a seal and its proof take a day, and how much memory the large bulk costs a worker.
"""

import tempfile
import threading
import time
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from archive import storage
from archive.canonical import canonical_bytes, sha256_hex
from archive.days import ONE_DAY, end_of
from archive.models import Snapshot
from archive.rehearsal import rehearse
from archive.verification import verify
from benchmarks.gates import at_most
from benchmarks.load import Address, Client, fetch, get, requests_per_second
from benchmarks.scratch import scratch_database
from benchmarks.web_app import use_folder
from benchmarks.web_servers import Server, front
from knowledge.publications import build

DAYS = 60
UNTIL = date(2026, 11, 20)
SECONDS = 2.0
CLIENTS = 20
MEGABYTE = 1024 * 1024
MEMORY_MAX_MB = 60.0  # twenty clients of sixty megabytes each


def run() -> dict[str, Any]:
    """Seconds and bytes a day, requests a second, and megabytes a worker grew by under the large bulk."""
    with scratch_database() as database, tempfile.TemporaryDirectory() as folder:
        use_folder(folder)
        figures: dict[str, Any] = sealing()
        with front(database, folder=folder) as server:
            figures |= rates(server.address)
        make_large()
        with front(database, folder=folder) as server:
            figures |= large_bulk(server)
    gate = at_most(MEMORY_MAX_MB, figures["large_bulk_grew_mb"])
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


def large_bulk(server: Server) -> dict[str, float]:
    """Twenty clients take the whole bulk at once."""
    address = server.address
    path = get(f"/api/archive?days={DAYS}")
    fetch(address, get("/api/archive"))
    before = server.resident_mb
    sizes: list[int] = []
    clients = [threading.Thread(target=drain, args=(address, path, sizes)) for _client in range(CLIENTS)]
    began = time.perf_counter()
    for client in clients:
        client.start()
    highest = before
    while any(client.is_alive() for client in clients):
        highest = max(highest, server.resident_mb)
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
