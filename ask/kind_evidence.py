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


def fits(sentence: str, position: int, kind: QuestionKind, lang: Language) -> bool:
    """Whether a sentence says what the kind asks for; never where a kind asks for nothing of its own."""
    if kind is QuestionKind.DEFINITION:
        return position == 0
    if kind in COUNTED:
        return bool(_pattern("number", lang).search(_pattern("date", lang).sub("", sentence)))
    name = _PATTERNS.get(kind)
    return name is not None and bool(_pattern(name, lang).search(sentence))


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
