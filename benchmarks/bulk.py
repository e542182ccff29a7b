"""What the files of a night cost: seconds, and the memory of the process that writes them.

The documents are made up by Postgres in a scratch database, 1,000,000 unless ``BENCH_DOCUMENTS`` says otherwise. The
files are written twice, of a tenth of them and of all, so that memory that grows with their number shows.
"""

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from django.db import connection

from benchmarks.popular import MAKE_DOCUMENTS
from benchmarks.scratch import scratch_database
from knowledge.models import Series, SeriesInput, Source, Status, Unit, UnitType

DOCUMENTS = int(os.environ.get("BENCH_DOCUMENTS", "1000000"))
BATCH = 100_000
UNITS, SOURCES, UNITS_A_DOCUMENT = 2_000, 50, 2
POINTS = 200_000
PEAK_MB, GROWTH_MB = 200, 20

PAIR = """
INSERT INTO knowledge_documentunit (document_id, unit_id, published_at, video)
SELECT document.id, %(unit)s + (document.external_id::int * 7 + number * 13) %% %(units)s, document.published_at, false
FROM knowledge_document document, generate_series(1, %(each)s) AS number
WHERE document.external_id::int BETWEEN %(first)s AND %(last)s
"""
OBSERVE = """
INSERT INTO knowledge_observation (input_id, at, period, revision, newest, value, fetched_at)
SELECT %(input)s, now() - number * interval '1 minute', '', 1, true, number / 7.0, now()
FROM generate_series(1, %(points)s) AS number
"""


def run() -> dict[str, Any]:
    """Figures of a night with a tenth of the documents, and with all."""
    with scratch_database() as database:
        unit, source = seed()
        tenth = DOCUMENTS // 10
        publish(unit, source, 1, tenth)
        small = written(database)
        publish(unit, source, tenth + 1, DOCUMENTS)
        large = written(database)
    peak, growth = large["peak_mb"], large["peak_mb"] - small["peak_mb"]
    gates = {
        "peak memory, MB": {"measured": peak, "required": PEAK_MB, "holds": peak <= PEAK_MB},
        "more for ten times as many, MB": {
            "measured": growth,
            "required": GROWTH_MB,
            "holds": growth <= GROWTH_MB,
        },
    }
    return {f"{tenth:,} documents": small, f"{DOCUMENTS:,} documents": large, "gates": gates}


def seed() -> tuple[int, int]:
    """Units, outlets and a series; the keys of the first unit and of the first outlet."""
    units = Unit.objects.bulk_create(
        Unit(type=UnitType.TOPIC, slug=f"made-up-{n}", label=f"지어낸 주제 {n}", status=Status.PUBLISHED)
        for n in range(UNITS)
    )
    sources = Source.objects.bulk_create(
        Source(slug=f"made-up-{n}", name=f"매체 {n}", kind="news", adapter="rss", enabled=False)
        for n in range(SOURCES)
    )
    series = Series.objects.create(
        slug="made-up", label="지어낸 수", unit="%", cadence="live", holder=units[0], redistributable=True
    )
    each = SeriesInput.objects.create(key="made-up", series=series)
    fill(OBSERVE, input=each.pk, points=POINTS)
    return units[0].pk, sources[0].pk


def publish(unit: int, source: int, first: int, last: int) -> None:
    """Documents with these numbers, each paired with some units: past the triggers, which would take longer."""
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX IF EXISTS document_pairs")
    of = {"unit": unit, "units": UNITS, "each": UNITS_A_DOCUMENT, "source": source, "sources": SOURCES}
    for begin in range(first, last + 1, BATCH):
        numbers = {"first": begin, "last": min(begin + BATCH - 1, last), "documents": DOCUMENTS}
        fill(MAKE_DOCUMENTS, **of, **numbers)
        fill(PAIR, **of, **numbers)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def fill(statement: str, **values: int | str | list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(statement, values)
        cursor.execute("SET session_replication_role = DEFAULT")


def written(database: str) -> dict[str, float]:
    """The figures of a process that writes the files of a night into a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.bulk_writer", database, folder]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    figures: dict[str, float] = json.loads(output.splitlines()[-1])
    return figures
