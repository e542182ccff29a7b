"""The rehearsed world is empty nowhere: no page, chart, queue of the desk, tool or public file without something."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from archive.days import yesterday
from ask.canon import loader as questions
from desk.queues import KINDS
from knowledge.canon.loader import read
from knowledge.models import Candle, Observation, Premium, PulseKind, Source, Unit
from knowledge.models import Pulse as StoredPulse
from mcpserver.tools import TOOLS
from rehearsal import pages, world
from tests.browser.axe import ALL_CHECKS, CHECKS, Checks, problems
from tests.browser.chromium import launched
from tests.served import served
from tests.shared import Shared, shared

pytestmark = pytest.mark.slow
CHART = r"<svg[^>]*>.*?</svg>"
# What stands on a page of each type only where there is something to show.
SHOWS = {
    "home": (CHART, r"\d억", "가온거래소"),
    "list": ("비트코인",),
    "asset": (CHART, r"\d억", "비트코인 급락", "persona"),
    "topic": (CHART, r"\d%", "persona"),
    "rate": (CHART, r"1,3\d\d"),
    "event": ("새벽경제|가상일보", "/entity/"),
    "events": ("도연우",),
    "company": (CHART, "시바이누"),
    "person": ("도연우 누리체인랩스 대표 사임",),
    "creator": ("누리체인랩스 해킹으로",),
    "persona": ("청산", "persona"),
    "pulses": (CHART, "동반 하락", "프리미엄"),
    "numbers": (CHART, "/number/usd-krw"),
    "number": (CHART, r"1,3\d\d"),
    "embed": (CHART,),
    "city": (CHART,),
    "city day": (CHART, "예행"),
    "ask": ("/ask/q/",),
    "answer": ("/ask/q/", 'id="c1"'),
    "search": ("투자",),
    "status": (CHART,),
    "about": ("마당|Madang",),
    "terms": ("CC BY 4.0",),
    "docs": ("/api/series",),
    "missing": ("/asset/btc",),
}
# Pages that are laid out otherwise than those of each type: the second page of a list, English twins, misses.
OTHERS = {
    "/entity?type=person": 200,
    "/asset/btc?page=2": 200,
    "/en": 200,
    "/en/asset/btc": 200,
    "/en/number/usd-krw": 200,
    "/search": 200,
    "/search?q=!!": 400,
    "/number/usd-krws": 404,
    "/city/2020-01-01": 404,
}
# Where a tool's own example is about something that the world need not have.
ASKED: dict[str, dict[str, Any]] = {
    "list_events": {"entity_id": "entity:nuri-chain-labs"},
    "list_topics": {"limit": 5},
    "search_answers": {"query": "김치 프리미엄이란 무엇인가요?"},
}


def make() -> None:
    questions.load(map(read, questions.starter_paths()), now=timezone.now())
    world.make(now=timezone.now())


@pytest.fixture(scope="module")
def made(
    canon: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared[None]]:
    with shared(make, django_db_blocker, tmp_path_factory.mktemp("world") / "archive") as stood:
        yield stood


@pytest.fixture(autouse=True)
def rehearsed(made: Shared[None], db: None, own_archive: Path) -> None:
    made.brought_to(own_archive)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.changelist + kind.query)
def test_every_queue_of_the_desk_has_something_to_decide(kind: Any) -> None:
    assert kind.rows(timezone.now()).exists()


def test_every_type_of_page_has_something_to_show(client: Client) -> None:
    addresses = pages.paths(timezone.now())
    assert set(addresses) == set(SHOWS)
    for name, path in addresses.items():
        response = client.get(path)
        assert response.status_code == (404 if name == "missing" else 200), path
        text = response.content.decode()
        missing = [wanted for wanted in SHOWS[name] if not re.search(wanted, text, re.DOTALL)]
        assert not missing, f"{name}: {path} lacks {missing}"


def test_every_tool_has_an_answer(client: Client) -> None:
    for tool in TOOLS:
        arguments = ASKED.get(tool.name, tool.example)
        if tool.name == "get_city_day":
            arguments = {"date": str(yesterday(timezone.now()))}
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool.name, "arguments": arguments},
        }
        accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
        said = client.post("/api/mcp", message, "application/json", headers=accept).json()
        result = said["result"]
        assert not result.get("isError"), f"{tool.name}: {result['content']}"
        lists = [value for value in result["structuredContent"].values() if isinstance(value, list)]
        assert not lists or any(lists), f"{tool.name} {arguments}: nothing"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/api/canonical/entities.json", "entities"),
        ("/api/canonical/events.json", "events"),
        ("/api/series.json", "series"),
        ("/api/series/kimchi-premium.json", "points"),
        ("/api/pulse/active.json?hours=72", "pulses"),
        ("/api/changes.json?since=0", "items"),
        ("/api/bulk", "items"),
        ("/api/archive?days=14", "days"),
        ("/api/search?q=%EB%88%84%EB%A6%AC%EC%B2%B4%EC%9D%B8%EB%9E%A9%EC%8A%A4", "items"),
        ("/api/resolve?q=%EB%88%84%EB%A6%AC", "candidates"),
    ],
)
def test_every_public_list_holds_something(client: Client, path: str, name: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    body = b"".join(response) if response.streaming else response.content
    found = orjson.loads(body)
    assert found[name], sorted(found)


def test_no_bulk_file_is_empty(client: Client) -> None:
    for item in client.get("/api/bulk").json()["items"]:
        response = client.get(item["url"].removeprefix(settings.BASE_URL))
        lines = gzip.decompress(b"".join(response) if response.streaming else response.content).splitlines()
        assert len(lines) == item["count"] > 0, item["name"]


def test_every_kind_of_pulse_is_there_and_the_newest_numbers_are_of_now() -> None:
    now = timezone.now()
    assert set(StoredPulse.objects.published().values_list("kind", flat=True)) == {
        PulseKind.PRICE,
        PulseKind.PREMIUM,
        PulseKind.BURST,
    }, list(StoredPulse.objects.values_list("kind", "asset__slug", "direction", "detected_at"))
    for newest in (
        Candle.objects.filter(interval="1h").latest("at").at,
        Premium.objects.latest("at").at,
        Observation.objects.filter(input__key="upbit:KRW-BTC").latest("at").at,
    ):
        assert (now - newest).total_seconds() < 3 * 3600


def test_invented_outlets_lead_to_addresses_that_nobody_can_have() -> None:
    invented = Source.objects.filter(slug__startswith="made-up-")
    assert invented.count() == 11
    for source in invented:
        assert re.match(r"https://[a-z]+\.example/", source.url)
        assert source.documents.exists()
        assert all(re.match(r"https://[a-z]+\.example/", one.url) for one in source.documents.all())
    assert not Source.objects.exclude(slug__startswith="made-up-").filter(documents__isnull=False).exists()
    assert not Source.objects.filter(enabled=True).exists()
    assert Unit.objects.filter(slug="nuri-chain-labs", summary__contains="지어낸").exists()


@pytest.mark.parametrize(
    "checks", [CHECKS, pytest.param(ALL_CHECKS, marks=pytest.mark.soak)], ids=["shared", "whole"]
)
def test_no_page_has_a_violation_or_scrolls_sideways(checks: Checks) -> None:
    statuses = {
        path: 404 if name == "missing" else 200 for name, path in pages.paths(timezone.now()).items()
    } | OTHERS
    # The connection is the test's only while no event loop runs in this thread: the browser comes second.
    with served() as origin, launched() as browser:
        assert problems(browser, origin, statuses, checks) == []
