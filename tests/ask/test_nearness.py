"""A model is asked where what was found speaks of the question, and never for advice."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ask.nearness import is_near
from ask.questions import AskedQuestion, QuestionKind, Word
from tests.ask.model.evidence import evidence


def words(told: dict[str, float]) -> tuple[Word, ...]:
    return tuple(Word(word, ((word, word),), tells, True, False) for word, tells in told.items())


FOUND = [evidence(0, "거래소의 예치금은 은행이 따로 맡는다. 이용자에게 이자를 준다.")]
ASKED = AskedQuestion(
    understood=cast(Any, SimpleNamespace(named=())),
    lang="ko",
    kind=QuestionKind.WHY,
    words=words({"예치금": 4.0, "이자": 2.0, "세금": 6.0}),
    phrases=(),
    years=(),
    beside_names="",
)


@pytest.mark.parametrize(
    ("content", "near"),
    [
        ({"예치금": 4.0, "이자": 2.0, "세금": 6.0}, True),
        ({"예치금": 4.0, "세금": 6.0}, False),
        ({"예치금": 2.0, "이자": 2.0, "세금": 9.0}, False),
        ({}, False),
    ],
    ids=["two words of three", "one word", "two that tell little", "no word"],
)
def test_two_words_that_tell_enough_have_to_stand_in_one_passage(
    content: dict[str, float], near: bool
) -> None:
    assert is_near(replace(ASKED, words=words(content)), FOUND) is near


@pytest.mark.parametrize("kind", [QuestionKind.ADVICE, QuestionKind.NOW])
def test_advice_and_what_is_so_now_are_no_matter_of_passages(kind: QuestionKind) -> None:
    assert is_near(ASKED, FOUND)
    assert not is_near(replace(ASKED, kind=kind), FOUND)


def test_only_the_best_passages_are_looked_at() -> None:
    others = [evidence(number, "다른 이야기다.") for number in range(1, 4)]
    assert is_near(ASKED, [*others[:2], *FOUND])
    assert not is_near(ASKED, [*others, *FOUND])
