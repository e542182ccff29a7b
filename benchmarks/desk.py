"""How long the editors' lists take with 10,000 units and 100,000 documents. Every list: under 300 ms.

The world is made up in a scratch database; a test client asks, so what is measured is the whole answer without the
network. The same for a search in each list.
"""

import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import reverse

from benchmarks.scratch import scratch_database
from knowledge.models import (
    Alias,
    ClusterDocument,
    ClusterStatus,
    Document,
    EventCluster,
    FetchRun,
    Mention,
    Pulse,
    RunOutcome,
    Source,
    Status,
    Unit,
    UnitType,
)

UNITS, ALIASES_A_UNIT, DOCUMENTS, CLUSTERS, PULSES, RUNS = 10_000, 3, 100_000, 5_000, 5_000, 30_000
SOURCES = 30
ROUNDS = 3
GATE_MS = 300
BATCH = 5_000
NOON = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
SETTINGS = {"ALLOWED_HOSTS": ["*"], "SECURE_SSL_REDIRECT": False, "DEBUG": False}


def run() -> dict[str, Any]:
    """Median milliseconds of each list, plain and searched, and the queries that it takes."""
    with scratch_database(), override_settings(**SETTINGS):
        seed()
        client = Client()
        client.force_login(get_user_model().objects.create_superuser("bench", "", "-"))
        figures = {model._meta.label: measured(client, model) for model in listed()}
    gates = {
        f"slowest_{kind}": {
            "measured": (worst := max(float(row[kind]) for row in figures.values())),
            "required": GATE_MS,
            "holds": worst < GATE_MS,
        }
        for kind in ("list_ms", "search_ms")
    }
    return {**figures, "gates": gates}


def listed() -> list[type[Model]]:
    return [model for model in apps.get_models() if admin.site.is_registered(model)]


def measured(client: Client, model: type[Model]) -> dict[str, float]:
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    return {
        "rows": model._default_manager.count(),
        "queries": len(asked),
        "list_ms": _milliseconds(client, address),
        "search_ms": _milliseconds(client, address, q="77"),
    }


def _milliseconds(client: Client, address: str, **query: str) -> float:
    taken = []
    for _round in range(ROUNDS):
        began = time.perf_counter()
        answer = client.get(address, query)
        taken.append((time.perf_counter() - began) * 1000)
        if answer.status_code not in (200, 302):
            raise RuntimeError(f"{address} answered {answer.status_code}")
    return statistics.median(taken)


def seed() -> None:
    """Rows enough of everything that grows; each is like the others, for lists do not care."""
    kinds = list(UnitType)
    _store(Unit, (_unit(n, kinds[n % len(kinds)]) for n in range(UNITS)))
    units = list(Unit.objects.order_by("pk"))
    _store(Alias, (_alias(unit, n) for unit in units for n in range(ALIASES_A_UNIT)))
    _store(Source, (_source(n) for n in range(SOURCES)))
    sources = list(Source.objects.order_by("pk"))
    _store(Document, (_document(sources[n % SOURCES], n) for n in range(DOCUMENTS)))
    documents = list(Document.objects.order_by("pk").values_list("pk", flat=True))
    _store(
        Mention,
        (
            Mention(document_id=pk, unit=units[n % UNITS], start=0, end=2, surface="견본")
            for n, pk in enumerate(documents)
        ),
    )
    _store(EventCluster, (_cluster(n) for n in range(CLUSTERS)))
    clusters = EventCluster.objects.order_by("pk").values_list("pk", flat=True)
    _store(
        ClusterDocument,
        (ClusterDocument(cluster_id=c, document_id=d) for c, d in zip(clusters, documents, strict=False)),
    )
    assets = [unit for unit in units if unit.type == UnitType.ASSET]
    _store(Pulse, (_pulse(assets[n % len(assets)], n) for n in range(PULSES)))
    _store(FetchRun, (_fetch_run(sources[n % SOURCES], n) for n in range(RUNS)))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _store(model: type[Model], rows: Iterator[Model]) -> None:
    while batch := list(islice(rows, BATCH)):
        model._default_manager.bulk_create(batch)


def _unit(n: int, kind: UnitType) -> Unit:
    occurred = NOON - timedelta(hours=n) if kind is UnitType.EVENT else None
    status = Status.PUBLISHED if n % 10 else Status.DRAFT
    return Unit(type=kind, slug=f"sample-{n}", label=f"견본 단위 {n}", status=status, occurred_at=occurred)


def _alias(unit: Unit, n: int) -> Alias:
    alias = Alias(unit=unit, surface=f"견본{unit.pk}별칭{n}")
    alias.derive()
    return alias


def _source(n: int) -> Source:
    address = f"https://sample.example/{n}"
    return Source(slug=f"sample-{n}", name=f"견본 매체 {n}", kind="news", adapter="rss", url=address)


def _document(source: Source, n: int) -> Document:
    at = NOON - timedelta(minutes=n)
    return Document(
        source=source,
        kind=source.kind,
        external_id=str(n),
        url=f"https://sample.example/documents/{n}",
        title=f"견본 문서 {n}: 시장이 움직인 하루의 기록",
        summary="참가자들이 흐름을 지켜보았다는 요약이다. " * 4,
        lang="ko",
        published_at=at,
        fetched_at=at,
    )


def _cluster(n: int) -> EventCluster:
    at = NOON - timedelta(minutes=n)
    return EventCluster(
        status=ClusterStatus.OPEN, label=f"견본 후보 {n}", first_document_at=at, last_document_at=at
    )


def _pulse(asset: Unit, n: int) -> Pulse:
    at = NOON - timedelta(hours=n)
    return Pulse(
        key=f"sample-{n}",
        asset=asset,
        direction="up",
        magnitude_pct=5.0,
        started_at=at,
        detected_at=at,
        horizon_hours=1,
        confidence=0.5,
        summary="상승",
    )


def _fetch_run(source: Source, n: int) -> FetchRun:
    return FetchRun(source=source, started_at=NOON - timedelta(minutes=n), outcome=RunOutcome.OK)
