"""How good answers are, as shares of 0 to 1. What cannot be told, such as refusals where none is due, is None."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from statistics import fmean, median
from typing import TypedDict

from ask.evaluation.answers import GivenAnswer, own_answer, rival_answer
from ask.evaluation.questions import NuggetQuestion
from ask.language import language_of

HANGUL_MOST = 0.2  # of the letters of an English answer
# Kinds of question whose answer should begin with what was asked for.
ANSWERED_AT_ONCE = frozenset(["when", "who", "howmuch", "yesno"])
PLACES = 4
Progress = Callable[[int], None]


class AnswerScores(TypedDict):
    """Over ``count`` questions.

    ``nuggetRecall``: share of the nuggets of answerable questions that are hit. ``citationPrecision``: share of cited
    units that are among the question's sources. ``rightRefusals`` and ``wrongRefusals``: share of the unanswerable and
    of the answerable questions that are refused. ``wrongLanguage``: share of the answers. ``firstSentence``: share of
    the answerable when, who, how-much and yes-no questions of which a nugget stands in the first sentence.
    ``sentences`` and ``medianSentences``: of the answers that are no refusals.
    """

    count: int
    nuggetRecall: float | None
    citationPrecision: float | None
    rightRefusals: float | None
    wrongRefusals: float | None
    wrongLanguage: float | None
    firstSentence: float | None
    sentences: float | None
    medianSentences: float | None


class GroupedScores(AnswerScores):
    byKind: dict[str, AnswerScores]
    byLang: dict[str, AnswerScores]


class AnsweredQuestion(TypedDict):
    """``hit`` says of each nugget, in their order, whether the answer has it."""

    id: str
    answer: str
    hit: list[bool]
    cited: list[str]


class AnswersReport(GroupedScores):
    questions: list[AnsweredQuestion]
    rival: GroupedScores


@dataclass(frozen=True)
class JudgedAnswer:
    question: NuggetQuestion
    answer: GivenAnswer

    @cached_property
    def hit(self) -> list[bool]:
        said = key(self.answer.text)
        return [_stands_in(nugget, said) for nugget in self.question.nuggets]

    @property
    def at_once(self) -> bool:
        """Whether the first sentence has a nugget."""
        said = key(self.answer.sentences[0]) if self.answer.sentences else ""
        return any(_stands_in(nugget, said) for nugget in self.question.nuggets)

    @property
    def in_other_language(self) -> bool:
        """A Korean answer with a sentence without Hangul, or an English one with more than a little."""
        if self.question.lang == "ko":
            return any(language_of(one) != "ko" for one in self.answer.sentences)
        letters = [letter for letter in "".join(self.answer.sentences) if letter.isalpha()]
        hangul = sum(language_of(letter) == "ko" for letter in letters)
        return hangul > HANGUL_MOST * len(letters)


def evaluate(questions: Sequence[NuggetQuestion], *, now: datetime, progress: Progress) -> AnswersReport:
    """Ask all of them, and the rival too; ``progress`` is told how many are asked."""
    own, rivals = [], []
    for number, question in enumerate(questions, 1):
        own.append(JudgedAnswer(question, own_answer(question, now=now)))
        rivals.append(JudgedAnswer(question, rival_answer(question, now=now)))
        progress(number)
    return {**grouped(own), "questions": [record(one) for one in own], "rival": grouped(rivals)}


def grouped(judged: Sequence[JudgedAnswer]) -> GroupedScores:
    return {
        **scores(judged),
        "byKind": _by(judged, lambda one: one.question.kind),
        "byLang": _by(judged, lambda one: one.question.lang),
    }


def _by(judged: Sequence[JudgedAnswer], group: Callable[[JudgedAnswer], str]) -> dict[str, AnswerScores]:
    groups = sorted(set(map(group, judged)))
    return {name: scores([one for one in judged if group(one) == name]) for name in groups}


def scores(judged: Collection[JudgedAnswer]) -> AnswerScores:
    answerable = [one for one in judged if one.question.answerable]
    given = [len(one.answer.sentences) for one in judged if not one.answer.refused]
    at_once = [one.at_once for one in answerable if _letters(one.question.kind) in ANSWERED_AT_ONCE]
    return {
        "count": len(judged),
        "nuggetRecall": _share(hit for one in answerable for hit in one.hit),
        "citationPrecision": _share(
            unit in one.question.sources for one in judged for unit in one.answer.cited
        ),
        "rightRefusals": _share(one.answer.refused for one in judged if not one.question.answerable),
        "wrongRefusals": _share(one.answer.refused for one in answerable),
        "wrongLanguage": _share(one.in_other_language for one in judged),
        "firstSentence": _share(at_once),
        "sentences": _share(given),
        "medianSentences": float(median(given)) if given else None,
    }


def _share(outcomes: Iterable[float]) -> float | None:
    known = list(outcomes)
    return round(fmean(known), PLACES) if known else None


def _letters(kind: str) -> str:
    """However a kind of question is written: "how much", "how-much", "yes/no"."""
    return "".join(filter(str.isalpha, kind.casefold()))


def record(judged: JudgedAnswer) -> AnsweredQuestion:
    return {
        "id": judged.question.id,
        "answer": judged.answer.text,
        "hit": judged.hit,
        "cited": list(judged.answer.cited),
    }


def _stands_in(nugget: Iterable[str], said: str) -> bool:
    return any(key(wording) in said for wording in nugget)


def key(text: str) -> str:
    """Texts that differ only in width, case and spaces have one key."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
