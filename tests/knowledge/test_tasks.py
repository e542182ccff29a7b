"""A day of the worker: what beat sends, run once or twice, with a worker that dies in the middle."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
import time_machine
from celery import current_app
from django.conf import settings as django_settings
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone
from kombu import Connection

from knowledge import tasks
from knowledge.counting import fold
from knowledge.ingestion import runs
from knowledge.models import (
    Candle,
    ClusterDocument,
    Document,
    EventCluster,
    FetchRun,
    Mention,
    Observation,
    OutboxEntry,
    Premium,
    Publication,
    Pulse,
    SearchPassage,
    Source,
    Unit,
    UnitType,
)
from knowledge.publications import PublicationGroup, build
from rehearsal.bodies import channel, klines, news, rates, upbit_candles, upbit_notices
from tests.factories.candles import bars_of, calm
from tests.factories.knowledge import NOON, make_source, make_unit
from tests.factories.series import make_series
from tests.fakes.replay import Exchange, Replay

HOUR = timedelta(hours=1)
DAY_BEGINS = NOON.replace(hour=0)
STORY = NOON + HOUR  # when everybody writes, and the price falls
# When the day's tasks run: around the story each hour; `make soak` goes through all of them.
HOURS, ALL_HOURS = (4, 8, *range(12, 19), 21, 24), tuple(range(1, 25))
JSON = {"Content-Type": "application/json"}
# In beat's order within a minute.
EVERY_TASK = (
    tasks.ingest_due_sources,
    tasks.relink,
    tasks.fold_counts,
    tasks.refresh_search_index,
    tasks.gather_events,
    tasks.announce_values,
    tasks.record_price_pulses,
    tasks.record_bursts,
    tasks.record_premiums,
    tasks.build_publications,
)
NIGHTLY = (
    tasks.relink_everything,
    tasks.rebuild_search_statistics,
    tasks.reindex_everything,
    tasks.verify_counts,
    tasks.prune,
    tasks.prune_changes,
)


def test_beat_names_only_tasks_that_exist() -> None:
    current_app.loader.import_default_modules()
    named = {job["task"] for job in django_settings.CELERY_BEAT_SCHEDULE.values()}
    assert named <= set(current_app.tasks)
    for task in (*EVERY_TASK, *NIGHTLY):
        assert task.name in named


def test_a_lease_outlasts_the_longest_task() -> None:
    assert timedelta(seconds=django_settings.CELERY_TASK_TIME_LIMIT) < runs.LEASE
    assert runs.RUN_SECONDS + 20 < django_settings.CELERY_TASK_SOFT_TIME_LIMIT


# A whole day


def papers(replay: Replay) -> None:
    """Five outlets and a channel: a daily trickle, and one story that all of them tell within the hour."""
    titles = [
        "급락한 마루코인, 하락 폭 키워",
        "마루코인 급락…투매에 하락",
        "마루코인 10% 급락, 하락세",
        "마루코인 폭락·급락 이유",
        "마루코인 급락에 투자자 하락 우려",
    ]
    for place, title in enumerate(titles):
        small = [
            (
                f"small-{hour}",
                f"마루코인 소식 {place}-{hour}",
                DAY_BEGINS + hour * HOUR + place * timedelta(minutes=7),
            )
            for hour in range(0, 24, 6)
        ]
        story = ("story", title, STORY + place * timedelta(minutes=3))
        replay.handle(f"/rss{place}", published(partial(_news_until, [*small, story])))
        make_source(f"paper{place}", name=f"매체{place}", url=replay.url(f"/rss{place}"))
    videos = [("maruVideo01", "마루코인 급락 해설", STORY + HOUR)]
    replay.handle("/tv", published(lambda now: channel("마당TV", *_until(now, videos))))
    creator = make_unit("tv", "마당TV", type=UnitType.CREATOR, status="draft")
    make_source("tv", kind="video", adapter="youtube_rss", url=replay.url("/tv"), creator=creator)
    notices = [(1, "마루코인(MARUX) 입출금 일시 중지 안내", STORY + 2 * HOUR)]
    replay.handle("/n", published(lambda now: upbit_notices(*_until(now, notices))))
    make_source("notices", kind="notice", adapter="upbit_notices", url=replay.url("/n"), primary=True)


def prices(replay: Replay, asset: Unit) -> None:
    closes = [*calm(24 * 4), *([100.0] * 24)]
    fall = 24 * 4 + int((STORY - DAY_BEGINS) / HOUR) + 1
    closes[fall:] = [88.0] * (len(closes) - fall)
    bars = bars_of(closes, start=DAY_BEGINS - 4 * 24 * HOUR, volume=1e6)
    for adapter, path, body in (
        ("upbit_candles", "/u/candles/minutes/60", lambda now: upbit_candles(_closed(bars, now), market="M")),
        ("binance_klines", "/b/klines", lambda now: klines(_closed(bars, now))),
    ):
        replay.handle(path, published(body))
        make_source(
            adapter.replace("_", "-"), kind="price", adapter=adapter, url=replay.url(path[:2]),
            settings={"interval": "1h", "markets": [{"symbol": "M", "asset": asset.public_id}]},
        )  # fmt: skip
    replay.handle("/fx", published(lambda now: rates((f"{now - 24 * HOUR:%Y-%m-%d}", 1.0))))
    make_source("fx", kind="macro", adapter="frankfurter", url=replay.url("/fx"), interval_minutes=180)
    replay.serve("/ecos", b"{}")
    make_source(
        "ecos",
        kind="macro",
        adapter="ecos",
        url=replay.url("/ecos"),
        settings={"series": [{"stat": "722Y001", "item": "0101000"}]},
    )
    make_source("broken", url=replay.serve("/broken", b"<html>"))


def published(body: Callable[[datetime], bytes]) -> Callable[[Exchange], None]:
    """An address whose answer depends on the hour."""
    return lambda exchange: exchange.answer(body(timezone.now()), headers=JSON)


def _news_until(items: Any, now: datetime) -> bytes:
    return news(*_until(now, items))


def _until(now: datetime, items: Any) -> list[Any]:
    return [item for item in items if item[2] <= now] or [items[0]]


def _closed(bars: Any, now: datetime) -> list[Any]:
    return [bar for bar in bars if bar.at + HOUR <= now]


def live_through_the_day(hours: Iterable[int], *, times: int) -> None:
    """All through the day everything that beat sends, each ``times`` times, and what a web process builds."""
    for hour in hours:
        with time_machine.travel(DAY_BEGINS + hour * HOUR, tick=False):
            for task in EVERY_TASK:
                for _time in range(times):
                    task()
            build(now=timezone.now(), groups=[PublicationGroup.INDEXES])


def what_stands() -> dict[str, list[tuple[Any, ...]]]:
    """Everything that a day leaves behind, without row numbers and times of writing."""
    return {
        "documents": rows(Document, "source__slug", "external_id", "title", "published_at", "seen_only"),
        "mentions": rows(Mention, "document__source__slug", "document__external_id", "unit__slug", "start"),
        "units": rows(Unit, "slug", "status", "document_count", "video_count"),
        "clusters": rows(EventCluster, "status", "label", "first_document_at", "last_document_at"),
        "members": rows(ClusterDocument, "cluster__label", "document__source__slug", "document__external_id"),
        "candles": rows(Candle, "market__venue", "at", "close"),
        "observations": rows(Observation, "input__key", "at", "value"),
        "premiums": rows(Premium, "asset__slug", "at", "value"),
        "pulses": rows(Pulse, "key", "direction", "magnitude_pct", "detected_at", "ended_at", "confidence"),
        "passages": rows(SearchPassage, "title", "ordinal", "dl"),
        "changes": rows(OutboxEntry, "scope"),
    }


def rows(model: Any, *columns: str) -> list[tuple[Any, ...]]:
    return sorted(model.objects.values_list(*columns), key=repr)


def another_world() -> None:
    for model in (EventCluster, Pulse, Document, FetchRun, Observation, Source, OutboxEntry, Publication):
        model.objects.all().delete()
    Unit.objects.all().delete()
    tasks.rebuild_search_statistics()


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("free_worker")
@pytest.mark.parametrize("hours", [HOURS, pytest.param(ALL_HOURS, marks=pytest.mark.soak)], ids=len)
def test_a_day_run_twice_leaves_what_a_day_leaves(
    replay: Replay, settings: Any, hours: tuple[int, ...]
) -> None:
    settings.FETCH_ALLOW_PRIVATE = True
    stands = []
    for times in (1, 2):
        asset = make_unit("marucoin", "마루코인", symbol="MARUX", aliases=["MARUX"])
        make_series("usd-krw", "USDKRW", unit="KRW")
        papers(replay)
        prices(replay, asset)
        live_through_the_day(hours, times=times)
        stands.append(what_stands())
        if times == 1:
            another_world()
    once, twice = stands
    for name in once:
        assert twice[name] == once[name], name
    assert len(once["documents"]) == 5 * 5 + 1 + 1
    assert len(once["candles"]) == 2 * 24 * 5
    assert [(row[1], row[2]) for row in once["pulses"]] == [("down", -12.0)]
    assert ("marucoin", "published", 27, 1) in once["units"]
    assert ("tv", "published", 1, 1) in once["units"]
    assert any(status == "open" for status, *_rest in once["clusters"])
    assert len(once["premiums"]) == len(hours)
    assert (
        FetchRun.objects.filter(outcome="failed").values_list("source__slug", flat=True).distinct().get()
        == "broken"
    )
    with time_machine.travel(DAY_BEGINS + 24 * HOUR, tick=False):
        for task in (*EVERY_TASK, *NIGHTLY):
            task()
    assert what_stands() == twice, "the nightly tasks find nothing to repair"


# A real worker

WORKER = """
import sys
from config.celery import app
app.conf.broker_transport_options = {"global_keyprefix": sys.argv[1]}
options = "-c 2 --prefetch-multiplier 1 -l ERROR --without-mingle --without-gossip"
app.worker_main(["worker", *options.split()])
"""


@contextmanager
def worker(prefix: str) -> Iterator[subprocess.Popen[bytes]]:
    """A Celery worker over the test's database, which takes only what carries the test's prefix."""
    server = urlsplit(os.environ["DATABASE_URL"])
    address = f"{server.scheme}://{server.netloc}/{connection.settings_dict['NAME']}?{server.query}"
    # What it writes when it starts lies in the test's own folder: ``var/archive`` is of `make run`.
    archive = django_settings.STORAGES["archive"]["OPTIONS"]["location"]
    own = {"DATABASE_URL": address, "ARCHIVE_ROOT": archive, "FETCH_ALLOW_PRIVATE": "1", "DEBUG": "1"}
    environment = {**os.environ, **own}
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, prefix],
        env=environment,
        cwd=django_settings.BASE_DIR,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)


def send(task: Any, prefix: str) -> None:
    options = {"global_keyprefix": prefix}
    with Connection(django_settings.CELERY_BROKER_URL, transport_options=options) as broker:
        task.apply_async(connection=broker)


@pytest.fixture
def prefix() -> Iterator[str]:
    """What the test's keys at the broker begin with; they are gone afterwards."""
    name = f"test-{uuid.uuid4()}-"
    yield name
    with redis.from_url(django_settings.REDIS_URL) as broker:
        for key in broker.scan_iter(f"{name}*"):
            broker.delete(key)


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "the worker did not come so far"
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_killed_in_the_middle_loses_and_doubles_nothing(replay: Replay, prefix: str) -> None:
    make_unit("marucoin", "마루코인")
    slow = {"on": True}

    def hang(exchange: Exchange) -> None:
        if not slow["on"] or exchange.wait(15):
            exchange.answer(news(("1", "마루코인 늦은 소식", NOON)))

    for place in range(8):
        # Two of them hold the worker's two processes; what is queued behind them has not begun.
        path = f"/rss{place}"
        if place in (2, 5):
            replay.handle(path, hang)
        else:
            replay.serve(path, news(("1", f"마루코인 소식 {place}", NOON)))
        make_source(f"paper{place}", url=replay.url(path))
    with worker(prefix) as first:
        send(tasks.ingest_due_sources, prefix)
        wait_for(lambda: replay.count("/rss2") == 1 and replay.count("/rss5") == 1)
        kill(first)
    slow["on"] = False
    finished = FetchRun.objects.count()
    assert finished < 8
    # Ten minutes later the dead worker's claims have lapsed.
    # The worker's clock is the database's, wherever this process's own stands.
    unfinished = Source.objects.filter(runs__isnull=True)
    assert unfinished.filter(next_fetch_at__gt=Now()).count() == 8 - finished
    unfinished.update(next_fetch_at=Now())
    with worker(prefix):
        send(tasks.ingest_due_sources, prefix)
        wait_for(lambda: FetchRun.objects.filter(outcome="ok").count() >= 8)
    assert Document.objects.count() == Mention.objects.count() == 8
    fold()
    assert Unit.objects.get(slug="marucoin").document_count == 8
    assert FetchRun.objects.count() == 8, "what was queued twice ran once"
