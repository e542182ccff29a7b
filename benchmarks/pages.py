"""Pages given out from the front's memory, against the same pages made by Django at each request, in one run.

One server over a database that holds one thing of every kind. A reader without a cookie is given what is in memory, one
with a cookie what Django makes; each page is asked for both ways in turn. Beside the rates: how many bytes a first
visit costs, and how soon both workers show an edit on a page that only lists it.
"""

import gzip
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from benchmarks.gates import at_least
from benchmarks.load import Address, fetch, get, requests_per_second
from benchmarks.rounds import in_turns, ratio
from benchmarks.scratch import scratch_database
from benchmarks.web_servers import START_SECONDS, front
from benchmarks.worlds import world_of_pages
from config.celery import app as celery_app
from knowledge.models import Unit

ROUNDS = 3
ROUND_SECONDS = 0.5
EDITS = 3
# What the memory saves: below this it would not be worth its lines.
TIMES_FASTER = 4.0


def run() -> dict[str, Any]:
    """Requests a second for each kind of page, kept and made, and their ratio."""
    # What saving a document sends to workers is not for those of a `make run` on the same Valkey.
    celery_app.conf.update(broker_url="memory://")
    with (
        scratch_database() as database,
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as static,
    ):
        paths = world_of_pages(folder, static)
        with front(database, folder=folder, static=static) as (address, _pid):
            figures: dict[str, Any] = {name: measure(address, path) for name, path in paths.items()}
            shown = [seconds_to_show_an_edit(address, paths["event"]) for _ in range(EDITS)]
    lowest = min(row["times"] for row in figures.values())
    figures["edit elsewhere"] = {"seconds": max(shown)}
    return {**figures, "gates": {"kept pages, times faster": at_least(TIMES_FASTER, lowest)}}


def measure(address: Address, path: str) -> dict[str, float]:
    def rate(request: bytes) -> Callable[[], float]:
        return lambda: requests_per_second(address, request, status=200, seconds=ROUND_SECONDS)

    kept, made = get(path), get(path, Cookie="a=b")
    rates = in_turns({"kept": rate(kept), "made": rate(made)}, ROUNDS)
    return {
        "kept_rps": median(rates["kept"]),
        "made_rps": median(rates["made"]),
        "times": ratio(rates, "kept", "made"),
        "gzip_bytes": fetch(address, kept).size,
    }


def seconds_to_show_an_edit(address: Address, path: str) -> float:
    """From the commit of a new name until another unit's page shows it ten times in a row, by whichever worker."""
    name = f"새 이름 {time.time_ns()}"
    Unit.objects.filter(slug="marucoin").update(label=name)
    committed, shown, seconds = time.perf_counter(), 0, 0.0
    while shown < 10:
        if time.perf_counter() - committed > START_SECONDS:
            raise RuntimeError(f"{path} does not show the edit")
        new = name.encode() in gzip.decompress(fetch(address, get(path)).body)
        shown = shown + 1 if new else 0
        seconds = seconds if shown > 1 else time.perf_counter() - committed
        time.sleep(0.01)
    return seconds
