"""Questions that an editor has written beside a sentence bring whoever asks so to it."""

import pytest

from ask import choosing, questions
from ask.evidence import gather
from tests.ask.records import NOON, index, maru
from tests.factories.knowledge import make_unit

pytestmark = pytest.mark.django_db

SUMMARY = (
    "마루코인은 결제용 가상자산이다. 본사는 전주에 있다. 2023년 4월 실명계좌를 얻지 못해 원화 거래가 멈췄다."
)


def sentences(question: str) -> list[str]:
    asked = questions.read(question)
    return [said for one in choosing.quote(asked, gather(asked, now=NOON)) for said in one.sentences]


@pytest.mark.parametrize("lines", [[], ["편의점에서 왜 결제 안 돼 → 실명계좌"]])
def test_what_only_readers_say_leads_to_the_sentence_that_it_is_written_beside(lines: list[str]) -> None:
    maru(summary=SUMMARY, reader_questions=lines)
    found = sentences("마루코인 편의점 왜 안돼?")
    assert (found[:1] == [SUMMARY.split(". ")[2]]) == bool(lines)


@pytest.mark.parametrize("lines", [[], ["붕어빵 장수가 만든 코인"]])
def test_a_description_stands_for_the_name(lines: list[str]) -> None:
    maru(summary=SUMMARY, reader_questions=lines)
    make_unit("solbit", "솔빛코인", summary="솔빛코인은 송금용 자산이다. 본사는 춘천에 있다.")
    index()
    assert ("본사는 전주에 있다." in sentences("붕어빵 장수가 만든 코인 본사 어디?")) == bool(lines)


def test_a_question_is_no_word_of_an_answer_and_helps_no_other_language() -> None:
    maru(summary=SUMMARY, reader_questions=["shopping at convenience stores → 실명계좌"])
    assert all(said in SUMMARY for said in sentences("마루코인은 본사가 어디야?"))
    asked = questions.read("마루코인 본사")
    (source,) = choosing.records(asked, gather(asked, now=NOON))
    assert (set(source.asked), source.asked_of_whole) == ({""}, "")


def test_a_line_that_has_lost_its_sentence_speaks_for_the_whole_record() -> None:
    maru(
        summary=SUMMARY.replace("실명계좌", "계좌"), reader_questions=["편의점에서 왜 결제 안 돼 → 실명계좌"]
    )
    asked = questions.read("마루코인 편의점")
    (source,) = choosing.records(asked, gather(asked, now=NOON))
    assert source.asked_of_whole == "편의점에서 왜 결제 안 돼"
