"""What the figures of answers count."""

import pytest

from ask import validation
from ask.evaluation.answers import GivenAnswer
from ask.evaluation.questions import NuggetQuestion
from ask.evaluation.scores import JudgedAnswer, scores
from ask.language import language_of

REFUSED = GivenAnswer("그런 기록이 없습니다.", (), ("그런 기록이 없습니다.",))


def question(
    text: str = "몇 개까지 나와?", *nuggets: tuple[str, ...], kind: str = "how-many"
) -> NuggetQuestion:
    return NuggetQuestion(
        id=text,
        asked=validation.validated(text),
        lang=language_of(text),
        kind=kind,
        nuggets=nuggets,
        sources=frozenset(["asset:btc"] if nuggets else []),
        answerable=bool(nuggets),
    )


def answer(*sentences: str, cited: tuple[str, ...] = ("asset:btc",)) -> GivenAnswer:
    return GivenAnswer("\n".join(sentences), cited, sentences)


CAP = question("몇 개까지 나와?", ("2,100만", "2100만"), ("반감기",))


def test_a_nugget_is_hit_by_any_wording_whatever_the_width_case_and_spaces() -> None:
    judged = JudgedAnswer(CAP, answer("상한은 ２１００ 만 개이다."))
    assert judged.hit == [True, False]
    assert scores([judged])["nuggetRecall"] == 0.5
    assert JudgedAnswer(question("who?", ("Do KWON",)), answer("by do kwon")).hit == [True]


def test_citations_of_other_units_cost_precision() -> None:
    right, wrong = answer("21", cited=("asset:btc",)), answer("21", cited=("asset:btc", "topic:mining"))
    assert scores([JudgedAnswer(CAP, right), JudgedAnswer(CAP, wrong)])["citationPrecision"] == 0.6667
    # Nothing can be cited rightly for what should have been refused.
    assert scores([JudgedAnswer(question(), right)])["citationPrecision"] == 0.0


def test_refusals_are_right_where_there_is_no_answer_and_wrong_where_there_is_one() -> None:
    figures = scores(
        [
            JudgedAnswer(CAP, REFUSED),
            JudgedAnswer(CAP, answer("21")),
            JudgedAnswer(question(), REFUSED),
            JudgedAnswer(question(), answer("21")),
            JudgedAnswer(question(), answer("21")),
        ]
    )
    assert (figures["wrongRefusals"], figures["rightRefusals"]) == (0.5, 0.3333)


def test_what_there_is_none_of_has_no_figure() -> None:
    figures = scores([JudgedAnswer(question(), REFUSED)])
    assert figures["rightRefusals"] == 1.0
    empty = (
        "nuggetRecall",
        "citationPrecision",
        "wrongRefusals",
        "firstSentence",
        "sentences",
        "medianSentences",
    )
    assert {name for name, value in figures.items() if value is None} == set(empty)


@pytest.mark.parametrize(
    ("asked", "said", "wrong"),
    [
        ("비트코인이란?", ("비트코인은 화폐이다.", "Bitcoin is money."), True),
        ("비트코인이란?", ("비트코인(Bitcoin, BTC)은 2009년의 화폐이다.",), False),
        ("What is bitcoin?", ("Bitcoin is the first money.", "비트코인은 화폐."), True),
        ("What is bitcoin?", ("Bitcoin (비트코인) is the first of all currencies on a blockchain.",), False),
        ("What is bitcoin?", (), False),
    ],
)
def test_an_answer_is_in_the_language_of_its_question(asked: str, said: tuple[str, ...], wrong: bool) -> None:
    assert JudgedAnswer(question(asked), answer(*said)).in_other_language is wrong


def test_the_first_sentence_counts_where_people_ask_for_one_thing() -> None:
    late, soon = answer("비트코인이다.", "2100만 개다."), answer("2100만 개다.", "비트코인이다.")
    for kind, counts in (("when", True), ("who", True), ("how much", True), ("yes/no", True), ("why", False)):
        asked = question("얼마야?", ("2100만",), kind=kind)
        share = scores([JudgedAnswer(asked, late), JudgedAnswer(asked, soon)])["firstSentence"]
        assert share == (0.5 if counts else None), kind


def test_sentences_are_counted_of_answers_alone() -> None:
    given = [
        REFUSED,
        answer("하나."),
        answer("하나.", "둘."),
        answer("하나.", "둘.", "셋.", "넷.", "다섯.", "여섯."),
    ]
    figures = scores([JudgedAnswer(CAP, one) for one in given])
    assert (figures["sentences"], figures["medianSentences"]) == (3.0, 2.0)
