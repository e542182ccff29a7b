"""The weights by which answers are chosen and refused, fitted to labelled questions.

A sentence is right when it holds a nugget and its unit is among the question's sources. The first model is a choice
among the sentences of one question (a softmax of linear scores, of which any right one may win), the second a logistic
regression; both by Newton's method with a ridge. The second is fitted to scores that the first gave to questions it
had not seen.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import fmean
from typing import TypedDict

from ask import answering, choosing
from ask.evaluation.questions import NuggetQuestion
from ask.evaluation.scores import Progress, key
from ask.questions import AskedQuestion, QuestionKind
from ask.relevance import REFUSED_BELOW, Candidate, SourceText, answer_figures, candidates

FOLDS = 5
CHOICE_RIDGE = 2.0
ANSWERED_RIDGE = 0.5
STEPS = 16  # of Newton's method: the choice is at its end after 14 of them
STEP_MAX = 1.0  # of one weight
PLACES = 3
# What only the second model may know: a whole source is no reason to take one of its sentences.
FOR_SENTENCES = (
    "named", "namedFirst", "namedShare", "found", "retrieved", "isEvent", "sourceNouns", "held", "nouns", "concepts",
    "spelt", "fits", "namedFits", "numberMissing", "aheadMissing", "mentions", "agent", "year", "phrase",
    "lastHeld", "causes", "standing", "connected", "connectedFits", "connectedHeld", "eventPast", "said", "asked",
    "askedSpelt",
)  # fmt: skip

Vector = list[float]


class FittedWeights(TypedDict):
    """``sentence`` and ``answered``: weights by figure. Shares of questions that a model had not seen: ``bestRight``
    whose best sentence is of a right unit, ``refusedRightly`` of the unanswerable, ``refusedWrongly`` of the others."""

    sentence: dict[str, float]
    answered: dict[str, float]
    bestRight: float
    refusedRightly: float
    refusedWrongly: float


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question, the sentences found for it, and of each how many wanted facts it holds."""

    question: NuggetQuestion
    asked: AskedQuestion
    found: list[Candidate]
    right: Vector

    @property
    def fold(self) -> int:
        """Questions of one unit share a fold: what a model learned of one tells it of the other."""
        about = min(self.question.sources, default=self.question.id)
        return int(hashlib.sha256(about.encode()).hexdigest(), 16) % FOLDS

    def rows(self) -> list[Vector]:
        return [[one.figures[name] for name in FOR_SENTENCES] for one in self.found]


def fit(questions: Sequence[NuggetQuestion], *, now: datetime, progress: Progress) -> FittedWeights:
    """Both models, fitted to these questions as the records answer them now. Advice and what is so now have no part in
    it: they are told by their wording."""
    labelled = list(_labelled(questions, now=now, progress=progress))
    unseen = _cross_fitted(labelled)
    best = [_best(one, weights) for one, weights in zip(labelled, unseen, strict=True)]
    answers = [
        list(answer_figures(one.asked, one.found, place).values())
        for one, place in zip(labelled, best, strict=True)
    ]
    names = list(answer_figures(labelled[0].asked, labelled[0].found, best[0]))
    wanted = [float(one.question.answerable) for one in labelled]
    held_out = _refusals(answers, wanted, [one.fold for one in labelled])
    return {
        "sentence": _named(FOR_SENTENCES, _choice(labelled)),
        "answered": _named(names, _logistic(answers, wanted)),
        "bestRight": _mean(
            place.source >= 0 and _is_right(one, place)
            for one, place in zip(labelled, best, strict=True)
            if one.question.answerable
        ),
        "refusedRightly": _mean(z <= REFUSED_BELOW for z, y in zip(held_out, wanted, strict=True) if not y),
        "refusedWrongly": _mean(z <= REFUSED_BELOW for z, y in zip(held_out, wanted, strict=True) if y),
    }


def _labelled(
    questions: Sequence[NuggetQuestion], *, now: datetime, progress: Progress
) -> Iterator[Labelled]:
    for number, question in enumerate(questions, 1):
        asked, evidence = answering.found(question.asked, now)
        sources = choosing.records(asked, evidence)
        found = candidates(asked, sources)
        if found and asked.kind not in (QuestionKind.ADVICE, QuestionKind.NOW):
            yield Labelled(question, asked, found, [_hits(question, one, sources) for one in found])
        progress(number)


def _hits(question: NuggetQuestion, one: Candidate, sources: Sequence[SourceText]) -> float:
    if sources[one.source].public_id not in question.sources:
        return 0.0
    said = key(one.quote)
    return float(sum(any(key(wording) in said for wording in nugget) for nugget in question.nuggets))


def _best(one: Labelled, weights: Sequence[float]) -> Candidate:
    scores = [_dot(weights, row) for row in one.rows()]
    place = max(range(len(scores)), key=lambda at: scores[at])
    return replace(one.found[place], score=scores[place])


def _is_right(one: Labelled, best: Candidate) -> bool:
    return any(
        right and found.source == best.source for right, found in zip(one.right, one.found, strict=True)
    )


def _cross_fitted(labelled: Sequence[Labelled]) -> list[Vector]:
    """For each question the weights that the questions of all other folds give."""
    by_fold = {fold: _choice([one for one in labelled if one.fold != fold]) for fold in range(FOLDS)}
    return [by_fold[one.fold] for one in labelled]


def _choice(labelled: Iterable[Labelled]) -> Vector:
    """The weights under which one of the right sentences of each question stands out, whichever: one that holds more
    facts counts more."""
    rows = [(one.rows(), one.right) for one in labelled if sum(one.right)]

    def slopes(weights: Vector) -> Iterator[tuple[Vector, list[Vector], Vector]]:
        for features, right in rows:
            shares = _softmax([_dot(weights, row) for row in features])
            chosen = [share * facts for share, facts in zip(shares, right, strict=True)]
            wanted = [one / sum(chosen) for one in chosen]
            mean = [
                sum(share * row[at] for share, row in zip(shares, features, strict=True))
                for at in range(len(weights))
            ]
            centred = [[value - mean[at] for at, value in enumerate(row)] for row in features]
            gradient = [
                sum(
                    (want - share) * row[at]
                    for want, share, row in zip(wanted, shares, features, strict=True)
                )
                for at in range(len(weights))
            ]
            yield gradient, centred, shares

    return _newton(len(FOR_SENTENCES), slopes, ridge=CHOICE_RIDGE)


def _logistic(rows: Sequence[Vector], wanted: Sequence[float]) -> Vector:
    """The weights of a logistic regression in which both outcomes count alike, however many there are of each."""
    share = sum(wanted) / len(wanted)
    worth = [0.5 / (share if want else 1 - share) for want in wanted]

    def slopes(weights: Vector) -> Iterator[tuple[Vector, list[Vector], Vector]]:
        for row, want, counts in zip(rows, wanted, worth, strict=True):
            chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, _dot(weights, row)))))
            yield [counts * (want - chance) * value for value in row], [row], [counts * chance * (1 - chance)]

    return _newton(len(rows[0]), slopes, ridge=ANSWERED_RIDGE, free=(0,))


def _refusals(rows: Sequence[Vector], wanted: Sequence[float], folds: Sequence[int]) -> Vector:
    """What the second model says of each question that it had not seen."""
    found = [0.0] * len(rows)
    for fold in range(FOLDS):
        seen = [at for at in range(len(rows)) if folds[at] != fold]
        weights = _logistic([rows[at] for at in seen], [wanted[at] for at in seen])
        for at in set(range(len(rows))) - set(seen):
            found[at] = _dot(weights, rows[at])
    return found


Slopes = Callable[[Vector], Iterable[tuple[Vector, list[Vector], Vector]]]


def _newton(size: int, slopes: Slopes, *, ridge: float, free: Sequence[int] = ()) -> Vector:
    """The maximum of a likelihood less the ridge, from which the ``free`` weights are spared. ``slopes`` gives each
    example's gradient, and rows with weights whose products make up its curvature."""
    weights = [0.0] * size
    pulls = [0.0 if at in free else 2 * ridge for at in range(size)]
    for _step in range(STEPS):
        gradient = [-pulls[at] * weights[at] for at in range(size)]
        curvature = [[pulls[at] if at == to else 0.0 for to in range(size)] for at in range(size)]
        for slope, rows, masses in slopes(weights):
            gradient = [before + more for before, more in zip(gradient, slope, strict=True)]
            for row, mass in zip(rows, masses, strict=True):
                for at, value in enumerate(row):
                    if weighed := mass * value:
                        line = curvature[at]
                        for to in range(at, size):
                            line[to] += weighed * row[to]
        for at in range(size):
            for to in range(at):
                curvature[at][to] = curvature[to][at]
        steps = _solved(curvature, gradient)
        # Far from the maximum a whole step leads past it.
        part = STEP_MAX / max(STEP_MAX, *map(abs, steps))
        weights = [before + part * step for before, step in zip(weights, steps, strict=True)]
    return weights


def _solved(matrix: list[Vector], right: Vector) -> Vector:
    """The solution of a symmetric positive system by Gaussian elimination; it changes ``matrix``."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        pivot = rows[at][at] or 1e-9
        for below in range(at + 1, size):
            factor = rows[below][at] / pivot
            if factor:
                rows[below] = [low - factor * high for low, high in zip(rows[below], rows[at], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows[at][to] * found[to] for to in range(at + 1, size))
        found[at] = (rows[at][size] - known) / (rows[at][at] or 1e-9)
    return found


def _softmax(scores: Vector) -> Vector:
    most = max(scores)
    powers = [math.exp(score - most) for score in scores]
    return [power / sum(powers) for power in powers]


def _dot(weights: Sequence[float], row: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, row, strict=True))


def _named(names: Sequence[str], weights: Sequence[float]) -> dict[str, float]:
    return {name: round(weight, PLACES) for name, weight in zip(names, weights, strict=True)}


def _mean(outcomes: Iterable[bool]) -> float:
    known = list(outcomes)
    return round(fmean(known), PLACES) if known else 0.0
