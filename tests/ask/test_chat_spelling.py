"""Questions as chats spell them are read in the spelling that records have."""

import pytest

from ask.chat_spelling import spelt_out
from ask.questions import QuestionKind, kind_of


@pytest.mark.parametrize(
    ("question", "usual"),
    [
        ("도지 첨에 만든 사람", "도지 처음에 만든 사람"),
        ("루나 담주에 어케 됨", "루나 다음 주에 어떻게 됨"),
        ("거래소 털렷음? 망햇나 됫지", "거래소 털렸음? 망했나 됐지"),
        ("고파이 사태 정리좀ㅋㅋㅋ 전말ㄱ", "고파이 사태 정리좀  전말 "),
        ("개박살난 이유", "박살난 이유"),
        ("y did luna n ust crash, tell me w/o jargon", "why did luna and ust crash, tell me without jargon"),
    ],
)  # fmt: skip
def test_words_that_chats_spell_otherwise_are_read_in_their_usual_spelling(question: str, usual: str) -> None:
    assert spelt_out(question) == usual


@pytest.mark.parametrize(
    "question",
    [
        "비트겟 대표는 누구",
        "무엇을 뚜렷하게 아나",
        "해커가 빼앗는 코인과 체인을 잇는 다리",
        "세금 낼 때 몇 퍼센트",
        "첨단 담보 대출",
        "개가 그려진 코인",
        "what is W",
        "R token price",
        "send to u@example.com or user/r",
        "비트코인 언제 만들어졌어?",
    ],
)
def test_names_and_words_that_only_look_alike_stay(question: str) -> None:
    assert spelt_out(question) == question


def test_a_question_asks_for_the_same_in_either_spelling() -> None:
    assert kind_of(spelt_out("빗썸 어케됫음")) is QuestionKind.WHAT_HAPPENED
    assert kind_of(spelt_out("y did luna crash")) is QuestionKind.WHY


@pytest.mark.parametrize(
    "question", ["코인 사기 당했는데 우짜지", "출금 막혔는데 어쩌죠", "세금 낼 때 몇 퍼센트"]
)
def test_who_is_at_a_loss_asks_for_no_investment_advice(question: str) -> None:
    assert kind_of(spelt_out(question)) is not QuestionKind.ADVICE
