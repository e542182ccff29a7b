"""What the database refuses."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from ask.models import Answer, SeedQuestion
from tests.ask.records import NOON, stored_answer

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "fields",
    [
        {"question_hash": "not a hash"},
        {"question": ""},
        {"lang": "fr"},
        {"status": "hidden"},
        {"hidden_reason": "없는 까닭"},
        {"status": "gone"},
    ],
    ids=lambda fields: " ".join(fields),
)
def test_an_answer_that_makes_no_sense_is_refused(fields: dict[str, Any]) -> None:
    good: dict[str, Any] = {"question_hash": "0" * 32, "question": "값은?", "lang": "ko", "created_at": NOON}
    with pytest.raises(IntegrityError), transaction.atomic():
        Answer.objects.create(**good | fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"mode": "guess"},
        {"body": ""},
        {"citations": []},
        {"mode": "none"},
        {"mode": "llm"},
        {"cost_micro_usd": 5},
        {"model": "claude-haiku-5-5"},
        {"mode": "llm", "model": "claude-haiku-5-5", "cost_micro_usd": -1},
    ],
    ids=str,
)
def test_a_version_that_makes_no_sense_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        stored_answer(**fields)


def test_an_answer_without_a_version_is_not_public() -> None:
    Answer.objects.create(question_hash="0" * 32, question="값은?", lang="ko", created_at=NOON)
    assert not Answer.objects.published().exists()


def test_a_seed_knows_its_answer_by_what_it_asks() -> None:
    version = stored_answer(question="값은?")
    seed = SeedQuestion.objects.create(text="“값은”")
    assert seed.answer == version.answer
    assert seed.get_absolute_url() == version.answer.get_absolute_url()
    seed.text = "다른 값은?"
    seed.save()
    assert seed.answer is None
