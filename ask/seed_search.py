"""Search among the answered seed questions: what the editors asked already costs nobody anything.

The seeds are few, so they are read whole; their analysis is kept for each version of an answer.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from ask import answering, freshness, storing
from ask.evidence import all_public, units_of
from ask.models import Answer, Mode
from ask.questions import read
from knowledge.errors import Refusal
from knowledge.models import Unit
from knowledge.queries.cursors import Page, Pagination, ranked_page
from knowledge.search.query import read_question

# Of the query's information; below it a shared everyday word is all there is.
LEAST_COVERAGE = 0.34
QUESTION_WEIGHT = 1.0
ANSWER_WEIGHT = 0.6  # a word of the answer tells less of what was asked
ANALYSED_MAX = 2048


def seeds_found(
    query: str, *, now: datetime, since: datetime | None = None, limit: int = 10, cursor: str = ""
) -> Page[Answer]:
    """Public answers to active seed questions (``current`` loaded) that fit ``query`` best, best first, each as up to
    date as when it is asked for.

    ``since`` bounds the time of the answer. Raises CursorError.
    """
    pagination = Pagination("answers", (query, since))
    pagination.key(cursor)
    answers = Answer.objects.indexable().select_related("current").order_by("pk")
    if since is not None:
        answers = answers.filter(current__generated_at__gte=since)
    shown = ranked_page(_ranked(query, list(answers)), limit, pagination, cursor, lambda answer: answer.pk)
    found = (_up_to_date(answer, now) for answer in shown.rows)
    return Page([answer for answer in found if answer is not None], shown.next_cursor)


def _up_to_date(answer: Answer, now: datetime) -> Answer | None:
    """As on the answer's own page: a withdrawal that sent no signal is noticed by whoever looks, and figures that are
    due are read before anybody gets them, or left out."""
    version = storing.version_of(answer)
    if not all_public(version.cited_keys):
        return None
    if not freshness.is_to_quote(version, now):
        return answer
    try:
        made = answering.quoted_anew(version, now)
    except Refusal:
        return None
    return None if made.mode == Mode.NONE else made.answer


def _ranked(query: str, answers: list[Answer]) -> list[Answer]:
    fits = scores(query, answers)
    shared = [answer for answer in answers if fits.get(answer.pk, 0.0) >= LEAST_COVERAGE]
    fitting = _on_the_same(query, shared) if shared else []
    fitting.sort(key=lambda answer: (-fits[answer.pk], answer.pk))
    return fitting


def _on_the_same(query: str, answers: Sequence[Answer]) -> list[Answer]:
    """Those that speak of a unit that the query names. Where it names none, those that hold the noun that tells most:
    what happened to one thing says nothing of what happened to another."""
    asked = read(query)
    if asked.named:
        named = [one.unit.pk for one in asked.units]
        family = set(Unit.objects.families(named).values_list("pk", flat=True))
        return [answer for answer in answers if family.intersection(units_of(_cited_keys(answer)))]
    nouns = [word for word in asked.words if word.is_noun]
    if not nouns:
        return list(answers)
    telling = {term for term, _written in max(nouns, key=lambda word: word.tells).parts}
    return [answer for answer in answers if not telling.isdisjoint(frozenset().union(*_read(answer)))]


def scores(query: str, answers: Sequence[Answer]) -> dict[str, float]:
    """By question hash, which share of the query an answer (``current`` loaded) and its question hold, 0 to 1.
    Empty where the query says nothing."""
    asked = read_question(query).weights
    if not asked or not answers:
        return {}
    known = {answer.pk: _read(answer) for answer in answers}
    weights = _weights(asked, (question | body for question, body in known.values()))
    total = sum(weights.values())
    return {
        key: sum(
            weight * (QUESTION_WEIGHT if term in question else ANSWER_WEIGHT if term in body else 0.0)
            for term, weight in weights.items()
        )
        / total
        for key, (question, body) in known.items()
    }


def _weights(asked: dict[str, float], texts: Iterable[frozenset[str]]) -> dict[str, float]:
    """How much each word of the query tells: the fewer seeds hold it, the more."""
    held: Counter[str] = Counter()
    number = 0
    for terms in texts:
        number += 1
        held.update(terms & asked.keys())
    return {term: weight * math.log(1 + (number + 1) / (held[term] + 0.5)) for term, weight in asked.items()}


def _read(answer: Answer) -> tuple[frozenset[str], frozenset[str]]:
    """The lexemes of its question and of its text."""
    return _lexemes(_version_key(answer), answer.question, _body(answer))


@lru_cache(maxsize=ANALYSED_MAX)
def _lexemes(_version: int, question: str, body: str) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(read_question(question).weights), frozenset(read_question(body).weights)


def _version_key(answer: Answer) -> int:
    return answer.current_id or 0


def _cited_keys(answer: Answer) -> list[str]:
    return answer.current.cited_keys if answer.current is not None else []


def _body(answer: Answer) -> str:
    return answer.current.body if answer.current is not None else ""
