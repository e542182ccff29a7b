"""What reads keep of their quiet rate while documents come in and counts are published; in turns of half a minute."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import fmean, median
from typing import Any

from benchmarks.gates import at_least
from benchmarks.rounds import rotated
from benchmarks.serving.rates import of
from benchmarks.serving.world import ENTITIES, TOPICS, World
from benchmarks.wrk import Request
from knowledge.models import Document, Publication

PHASES = 3
QUIET_SECONDS, BUSY_SECONDS = 28.0, 36.0  # counts are published every 30 s
SETTLING_SECONDS = 4.0
KEEPS = {"index": 0.9, "topics": 0.9, "about": 0.9, "archive day": 0.9, "city day": 0.9, "unit page": 0.6}


def busy(world: World) -> dict[str, Any]:
    """Requests a second of each, quiet and busy; their share is the median over the pairs of turns."""
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
    pairs = []
    with ingestion(world.database) as switch:
        for _phase in range(PHASES):
            switch(False)
            time.sleep(SETTLING_SECONDS)
            without = means(measures, QUIET_SECONDS)
            switch(True)
            time.sleep(SETTLING_SECONDS)
            pairs.append((without, means(measures, BUSY_SECONDS)))
    figures: dict[str, Any] = {
        name: {
            "quiet rps": median(without[name] for without, _beside in pairs),
            "busy rps": median(beside[name] for _without, beside in pairs),
            "keeps": median(beside[name] / without[name] for without, beside in pairs),
        }
        for name in measures
    }
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


def means(measures: dict[str, Callable[[], float]], seconds: float) -> dict[str, float]:
    """Mean rates over some seconds: what a change costs is in them."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    until, turn = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        for name in rotated(list(measures), turn):
            found[name].append(measures[name]())
        turn += 1
    return {name: fmean(rates) for name, rates in found.items()}


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
