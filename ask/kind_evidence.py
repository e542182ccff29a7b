"""What a sentence says when it answers a kind of question: a date for when, a number for how much, a cause for why.

The patterns stand as data in ``words/evidence.json``.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import orjson

from ask.language import Language
from ask.questions import QuestionKind

_PATTERNS: Mapping[QuestionKind, str] = {
    QuestionKind.WHEN: "date",
    QuestionKind.WHY: "cause",
    QuestionKind.WHO: "maker",
    QuestionKind.WHICH: "superlative",
    QuestionKind.HOW_STEPS: "steps",
    QuestionKind.LIST: "several",
    QuestionKind.YES_NO: "settles",
    QuestionKind.DIFFERENCE: "contrast",
}
COUNTED = (QuestionKind.HOW_MUCH, QuestionKind.HOW_MANY)
# These have no answer without a date or a number.
NEED_NUMBER = (QuestionKind.WHEN, *COUNTED)


def fits(sentence: str, kind: QuestionKind, lang: Language, *, defines: bool) -> bool:
    """Whether a sentence says what the kind asks for; never where a kind asks for nothing of its own."""
    if kind is QuestionKind.DEFINITION:
        return defines
    if kind in COUNTED:
        return bool(_pattern("number", lang).search(_pattern("date", lang).sub("", sentence)))
    name = _PATTERNS.get(kind)
    return name is not None and bool(_pattern(name, lang).search(sentence))


def tells_number_asked(question: str, sentence: str, lang: Language) -> bool | None:
    """Whether a number stands before the unit that the question counts in: persons, money, a share, a time. None where
    it does not say what is counted."""
    asked = [told for asks, told in _counters(lang) if asks.search(question)]
    return any(told.search(sentence) for told in asked) if asked else None


def asks_ahead(question: str, lang: Language) -> bool:
    """Whether what is still to come is asked for."""
    return bool(_pattern("askedAhead", lang).search(question))


def asks_past(question: str, lang: Language) -> bool:
    """Whether what has happened is asked for."""
    return bool(_pattern("askedPast", lang).search(question))


def tells_expected(sentence: str, lang: Language) -> bool:
    """Whether a sentence dates what has not happened yet."""
    return bool(_pattern("expected", lang).search(sentence))


def tells_standing(sentence: str, lang: Language) -> bool:
    """Whether a sentence says how things stood on a day."""
    return bool(_pattern("standing", lang).search(sentence))


def tells_cause(sentence: str, lang: Language) -> bool:
    """Whether a sentence says outright that it tells a cause."""
    return bool(_pattern("causeSurely", lang).search(sentence))


def asks_lately(question: str, lang: Language) -> bool:
    """Whether what happened in these days is asked for."""
    return bool(_pattern("askedLately", lang).search(question))


def asks_now(question: str, lang: Language) -> bool:
    """Whether what is so now is asked for."""
    return bool(_pattern("askedNow", lang).search(question))


def tells_ahead(sentence: str, lang: Language) -> bool:
    return bool(_pattern("ahead", lang).search(sentence))


def points_back(sentence: str, lang: Language) -> bool:
    """Whether a sentence names its subject only by a word such as "it" or 이는."""
    return bool(_pattern("dangling", lang).match(sentence))


@cache
def _pattern(name: str, lang: Language) -> re.Pattern[str]:
    read = orjson.loads((Path(__file__).parent / "words" / "evidence.json").read_bytes())
    return re.compile(read[name][lang], re.IGNORECASE if name != "dangling" else 0)


@cache
def _counters(lang: Language) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    read = orjson.loads((Path(__file__).parent / "words" / "evidence.json").read_bytes())
    return tuple(
        (re.compile(asks, re.IGNORECASE), re.compile(told, re.IGNORECASE))
        for asks, told in read["counters"][lang]
    )
