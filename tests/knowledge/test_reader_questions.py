"""The questions that the sentences of a summary answer: what may be stored, who writes it, who reads it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.test import Client

from knowledge.canon import loader
from knowledge.exchange.formats import CSV
from knowledge.exchange.resources import UnitResource
from knowledge.models import Unit, UnitType
from knowledge.models.reader_questions import (
    READER_QUESTIONS_MAX,
    ReaderQuestion,
    check_number,
    read_question,
    tidied_questions,
    unanswered,
)
from knowledge.queries import search
from knowledge.search import indexing
from tests.factories.knowledge import NOON, make_unit

SUMMARY = "가상자산 과세는 2027년 1월 1일 시작된다. 공제는 250만 원이다."
ENGLISH = "Crypto is taxed from 1 January 2027."
WHEN, WHOLE, IN_ENGLISH = (
    "언제부터 걷어 → 2027년 1월 1일",
    "나라에서 떼가는 돈",
    "when do I owe → 1 January 2027",
)
RECORD: dict[str, Any] = {
    "type": "topic",
    "slug": "crypto-tax",
    "label": "가상자산 과세",
    "summary": SUMMARY,
    "summary_en": ENGLISH,
    "aliases": [],
}


def topic(*lines: str) -> Unit:
    return make_unit(
        "crypto-tax",
        "가상자산 과세",
        type=UnitType.TOPIC,
        summary=SUMMARY,
        summary_en=ENGLISH,
        reader_questions=list(lines),
    )


def test_a_line_is_a_question_and_words_of_the_sentence_that_answers() -> None:
    assert read_question(WHEN) == ReaderQuestion("언제부터 걷어", "2027년 1월 1일")
    assert read_question(WHOLE) == ReaderQuestion(WHOLE)
    assert [one.is_korean for one in map(read_question, (WHEN, IN_ENGLISH))] == [True, False]


def test_lines_are_stored_once_and_without_what_nobody_sees() -> None:
    written = [f"  {WHEN} ", "언제부터 걷어→2027년 1월 1일\u200b", "", "→ 2027년", WHOLE]
    assert tidied_questions(written) == [WHEN, WHOLE]
    assert tidied_questions([WHEN, WHOLE]) == [WHEN, WHOLE]


def test_a_line_whose_answer_the_summary_of_its_language_does_not_hold_is_told() -> None:
    assert unanswered([WHEN, WHOLE, IN_ENGLISH], SUMMARY, ENGLISH) == []
    lost = ["언제부터 내 → 1 January 2027", "when → 2028"]
    assert unanswered([WHEN, *lost], SUMMARY, ENGLISH) == lost
    with pytest.raises(ValidationError, match=str(READER_QUESTIONS_MAX)):
        check_number(["가"] * (READER_QUESTIONS_MAX + 1))


@pytest.mark.django_db
def test_readers_see_none_of_them(client: Client) -> None:
    topic(WHEN, WHOLE, IN_ENGLISH)
    for address in (
        "/topic/crypto-tax",
        "/en/topic/crypto-tax",
        "/topic/crypto-tax.md",
        "/api/canonical/topics.json",
        "/llms-full.txt",
    ):
        response = client.get(address)
        assert response.status_code == 200, address
        content = response.content.decode()
        assert "가상자산 과세" in content or "crypto-tax" in content, address
        assert [word for word in ("걷어", "떼가는", "do I owe") if word in content] == [], address


@pytest.mark.django_db
def test_a_search_in_their_words_finds_the_unit_once_it_is_read_again() -> None:
    unit = topic()
    make_unit("other", "다른 코인", summary="다른 코인은 송금에 쓰는 자산이다.")
    indexing.index_units(list(Unit.objects.values_list("pk", flat=True)))
    assert indexing.refresh() == 0
    Unit.objects.filter(pk=unit.pk).update(reader_questions=["국세청이 떼가는 몫 → 2027년"])
    assert indexing.refresh() == 1
    assert [row.title for row in search.hits("국세청이 떼가는 몫", now=NOON).rows] == ["가상자산 과세"]


@pytest.mark.django_db
def test_the_canon_brings_them_to_units_of_before_and_keeps_an_editors() -> None:
    loader.load([{"units": [RECORD]}], now=NOON)
    told = {"2027년 1월 1일": ["언제부터 걷어", " 언제부터 걷어"], "1 January 2027": ["when do I owe"]}
    record = {"units": [RECORD], "reader_questions": {"topic:crypto-tax": told}}
    assert loader.load([record], now=NOON)["units"] == {"updated": 1}
    assert loader.load([record], now=NOON)["units"] == {"unchanged": 1}
    unit = Unit.objects.get()
    assert unit.reader_questions == [WHEN, IN_ENGLISH]
    unit.reader_questions = [WHOLE]
    unit.save()
    assert loader.load([record], now=NOON)["units"] == {"kept": 1}
    assert Unit.objects.get().reader_questions == [WHOLE]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("questions", "told"),
    [
        ({"topic:crypto-tax": {"2030년": ["언제부터 걷어"]}}, "언제부터 걷어"),
        ({"topic:nobody": {"": ["누구"]}}, "topic:nobody: reader_questions of a unit"),
        ({"topic:crypto-tax": ["언제부터 걷어"]}, "reader_questions"),
        ({"topic:crypto-tax": {"2027년": "언제부터 걷어"}}, "'2027년' must have a list of questions"),
        (["언제부터 걷어"], "reader_questions"),
    ],
)
def test_questions_that_no_unit_can_have_are_told(questions: Any, told: str) -> None:
    with pytest.raises(loader.CanonError, match=told):
        loader.load([{"units": [RECORD], "reader_questions": questions}], now=NOON)
    assert not Unit.objects.exists()


@pytest.mark.django_db
def test_they_go_out_in_a_file_and_come_back() -> None:
    unit = topic(WHEN, "세금 | 신고 → 2027년", IN_ENGLISH)
    content = CSV().export_data(UnitResource().export(Unit.objects.all()))
    Unit.objects.filter(pk=unit.pk).update(reader_questions=[])
    UnitResource().import_data(CSV().create_dataset(content.encode()))
    assert Unit.objects.get().reader_questions == unit.reader_questions


@pytest.mark.django_db
def test_an_editor_writes_one_a_line_and_is_told_which_has_lost_its_answer(client: Client) -> None:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    unit = topic(WHEN)
    address = f"/admin/knowledge/topic/{unit.pk}/change/"
    assert f"{WHEN}</textarea>" in client.get(address).content.decode()
    posted = {"label": unit.label, "summary": SUMMARY, "summary_en": ENGLISH}
    posted |= {f"aliases-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    lines = f"{WHEN}\r\n\r\n{IN_ENGLISH}"
    assert client.post(address, posted | {"reader_questions": lines}).status_code == 302
    unit.refresh_from_db()
    assert unit.reader_questions == [WHEN, IN_ENGLISH]
    later = SUMMARY.replace("2027", "2028")
    followed = client.post(address, posted | {"summary": later, "reader_questions": lines}, follow=True)
    (warned,) = (str(one) for one in followed.context["messages"] if one.level_tag == "warning")
    assert WHEN in warned
    assert IN_ENGLISH not in warned
    unit.refresh_from_db()
    assert (unit.summary, unit.reader_questions) == (later, [WHEN, IN_ENGLISH])
    assert [one.reader_questions for one in unit.history.all()] == [[WHEN, IN_ENGLISH]] * 2 + [[WHEN]]
    too_many = "\n".join(f"질문 {number}" for number in range(READER_QUESTIONS_MAX + 1))
    refused = client.post(address, posted | {"reader_questions": too_many})
    assert str(READER_QUESTIONS_MAX) in str(refused.context["adminform"].form.errors["reader_questions"])
