"""The books as operators and health see them."""

import io
from datetime import datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from ask import budget
from ask.ledger import ModelCall, Outcome, Purpose
from ask.spending import day_spend, model_freshness

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def books(now: datetime, settings: Settings) -> None:
    settings.LLM_DAILY_CAP_USD = 2.0
    settings.ANTHROPIC_API_KEY = "set"
    settings.FAKE_LLM = False
    settings.ASK_MODEL = "claude-haiku-5-5"
    for purpose, cost in ((Purpose.ANSWER, 250_000), (Purpose.ANSWER, 50_000), (Purpose.AUDIT, 100_000)):
        reservation = budget.reserve(purpose, cost + 10, model="claude-haiku-5-5", now=now)
        call = ModelCall(
            purpose=purpose,
            model="claude-haiku-5-5",
            started_at=now,
            milliseconds=900,
            outcome=Outcome.ANSWERED,
            input_tokens=1000,
            output_tokens=10,
            cost_micro_usd=cost,
        )
        budget.settle(reservation, cost, [call], now=now)
    budget.reserve(Purpose.REFLECTION, 70_000, model="claude-haiku-5-5", now=now)


def printed(*arguments: str) -> str:
    out = io.StringIO()
    call_command("spend", *arguments, stdout=out)
    return out.getvalue()


def test_a_day_is_what_was_spent_and_what_is_promised(now: datetime) -> None:
    day = day_spend(budget.spend_day(now))
    assert (day.spent, day.reserved, day.cap) == (400_000, 70_000, 2_000_000)
    assert {one.purpose.value: (one.calls, one.spent, one.maximum) for one in day.purposes} == {
        "answer": (2, 300_000, 2_000_000),
        "renewal": (0, 0, 300_000),
        "reflection": (0, 0, 100_000),
        "audit": (1, 100_000, 200_000),
    }


def test_the_command_prints_the_day(now: datetime) -> None:
    text = printed("--date", "2026-11-21")
    assert "2026-11-21: 0.4000 of 2.0000 USD spent, 0.0700 reserved" in text
    assert "answer     claude-haiku-5-5 answered: 2 calls, 2000 tokens in, 20 out, 0.3000 USD" in text
    assert "0.0000 of 2.0000 USD spent" in printed("--date", "2026-11-20")


def test_the_command_switches_a_model_on_again(now: datetime) -> None:
    budget.switch_off("claude-haiku-5-5", "cost too much", now)
    assert "claude-haiku-5-5 is switched off" in printed()
    assert "is called again" in printed("--switch-on", "claude-haiku-5-5")
    with pytest.raises(CommandError):
        printed("--switch-on", "claude-haiku-5-5")


def test_a_date_that_is_none_is_refused() -> None:
    with pytest.raises(CommandError):
        printed("--date", "yesterday")


def test_health_shows_spend_against_the_cap(now: datetime) -> None:
    (row,) = model_freshness(now + timedelta(minutes=5), now)
    assert (row.name, row.status, row.age) == ("model", "ok", timedelta(minutes=5))
    assert row.note == "0.4700 of 2.0000 USD committed today"


def test_health_warns_of_a_full_budget_and_of_a_model_that_is_off(now: datetime, settings: Settings) -> None:
    settings.LLM_DAILY_CAP_USD = 0.47
    (full,) = model_freshness(now, now)
    assert (full.status, full.note.split(";")[0]) == ("warn", "the daily budget is used up")
    budget.switch_off("claude-haiku-5-5", "cost too much", now)
    assert model_freshness(now, now)[0].status == "warn"


def test_health_of_a_service_without_a_key_is_ok_with_a_note(now: datetime, settings: Settings) -> None:
    settings.ANTHROPIC_API_KEY = ""
    (row,) = model_freshness(now, now)
    assert row.status == "ok"
    assert "ANTHROPIC_API_KEY" in row.note
