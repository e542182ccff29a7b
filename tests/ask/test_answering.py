"""The order of work: validated, kept, made, stored once, renewed, withdrawn."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction

from ask import answering, curation, drafts, questions, renewal, storing, validation
from ask.drafts import Draft
from ask.errors import AnswerHidden, AnswerInProgress, InvalidQuestion, QuestionTooLong
from ask.evidence import gather
from ask.freshness import FRESH, FRESH_MISS, FRESH_SEED
from ask.models import Answer, AnswerVersion, Mode, SeedQuestion
from knowledge import curation as canon
from knowledge.models import Document, Status, Unit
from knowledge.search.indexing import index_units
from knowledge.signals import documents_removed
from tests.ask.records import ENGLISH, KOREAN, NOON, OFF_TOPIC, ask, index, maru, news, opinion
from tests.factories.knowledge import make_unit

pytestmark = pytest.mark.django_db

MOMENT = timedelta(seconds=1)


def test_a_korean_question_is_answered_in_korean_with_the_page_it_stands_on() -> None:
    maru()
    reply = ask(KOREAN)
    assert reply.version.body == (
        "다음은 기록에서 그대로 옮긴 문장입니다.\n\n발행 상한은 3억 6천만 개이다. [1]\n"
        "마루코인은 도연우가 만든 결제용 가상자산이다. [1]"
    )
    assert reply.version.citations == [{"label": "마루코인", "url": "/asset/marucoin", "type": "asset"}]
    assert (reply.version.mode, reply.version.cost_usd, reply.cached) == ("extractive", 0, False)


def test_an_english_question_is_answered_in_english() -> None:
    maru()
    body = ask(ENGLISH).version.body
    assert body == (
        "Sentences quoted from the records:\n\n"
        "Marucoin is a payment asset. [1]\nIts cap is 360 million coins. [1]"
    )


@pytest.mark.parametrize(
    ("question", "sentence"),
    [(OFF_TOPIC, drafts.NOTHING_FOUND["ko"]), ("How do I boil an egg?", drafts.NOTHING_FOUND["en"])],
)
def test_what_the_records_do_not_hold_gets_an_honest_sentence(question: str, sentence: str) -> None:
    maru()
    version = ask(question).version
    assert (version.mode, version.body, version.citations, version.cost_usd) == ("none", sentence, [], 0)


@pytest.mark.parametrize(
    "question", [None, 3, ["a"], {"a": 1}, True, "", "   ", "?!…", "\u200b\u3164", "\x00", "👀"]
)
def test_a_question_without_a_letter_or_digit_is_refused(question: object) -> None:
    with pytest.raises(InvalidQuestion):
        answering.ask(question, now=NOON)
    assert not Answer.objects.exists()


def test_the_length_is_counted_after_cleaning() -> None:
    assert validation.validated("a" * 300 + "\u200b" * 50 + "  ").question == "a" * 300
    with pytest.raises(QuestionTooLong):
        validation.validated("가" * 301)


def test_the_same_question_in_another_spelling_is_the_same_answer() -> None:
    maru()
    first, second = ask("마루코인 발행 상한은?"), ask("  마루코인 발행\u3000상한은 ？")
    assert second.cached
    assert (second.version, second.answer.question) == (first.version, "마루코인 발행 상한은?")


def test_a_fresh_answer_is_not_looked_for_again() -> None:
    maru()
    ask(KOREAN)
    news("마루코인 발행 상한 늘리기로", "마루코인 발행 상한은 4억 개로 늘어난다.")
    assert ask(KOREAN, now=NOON + FRESH - MOMENT).cached
    assert AnswerVersion.objects.count() == 1


def test_what_was_not_found_is_looked_for_again_after_an_hour() -> None:
    assert ask(KOREAN).version.mode == Mode.NONE
    maru()
    assert ask(KOREAN, now=NOON + FRESH_MISS - MOMENT).version.mode == Mode.NONE
    renewed = ask(KOREAN, now=NOON + FRESH_MISS)
    assert (renewed.version.mode, renewed.cached) == (Mode.EXTRACTIVE, False)


@pytest.mark.parametrize(("seed", "lifetime"), [(False, FRESH), (True, FRESH_SEED)], ids=["visitor", "seed"])
def test_an_old_answer_whose_evidence_is_the_same_is_kept(seed: bool, lifetime: timedelta) -> None:
    maru()
    if seed:
        SeedQuestion.objects.create(text=KOREAN)
    first = ask(KOREAN)
    later = ask(KOREAN, now=NOON + lifetime)
    assert (later.version, later.cached) == (first.version, True)
    assert Answer.objects.get().checked_at == NOON + lifetime


@pytest.mark.parametrize(("seed", "lifetime"), [(False, FRESH), (True, FRESH_SEED)], ids=["visitor", "seed"])
def test_an_old_answer_is_given_while_its_changed_evidence_makes_a_new_one(
    seed: bool, lifetime: timedelta
) -> None:
    unit = maru()
    if seed:
        SeedQuestion.objects.create(text=KOREAN)
    first = ask(KOREAN)
    unit.summary = "마루코인의 발행 상한은 4억 개이다."
    unit.save()
    index_units([unit.pk])
    assert ask(KOREAN, now=NOON + lifetime - MOMENT).version == first.version
    for _ in range(2):
        older = ask(KOREAN, now=NOON + lifetime)
        assert (older.version, older.cached) == (first.version, True)
    assert renewal.renew(now=NOON + lifetime) == 1
    renewed = ask(KOREAN, now=NOON + lifetime)
    assert "4억 개" in renewed.version.body
    assert (renewed.answer.versions.count(), renewed.cached) == (2, True)
    assert AnswerVersion.objects.get(pk=first.version.pk).body == first.version.body


def test_a_version_is_never_rewritten() -> None:
    maru()
    version = ask(KOREAN).version
    version.body = "다른 말"
    with pytest.raises(DatabaseError, match="Cannot update rows"), transaction.atomic():
        version.save()
    with pytest.raises(DatabaseError, match="Cannot update rows"), transaction.atomic():
        AnswerVersion.objects.update(body="다른 말")


def test_a_hidden_answer_is_gone_and_not_made_again() -> None:
    maru()
    ask(KOREAN)
    curation.hide(Answer.objects.all(), "명예 훼손")
    for later in (timedelta(0), FRESH * 2):
        with pytest.raises(AnswerHidden):
            ask(KOREAN, now=NOON + later)
    assert AnswerVersion.objects.count() == 1
    curation.show(Answer.objects.all())
    assert ask(KOREAN).cached


def test_an_answer_hidden_while_it_was_being_made_stays_hidden() -> None:
    maru()
    asked = validation.validated(KOREAN)
    question = questions.read(KOREAN)
    evidence = gather(question, now=NOON)
    draft = drafts.compose(question, evidence)
    Answer.objects.create(
        question_hash=asked.question_hash,
        question=KOREAN,
        lang="ko",
        created_at=NOON,
        status="hidden",
        hidden_reason="신고",
    )
    with pytest.raises(AnswerHidden):
        storing.store(asked, evidence, draft, replacing=None, now=NOON)
    assert not AnswerVersion.objects.exists()


def test_of_two_answers_made_at_once_the_first_is_stored_and_both_reply() -> None:
    maru()
    asked = validation.validated(KOREAN)
    question = questions.read(KOREAN)
    evidence = gather(question, now=NOON)
    draft = drafts.compose(question, evidence)
    first = storing.store(asked, evidence, draft, replacing=None, now=NOON)
    second = storing.store(asked, [], Draft(Mode.NONE, "없음"), replacing=None, now=NOON)
    assert (first.cached, second.cached) == (False, True)
    assert second.version == first.version
    assert AnswerVersion.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_same_question_from_many_at_once_is_stored_once() -> None:
    maru(aliases=[])

    def one_of_many(_: int) -> str:
        try:
            return ask(KOREAN).version.body
        except AnswerInProgress:
            return "told to come back"
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as crowd:
        bodies = list(crowd.map(one_of_many, range(16)))
    body = AnswerVersion.objects.get().body
    assert body in bodies
    assert set(bodies) <= {body, "told to come back"}


def test_a_retracted_unit_disappears_from_stored_answers() -> None:
    unit = maru()
    ask(KOREAN)
    canon.set_status(unit, Status.RETRACTED)
    assert not Answer.objects.published().exists()
    renewed = ask(KOREAN)
    assert (renewed.version.mode, renewed.cached) == (Mode.NONE, False)
    assert Answer.objects.published().exists()


def test_a_unit_withdrawn_without_a_signal_is_not_quoted_either() -> None:
    maru()
    ask(KOREAN)
    Unit.objects.update(status="retracted")
    assert ask(KOREAN).version.mode == Mode.NONE


def test_a_withdrawn_document_is_not_quoted_any_more() -> None:
    maru(summary="마루코인은 결제용 가상자산이다.")
    news("마루코인 결제 수수료 0.4%로 확정", "마루코인의 결제 수수료는 0.4%로 정해졌다.")
    question = "마루코인 결제 수수료는 얼마야?"
    assert "0.4%" in ask(question).version.body
    Document.objects.update(withdrawn=True)
    assert "0.4%" not in ask(question).version.body


def test_answers_hear_of_withdrawn_documents() -> None:
    maru(summary="마루코인은 결제용 가상자산이다.")
    document = news("마루코인 결제 수수료 0.4%로 확정")
    ask("마루코인 결제 수수료는 얼마야?")
    documents_removed.send(Document, keys=[document.pk, 0])
    assert not Answer.objects.published().exists()


def test_a_persona_speaks_as_an_ai_persona_and_after_the_records() -> None:
    maru()
    post = opinion("나는 마루코인 발행 상한이 몇 개인지보다 누가 지키는지를 본다.")
    version = ask("마루코인 발행 상한").version
    assert version.body.endswith(
        "\n\n발행 상한은 3억 6천만 개이다. [1]\n마루코인은 도연우가 만든 결제용 가상자산이다. [1]"
        "\n\n◆ 장부지기 · AI persona: 나는 마루코인 발행 상한이 몇 개인지보다 누가 지키는지를 본다. [2]"
    )
    assert version.citations[1] == {
        "label": "◆ 장부지기 · AI persona",
        "url": f"/creator/jangbu#post-{post.slug}",
        "type": "creator",
    }
    assert f"post:{post.pk}" in version.cited_keys


def test_a_merged_unit_leaves_its_answers_up_until_they_follow_the_survivor() -> None:
    loser = maru()
    survivor = make_unit("maru-two", "마루")
    ask(KOREAN)
    canon.merge(loser, survivor, now=NOON)
    assert Answer.objects.published().exists()
    assert Answer.objects.get().checked_at is None
    index()
    assert renewal.renew(now=NOON) == 1
    for citation in ask(KOREAN).version.citations:
        assert citation["url"] == "/asset/maru-two"


def test_an_undone_merge_has_its_answers_looked_at_anew() -> None:
    loser, survivor = maru(), make_unit("maru-two", "마루")
    news("마루코인 발행 상한은 3억 6천만 개")
    record = canon.merge(loser, survivor, now=NOON)
    index()
    assert [one["url"] for one in ask(KOREAN).version.citations] == ["/asset/maru-two"]
    canon.unmerge(record, now=NOON)
    assert Answer.objects.get().checked_at is None
    index()
    assert renewal.renew(now=NOON) == 1
    assert [one["url"] for one in ask(KOREAN).version.citations] == ["/asset/marucoin"]
