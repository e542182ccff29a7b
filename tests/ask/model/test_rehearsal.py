"""Model mode without a key: the whole path over a real socket, labelled, free, and gone with the rehearsal."""

from datetime import datetime

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from ask import model_answers, rehearsal
from ask.language import Language
from ask.ledger import ModelCall, Purpose, SpendDay
from ask.model_calls import complete
from ask.models import Mode
from ask.questions import QuestionKind
from tests.ask.model.evidence import compose, evidence, opinion

EVIDENCE = [
    evidence(0, "마루코인은 결제용 가상자산이다. 발행 상한은 3억 6천만 개이다."),
    evidence(1, "Marucoin is a payment asset.", lang="en"),
    opinion(2, "나는 마루코인이 비싸다고 본다."),
]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def rehearsing(settings: Settings) -> None:
    settings.FAKE_LLM = True
    settings.ANTHROPIC_API_KEY = ""
    settings.LLM_DAILY_CAP_USD = 0.0


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_an_answer_is_cited_labelled_and_free(now: datetime, lang: Language) -> None:
    answer = compose("상한은?", lang, QuestionKind.HOW_MUCH, EVIDENCE, purpose=Purpose.ANSWER, now=now)
    assert answer.mode == Mode.LLM
    assert answer.body.startswith(rehearsal.LABELS[lang])
    assert answer.body.endswith("]")
    assert answer.citations
    assert (answer.model, answer.cost_micro_usd) == ("rehearsal", 0)
    assert SpendDay.objects.get().committed == 0
    assert ModelCall.objects.get().model == "rehearsal"


def test_it_quotes_what_it_was_sent(now: datetime) -> None:
    answer = compose("상한은?", "ko", QuestionKind.HOW_MUCH, EVIDENCE, purpose=Purpose.ANSWER, now=now)
    assert "발행 상한은 3억 6천만 개이다. [1]" in answer.body
    assert "(◆ 장부지기 · AI persona) [2]" in answer.body


def test_without_evidence_in_the_language_it_says_none(now: datetime) -> None:
    answer = compose("cap?", "en", QuestionKind.HOW_MUCH, [EVIDENCE[0]], purpose=Purpose.ANSWER, now=now)
    assert answer.mode == Mode.NONE


def test_the_reflection_is_labelled_too(now: datetime) -> None:
    made = complete("reflection", system="쓴다.", content="신호", max_tokens=100, now=now)
    assert made.text == rehearsal.LABELS["ko"]
    assert made.model == "rehearsal"


def test_its_answers_are_over_when_it_is(now: datetime, settings: Settings) -> None:
    answer = compose("상한은?", "ko", QuestionKind.HOW_MUCH, EVIDENCE, purpose=Purpose.ANSWER, now=now)
    assert answer.prompt_version == model_answers.prompt_version()
    assert not rehearsal.is_over(answer.prompt_version)
    settings.FAKE_LLM = False
    assert rehearsal.is_over(answer.prompt_version)
    assert not rehearsal.is_over("llm:1")
    assert answer.prompt_version != model_answers.prompt_version()


def test_the_server_by_itself_is_refused_in_production(settings: Settings) -> None:
    settings.DEBUG = False
    with pytest.raises(CommandError):
        call_command("fake_messages_api")


def test_what_is_no_request_is_refused_as_the_real_one_refuses(now: datetime, settings: Settings) -> None:
    from ask.anthropic_client import Endpoint, UpstreamError, send
    from ask.wire import Deadline

    with pytest.raises(UpstreamError) as refused:
        send(
            {"model": "x", "max_tokens": 1, "messages": []}, Endpoint(rehearsal.base_url(), "x"), Deadline(5)
        )
    assert refused.value.status == 400
