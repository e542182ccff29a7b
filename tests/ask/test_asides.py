"""What a question says beside what it asks."""

import pytest

from ask.asides import asides
from ask.language import language_of
from ask.questions import kind_of


def asking(question: str) -> str:
    """A question without what it says beside."""
    left = list(question)
    for start, end in asides(question, language_of(question), lambda part: kind_of(part) is not None):
        left[start:end] = " " * (end - start)
    return " ".join("".join(left).split())


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("김프가 뭐임? 코린이라 진짜 모름", "김프가 뭐임?"),
        ("뉴스에서 역프라는 말을 봤습니다. 그게 무슨 뜻인가요?", "그게 무슨 뜻인가요?"),
        ("앱에 루나랑 루나클래식이 따로 뜨던데 둘이 뭐가 다른가요?", "둘이 뭐가 다른가요?"),
        ("업비트(두나무)는 언제 생겼어?", "업비트 는 언제 생겼어?"),
        ("I just moved to Seoul. What is a listing beam?", "What is a listing beam?"),
        ("I'm writing for a paper: who leads the FSS?", "who leads the FSS?"),
        ("지갑 종류 좀 설명 부탁드려요, 나이 오십에 배우려니 어렵네요", "지갑 종류 좀 설명 부탁드려요,"),
        ("why did the coin fall, according to the team", "why did the coin fall,"),
        ("how do I convert the old coin in my wallet", "how do I convert the old coin in"),
        ("비트코인 언제 만들어졌어", "비트코인 언제 만들어졌어"),
        ("업비트 해킹", "업비트 해킹"),
        ("이더 스테이킹 어떻게 시작해? 얼마나 있어야 돼?", "이더 스테이킹 어떻게 시작해? 얼마나 있어야 돼?"),
    ],
)
def test_a_question_asks_in_its_sentence_and_clause_that_has_words_that_ask(
    question: str, asked: str
) -> None:
    assert asking(question) == asked
