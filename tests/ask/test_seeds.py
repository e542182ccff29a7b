"""Seed questions: told apart by what they ask, loaded without overwriting editors, answered and renewed by beat."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from ask import curation, renewal, tasks
from ask.canon import loader
from ask.freshness import FRESH_SEED
from ask.models import Answer, AnswerVersion, SeedQuestion
from knowledge import curation as canon
from knowledge.canon.loader import CanonError, read
from knowledge.canon.records import UpsertResult
from knowledge.models import Status
from tests.ask.records import ENGLISH, KOREAN, NOON, OFF_TOPIC, ask, maru

pytestmark = pytest.mark.django_db


def record(question: str = KOREAN, **fields: Any) -> dict[str, Any]:
    return {"question": question, "lang": "ko", "order": 10} | fields


def load(*records: Any) -> dict[UpsertResult, int]:
    return dict(loader.load([{"questions": list(records)}], now=NOON)["questions"])


def test_loading_twice_changes_nothing() -> None:
    assert load(record()) == {UpsertResult.CREATED: 1}
    assert load(record()) == {UpsertResult.UNCHANGED: 1}
    seed = SeedQuestion.objects.get()
    assert (seed.text, seed.lang, seed.order, seed.active, seed.created_at) == (KOREAN, "ko", 10, True, NOON)


def test_a_changed_file_updates_what_no_editor_touched() -> None:
    load(record())
    assert load(record(order=20)) == {UpsertResult.UPDATED: 1}
    assert SeedQuestion.objects.get().order == 20


@pytest.mark.parametrize(
    "change", [{"order": 5}, {"text": "마루코인은 몇 개까지 나와?"}], ids=["order", "wording"]
)
def test_what_an_editor_changed_is_kept(change: dict[str, Any]) -> None:
    load(record())
    seed = SeedQuestion.objects.get()
    for name, value in change.items():
        setattr(seed, name, value)
    seed.save()
    assert load(record(order=20)) == {UpsertResult.KEPT: 1}
    assert SeedQuestion.objects.filter(**change).count() == SeedQuestion.objects.count() == 1


def test_a_seed_that_an_editor_switched_off_stays_off() -> None:
    load(record())
    SeedQuestion.objects.update(active=False)
    load(record(order=20))
    assert not SeedQuestion.objects.get().active


def test_an_editors_own_question_is_not_loaded_over() -> None:
    SeedQuestion.objects.create(text=KOREAN, order=1)
    assert load(record(f"{KOREAN}?")) == {UpsertResult.KEPT: 1}
    assert SeedQuestion.objects.get().order == 1


@pytest.mark.parametrize(
    "bad",
    [
        record(lang="en"),
        record(question="?!"),
        record(question="가" * 301),
        {"question": KOREAN, "lang": "ko"},
        record(order="first"),
        record(question=None),
        "a question",
    ],
)
def test_a_bad_record_loads_nothing_and_is_named(bad: Any) -> None:
    with pytest.raises(CanonError):
        load(record("다른 질문은?"), bad)
    assert not SeedQuestion.objects.exists()


def test_the_starter_questions_load() -> None:
    counts = loader.load([read(path) for path in loader.starter_paths()], now=NOON)["questions"]
    assert counts[UpsertResult.CREATED] >= 20
    assert set(SeedQuestion.objects.values_list("lang", flat=True)) == {"ko", "en"}


def test_the_same_question_is_no_second_seed() -> None:
    SeedQuestion.objects.create(text=KOREAN)
    with pytest.raises(ValidationError, match="이미 있습니다"):
        SeedQuestion(text=f"“{KOREAN}”").full_clean()
    with pytest.raises(IntegrityError), transaction.atomic():
        SeedQuestion.objects.create(text=f"“{KOREAN}”")


def test_beat_answers_active_seeds_only() -> None:
    maru()
    SeedQuestion.objects.create(text=KOREAN)
    SeedQuestion.objects.create(text=ENGLISH, active=False)
    assert renewal.answer_seeds(now=NOON) == 1
    assert [answer.question for answer in Answer.objects.all()] == [KOREAN]
    assert [seed.text for seed in SeedQuestion.objects.answered()] == [KOREAN]


def test_a_fresh_seed_answer_is_left_alone() -> None:
    maru()
    SeedQuestion.objects.create(text=KOREAN)
    renewal.answer_seeds(now=NOON)
    assert renewal.answer_seeds(now=NOON + FRESH_SEED) == 0
    assert AnswerVersion.objects.count() == 1


def test_a_seed_without_an_answer_is_not_shown() -> None:
    SeedQuestion.objects.create(text=OFF_TOPIC)
    renewal.answer_seeds(now=NOON)
    assert not SeedQuestion.objects.answered().exists()


def test_one_hidden_seed_keeps_no_other_waiting() -> None:
    maru()
    SeedQuestion.objects.create(text=KOREAN, order=1)
    SeedQuestion.objects.create(text=ENGLISH, order=2)
    ask(KOREAN)
    curation.hide(Answer.objects.all(), "신고")
    assert renewal.answer_seeds(now=NOON + timedelta(days=2)) == 1
    assert [seed.text for seed in SeedQuestion.objects.answered()] == [ENGLISH]


def test_beat_renews_what_lost_its_evidence() -> None:
    unit = maru()
    ask(KOREAN)
    canon.set_status(unit, Status.RETRACTED)
    assert renewal.renew(now=NOON) == 1
    assert not curation.to_renew().exists()
    assert "3억" not in Answer.objects.select_related("current").get().current.body  # type: ignore[union-attr]
    assert renewal.renew(now=NOON) == 0


def test_renewal_leaves_hidden_answers_alone() -> None:
    unit = maru()
    ask(KOREAN)
    curation.hide(Answer.objects.all(), "신고")
    canon.set_status(unit, Status.RETRACTED)
    assert renewal.renew(now=NOON) == 0


def test_the_tasks_run() -> None:
    maru()
    SeedQuestion.objects.create(text=KOREAN)
    tasks.answer_seed_questions()
    tasks.renew_answers()
    assert Answer.objects.published().count() == 1
