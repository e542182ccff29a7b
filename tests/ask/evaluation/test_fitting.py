"""The weights of both models: fitted to what tells right sentences apart, and kept by the names of their figures."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from ask.evaluation import fitting
from ask.evaluation.fitting import FOR_SENTENCES, Labelled
from ask.questions import AskedQuestion, QuestionKind
from ask.relevance import Candidate, answer_figures, fitted


def candidate(source: int, **figures: float) -> Candidate:
    others = ("sourceHeld", "sourceTold", "sourceWords", "missing", "detailMissing", "isUnit")
    known = dict.fromkeys([*FOR_SENTENCES, *others], 0.0) | figures
    return Candidate(source, 0, f"문장 {source}", bool(known["fits"]), 0.0, known)


def labelled(number: int, found: list[Candidate], right: list[float]) -> Labelled:
    question = SimpleNamespace(
        id=f"q{number}", sources=frozenset([f"asset:{number}"]), answerable=sum(right) > 0
    )
    asked = AskedQuestion(
        understood=cast(Any, SimpleNamespace(named=())),
        lang="ko",
        kind=QuestionKind.WHO,
        words=(),
        phrases=(),
        years=(),
        beside_names="",
    )
    return Labelled(cast(Any, question), asked, found, right)


def test_what_the_right_sentences_have_in_common_weighs_most() -> None:
    told = [
        labelled(
            number,
            [candidate(0, held=0.2, standing=1.0), candidate(1, held=0.9), candidate(2, standing=1.0)],
            [0, 1, 0],
        )
        for number in range(10)
    ]
    weights = dict(zip(FOR_SENTENCES, fitting._choice(told), strict=True))
    assert weights["held"] > 0.5
    assert weights["standing"] < -0.5
    assert weights["named"] == pytest.approx(0)
    best = fitting._best(told[0], list(weights.values()))
    assert best.source == 1
    assert fitting._is_right(told[0], best)


def test_a_question_without_a_right_sentence_teaches_nothing_of_sentences() -> None:
    told = [labelled(1, [candidate(0, held=1.0), candidate(1)], [0, 0])]
    assert fitting._choice(told) == [0.0] * len(FOR_SENTENCES)


def test_what_is_answered_is_told_from_what_is_not_by_its_figures() -> None:
    rows = [[1.0, 0.9], [1.0, 0.8], [1.0, 0.7], [1.0, 0.3], [1.0, 0.1], [1.0, 0.2]]
    weights = fitting._logistic(rows, [1, 1, 1, 0, 0, 0])
    assert weights[1] > 0
    assert fitting._dot(weights, [1.0, 1.0]) > 0 > fitting._dot(weights, [1.0, 0.0])


def test_both_outcomes_count_alike_however_many_there_are_of_each() -> None:
    rows = [[1.0]] * 10
    assert fitting._logistic(rows, [1] * 9 + [0])[0] == pytest.approx(0, abs=1e-6)


def test_questions_of_one_unit_share_a_fold() -> None:
    assert labelled(7, [], []).fold == labelled(7, [], []).fold
    assert {labelled(number, [], []).fold for number in range(40)} == set(range(fitting.FOLDS))


def test_the_kept_weights_are_those_of_the_figures() -> None:
    best = candidate(0)
    one = labelled(1, [best], [1])
    assert set(fitted()["sentence"]) == set(FOR_SENTENCES)
    assert set(fitted()["answered"]) == set(answer_figures(one.asked, one.found, best))
