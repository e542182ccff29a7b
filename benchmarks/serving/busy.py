"""What reads keep of their quiet rate while documents come in and counts are published; in turns of half a minute."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import hypot, sqrt
from statistics import fmean, stdev
from typing import Any

from benchmarks.gates import at_least
from benchmarks.rounds import Rates, rotated
from benchmarks.serving.rates import of
from benchmarks.serving.world import ENTITIES, TOPICS, World
from benchmarks.wrk import Request
from knowledge.models import Document, Publication

PHASES = 8  # rates of one second have a standard deviation of an eighth
QUIET_SECONDS, BUSY_SECONDS = 28.0, 36.0  # counts are published every 30 s
SETTLING_SECONDS = 4.0
KEEPS = {"index": 0.9, "topics": 0.9, "about": 0.9, "archive day": 0.9, "city day": 0.9, "unit page": 0.6}


def busy(world: World) -> dict[str, Any]:
    """Requests a second of each, quiet and busy: what it keeps, and the standard error of that."""
    day = world.pages["city day"].rsplit("/", 1)[1]
    paths = {
        "index": ENTITIES,
        "topics": TOPICS,
        "about": world.pages["about"],
        "archive day": f"/api/archive?date={day}",
        "city day": world.pages["city day"],
        "unit page": world.unit_page,
    }
    measures = {name: of(world.front.address, Request(path)) for name, path in paths.items()}
    if world.files is not None:
        # What the machine itself has left for reads beside the ingestion's own work.
        world.put_file("index", ENTITIES)
        measures["nginx"] = of(world.files, Request("/index"))
    former, stored = versions(), Document.objects.count()
    quiet: Rates = {name: [] for name in measures}
    beside: Rates = {name: [] for name in measures}
    with ingestion(world.database) as switch:
        for _phase in range(PHASES):
            switch(False)
            time.sleep(SETTLING_SECONDS)
            sample(quiet, measures, QUIET_SECONDS)
            switch(True)
            time.sleep(SETTLING_SECONDS)
            sample(beside, measures, BUSY_SECONDS)
    figures: dict[str, Any] = {name: kept(quiet[name], beside[name]) for name in measures}
    if "nginx" in figures:
        for row in figures.values():
            row["of what nginx keeps"] = row["keeps"] / figures["nginx"]["keeps"]
    gates = {
        f"{name}, busy of quiet": at_least(least, figures[name]["keeps"]) for name, least in KEEPS.items()
    }
    figures["meanwhile"] = {
        "documents": Document.objects.count() - stored, "indexes published": versions() - former,
    }  # fmt: skip
    return {**figures, "gates": gates}


def versions() -> int:
    return sum(Publication.objects.values_list("version", flat=True))


def sample(rates: Rates, measures: dict[str, Callable[[], float]], seconds: float) -> None:
    """Measure all in turns for some seconds, each turn begun by another."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        former = min(map(len, rates.values()))
        for name in rotated(list(measures), former):
            rates[name].append(measures[name]())


def kept(quiet: list[float], beside: list[float]) -> dict[str, float]:
    """Of means: what a change costs is in them, and in no median."""
    share = fmean(beside) / fmean(quiet)
    error = hypot(*(stdev(rates) / fmean(rates) / sqrt(len(rates)) for rates in (quiet, beside)))
    return {
        "quiet rps": fmean(quiet),
        "busy rps": fmean(beside),
        "keeps": share,
        "standard error": share * error,
    }


@contextmanager
def ingestion(database: str) -> Iterator[Callable[[bool], None]]:
    """A process of its own that brings documents; yields what turns it on and off."""
    command = [sys.executable, "-m", "benchmarks.ingesting", database]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        yield partial(_say, process)


def _say(process: subprocess.Popen[str], on: bool) -> None:
    assert process.stdin is not None
    process.stdin.write("on\n" if on else "off\n")
    process.stdin.flush()
