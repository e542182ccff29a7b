"""Pages kept by the version of the public content, against the same pages rendered at each request, in one run.

Two gunicorns over one database that holds one thing of every kind; each page is asked of both in turn. Beside the
rates: how many bytes a first visit costs, and how soon both workers show an edit on a page that only lists it.
"""

import gzip
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from statistics import median
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.test.utils import override_settings
from django.utils import timezone

from archive.days import yesterday
from archive.rehearsal import rehearse
from benchmarks.archive_app import use_folder
from benchmarks.load import fetch, get, requests_per_second
from benchmarks.serving import (
    Address,
    at_least,
    free_port,
    production_environment,
    ratio,
    scratch_database,
)
from config.celery import app as celery_app
from knowledge.models import Unit
from tests.factories.world import make_world

WORKERS = 2
ROUNDS = 3
ROUND_SECONDS = 0.5
EDITS = 3
START_SECONDS = 30.0
# Rendering is what the cache saves: below this it would not be worth its lines.
TIMES_FASTER = 4.0


def run() -> dict[str, Any]:
    """Requests a second for each kind of page, kept and not, and their ratio."""
    # What saving a document sends to workers is not for those of a `make run` on the same Valkey.
    celery_app.conf.update(broker_url="memory://")
    with (
        scratch_database() as database,
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as static,
    ):
        paths = world_of_pages(folder, static)
        with (
            gunicorn(database, folder, static, keeps=True) as kept,
            gunicorn(database, folder, static, keeps=False) as made,
        ):
            figures: dict[str, Any] = {name: measure(kept, made, path) for name, path in paths.items()}
            shown = [seconds_to_show_an_edit(kept, paths["event"]) for _ in range(EDITS)]
    lowest = min(row["times"] for row in figures.values())
    figures["edit elsewhere"] = {"seconds": max(shown)}
    return {**figures, "gates": {"kept pages, times faster": at_least(TIMES_FASTER, lowest)}}


def world_of_pages(folder: str, static: str) -> dict[str, str]:
    """Fill the database and the folders; a path for each kind of page."""
    now = timezone.now()
    use_folder(folder)
    # DEBUG, which this process may run with, would leave out the hashed names that the servers look for.
    hashed = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    with override_settings(STATIC_ROOT=static, STORAGES={**settings.STORAGES, "staticfiles": hashed}):
        call_command("collectstatic", interactive=False, verbosity=0)
    call_command("load_canon", verbosity=0, stdout=StringIO())
    list(rehearse(14, until=yesterday(now)))
    world = make_world(now)
    return {
        "home": "/",
        "list": "/asset",
        "asset": world.asset.get_absolute_url(),
        "event": world.event.get_absolute_url(),
        "answer": world.answer,
        "city": "/city",
        "city day": f"/city/{yesterday(now)}",
    }


@contextmanager
def gunicorn(database: str, folder: str, static: str, *, keeps: bool) -> Iterator[Address]:
    """Two threaded workers with production's settings, once they answer and hear of changes."""
    address = ("127.0.0.1", free_port())
    call = f"benchmarks.pages_app:make_application({database!r}, {folder!r}, {static!r}, {keeps})"
    options = f"-w {WORKERS} --threads 8 --log-level warning"
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", call, *options.split(), "-b", f"{address[0]}:{address[1]}"],
        env=production_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until_it_answers(address, server)
        yield address
    finally:
        server.terminate()
        server.wait(START_SECONDS)


def wait_until_it_answers(address: Address, server: subprocess.Popen[bytes]) -> None:
    deadline, answered = time.monotonic() + START_SECONDS, 0
    while answered < WORKERS * 5:
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("gunicorn did not start")
        try:
            answered += fetch(address, get("/")).status == 200
        except OSError:
            time.sleep(0.1)
    time.sleep(2)  # a listener's first turn builds everything


def measure(kept: Address, made: Address, path: str) -> dict[str, float]:
    rates: dict[str, list[float]] = {"kept": [], "made": []}
    for turn in range(ROUNDS + 1):
        for name, address in (("kept", kept), ("made", made)):
            rate = requests_per_second(address, get(path), status=200, seconds=ROUND_SECONDS)
            if turn:  # the first round only warms up
                rates[name].append(rate)
    return {
        "kept_rps": median(rates["kept"]),
        "made_rps": median(rates["made"]),
        "times": ratio(rates, "kept", "made"),
        "gzip_bytes": fetch(kept, get(path)).size,
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
