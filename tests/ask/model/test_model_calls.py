"""A paid call from the caller's side: what is sent, what comes back, what the books say."""

import json
from datetime import datetime

import pytest
from pytest_django import Settings

from ask import model_calls
from ask.ledger import ModelCall, Purpose, Reservation
from ask.model_calls import ModelUnavailable, complete
from tests.ask.model.conftest import KEY
from tests.fakes.messages_api import MessagesApi, message, raw, said

pytestmark = pytest.mark.django_db


def reflect(now: datetime) -> model_calls.Completion:
    return complete("reflection", system="도시의 하루를 쓴다.", content="신호 여섯", max_tokens=400, now=now)


def test_a_completion_is_text_with_its_cost(model: MessagesApi, now: datetime) -> None:
    thinking = {"type": "thinking", "thinking": "음", "signature": "x"}
    model.answer(message(thinking, said("오늘 도시는 "), said("조용했다.\n")))
    assert reflect(now) == model_calls.Completion("오늘 도시는 조용했다.", "claude-haiku-5-5", 150)
    row = ModelCall.objects.get()
    assert (row.purpose, row.outcome, row.cost_micro_usd) == (Purpose.REFLECTION, "answered", 150)
    assert (row.input_tokens, row.output_tokens, row.message_id, row.stop_reason) == (
        1000,
        100,
        "msg_1",
        "end_turn",
    )
    assert Reservation.objects.get().charged == 150


def test_the_request_is_what_the_models_of_today_take(model: MessagesApi, now: datetime) -> None:
    model.answer(message(said("네.")))
    reflect(now)
    request = model.requests[0]
    assert request.path == "/v1/messages"
    assert request.headers["anthropic-version"] == "2026-10-21"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "claude-haiku-5-5",
        "max_tokens": 400,
        "system": "도시의 하루를 쓴다.",
        "messages": [{"role": "user", "content": "신호 여섯"}],
        "thinking": {"type": "disabled"},
        "service_tier": "standard_only",
    }


def test_a_completion_that_was_cut_off_ends_with_a_whole_sentence(model: MessagesApi, now: datetime) -> None:
    model.answer(message(said("도시는 조용했다. 바람이 불었다. 그리고 사람들"), stop_reason="max_tokens"))
    assert reflect(now).text == "도시는 조용했다. 바람이 불었다."


@pytest.mark.parametrize(
    ("text", "stop_reason"),
    [("", "end_turn"), (" \n", "end_turn"), ("그리고", "max_tokens"), ("", "refusal")],
)
def test_no_text_is_no_completion_and_is_paid(
    model: MessagesApi, now: datetime, text: str, stop_reason: str
) -> None:
    model.answer(message(said(text), stop_reason=stop_reason))
    with pytest.raises(ModelUnavailable):
        reflect(now)
    assert ModelCall.objects.get().cost_micro_usd == 150


def test_characters_that_no_database_holds_are_dropped(model: MessagesApi, now: datetime) -> None:
    odd = "\ud800\x00"
    model.answer(raw(json.dumps(message(said(f"네{odd}."), id=f"msg{odd}_1", model=odd)).encode()))
    assert reflect(now).text == "네."
    assert ModelCall.objects.get().message_id == "msg_1"


def test_without_a_key_there_is_no_model(model: MessagesApi, now: datetime, settings: Settings) -> None:
    settings.ANTHROPIC_API_KEY = ""
    assert not model_calls.is_configured()
    with pytest.raises(ModelUnavailable):
        reflect(now)
    assert model.requests == []


def test_the_environment_of_the_sdk_is_not_read(
    model: MessagesApi, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    model.answer(message(said("네.")))
    assert reflect(now).text == "네."
    assert "another" not in str(model.requests[0].headers)


def test_readiness_says_no_before_anything_is_counted(
    model: MessagesApi, now: datetime, settings: Settings
) -> None:
    model_calls.require_ready(Purpose.ANSWER, now=now)
    settings.LLM_DAILY_CAP_USD = 0.0001
    with pytest.raises(ModelUnavailable) as refused:
        model_calls.require_ready(Purpose.ANSWER, now=now)
    assert refused.value.default_code == "daily_budget_exhausted"
    settings.LLM_DAILY_CAP_USD = 0.0
    with pytest.raises(ModelUnavailable):
        model_calls.require_ready(Purpose.ANSWER, now=now)
