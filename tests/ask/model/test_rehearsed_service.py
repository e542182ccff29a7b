"""The whole service in a rehearsal: an asked question is answered, kept, and not shown once the rehearsal is over."""

import json

import pytest
from django.test import Client
from pytest_django import Settings

from ask.models import AnswerVersion, Mode
from ask.rehearsal import LABELS
from tests.ask.records import KOREAN, OFF_TOPIC, ask, maru

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def rehearsing(settings: Settings) -> None:
    settings.FAKE_LLM = True
    settings.ANTHROPIC_API_KEY = ""


def test_a_rehearsed_answer_is_labelled_cited_and_kept() -> None:
    maru()
    made = ask(KOREAN)
    assert (made.version.mode, made.version.model, made.version.cost_micro_usd) == (Mode.LLM, "rehearsal", 0)
    assert made.version.body.startswith(LABELS["ko"])
    assert made.version.citations[0]["url"] == "/asset/marucoin"
    assert ask(KOREAN).cached


def test_the_api_tells_that_it_is_a_rehearsal(client: Client) -> None:
    maru()
    body = json.dumps({"question": KOREAN})
    answered = client.post("/api/ask", body, content_type="application/json").json()
    assert answered["mode"] == "llm"
    assert answered["costUsd"] == 0
    assert answered["answer"].startswith("[리허설]")
    assert client.get(f"/ask/q/{answered['questionHash']}").status_code == 200


def test_off_topic_questions_make_no_call() -> None:
    maru()
    assert ask(OFF_TOPIC).version.mode == Mode.NONE
    assert AnswerVersion.objects.get().model == ""


def test_a_rehearsal_that_is_over_leaves_no_answer(client: Client, settings: Settings) -> None:
    maru()
    rehearsed = ask(KOREAN)
    settings.FAKE_LLM = False
    assert client.get(f"/ask/q/{rehearsed.answer.pk}").status_code == 404
    made_anew = ask(KOREAN)
    assert made_anew.version.mode == Mode.EXTRACTIVE
    assert client.get(f"/ask/q/{rehearsed.answer.pk}").status_code == 200
