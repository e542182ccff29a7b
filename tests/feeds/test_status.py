"""The state of the subsystems is worked out by one and told to all, for a moment."""

import re
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client

from feeds import status, tasks
from feeds.status import LAST_SECONDS, SHARED_SECONDS, Evaluation
from knowledge.ingestion.health.freshness import OK, AgeLimits, Freshness
from knowledge.models import Source, SubsystemVerdict
from tests.factories.health import store_verdicts
from tests.factories.knowledge import NOON, make_source

ROW = Freshness("news", NOON, timedelta(), AgeLimits(timedelta(1), timedelta(2)), OK)


class Store:
    """Subsystems whose reading is counted, and fails on demand."""

    def __init__(self) -> None:
        self.readings = 0
        self.time = 0.0
        self.during: Callable[[], Any] = lambda: None
        self.evaluation = Evaluation(status._evaluated, clock=lambda: self.time)

    def read(self, _now: datetime, _installed_at: datetime) -> list[Freshness]:
        self.readings += 1
        self.during()
        return [ROW]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    made = Store()
    monkeypatch.setattr(status, "SUBSYSTEMS", (made.read,))
    monkeypatch.setattr(status, "installed_at", lambda: NOON)
    return made


def away() -> None:
    raise OperationalError("no connection")


def test_what_was_worked_out_a_moment_ago_is_told_again(store: Store) -> None:
    for store.time in (0.0, SHARED_SECONDS, SHARED_SECONDS + 0.1):
        assert store.evaluation.at(NOON) == [ROW]
    assert store.readings == 2


@pytest.mark.django_db
def test_the_level_is_kept_for_a_minute_and_never_tells_of_yesterday_as_today(
    store: Store, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    midnight = NOON + timedelta(hours=12)
    monkeypatch.setattr(status, "evaluation", store.evaluation)
    monkeypatch.setattr(status.levels, "_clock", lambda: store.time)
    for store.time, asked in ((0.0, 1), (LAST_SECONDS, 0), (LAST_SECONDS + 1, 1)):
        with django_assert_num_queries(asked):
            before = status.level(midnight - timedelta.resolution)
    after = status.level(midnight)
    assert after.whole.days[-1].day - before.whole.days[-1].day == timedelta(days=1)


def test_who_comes_meanwhile_gets_the_last_state_and_does_not_wait(store: Store) -> None:
    store.evaluation.at(NOON)
    store.time = SHARED_SECONDS + 1
    told: list[list[Freshness]] = []
    other = threading.Thread(target=lambda: told.append(store.evaluation.at(NOON)))

    def visited() -> None:
        other.start()
        other.join()

    store.during = visited
    store.evaluation.at(NOON)
    assert told == [[ROW]]
    assert store.readings == 2


def test_a_store_that_is_busy_for_a_moment_does_not_change_the_state(store: Store) -> None:
    store.evaluation.at(NOON)
    store.during = away
    store.time = LAST_SECONDS
    assert store.evaluation.at(NOON) == [ROW]
    store.time = LAST_SECONDS + 1
    with pytest.raises(OperationalError):
        store.evaluation.at(NOON)


@pytest.mark.django_db
def test_the_task_stores_the_state_of_the_hour_and_a_second_run_adds_nothing(store: Store) -> None:
    for minute in (5, 25):
        with time_machine.travel(NOON + timedelta(minutes=minute), tick=False):
            status.evaluation.clear()
            tasks.record_verdicts()
    assert store.readings == 2
    assert list(SubsystemVerdict.objects.values_list("subsystem", "hour", "status")) == [("news", 12, "ok")]


def a_day(back: int, *statuses: str) -> None:
    """Verdicts of the 24 hours of a day in Seoul; ``statuses`` are the first of them, the others are fine."""
    begin = NOON - timedelta(hours=12, days=back)
    store_verdicts("search", begin, [*statuses, *["ok"] * (24 - len(statuses))])


@pytest.mark.django_db
@time_machine.travel(NOON, tick=False)
def test_the_page_shows_a_mark_a_day_and_says_the_figures(client: Client) -> None:
    a_day(1)
    a_day(2, "warn")
    a_day(3, "ok", "fail")
    page = client.get("/status").content.decode()
    row = page.split('<title id="level-1">')[1].split("</svg>")[0]
    assert row.startswith("전체: 66.6% (측정한 3일 중 2일), 못 지킨 날 1일, 측정하지 않은 날 86일</title>")
    marks = {kind: path.count("M") for kind, path in re.findall(r'<path class="([a-z-]+)" d="([^"]+)"', row)}
    assert marks == {"met": 2, "missed": 1, "not-measured": 86, "unfinished": 1}
    assert "목표에 미치지 못하고 있습니다" in page
    assert '<tr><th scope="row">2026-11-17</th><td>검색</td></tr>' in page
    assert "판정이 20개보다 적은 날" in page


@pytest.mark.django_db
def test_a_page_without_verdicts_says_that_nothing_was_measured(client: Client) -> None:
    page = client.get("/status").content.decode()
    assert "아직 측정한 날이 없습니다" in page
    assert "전체: 측정 전 (측정한 날이 없음), 못 지킨 날 0일, 측정하지 않은 날 89일" in page
    assert "100.0%" not in page


def a_source(slug: str, name: str, kind: str = "news", **fields: Any) -> None:
    at = NOON - timedelta(minutes=5)
    make_source(slug, name=name, kind=kind, adapter=slug, interval_minutes=10, last_success_at=at, **fields)


def status_in(client: Client, path: str = "/status") -> tuple[str, str]:
    """The sentence that leads the page, and what stands for everybody below it."""
    status.evaluation.clear()
    page = client.get(path).content.decode()
    lead, rest = page.split('<p class="lead">')[1].split("</p>", 1)
    return re.sub(r"<[^>]+>", "", lead), rest.split("<details>")[0]


@pytest.mark.django_db
@time_machine.travel(NOON, tick=False)
def test_what_is_late_is_told_with_its_cause_in_words(client: Client) -> None:
    a_source("dawn", "새벽경제", consecutive_failures=3, last_cause="dns")
    a_source("dusk", "저녁경제", consecutive_failures=1, last_cause="status", name_en="Dusk Daily")
    a_source("paper", "종이신문")
    a_source("coins", "시세", kind="price")
    lead, told = status_in(client)
    assert lead == "일부 지연: 뉴스. 나머지는 정상입니다."
    assert "서버 주소를 찾지 못함: 새벽경제" in told
    assert "상대 서버의 오류 응답: 저녁경제" in told
    assert "종이신문" not in told
    assert "failing" not in told
    assert "error from the outlet’s server: Dusk Daily" in status_in(client, "/en/status")[1]
    subsystems = client.get("/api/health?detail=1").json()["subsystems"]
    assert subsystems["sources.news"]["note"] == "failing: dawn (dns), dusk (status)"


@pytest.mark.django_db
@time_machine.travel(NOON, tick=False)
def test_being_offline_is_told_once(client: Client) -> None:
    a_source("dawn", "새벽경제", consecutive_failures=3, last_cause="dns")
    a_source("coins", "시세", kind="price", consecutive_failures=2, last_cause="timeout")
    lead, told = status_in(client)
    assert lead.startswith("네트워크에 연결되지 않아")
    assert "새벽경제" not in told
    Source.objects.filter(slug="coins").update(consecutive_failures=0, last_cause="")
    lead, told = status_in(client)
    assert "새벽경제" in told
    assert lead == "일부 지연: 뉴스. 나머지는 정상입니다."


@pytest.mark.django_db
@time_machine.travel(NOON, tick=False)
def test_a_part_that_stopped_leads_the_page(client: Client) -> None:
    a_source("paper", "종이신문")
    Source.objects.update(last_success_at=NOON - timedelta(days=1))
    assert status_in(client)[0].startswith("중단: 뉴스")
