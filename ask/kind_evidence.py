"""What a sentence says when it answers a kind of question: a date for when, a number for how much, a cause for why.

The patterns stand as data in ``words/evidence.json``.
"""

import re
from collections.abc import Mapping, Sequence
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
}
COUNTED = (QuestionKind.HOW_MUCH, QuestionKind.HOW_MANY)
# These have no answer without a date or a number.
NEED_NUMBER = (QuestionKind.WHEN, *COUNTED)
# In a Korean definition what a thing is stands at the end, before the copula.
_COPULA = re.compile(r"(?:이다|다)?\.?$")
_CATEGORY_WORDS = 2
_IS_A = re.compile(
    r"\b(?:is|was|are) (?:an?|the|one of the)\b(.*?)"
    r"(?:\b(?:that|which|of|in|for|founded|who|whose|on|by|from|to|with|made|run)\b|[,.])"
)


# A date's commas and a number's are no ends of clauses.
_CLAUSE_ENDS: Mapping[Language, re.Pattern[str]] = {
    "ko": re.compile(r"[,;:](?!\d)\s*|(?<=[고며나데면서])\s+(?=\S)"),
    "en": re.compile(r"[,;:](?!\d)\s*|\b(?:and|but|while|which|who|after|when)\b"),
}


def fits(sentence: str, position: int, kind: QuestionKind, lang: Language) -> bool:
    """Whether a sentence says what the kind asks for; never where a kind asks for nothing of its own."""
    if kind is QuestionKind.DEFINITION:
        return position == 0
    if kind in COUNTED:
        return bool(_pattern("number", lang).search(_pattern("date", lang).sub("", sentence)))
    name = _PATTERNS.get(kind)
    return name is not None and bool(_pattern(name, lang).search(sentence))


def clauses(sentence: str, lang: Language) -> tuple[str, ...]:
    """The parts of a sentence that each say one thing, and the sentence itself where it is one."""
    return tuple(part for part in _CLAUSE_ENDS[lang].split(sentence) if part.strip())


def tells_number_asked(question: str, sentence: str, lang: Language) -> bool | None:
    """Whether a number stands before the unit that the question counts in: persons, money, a share, a time. None where
    it does not say what is counted."""
    asked = [told for asks, told in _counters(lang) if asks.search(question)]
    return any(told.search(sentence) for told in asked) if asked else None


def asks_ahead(question: str, lang: Language) -> bool:
    """Whether what is still to come is asked for."""
    return bool(_pattern("askedAhead", lang).search(question))


def tells_ahead(sentence: str, lang: Language) -> bool:
    return bool(_pattern("ahead", lang).search(sentence))


def points_back(sentence: str, lang: Language) -> bool:
    """Whether a sentence names its subject only by a word such as "it" or 이는."""
    return bool(_pattern("dangling", lang).match(sentence))


def category(sentences: Sequence[str], lang: Language) -> str:
    """What the first of these sentences says that its subject is: "가상자산 거래소", "crypto exchange"."""
    if not sentences:
        return ""
    if lang == "ko":
        return " ".join(_COPULA.sub("", sentences[0]).split()[-_CATEGORY_WORDS:])
    found = _IS_A.search(sentences[0])
    return found[1].strip() if found else ""


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
