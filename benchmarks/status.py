"""What it costs to say how the service is: ``/status`` and ``/api/health?detail=1``, each worked out anew.

The documents are made up by Postgres in a scratch database, 1,000,000 unless ``BENCH_DOCUMENTS`` says otherwise, each
with its passage; every subsystem has a verdict for each hour of 400 days.
"""

import os
import statistics
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

from benchmarks.bulk import fill
from benchmarks.popular import BATCH, MAKE_DOCUMENTS, SETTINGS
from benchmarks.scratch import scratch_database
from feeds.status import Evaluation, evaluation, levels
from feeds.status_words import NAMES
from knowledge.ingestion.health.verdicts import VERDICTS_KEPT
from knowledge.models import Source, SourceKind
from knowledge.search import morphemes

DOCUMENTS = int(os.environ.get("BENCH_DOCUMENTS", "1000000"))
SOURCES, ROUNDS = 60, 40
PATHS = ("/status", "/api/health?detail=1")
MOST_MS = 50

MAKE_PASSAGES = """
INSERT INTO knowledge_searchpassage (kind, document_id, ordinal, lang, title, text, published_at, analyzer, revision,
    dl, tsv)
SELECT 'news', id, 0, 'ko', title, '', published_at, %(analyzer)s, '', 3, ''
FROM knowledge_document WHERE external_id::int BETWEEN %(first)s AND %(last)s
"""
# All hours that are over; every fortieth day has one failure.
MAKE_VERDICTS = """
INSERT INTO knowledge_subsystemverdict (subsystem, day, hour, status)
SELECT name, moment::date, extract(hour FROM moment),
    CASE WHEN extract(doy FROM moment)::int %% 40 = 0 AND extract(hour FROM moment) = 7 THEN 'fail' ELSE 'ok' END
FROM unnest(%(names)s::text[]) AS name, generate_series(
    date_trunc('hour', now() AT TIME ZONE 'Asia/Seoul') - %(days)s * interval '1 day',
    date_trunc('hour', now() AT TIME ZONE 'Asia/Seoul'), interval '1 hour'
) AS moment
"""


def run() -> dict[str, Any]:
    """Milliseconds of each answer: the median, the best, and those in which this process and Postgres worked."""
    with scratch_database(), override_settings(**SETTINGS):
        seed()
        figures: dict[str, Any] = {path: cost_of(path) for path in PATHS}
    # What else the machine does only adds.
    gates = {path: _gate(row["best, ms"]) for path, row in figures.items()}
    return {**figures, "gates": gates}


def _gate(measured: float) -> dict[str, Any]:
    return {"measured": measured, "required": f"≤ {MOST_MS}", "holds": measured <= MOST_MS}


def seed() -> None:
    now = timezone.now()
    sources = Source.objects.bulk_create(
        Source(
            slug=f"made-up-{at}",
            name=f"매체 {at}",
            kind=list(SourceKind)[at % len(SourceKind)],
            adapter="rss",
            last_success_at=now - timedelta(minutes=at),
        )
        for at in range(SOURCES)
    )
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX IF EXISTS document_pairs")  # which nothing here reads
    of = {"source": sources[0].pk, "sources": SOURCES, "documents": DOCUMENTS}
    for first in range(1, DOCUMENTS + 1, BATCH):
        numbers = {"first": first, "last": min(first + BATCH - 1, DOCUMENTS)}
        fill(MAKE_DOCUMENTS, **of, **numbers)
        fill(MAKE_PASSAGES, analyzer=morphemes.ANALYZER, **numbers)
    fill(MAKE_VERDICTS, names=list(NAMES), days=VERDICTS_KEPT.days)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def cost_of(path: str) -> dict[str, float]:
    """With nothing kept from before; and of who asks again after a few seconds, who finds the service level."""
    client = Client()
    _ask(client, path)  # the first time compiles templates
    began = _worked()
    walls = [_anew(client, path, evaluation, levels) for _round in range(ROUNDS)]
    worked = (_worked() - began) / ROUNDS * 1000
    again = [_anew(client, path, evaluation) for _round in range(ROUNDS)]
    return {
        "median, ms": statistics.median(walls),
        "best, ms": min(walls),
        "worked, ms": worked,
        "again, median, ms": statistics.median(again),
    }


def _anew(client: Client, path: str, *kept: Evaluation[Any]) -> float:
    for each in kept:
        each.clear()
    return _milliseconds(lambda: _ask(client, path))


def _ask(client: Client, path: str) -> None:
    response = client.get(path)
    if response.status_code != 200:
        raise RuntimeError(f"{path}: {response.status_code}")


def _milliseconds(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _worked() -> float:
    """Seconds of a processor that this process and its connection's of Postgres have had; without the latter where
    there is no /proc."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    path = Path(f"/proc/{backend}/schedstat")
    return time.process_time() + (int(path.read_text().split()[0]) / 1e9 if path.exists() else 0)
