"""Figures with a model behind the answers: the first is the model's, and what moves within its day is quoted."""

from datetime import datetime, timedelta

import pytest

from ask import answering, drafts, prompts, rehearsal, renewal, validation
from ask.freshness import FRESH
from ask.models import Mode, SeedQuestion
from tests.ask.model.conftest import NOON
from tests.ask.records import KOREAN, maru, stored_answer
from tests.ask.test_freshness import HALF_HOUR, PRICE, candle, coin
from tests.fakes.messages_api import MessagesApi, document

__all__ = ["coin"]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def willing(model: MessagesApi) -> MessagesApi:
    model.answer(lambda one: document(rehearsal.reply(model.requests[-1].body))(one))
    return model


@pytest.mark.usefixtures("coin")
def test_the_first_answer_is_the_models_and_the_new_number_is_quoted_without_a_call(
    willing: MessagesApi,
) -> None:
    first = answering.ask(PRICE, now=NOON)
    assert (first.version.mode, len(willing.requests)) == (Mode.LLM, 1)
    assert first.version.cost_micro_usd > 0
    candle()
    for later in (HALF_HOUR, 2 * HALF_HOUR, FRESH - HALF_HOUR):
        reply = answering.ask(PRICE, now=NOON + later)
        assert "139,000,000원" in reply.version.body
        assert (reply.version.mode, reply.version.cost_usd, reply.cached) == (Mode.EXTRACTIVE, 0, True)
    assert len(willing.requests) == 1


@pytest.mark.usefixtures("coin")
def test_what_only_the_model_can_answer_stands_with_the_times_of_its_figures(willing: MessagesApi) -> None:
    first = answering.ask("비트코인 오늘 왜 급락했어?", now=NOON)
    assert "142,000,000원 (2026년 11월 21일 11:55 KST" in first.version.body
    assert drafts.compose(*answering.found(validation.validated(first.question), NOON)).mode == Mode.NONE
    candle()
    later = answering.ask("비트코인 오늘 왜 급락했어?", now=NOON + HALF_HOUR)
    assert (later.version, len(willing.requests)) == (first.version, 1)


@pytest.mark.usefixtures("coin")
def test_after_its_day_the_model_is_asked_again_in_the_background(willing: MessagesApi) -> None:
    answering.ask(PRICE, now=NOON)
    candle()
    answering.ask(PRICE, now=NOON + HALF_HOUR)
    assert renewal.renew(now=NOON + FRESH) == 0
    candle(NOON + FRESH, 150_000_000)
    late = answering.ask(PRICE, now=NOON + FRESH)
    assert (late.version.mode, "150,000,000원" in late.version.body) == (Mode.EXTRACTIVE, True)
    assert len(willing.requests) == 1
    assert renewal.renew(now=NOON + FRESH) == 1
    assert answering.ask(PRICE, now=NOON + FRESH).version.mode == Mode.LLM
    assert len(willing.requests) == 2


@pytest.mark.usefixtures("coin")
def test_beat_asks_the_model_about_a_figure_no_oftener_than_about_anything_else(
    willing: MessagesApi,
) -> None:
    SeedQuestion.objects.create(text=PRICE)
    renewal.answer_seeds(now=NOON)
    candle()
    for minutes in range(1, 60):
        renewal.answer_seeds(now=NOON + timedelta(minutes=minutes))
    assert len(willing.requests) == 1


def test_what_the_model_wrote_by_former_rules_is_given_until_beat_has_renewed_it(
    willing: MessagesApi, now: datetime
) -> None:
    maru()
    former = stored_answer(
        question=KOREAN, mode="llm", model="claude-haiku-5-5", cost_micro_usd=900, prompt_version="llm:0"
    )
    given = answering.ask(KOREAN, now=now)
    assert (given.version, given.cached, willing.requests) == (former, True, [])
    assert renewal.renew(now=now) == 1
    renewed = answering.ask(KOREAN, now=now).version
    assert (renewed.mode, renewed.prompt_version) == (Mode.LLM, prompts.PROMPT_VERSION)


def test_what_was_quoted_by_former_rules_is_quoted_anew_without_a_call(
    willing: MessagesApi, now: datetime
) -> None:
    maru()
    stored_answer(question=KOREAN, prompt_version="extractive:1")
    assert "3억 6천만 개" in answering.ask(KOREAN, now=now).version.body
    assert willing.requests == []
