"""The public index from our view against other ways to serve the same bytes or rows, at 1,000 and 20,000
entities, and beside it the index of series at equal size.

One gunicorn with two threaded workers on loopback, a database of its own, the same middleware for all. Rivals
take turns in short rounds and each round gives a ratio, so that what else the machine does weighs on all of
them.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from statistics import median
from typing import Any

from django.db import connection
from django.utils import timezone

from benchmarks.gates import at_least
from benchmarks.load import Address, fetch, get, requests_per_second
from benchmarks.rounds import Rates, in_turns, ratio
from benchmarks.scratch import scratch_database, seed
from benchmarks.web_servers import START_SECONDS, WORKERS, production_environment, shown_by_a_worker, threads
from knowledge.models import Observation, Publication, Series, SeriesInput, Unit
from knowledge.publications import build

SIZES = (1_000, 20_000)
ROUNDS = 7
SERIES_ROUNDS = 15  # two rivals alone, whose ratio lies near 1
ROUND_SECONDS = 0.3
SERIALIZED_SECONDS = 3.0  # a list of 20,000 rows takes seconds, so it gets one long round
EDITS = 3
BATCH = 5_000
VALUES_A_SERIES = 8  # a day apart, so that there is a former one and one of the week before
STEPS = 8
EQUAL = 0.02  # by which share of their bytes the indexes that are compared may differ
ENTITIES = "/api/canonical/entities.json"


def run() -> dict[str, Any]:
    """Requests a second of each rival at each size, their ratios, and the gates that ours must hold."""
    figures: dict[str, dict[str, float]] = {}
    with scratch_database() as database:
        for size in SIZES:
            seed(size)
            with threads(database) as (address, _pid):
                figures[f"{size} over HTTP"] = measure(address)
            if size == SIZES[0]:
                figures[f"{size} in process"] = calls(database)
                seed_series_of_equal_size()
                with threads(database) as (address, _pid):
                    figures["series over HTTP"] = measure_series(address)
                Series.objects.all().delete()
    return {**figures, "gates": gates(figures)}


def seed_series_of_equal_size() -> None:
    """As many series as make their index as large, compressed, as that of the entities, which names them too."""
    count = 0
    for _step in range(STEPS):
        wanted, has = gzip_bytes("entities"), gzip_bytes("series")
        if abs(wanted - has) <= EQUAL * wanted:
            return
        each = has / count if count else wanted / 10
        more = max(1, round((wanted - has) * 0.9 / each))
        seed_series(range(count, count + more))
        count += more
    raise RuntimeError("the indexes of series and entities are not of equal size")


def gzip_bytes(name: str) -> int:
    return len(Publication.objects.values_list("gz", flat=True).get(name=name))


def seed_series(numbers: range) -> None:
    holders, now = list(Unit.objects.order_by("pk")), timezone.now()
    series = Series.objects.bulk_create(
        Series(
            slug=f"made-up-{number}",
            label=f"지어낸 수 {number}",
            label_en=f"Made-up number {number}",
            unit="KRW",
            cadence="daily",
            decimals=2,
            licence="CC BY 4.0",
            redistributable=True,
            holder=holders[number % len(holders)],
        )
        for number in numbers
    )
    inputs = SeriesInput.objects.bulk_create(SeriesInput(key=each.slug, series=each) for each in series)
    Observation.objects.bulk_create(
        [
            Observation(
                input=each, at=now - timedelta(days=back), value=each.pk * 7.31 + back, fetched_at=now
            )
            for each in inputs
            for back in range(VALUES_A_SERIES)
        ],
        batch_size=BATCH,
    )
    build(now=timezone.now())
    connection.close()


def measure(address: Address) -> dict[str, float]:
    ours = fetch(address, get(ENTITIES))
    requests = {
        "ours": (get(ENTITIES), 200),
        "bare_django": (get("/bench/bare-django"), 200),
        "bare_apiview": (get("/bench/bare-apiview"), 200),
        "not_modified": (get(ENTITIES, If_None_Match=ours.headers["etag"]), 304),
    }
    rates = rates_of(address, requests)
    serialized = requests_per_second(
        address, get("/bench/serialized"), status=200, seconds=SERIALIZED_SECONDS, connections=WORKERS
    )
    return {
        "gzip_bytes": ours.size,
        **{f"{name}_rps": median(found) for name, found in rates.items()},
        "serialized_rps": serialized,
        "of_bare_django": ratio(rates, "ours", "bare_django"),
        "of_bare_apiview": ratio(rates, "ours", "bare_apiview"),
        "of_serialized": median(rates["ours"]) / serialized,
        "edit_to_everywhere_s": max(seconds_to_show_an_edit(address) for _ in range(EDITS)),
    }


def measure_series(address: Address) -> dict[str, float]:
    """The index of series against that of entities, where both are as large."""
    entities, series = get(ENTITIES), get("/api/series.json")
    rates = rates_of(address, {"ours": (entities, 200), "series": (series, 200)}, rounds=SERIES_ROUNDS)
    return {
        "gzip_bytes": fetch(address, series).size,
        **{f"{name}_rps": median(found) for name, found in rates.items()},
        "of_entities": ratio(rates, "series", "ours"),
    }


def rates_of(address: Address, requests: Mapping[str, tuple[bytes, int]], rounds: int = ROUNDS) -> Rates:
    """Requests a second of each, a round at a time, in turns; with each the status that is due."""

    def rate(request: bytes, status: int) -> Callable[[], float]:
        return lambda: requests_per_second(address, request, status=status, seconds=ROUND_SECONDS)

    return in_turns({name: rate(*due) for name, due in requests.items()}, rounds)


def seconds_to_show_an_edit(address: Address) -> float:
    """From the commit of an edit until both workers show it."""
    former = shown_by_a_worker(address).etag
    Unit.objects.filter(slug="made-up-0").update(label=f"고친 이름 {time.time_ns()}")
    committed = time.perf_counter()
    current: set[int] = set()
    while len(current) < WORKERS:
        shown = shown_by_a_worker(address)
        if shown.etag != former:
            current.add(shown.pid)
        time.sleep(0.01)
    return time.perf_counter() - committed


def calls(database: str) -> dict[str, float]:
    """The same rivals without sockets: see ``benchmarks.views_calls``."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.views_calls", database],
        env=production_environment(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=START_SECONDS * 2,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def gates(figures: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, object]]:
    """The ratios are judged in process at the smaller size: where sockets and bytes cover nothing up."""
    small, large = (figures[f"{size} over HTTP"] for size in SIZES)
    inside = figures[f"{SIZES[0]} in process"]
    slower = small["ours_rps"] / large["ours_rps"]
    return {
        "of a bare Django view": at_least(0.75, inside["of_bare_django"]),
        "of a bare APIView": at_least(0.95, inside["of_bare_apiview"]),
        "times the DRF list": at_least(100, inside["of_serialized"]),
        "series of entities": at_least(0.85, figures["series over HTTP"]["of_entities"]),
        "time grows no steeper than bytes": at_least(1, large["gzip_bytes"] / small["gzip_bytes"] / slower),
    }
