"""Does a model that searches the web cite us? Counted by majority, without made-up figures."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from ask import audit
from ask.audit import audit_trend, is_ours, wilson
from ask.citation_audits import AuditedQuery, CitationAudit
from ask.ledger import ModelCall, Purpose, Reservation, SpendDay
from ask.models import SeedQuestion
from tests.fakes.messages_api import MessagesApi, delayed, failed, message

pytestmark = pytest.mark.django_db
OURS = "https://madang.example/asset/btc"
THEIRS = "https://other.example/btc"
USAGE = {"input_tokens": 10_000, "output_tokens": 100, "server_tool_use": {"web_search_requests": 1}}
COST = 1_000 + 50 + 10_000


@pytest.fixture(autouse=True)
def address(settings: Settings) -> None:
    settings.BASE_URL = "https://madang.example"
    settings.CITY_URL = "https://city.example"


def seed(text: str, **fields: Any) -> SeedQuestion:
    return SeedQuestion.objects.create(text=text, **fields)


def searched(*cited: str, found: tuple[str, ...] = (OURS, THEIRS), **fields: Any) -> dict[str, Any]:
    """An answer after one web search."""
    results = [{"type": "web_search_result", "title": "쪽", "url": url} for url in found]
    citations = [{"type": "web_search_result_location", "url": url, "cited_text": "…"} for url in cited]
    return message(
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "비트코인"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": results},
        {"type": "text", "text": "비트코인은 …", "citations": citations},
        **{"usage": USAGE, **fields},
    )


def test_most_repeats_decide(model: MessagesApi, now: datetime) -> None:
    seed("비트코인이 뭐야?")
    model.answer(searched(OURS), searched(THEIRS), searched(THEIRS, OURS))
    made = audit.run(now=now)
    assert made is not None
    row = AuditedQuery.objects.get()
    assert (row.repeats, row.cited_repeats, row.retrieved_repeats, row.cited) == (3, 2, 3, True)
    assert row.urls == [OURS]
    assert audit_trend() == {
        "latest_date": "2026-11-21",
        "latest_rate": 1.0,
        "runs": [{"date": "2026-11-21", "queries": 1, "cited": 1, "distinct_cited": 1}],
    }


def test_one_repeat_of_three_is_not_most(model: MessagesApi, now: datetime) -> None:
    seed("비트코인이 뭐야?")
    model.answer(searched(OURS), searched(THEIRS), searched())
    audit.run(now=now)
    assert audit_trend()["latest_rate"] == 0.0
    assert audit_trend()["runs"][0]["distinct_cited"] == 0


def test_the_question_is_sent_verbatim_with_search_and_without_our_name(
    model: MessagesApi, now: datetime
) -> None:
    seed("비트코인이 뭐야?")
    model.answer(searched())
    audit.run(now=now)
    body = model.requests[0].body
    assert body["messages"] == [{"role": "user", "content": "비트코인이 뭐야?"}]
    assert "system" not in body
    assert body["tools"] == [
        {
            "type": "web_search_20250305",
            "name": "web_search",
            "max_uses": 3,
            "user_location": {
                "type": "approximate",
                "city": "Seoul",
                "country": "KR",
                "timezone": "Asia/Seoul",
            },
        }
    ]
    assert "madang" not in str(body).lower()


def test_errors_leave_the_denominator(model: MessagesApi, now: datetime) -> None:
    seed("하나는 됐나?", order=1)
    seed("둘은 됐나?", order=2)
    overloaded = failed(529, "overloaded_error")
    model.answer(overloaded, overloaded, overloaded, searched(OURS), overloaded, searched(OURS))
    audit.run(now=now)
    run = audit_trend()["runs"][0]
    assert (run["queries"], run["cited"]) == (1, 1)
    assert list(AuditedQuery.objects.order_by("pk").values_list("repeats", "errors")) == [(0, 3), (2, 1)]


def test_a_search_that_failed_retrieves_nothing(model: MessagesApi, now: datetime) -> None:
    seed("비트코인이 뭐야?")
    error = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    broken = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": error}
    model.answer(message(broken, {"type": "text", "text": "모른다."}, usage=USAGE))
    audit.run(now=now)
    assert AuditedQuery.objects.get().retrieved_repeats == 0


@pytest.mark.parametrize(
    "fields", [{"ANTHROPIC_API_KEY": ""}, {"FAKE_LLM": True}, {"LLM_DAILY_CAP_USD": 0.0}]
)
def test_what_cannot_be_measured_is_not_measured(
    model: MessagesApi, now: datetime, settings: Settings, fields: dict[str, Any]
) -> None:
    seed("비트코인이 뭐야?")
    for name, value in fields.items():
        setattr(settings, name, value)
    assert audit.run(now=now) is None
    assert audit_trend() == {"latest_date": None, "latest_rate": None, "runs": []}
    assert model.requests == []


def test_a_day_has_one_run(model: MessagesApi, now: datetime) -> None:
    seed("비트코인이 뭐야?")
    model.answer(searched())
    assert audit.run(now=now) is not None
    assert audit.run(now=now + timedelta(hours=2)) is None
    assert CitationAudit.objects.count() == 1
    assert len(model.requests) == 3


def test_a_run_costs_what_it_cost_and_frees_the_rest_of_its_share(model: MessagesApi, now: datetime) -> None:
    seed("비트코인이 뭐야?")
    model.answer(searched())
    audit.run(now=now)
    assert Reservation.objects.get().amount == 500_000
    assert Reservation.objects.get().charged == 3 * COST
    assert SpendDay.objects.get().audit == 3 * COST
    assert CitationAudit.objects.get().cost_micro_usd == 3 * COST
    assert ModelCall.objects.filter(purpose=Purpose.AUDIT).count() == 3


def test_a_run_stops_before_its_share_is_passed(
    model: MessagesApi, now: datetime, settings: Settings
) -> None:
    settings.LLM_DAILY_CAP_USD = 0.8
    for number in range(5):
        seed(f"{number}번 물음")
    model.answer(searched(OURS))
    audit.run(now=now)
    assert len(model.requests) == 4
    assert SpendDay.objects.get().audit == 4 * COST
    assert AuditedQuery.objects.count() == 1


def test_what_was_left_out_comes_first_the_next_day(
    model: MessagesApi, now: datetime, settings: Settings
) -> None:
    settings.LLM_DAILY_CAP_USD = 0.8
    seed("첫째 물음", order=1)
    seed("둘째 물음", order=2)
    model.answer(searched(OURS))
    audit.run(now=now)
    audit.run(now=now + timedelta(days=1))
    assert list(AuditedQuery.objects.order_by("pk").values_list("question", flat=True)) == [
        "첫째 물음",
        "둘째 물음",
    ]


def test_a_search_of_unknown_cost_ends_the_run_and_takes_its_share(
    model: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "DEADLINE_SECONDS", 0.3)
    seed("비트코인이 뭐야?")
    model.answer(searched(), delayed(5, failed(500, "api_error")))
    audit.run(now=now)
    assert len(model.requests) == 2
    assert SpendDay.objects.get().audit == 500_000


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://madang.example/asset/btc", True),
        ("http://MADANG.example", True),
        ("https://www.madang.example./x", True),
        ("https://city.example/city", True),
        ("https://notmadang.example/", False),
        ("https://madang.example.evil.test/", False),
        ("https://evil.test/?q=madang.example", False),
        ("https://madang.example@evil.test/", False),
        ("https://[broken/", False),
        ("", False),
    ],
)
def test_an_address_is_ours_by_its_host(url: str, expected: bool) -> None:
    assert is_ours(url, audit.own_hosts()) is expected


def test_a_rate_of_few_questions_says_how_unsure_it_is() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(3, 10)
    assert (round(low, 3), round(high, 3)) == (0.108, 0.603)
    assert wilson(10, 10)[1] == pytest.approx(1.0)
