"""``/metrics`` for Prometheus, behind ``METRICS_TOKEN``: what the web processes counted, and what the store says.

Requests are counted in files that the workers of one gunicorn share, so a scrape that meets any of them gets the sum of
all. Everything else is read when it is asked for. Without the token nothing is counted and nothing is imported.
"""

import hmac
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from psycopg_pool import PoolTimeout
from redis import Redis
from redis.exceptions import RedisError

from ask import budget, spending
from feeds import sitemaps, status
from knowledge.ingestion.health.freshness import FAIL, OK, WARN
from knowledge.ingestion.health.service_level import ServiceLevel

if TYPE_CHECKING:
    from prometheus_client import Metric

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds
LEVELS = {OK: 0, WARN: 1, FAIL: 2}
# prometheus_client reads it when a counter is made; ours to set, nobody's to configure.
SHARED_FILES = "PROMETHEUS_MULTIPROC_DIR"
REDIS_SECONDS = 0.5


class Counted:
    """The counters of this process, in files beside those of its siblings."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        os.environ[SHARED_FILES] = str(directory)
        from prometheus_client import CollectorRegistry, Counter, Histogram, values

        # Who imports the library before the line above would have decided for values in this process's memory.
        values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
        self.directory = directory
        own = CollectorRegistry()
        self.requests = Counter(
            "http_requests",
            "Requests by route, method and status",
            ["view", "method", "status"],
            registry=own,
        )
        self.ended = Counter(
            "http_ended",
            "Connections closed at a deadline (head, body, reader, idle), requests refused for want of a place (full)",
            ["reason"],
            registry=own,
        )
        self.seconds = Histogram(
            "http_request_seconds", "Time to the first byte", ["view"], buckets=BUCKETS, registry=own
        )

    def exposition(self, now: datetime) -> bytes:
        """Everything there is to say at ``now``, in the text format."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = CollectorRegistry()
        MultiProcessCollector(registry, path=str(self.directory))  # type: ignore[no-untyped-call]
        registry.register(Read(now))
        return generate_latest(registry)


class Read:
    """Figures that the database, the broker and this process's memory hold."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def collect(self) -> "Iterable[Metric]":
        yield gauge("sitemap_pages", "Published, indexable pages", sitemaps.page_count())
        try:
            # Read whole before anything is said: half a store would look like a healthy small one.
            stored = [*_subsystems(self.now), *_money(self.now)]
        except (Error, PoolTimeout):
            stored = []
        yield gauge("database_up", "1 when the figures below could be read", int(bool(stored)))
        yield from stored
        yield from _queue()


def gauge(name: str, text: str, value: float) -> "Metric":
    from prometheus_client.core import GaugeMetricFamily

    return GaugeMetricFamily(name, text, value=value)


def gauges(name: str, text: str, label: str, values: dict[str, float]) -> "Metric":
    """One gauge for each value of a label."""
    from prometheus_client.core import GaugeMetricFamily

    family = GaugeMetricFamily(name, text, labels=[label])
    for each, value in values.items():
        family.add_metric([each], value)
    return family


def _subsystems(now: datetime) -> "Iterator[Metric]":
    rows = status.subsystems(now)
    levels: dict[str, float] = {row.name: LEVELS[row.status] for row in rows}
    yield gauges("subsystem_status", "0 ok, 1 warn, 2 fail", "subsystem", levels)
    ages = {row.name: row.age.total_seconds() for row in rows if row.age is not None}
    yield gauges("subsystem_age_seconds", "Since the last success", "subsystem", ages)
    yield from _service_level(status.level(now))


def _service_level(levels: ServiceLevel) -> "Iterator[Metric]":
    """No figure of what was not measured."""
    text = "Days met of those measured in the last ninety, 0 to 1"
    shares = {name: level.share for name, level in levels.subsystems.items() if level.share is not None}
    yield gauges("subsystem_days_met_share", text, "subsystem", shares)
    if levels.whole.share is not None:
        yield gauge("service_days_met_share", f"{text}, all subsystems together", levels.whole.share)


def _money(now: datetime) -> "Iterator[Metric]":
    day = spending.day_spend(budget.spend_day(now))
    yield gauge("model_cap_usd", "The site-wide cap of a Seoul day", day.cap / budget.MICRO)
    yield gauge("model_spent_usd", "Spent today, Seoul time", day.spent / budget.MICRO)
    yield gauge("model_reserved_usd", "Promised to calls under way", day.reserved / budget.MICRO)
    calls: dict[str, float] = {}
    for row in day.outcomes:
        calls[row.outcome] = calls.get(row.outcome, 0) + row.calls
    yield gauges("model_calls_today", "Calls of the language model today", "outcome", calls)


def _queue() -> "Iterator[Metric]":
    try:
        with Redis.from_url(
            settings.REDIS_URL, socket_timeout=REDIS_SECONDS, socket_connect_timeout=REDIS_SECONDS
        ) as broker:
            waiting: list[Any] = [broker.llen(queue) for queue in settings.TASK_QUEUES]
    except (RedisError, OSError):
        yield gauge("broker_up", "1 when the broker answers", 0)
        return
    yield gauge("broker_up", "1 when the broker answers", 1)
    yield gauge("tasks_waiting", "Tasks that no worker has taken yet", sum(map(int, waiting)))


_counts_with: list[int] = []  # a master whose workers this process counts with, where that is not its parent


@cache
def counted() -> Counted:
    """Made with this process's first request."""
    root = settings.VAR_DIR / "metrics"
    remove_stale(root)
    return Counted(root / family_of(_counts_with[-1] if _counts_with else os.getppid()))


def count_with_workers_of(master: int) -> None:
    """For a process that a worker started, before its first request: count with that one and its siblings."""
    _counts_with.append(master)


def family_of(parent: int) -> str:
    """A name for the processes of one gunicorn: its number, and when it started, as numbers are used again."""
    return f"{parent}-{started_at(parent)}"


def started_at(process: int) -> str:
    """When a process started, in the kernel's ticks; empty where it has none or the system does not say."""
    try:
        facts = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return ""
    return facts.rpartition(")")[2].split()[19]


def remove_stale(root: Path) -> None:
    """Forget what the workers of a gunicorn that has ended had counted."""
    for directory in root.glob("*-*"):
        number, _dash, _started = directory.name.partition("-")
        if not number.isdecimal() or directory.name != family_of(int(number)):
            shutil.rmtree(directory, ignore_errors=True)


def count_request(view: str, method: str, status: int, seconds: float) -> None:
    """One answered request; nothing where nobody may read the figures."""
    if not settings.METRICS_TOKEN:
        return
    counters = counted()
    counters.requests.labels(view, method, str(status)).inc()
    counters.seconds.labels(view).observe(seconds)


def count_front(hits: Iterable[tuple[tuple[str, str, int], int]], ended: Mapping[str, int]) -> None:
    """What was given from memory, by view, method and status, and what was ended or refused, by its reason.

    None of it takes a time worth a histogram.
    """
    if not settings.METRICS_TOKEN:
        return
    counters = counted()
    for (view, method, code), count in hits:
        counters.requests.labels(view, method, str(code)).inc(count)
    for reason, count in ended.items():
        counters.ended.labels(reason).inc(count)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """404 without ``METRICS_TOKEN``, 401 without it in ``Authorization: Bearer``, 403 with another one."""
    if not settings.METRICS_TOKEN:
        raise Http404
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return _refused(401, "Send Authorization: Bearer with the value of METRICS_TOKEN.\n")
    if not hmac.compare_digest(token.strip().encode(), settings.METRICS_TOKEN.encode()):
        return _refused(403, "This is not the value of METRICS_TOKEN.\n")
    response = HttpResponse(counted().exposition(timezone.now()), content_type=CONTENT_TYPE)
    response.headers["Cache-Control"] = "no-store"
    return response


def _refused(status: int, text: str) -> HttpResponse:
    response = HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")
    response.headers["Cache-Control"] = "no-store"
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response
