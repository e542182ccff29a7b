"""What a unit that a fifth of all documents speaks of costs: its page, and a run that brings 100 more of them.

The documents are made up by Postgres in a scratch database, 100,000 unless ``BENCH_DOCUMENTS`` says otherwise. While
the run goes on another connection tries to lock the unit, as an editor's form does and as a count that is written does;
how long it is refused is how long the run holds the row.
"""

import os
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import psycopg
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

from benchmarks.scratch import scratch_database
from knowledge.counting import fold, verify
from knowledge.ingestion import documents
from knowledge.models import Source, Status, Unit, UnitType
from knowledge.pulses.burst_recording import record_bursts
from knowledge.sources.base import DocumentItem

DOCUMENTS = int(os.environ.get("BENCH_DOCUMENTS", "100000"))
EACH = 5  # every fifth document names the popular unit
BATCH = 50_000
UNITS, SOURCES = 500, 50
NEW, ROUNDS = 100, 9
PAGE_MS, LOCK_MS, BURSTS_S = 50, 5, 20
SETTINGS = {"ALLOWED_HOSTS": ["*"], "SECURE_SSL_REDIRECT": False, "DEBUG": False}

# One document every thirty seconds, so that a million are a year, the newest now.
MAKE_DOCUMENTS = """
INSERT INTO knowledge_document (source_id, kind, external_id, url, title, summary, author, lang, published_at,
    published_raw, fetched_at, seen_only, withdrawn, content_sha256)
SELECT %(source)s + number %% %(sources)s, 'news', number, 'https://made-up.example/' || number,
    '지어낸 소식 ' || number, '', '', 'ko', now() - (%(documents)s - number) * interval '30 seconds', '',
    now() - (%(documents)s - number) * interval '30 seconds', false, false, ''
FROM generate_series(%(first)s, %(last)s) AS number
"""
MAKE_MENTIONS = """
INSERT INTO knowledge_mention (document_id, unit_id, start, "end", surface)
SELECT id, %(unit)s, 0, 1, 'x' FROM knowledge_document
WHERE external_id::int BETWEEN %(first)s AND %(last)s AND external_id::int %% %(each)s = 0
UNION ALL
SELECT id, %(unit)s + 1 + external_id::int %% (%(units)s - 1), 2, 3, 'y' FROM knowledge_document
WHERE external_id::int BETWEEN %(first)s AND %(last)s
"""


def run() -> dict[str, Any]:
    """Milliseconds of the unit's page, of a run and of its locks on the unit, and seconds of what tasks do."""
    with scratch_database(), override_settings(**SETTINGS):
        figures: dict[str, Any] = {"documents": DOCUMENTS}
        began = time.perf_counter()
        unit = seed()
        figures["documents filled a second"] = DOCUMENTS / (time.perf_counter() - began)
        figures["first fold, s"] = _seconds(fold)
        unit.refresh_from_db()
        figures["documents about the unit"] = unit.document_count
        _vacuum()
        figures |= page_of(unit)
        seldom = Unit.objects.get_queryset().exclude(pk=unit.pk).order_by("document_count", "pk")[0]
        figures |= {f"{name}, of a seldom unit": value for name, value in page_of(seldom).items()}
        figures |= run_of_new_documents(unit)
        figures["fold of the runs, ms"] = _seconds(fold) * 1000
        figures["bursts, s"] = _seconds(lambda: record_bursts(now=timezone.now()))
        figures["nightly verification, s"] = _seconds(verify)
    gates = {
        # What else the machine does only adds; what grows with the unit's documents shows beside a seldom one's page.
        "page_ms": _gate(figures["page at best, ms"], PAGE_MS),
        "bursts_s": _gate(figures["bursts, s"], BURSTS_S),
        "lock_ms": _gate(figures["the row is held against an editor or a count, ms"], LOCK_MS),
    }
    return {**figures, "gates": gates}


def _gate(measured: float, required: float) -> dict[str, Any]:
    return {"measured": measured, "required": required, "holds": measured <= required}


def seed() -> Unit:
    """Units, sources and documents; the unit that is popular."""
    units = Unit.objects.bulk_create(
        Unit(type=UnitType.ASSET, slug=f"made-up-{at}", label=f"지어낸{at}", status=Status.PUBLISHED)
        for at in range(UNITS)
    )
    sources = Source.objects.bulk_create(
        Source(
            slug=f"made-up-{at}", name=f"매체 {at}", kind="news", adapter="rss", crypto=True, enabled=False
        )
        for at in range(SOURCES)
    )
    facts = {
        "unit": units[0].pk, "units": UNITS, "source": sources[0].pk, "sources": SOURCES,
        "documents": DOCUMENTS, "each": EACH,
    }  # fmt: skip
    for first in range(1, DOCUMENTS + 1, BATCH):
        rows = {"first": first, "last": min(first + BATCH - 1, DOCUMENTS), **facts}
        with connection.cursor() as cursor:
            cursor.execute(MAKE_DOCUMENTS, rows)
            cursor.execute(MAKE_MENTIONS, rows)
    _vacuum()
    return units[0]


def page_of(unit: Unit) -> dict[str, float]:
    """How long the unit's page is built, with nothing kept from before; the first time also compiles templates."""
    client, times = Client(), []
    for _round in range(ROUNDS):
        cache.clear()
        times.append(_seconds(lambda: _expect_ok(client, unit.get_absolute_url())) * 1000)
    return {"page, ms": statistics.median(times[1:]), "page at best, ms": min(times)}


def _expect_ok(client: Client, path: str) -> None:
    response = client.get(path)
    if response.status_code != 200:
        raise RuntimeError(f"{path}: {response.status_code}")


def run_of_new_documents(unit: Unit) -> dict[str, float]:
    source, now = Source.objects.order_by("pk")[0], timezone.now()
    held: dict[str, list[float]] = {"NO KEY UPDATE": [], "UPDATE": []}
    times = []
    for number in range(ROUNDS):
        items = [_item(number * NEW + at, unit, now) for at in range(NEW)]
        lock = "UPDATE" if number % 2 else "NO KEY UPDATE"
        with _probed(unit, lock, held):
            times.append(_seconds(lambda items=items: documents.store(source, items, now=now)))
    return {
        "run of 100 documents, ms": statistics.median(times) * 1000,
        "the row is held against an editor or a count, ms": max(held["NO KEY UPDATE"]),
        "the row is held against its deletion, ms": max(held["UPDATE"]),
    }


def _item(number: int, unit: Unit, now: Any) -> DocumentItem:
    return DocumentItem(
        external_id=f"new-{number}",
        url=f"https://made-up.example/new/{number}",
        title=f"{unit.label} 소식 {number}",
        published_at=now - timedelta(seconds=number),
    )


@contextmanager
def _probed(unit: Unit, lock: str, held: dict[str, list[float]]) -> Iterator[None]:
    """Try to lock the unit all the while; the longest time it was refused, in ms, goes to ``held``."""
    over = threading.Event()
    parameters = {
        name: value
        for name, value in connection.get_connection_params().items()
        if name in ("host", "port", "dbname", "user", "password")
    }

    def probe() -> None:
        statement = f"SELECT FROM knowledge_unit WHERE id = {unit.pk} FOR {lock} NOWAIT"
        longest, refused_since = 0.0, None
        with psycopg.connect(**parameters, autocommit=True) as other:
            while not over.is_set():
                at = time.perf_counter()
                try:
                    other.execute(statement)
                    refused_since = None
                except psycopg.errors.LockNotAvailable:
                    refused_since = refused_since or at
                    longest = max(longest, time.perf_counter() - refused_since)
        held[lock].append(longest * 1000)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.0002)
    thread = threading.Thread(target=probe)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        sys.setswitchinterval(interval)


def _seconds(work: Any) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _vacuum() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
