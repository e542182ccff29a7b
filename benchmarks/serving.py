"""The public index from our view against other ways to serve the same bytes or rows, at 1,000 and 20,000
entities, and beside it the index of series at equal size.

One gunicorn with two threaded workers on loopback, a database of its own, the same middleware for all. Rivals
take turns in short rounds and each round gives a ratio, so that what else the machine does weighs on all of
them.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from statistics import median
from typing import Any, cast

from django.conf import settings
from django.db import connection
from django.db.backends.postgresql.base import DatabaseWrapper
from django.utils import timezone

from benchmarks.load import fetch, get, requests_per_second
from knowledge.models import Alias, Observation, Publication, Series, SeriesInput, Status, Unit, UnitType
from knowledge.publications import build

SIZES = (1_000, 20_000)
WORKERS = 2
ROUNDS = 7
SERIES_ROUNDS = 15  # two rivals alone, whose ratio lies near 1
ROUND_SECONDS = 0.3
SERIALIZED_SECONDS = 3.0  # a list of 20,000 rows takes seconds, so it gets one long round
EDITS = 3
START_SECONDS = 30.0
ALIASES_A_UNIT = 2
BATCH = 5_000
VALUES_A_SERIES = 8  # a day apart, so that there is a former one and one of the week before
STEPS = 8
EQUAL = 0.02  # by which share of their bytes the indexes that are compared may differ
SUMMARY = "마당이 공개하는 색인의 크기를 재려고 지어낸 자산으로, 실제로 있는 어떤 자산과도 관계가 없습니다. "

Address = tuple[str, int]
Rates = dict[str, list[float]]


def run() -> dict[str, Any]:
    """Requests a second of each rival at each size, their ratios, and the gates that ours must hold."""
    figures: dict[str, dict[str, float]] = {}
    with scratch_database() as database:
        for size in SIZES:
            seed(size)
            with gunicorn(database) as address:
                figures[f"{size} over HTTP"] = measure(address)
            if size == SIZES[0]:
                figures[f"{size} in process"] = calls(database)
                seed_series_of_equal_size()
                with gunicorn(database) as address:
                    figures["series over HTTP"] = measure_series(address)
                Series.objects.all().delete()
    return {**figures, "gates": gates(figures)}


@contextmanager
def scratch_database() -> Iterator[str]:
    """An empty database beside the configured one, gone afterwards."""
    former = connection.settings_dict["NAME"]
    connection.settings_dict["TEST"]["NAME"] = f"bench_{former}"
    name = connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield name
    finally:
        connection.close()
        cast(DatabaseWrapper, connection).close_pool()
        connection.creation.destroy_test_db(former, verbosity=0)


def seed(size: int) -> None:
    """Fill up to ``size`` published entities, and publish them."""
    units = Unit.objects
    new = units.bulk_create([made_up(number) for number in range(units.count(), size)], batch_size=BATCH)
    names = ((unit, f"별칭 {unit.slug} {at}") for unit in new for at in range(ALIASES_A_UNIT))
    Alias.objects.bulk_create(
        [Alias(unit=unit, surface=name, norm=name.replace(" ", "")) for unit, name in names], batch_size=BATCH
    )
    build(now=timezone.now())
    connection.close()


def made_up(number: int) -> Unit:
    return Unit(
        type=UnitType.ASSET,
        slug=f"made-up-{number}",
        label=f"지어낸 자산 {number}",
        symbol=f"MU{number}",
        summary=SUMMARY * 2,
        status=Status.PUBLISHED,
    )


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


@contextmanager
def gunicorn(database: str) -> Iterator[Address]:
    """Two threaded workers over ``database``, with production's settings, once all of them answer."""
    address = ("127.0.0.1", free_port())
    command = [sys.executable, "-m", "gunicorn", f"benchmarks.serving_app:make_application({database!r})"]
    options = f"-w {WORKERS} --threads 8 --log-level warning"
    server = subprocess.Popen(
        [*command, *options.split(), "-b", f"{address[0]}:{address[1]}"],
        env=production_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # a log line for each of some ten thousand requests
    )
    try:
        wait_for_workers(address, server)
        yield address
    finally:
        server.terminate()
        server.wait(START_SECONDS)


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
    }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_workers(address: Address, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    seen: set[int] = set()
    while len(seen) < WORKERS:
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("gunicorn did not start")
        try:
            seen.add(shown_by_a_worker(address)[0])
        except OSError:
            time.sleep(0.1)


def shown_by_a_worker(address: Address) -> tuple[int, str]:
    """``(process id, ETag)`` of whichever worker answers."""
    answer = json.loads(fetch(address, get("/probe", Accept_Encoding="identity")).body)
    return answer["pid"], answer["etag"]


def measure(address: Address) -> dict[str, float]:
    ours = fetch(address, get("/ours"))
    requests = {
        "ours": (get("/ours"), 200),
        "bare_django": (get("/bare-django"), 200),
        "bare_apiview": (get("/bare-apiview"), 200),
        "not_modified": (get("/ours", If_None_Match=ours.headers["etag"]), 304),
    }
    rates = rates_of(address, requests)
    serialized = requests_per_second(
        address, get("/serialized"), status=200, seconds=SERIALIZED_SECONDS, connections=WORKERS
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
    entities, series = get("/ours"), get("/series")
    rates = rates_of(address, {"ours": (entities, 200), "series": (series, 200)}, rounds=SERIES_ROUNDS)
    return {
        "gzip_bytes": fetch(address, series).size,
        **{f"{name}_rps": median(found) for name, found in rates.items()},
        "of_entities": ratio(rates, "series", "ours"),
    }


def rates_of(address: Address, requests: Mapping[str, tuple[bytes, int]], rounds: int = ROUNDS) -> Rates:
    """Requests a second of each, a round at a time, in turns; with each the status that is due."""
    rates: Rates = {name: [] for name in requests}
    for turn in range(rounds + 1):
        for name in rotated(list(requests), turn):
            request, status = requests[name]
            rate = requests_per_second(address, request, status=status, seconds=ROUND_SECONDS)
            if turn:  # the first round only warms up
                rates[name].append(rate)
    return rates


def rotated(names: list[str], turn: int) -> list[str]:
    return names[turn % len(names) :] + names[: turn % len(names)]


def ratio(rates: Rates, one: str, other: str) -> float:
    """The median of the rounds' ratios."""
    return median(mine / theirs for mine, theirs in zip(rates[one], rates[other], strict=True))


def seconds_to_show_an_edit(address: Address) -> float:
    """From the commit of an edit until both workers show it."""
    _pid, former = shown_by_a_worker(address)
    Unit.objects.filter(slug="made-up-0").update(label=f"고친 이름 {time.time_ns()}")
    committed = time.perf_counter()
    current: set[int] = set()
    while len(current) < WORKERS:
        pid, etag = shown_by_a_worker(address)
        if etag != former:
            current.add(pid)
        time.sleep(0.01)
    return time.perf_counter() - committed


def calls(database: str) -> dict[str, float]:
    """The same rivals without sockets: see ``benchmarks.serving_calls``."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.serving_calls", database],
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


def at_least(required: float, measured: float) -> dict[str, object]:
    return {"measured": measured, "required": f"≥ {required:g}", "holds": measured >= required}
