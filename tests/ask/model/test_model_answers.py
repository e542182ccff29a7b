"""From evidence to a draft through a model on a socket."""

import html
from datetime import datetime

import pytest

from ask.ledger import ModelCall, Purpose
from ask.model_errors import ModelUnavailable
from ask.models import Mode
from ask.prompts import PROMPT_VERSION, SYSTEM
from ask.questions import QuestionKind
from tests.ask.model.evidence import compose, evidence
from tests.factories.knowledge import make_unit
from tests.fakes.messages_api import MessagesApi, message, said

pytestmark = pytest.mark.django_db
EVIDENCE = [evidence(0, "발행 상한은 3억 6천만 개이다.")]
CITED = {
    "type": "search_result_location",
    "cited_text": "발행 상한은 3억 6천만 개이다.",
    "source": "/asset/unit-0",
    "title": "단위 0",
    "search_result_index": 0,
    "start_block_index": 0,
    "end_block_index": 1,
}


def test_an_answer_is_made_from_what_was_sent(model: MessagesApi, now: datetime) -> None:
    model.answer(message(said("상한은 3억 6천만 개다.", CITED)))
    draft = compose("상한은 <몇> 개?", "ko", QuestionKind.HOW_MUCH, EVIDENCE, purpose=Purpose.ANSWER, now=now)
    assert (draft.mode, draft.body) == (Mode.LLM, "상한은 3억 6천만 개다. [1]")
    assert (draft.cost_micro_usd, draft.model, draft.prompt_version) == (
        150,
        "claude-haiku-5-5",
        PROMPT_VERSION,
    )
    body = model.requests[0].body
    assert body["system"] == SYSTEM
    assert body["max_tokens"] == 1200
    assert body["messages"][0]["content"][0]["source"] == "/asset/unit-0"
    assert html.escape("상한은 <몇> 개?") in body["messages"][0]["content"][-1]["text"]
    assert not {"temperature", "top_p", "top_k", "stream", "tools"} & set(body)


def test_an_answer_that_may_not_be_shown_is_a_refusal_and_is_paid(model: MessagesApi, now: datetime) -> None:
    model.answer(message(said("상한은 9억 개다.", {**CITED, "source": "https://evil.example"})))
    with pytest.raises(ModelUnavailable) as refused:
        compose("상한은?", "ko", QuestionKind.HOW_MUCH, EVIDENCE, purpose=Purpose.ANSWER, now=now)
    assert refused.value.default_code == "model_unavailable"
    assert ModelCall.objects.get().cost_micro_usd == 150


def test_a_name_of_the_canon_has_to_stand_in_what_is_cited(model: MessagesApi, now: datetime) -> None:
    make_unit("haneul", "하늘코인")
    truth = said("상한은 3억 6천만 개이고 그 밖에는 아무것도 정해지지 않았다.", CITED)
    model.answer(message(truth, said(" 하늘코인도 그렇다.", CITED)))
    draft = compose("상한은?", "ko", QuestionKind.HOW_MUCH, EVIDENCE, purpose=Purpose.ANSWER, now=now)
    assert draft.body == f"{truth['text']} [1]"


def test_a_renewal_is_booked_as_one(model: MessagesApi, now: datetime) -> None:
    model.answer(message(said("상한은 3억 6천만 개다.", CITED)))
    compose("상한은?", "ko", QuestionKind.HOW_MUCH, EVIDENCE, purpose=Purpose.RENEWAL, now=now)
    assert ModelCall.objects.get().purpose == "renewal"
