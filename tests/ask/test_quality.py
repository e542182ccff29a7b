"""How good answers without a model are: no kind of question falls below what it once had.

The floors are the figures of the day they were set, rounded down. Whoever makes answers better raises them; one is
lowered only where the weights are fitted to more questions than before. Every other question is asked here, which
takes half the time: all of them are for ``evaluate_answers``.
"""

from typing import Any

import pytest

from ask.evaluation.answers import own_answer
from ask.evaluation.questions import read_questions
from ask.evaluation.scores import AnswerScores, GroupedScores, JudgedAnswer, grouped
from tests.ask import quality_world
from tests.ask.quality_world import FILES, NOW

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("canon"), pytest.mark.slow]

EVERY = 2
AT_LEAST = {"nuggetRecall": 0.94, "citationPrecision": 0.97, "rightRefusals": 0.95, "firstSentence": 0.89}
AT_MOST = {"wrongRefusals": 0.01, "wrongLanguage": 0.0}
# By kind: nugget recall, right refusals; None where none of the questions asked has, or lacks, an answer.
KINDS: dict[str, tuple[float | None, float | None]] = {
    "advice": (None, 1.0),
    "definition": (0.92, None),
    "difference": (1.0, 1.0),
    "how-many": (1.0, 1.0),
    "how-much": (0.88, 1.0),
    "how-steps": (1.0, 1.0),
    "list": (0.84, 0.5),
    "now": (None, 1.0),
    "what-happened": (1.0, None),
    "when": (1.0, 1.0),
    "which": (1.0, 1.0),
    "who": (1.0, 0.75),
    "why": (1.0, 1.0),
    "yes-no": (0.75, 1.0),
}
LIVE = (0.9, 1.0)
DOCUMENTS = (0.95, None)


def asked(name: str, every: int = 1) -> GroupedScores:
    """The figures of a file of questions, or of each so many of them, asked of what the database has now."""
    questions = read_questions(FILES / name)[::every]
    return grouped([JudgedAnswer(question, own_answer(question, now=NOW)) for question in questions])


def fallen(scores: AnswerScores | GroupedScores, floors: tuple[float | None, float | None]) -> dict[str, Any]:
    """The figures below their floors."""
    pairs = zip(("nuggetRecall", "rightRefusals"), floors, strict=True)
    found: dict[str, Any] = dict(scores)
    return {name: found[name] for name, least in pairs if least is not None and found[name] < least}


def test_no_kind_of_question_is_answered_worse_than_before() -> None:
    canon = asked("questions.jsonl", EVERY)
    quality_world.observe()
    live = asked("live.jsonl")
    quality_world.invent()
    documents = asked("documents.jsonl")
    print(canon, live, documents, sep="\n")
    figures: dict[str, Any] = dict(canon)
    assert {name: figures[name] for name, least in AT_LEAST.items() if figures[name] < least} == {}
    assert {name: figures[name] for name, most in AT_MOST.items() if figures[name] > most} == {}
    assert set(canon["byKind"]) == set(KINDS)
    below = {kind: fallen(canon["byKind"][kind], floors) for kind, floors in KINDS.items()}
    assert {kind: figures for kind, figures in below.items() if figures} == {}
    assert fallen(live, LIVE) == {}
    assert fallen(documents, DOCUMENTS) == {}
