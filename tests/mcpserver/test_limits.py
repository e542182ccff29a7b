"""Only the ask tool is counted, and only what nobody asked before."""

from typing import Any

import pytest

from ask.model_errors import DailyBudgetExhausted
from knowledge.errors import Busy
from tests.mcpserver.conftest import QUESTION
from tests.mcpserver.wire import call, rpc

pytestmark = [pytest.mark.urls("tests.mcpserver.urls"), pytest.mark.django_db]


def ask(question: Any, **headers: str) -> Any:
    return rpc("tools/call", {"name": "ask_madang", "arguments": {"question": question}}, **headers)


def use_up(minute: int = 10) -> None:
    for number in range(minute):
        assert ask(f"새로운 질문 {number}번은?").status_code == 200


@pytest.mark.usefixtures("stopped_clock")
def test_the_eleventh_new_question_of_a_minute_is_refused_in_header_body_and_words(world: None) -> None:
    use_up()
    response = ask("열한 번째 질문은?")
    error = response.json()["error"]
    assert (response.status_code, error["code"], response.json()["id"]) == (429, -31429, 1)
    seconds = int(response.headers["Retry-After"])
    assert 1 <= seconds <= 60
    assert error["data"]["retryAfterSeconds"] == seconds
    assert f"{seconds} seconds" in error["message"]
    assert "10" in error["message"]
    assert "search" in error["message"]


@pytest.mark.usefixtures("stopped_clock")
def test_answered_questions_and_look_ups_go_on_after_a_refusal(world: None) -> None:
    use_up()
    assert ask("또 다른 질문은?").status_code == 429
    assert ask(QUESTION).json()["result"]["structuredContent"]["cached"] is True
    assert call("search", query="가온코인")["isError"] is False
    assert call("get_entity", id="asset:gaoncoin")["isError"] is False


@pytest.mark.usefixtures("stopped_clock")
def test_invalid_arguments_and_stored_answers_consume_nothing(world: None) -> None:
    for wrong in ("", "???", "가" * 301, 5, None):
        assert ask(wrong).json()["result"]["isError"] is True
        ask(QUESTION)
    use_up()
    assert ask("열한 번째 질문은?").status_code == 429


@pytest.mark.usefixtures("stopped_clock")
def test_a_made_up_forwarded_for_does_not_start_anew(world: None) -> None:
    use_up()
    assert ask("열한 번째 질문은?", X_Forwarded_For="203.0.113.9").status_code == 429


@pytest.mark.usefixtures("stopped_clock")
def test_mcp_has_a_counter_and_limits_of_its_own(world: None, settings: Any) -> None:
    settings.ASK_LIMITS = ["1/m"]
    settings.MCP_ASK_LIMITS = ["2/m"]
    use_up(2)
    assert ask("세 번째 질문은?").status_code == 429


@pytest.mark.parametrize(
    ("refusal", "reason"), [(DailyBudgetExhausted, "daily_budget_exhausted"), (Busy, "busy")]
)
def test_caps_and_bulkheads_are_503_with_a_wait(
    refusal: Any, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise refusal(retry_after=42)

    monkeypatch.setattr("mcpserver.tools.ask.answering.ask", refuse)
    response = ask("질문은?")
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (503, -31503)
    assert response.headers["Retry-After"] == "42"
    assert (error["data"]["retryAfterSeconds"], error["data"]["reason"]) == (42, reason)
    assert "42 seconds" in error["message"]


def test_a_busy_search_is_told_in_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise Busy(retry_after=1)

    monkeypatch.setattr("mcpserver.tools.search.hits", refuse)
    result = call("search", query="가온")
    assert result["isError"] is True
    assert "1 second" in result["content"][0]["text"]
