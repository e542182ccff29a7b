"""What an agent with MCP alone is asked on an ordinary day: each task in at most two calls and 1,200 tokens, or one
call in which the service says that it does not hold it.

The world is the starter canon, with the few documents, values and city days that the tasks are about.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from archive.models import Snapshot
from archive.rehearsal import rehearse
from knowledge.linking.store import link_documents
from knowledge.search import indexing
from tests.factories.knowledge import make_document, make_source
from tests.factories.series import observe
from tests.mcpserver.wire import call, record
from tests.shared import Shared, shared

pytestmark = [
    pytest.mark.urls("tests.mcpserver.urls"),
    pytest.mark.django_db,
    pytest.mark.usefixtures("world"),
    pytest.mark.slow,
]

CALLS_MAX, TOKENS_MAX, CHARACTERS_A_TOKEN = 2, 1200, 3.5
TODAY = date(2026, 11, 22)
SILENT_DAY = date(2026, 11, 18)
HEADLINES = (
    ("이더리움, 다음 업그레이드 시험망 가동", 3),
    ("이더리움 재단, 연구 보조금 발표", 30),
    ("리플 XRP 레저, 새 수수료 제안", 5),
)
"""Titles of news, and how many hours ago each came out."""


def make_world() -> None:
    now = timezone.now()
    paper = make_source("paper", name="새벽경제")
    link_documents(
        [
            make_document(
                paper,
                str(number),
                title=title,
                summary=f"{title}.",
                published_at=now - timedelta(hours=hours),
                fetched_at=now - timedelta(hours=hours),
                content_sha256=str(number),
            )
            for number, (title, hours) in enumerate(HEADLINES)
        ]
    )
    for key, value, period in (
        ("upbit:KRW-BTC", 131_500_000.0, ""),
        ("722Y001/0101000", 2.5, now.strftime("%Y-%m-%d")),
        ("731Y001/0000001", 1431.2, now.strftime("%Y-%m-%d")),
    ):
        observe(key, now - timedelta(minutes=20), value, **({"period": period} if period else {}))
    list(rehearse(6, until=TODAY))
    Snapshot.objects.filter(day=SILENT_DAY).delete()
    indexing.refresh_everything()


@pytest.fixture(scope="module")
def shared_world(
    canon: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared[None]]:
    with shared(make_world, django_db_blocker, tmp_path_factory.mktemp("tasks") / "archive") as made:
        yield made


@pytest.fixture
def world(shared_world: Shared[None], db: None, own_archive: Path) -> None:
    shared_world.brought_to(own_archive)


Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Task:
    """What is wanted, the shortest way there, and what the texts of its results must say."""

    wanted: str
    calls: list[Call]
    said: list[str]


def the(tool: str, **arguments: Any) -> Call:
    return tool, arguments


WEEK_AGO = (timezone.localdate() - timedelta(days=7)).isoformat()
TASKS = [
    Task("the supply of bitcoin", [the("get_entity", id="비트코인")], ["2,100만"]),
    Task(
        "the founder of the company behind Upbit",
        [the("get_entity", id="업비트"), the("get_entity", id="entity:dunamu")],
        ['"operated_by".*entity:dunamu', '"founded_by".*entity:song-chi-hyung', "송치형"],
    ),
    Task("what happened to FTX, and when", [the("get_entity", id="FTX")], ["2022-11-11", "파산"]),
    Task(
        "the formula of the kimchi premium",
        [the("get_topic", id="김치 프리미엄", lang="en")],
        ["divided by the foreign price times the won-dollar rate, minus 1"],
    ),
    Task(
        "the members of DAXA",
        [the("get_entity", id="DAXA")],
        [f"has_member.*entity:{slug}" for slug in ("upbit", "bithumb", "coinone", "korbit", "gopax")],
    ),
    Task("other names of Solana", [the("get_entity", id="솔라나")], ["asset:sol", "Solana"]),
    Task(
        "the ids behind four names",
        [the("resolve_entity", name="비트, 이더, 리플, 업비트")],
        ["asset:btc", "asset:eth", "asset:xrp", "entity:upbit"],
    ),
    Task(
        "how USDT and USDC differ",
        [the("get_entity", id="USDT"), the("get_entity", id="USDC")],
        ["issued_by.*entity:tether-limited", "issued_by.*entity:circle"],
    ),
    Task(
        "who Do Kwon is",
        [the("get_entity", id="Do Kwon", lang="en")],
        ["founder_of", "Terraform Labs", "15 years"],
    ),
    Task(
        "what personas think",
        [the("search", query="비트코인", kinds=["post"], limit=3)],
        ["AI persona: opinion, not fact"],
    ),
    Task(
        "how a persona is to be attributed",
        [the("get_entity", id="장부지기")],
        ["ai_persona", "glyph", "disclosure", "cite"],
    ),
    Task(
        "all Korean exchanges, none missing",
        [the("search", query="", categories=["exchange"], country="KR")],
        ['"total": ?5', *(f"entity:{slug}" for slug in ("upbit", "bithumb", "coinone", "korbit", "gopax"))],
    ),
    Task(
        "what happened around Terra and Luna, in order",
        [the("list_events", entity_id="권도형", order="oldest")],
        ["2022-05-luna-collapse.*2023-03-do-kwon-arrest.*2025-12-do-kwon-sentence"],
    ),
    Task(
        "the travel rule, with a source",
        [the("get_topic", id="트래블룰", response_format="detailed")],
        ["100만", "https://www.fsc.go.kr/no010101/77579", "https://www.fatf-gafi.org/"],
    ),
    Task(
        "the newest city day, so that it can be verified",
        [the("get_city_day")],
        [TODAY.isoformat(), f"/api/archive\\?date={TODAY}", "[0-9a-f]{64}", "prevSha256"],
    ),
    Task(
        "which days are missing",
        [the("get_city_day", **{"from": "2026-11-17", "to": "2026-11-22"})],
        [f'"gaps": ?\\["{SILENT_DAY}"\\]', "first_day", "last_day"],
    ),
    Task(
        "the newest documents on Ethereum",
        [the("search", query="이더리움", kinds=["news", "video", "notice"], since=WEEK_AGO)],
        [HEADLINES[0][0], HEADLINES[1][0], "https://paper.example/0", "updated_at"],
    ),
    Task(
        "news on XRP",
        [the("search", query="XRP", kinds=["news"], since=WEEK_AGO)],
        [HEADLINES[2][0], "https://paper.example/2"],
    ),
    Task("the price of bitcoin", [the("get_entity", id="BTC")], ["price-btc", "131500000", "observed|at"]),
    Task("the base rate", [the("get_topic", id="기준금리")], ["bok-base-rate", "2.5"]),
    Task("won to the dollar", [the("get_topic", id="원달러 환율")], ["usd-krw", "1431.2"]),
    Task(
        "what changed in a week",
        [the("search", query="", since=WEEK_AGO, limit=5)],
        ['"total": ?[1-9]', "updated_at", "/api/changes.json"],
    ),
    Task(
        "sudden moves of 72 hours",
        [the("list_pulses", hours=72)],
        ["detector has not run here"],
    ),
    Task(
        "when bitcoin halved",
        [the("ask_madang", question="비트코인 반감기는 언제였나요?")],
        ["2012년 11월 28일", "2016년", "2020년", "2024년 4월 20일"],
    ),
]


def text_of(tool: str, arguments: dict[str, Any]) -> str:
    result = call(tool, **arguments)
    assert not result["isError"], result["content"][0]["text"]
    found: str = result["content"][0]["text"]
    return found


def test_there_are_twenty_four_tasks() -> None:
    assert len({one.wanted for one in TASKS}) == len(TASKS) == 24


@pytest.mark.parametrize("task", TASKS, ids=[one.wanted for one in TASKS])
def test_an_agent_gets_what_it_wants_in_two_calls_and_1200_tokens(task: Task) -> None:
    texts = [text_of(tool, arguments) for tool, arguments in task.calls]
    tokens = round(sum(map(len, texts)) / CHARACTERS_A_TOKEN)
    print(f"| {task.wanted} | {len(texts)} | {tokens} |")
    missing = [words for words in task.said if not any(re.search(words, text, re.S) for text in texts)]
    assert missing == [], texts
    assert len(texts) <= CALLS_MAX
    assert tokens <= TOKENS_MAX


SOURCED = {
    "asset:btc": ("get_entity", "https://bitcoin.org/bitcoin.pdf"),
    "entity:binance": ("get_entity", "https://home.treasury.gov/news/press-releases/jy1925"),
    "topic:mica": ("get_topic", "https://eur-lex.europa.eu/eli/reg/2023/1114/oj"),
    "event:2022-09-ethereum-merge": ("get_event", "https://eips.ethereum.org/EIPS/eip-3675"),
}


@pytest.mark.parametrize("public_id", SOURCED)
def test_an_agent_gets_where_the_facts_of_a_unit_come_from_in_one_call(public_id: str) -> None:
    tool, address = SOURCED[public_id]
    detailed = record(tool, id=public_id, response_format="detailed")
    assert address in detailed["source_urls"]
    assert "source_urls" not in record(tool, id=public_id)
    assert record("fetch", id=public_id)["metadata"]["source_urls"] == detailed["source_urls"]


def test_where_nobody_has_named_a_source_the_list_is_empty_and_fetch_is_silent() -> None:
    detailed = record("get_topic", id="topic:kimchi-premium", response_format="detailed")
    assert detailed["source_urls"] == []
    fetched = record("fetch", id="topic:kimchi-premium")
    assert "source_urls" not in fetched["metadata"]
