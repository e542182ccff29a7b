"""How good answers without a model are: no kind of question falls below what it once had.

The floors are the figures of the day they were set, rounded down (``quality/README.md``). Whoever makes answers better
raises them; nobody lowers one.
"""

from typing import Any

import pytest

from ask.evaluation.answers import own_answer
from ask.evaluation.questions import read_questions
from ask.evaluation.scores import AnswerScores, GroupedScores, JudgedAnswer, grouped
from tests.ask import quality_world
from tests.ask.quality_world import FILES, NOW

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

AT_LEAST = {"nuggetRecall": 0.5, "citationPrecision": 0.55, "rightRefusals": 0.3, "firstSentence": 0.25}
AT_MOST = {"wrongRefusals": 0.2, "wrongLanguage": 0.05}
# By kind: nugget recall, right refusals; None where no question of the kind has an answer.
KINDS: dict[str, tuple[float | None, float | None]] = {
    "advice": (None, 0.35),
    "definition": (0.85, 1.0),
    "difference": (0.85, 0.5),
    "how-many": (0.75, 0.6),
    "how-much": (0.6, 0.2),
    "how-steps": (0.35, 0.55),
    "list": (0.2, 0.2),
    "now": (None, 0.2),
    "what-happened": (0.4, 1.0),
    "when": (0.6, 0.3),
    "which": (0.35, 0.1),
    "who": (0.5, 0.25),
    "why": (0.3, 1.0),
    "yes-no": (0.55, 0.25),
}
LIVE = (0.65, 0.4)
DOCUMENTS = (0.95, None)


def asked(name: str) -> GroupedScores:
    """The figures of a file of questions, asked of what the database has now."""
    questions = read_questions(FILES / name)
    return grouped([JudgedAnswer(question, own_answer(question, now=NOW)) for question in questions])


def fallen(scores: AnswerScores | GroupedScores, floors: tuple[float | None, float | None]) -> dict[str, Any]:
    """The figures below their floors."""
    pairs = zip(("nuggetRecall", "rightRefusals"), floors, strict=True)
    found: dict[str, Any] = dict(scores)
    return {name: found[name] for name, least in pairs if least is not None and found[name] < least}


def test_no_kind_of_question_is_answered_worse_than_before() -> None:
    quality_world.build_canon()
    canon = asked("questions.jsonl")
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
