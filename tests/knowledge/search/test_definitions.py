"""Questions for what something is, and sentences that say so."""

import pytest

from knowledge.search.definitions import defined_subject, defining_sentence


@pytest.mark.parametrize(
    "question",
    [
        "작업 증명이란?",
        "작업 증명이란 무엇인가요?",
        "작업 증명이란 도대체 뭔가요",
        "작업 증명은 무엇입니까?",
        "작업 증명이 뭐야?",
        "작업 증명이 뭐야 쉽게 설명해 줘",
        "작업 증명은 뭐예요?",
        "작업 증명이 뭔데...",
        "작업 증명이 무슨 뜻이야?",
        "‘작업 증명’의 뜻은?",
        "작업 증명 정의",
    ],
)
def test_a_korean_question_for_a_definition_names_its_subject(question: str) -> None:
    assert defined_subject(question) == "작업 증명"


@pytest.mark.parametrize(
    "question",
    [
        "What is proof of work?",
        "what's a Proof of Work",
        "What does proof of work mean?",
        "Define proof of work.",
        "what is the meaning of proof of work",
    ],
)
def test_an_english_question_for_a_definition_names_its_subject(question: str) -> None:
    assert defined_subject(question) == "proof of work"


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?",
        "비트코인",
        "비트코인 반감기는 언제야?",
        "해시는 무엇에 쓰나요?",
        "what happened to FTX",
        "뭐야",
        "이란",
    ],
)
def test_other_questions_have_no_subject(question: str) -> None:
    assert defined_subject(question) == ""


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("작업 증명", "작업증명은 블록을 찾는 방식이다."),
        ("작업증명", "방식은 둘이다. 작업 증명(Proof of Work, PoW)이란 계산으로 겨루는 것이다."),
        ("proof of work", "Miners compete.\nA proof of work is a number that is hard to find."),
        ("c++", "‘C++’는 언어이다."),
        ("pow", "PoW는 작업 증명이다."),
    ],
)
def test_a_sentence_that_begins_with_the_subject_defines_it(subject: str, text: str) -> None:
    assert defining_sentence(subject).search(text)


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("작업 증명", "비트코인의 작업 증명은 전기를 쓴다."),
        ("작업 증명", "작업 증명을 쓰는 화폐는 많다."),
        ("work", "Proof of work is a number."),
        ("c++", "Cat는 동물이다."),
    ],
)
def test_a_sentence_about_something_else_does_not(subject: str, text: str) -> None:
    assert not defining_sentence(subject).search(text)
