"""The labelled questions that answers are measured on: enough of each kind, and every label possible."""

from collections import Counter

import pytest

from ask.evaluation.questions import NuggetQuestion, read_questions
from ask.evaluation.scores import key
from ask.language import language_of
from knowledge.canon.units import public_id_of
from knowledge.evaluation.events import starter_canon
from knowledge.evaluation.files import json_lines
from knowledge.evaluation.linking import alias_spec
from knowledge.linking.linker import Linker
from tests.ask.quality_world import FILES

KINDS = (
    *(
        "definition",
        "when",
        "who",
        "why",
        "how-much",
        "how-many",
        "list",
        "which",
        "how-steps",
        "what-happened",
    ),
    *("difference", "yes-no", "now", "advice"),
)
QUESTIONS = read_questions(FILES / "questions.jsonl")
LIVE = read_questions(FILES / "live.jsonl")
UNITS = starter_canon()
ANSWERABLE_A_KIND = 10
QUESTIONS_A_UNIT = 3  # that have an answer, by the first of their sources


def numbered(questions: list[NuggetQuestion]) -> Counter[str]:
    return Counter(question.kind for question in questions)


def test_there_are_enough_questions_of_each_kind_and_language() -> None:
    languages = Counter(question.lang for question in QUESTIONS)
    assert languages["ko"] >= 160
    assert languages["en"] >= 80
    assert set(numbered(QUESTIONS)) == set(KINDS)
    answerable = numbered([question for question in QUESTIONS if question.answerable])
    assert {kind for kind in KINDS if answerable[kind] < ANSWERABLE_A_KIND} == {"now", "advice"}


def test_many_questions_have_no_answer_and_half_of_those_name_a_unit_that_has_none() -> None:
    unanswerable = [question for question in QUESTIONS if not question.answerable]
    assert len(unanswerable) >= 80
    linker = Linker(
        alias_spec(public_id_of(unit), alias["surface"], alias, unit["type"])
        for unit in UNITS
        for alias in unit["aliases"]
    )
    naming = [one for one in unanswerable if one.kind != "advice" and linker.units(one.asked.question)]
    assert 2 * len(naming) >= len(unanswerable)
    advice = numbered(unanswerable)["advice"]
    assert advice == numbered(QUESTIONS)["advice"] >= 15


def test_live_questions_are_asked_of_series_with_and_without_a_value() -> None:
    assert {question.kind for question in LIVE} == {"now"}
    assert Counter(question.answerable for question in LIVE) >= Counter({True: 20, False: 4})


@pytest.mark.parametrize("name", ["questions.jsonl", "live.jsonl"])
def test_no_unit_is_asked_about_too_often(name: str) -> None:
    sources = [line.strings("sources") for line in json_lines(FILES / name)]
    about = Counter(units[0] for units in sources if units)
    assert {unit: times for unit, times in about.items() if times > QUESTIONS_A_UNIT} == {}


@pytest.mark.parametrize("questions", [QUESTIONS, LIVE], ids=["canon", "live"])
def test_labels_can_be_met(questions: list[NuggetQuestion]) -> None:
    known = {public_id_of(unit) for unit in UNITS}
    for one in questions:
        assert one.lang == language_of(one.asked.question), one.id
        assert one.sources <= known, one.id
        assert bool(one.nuggets) == bool(one.sources) == one.answerable, one.id
        wordings = [wording for nugget in one.nuggets for wording in nugget]
        assert not [wording for wording in wordings if key(wording) in key(one.asked.question)], one.id
        if one.lang == "en":
            assert not [wording for wording in wordings if language_of(wording) == "ko"], one.id


def test_no_question_stands_twice() -> None:
    asked = [key(question.asked.question) for question in [*QUESTIONS, *LIVE]]
    assert [question for question, times in Counter(asked).items() if times > 1] == []
