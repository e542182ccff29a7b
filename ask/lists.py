"""Questions that want a list of units: all of a category and a country, or all that stand to a named unit in one way
or in two after each other.

Nothing else may be asked: a question of which a word is left over is answered from what the records say.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from ask.patterns import WORDS
from ask.questions import AskedQuestion, QuestionKind
from knowledge.models import CATEGORIES_OF, COUNTRIES, InverseKind, Unit, UnitType
from knowledge.queries.listings import counted, listed
from knowledge.queries.relations import relations_of

LISTED_MAX = 12
STEPS_MAX = 2  # from one unit to another that a question may take
# Who founded or leads a unit that the question names is told by the unit's record: all of them, and when.
_NEVER_ALONE: tuple[str, ...] = (InverseKind.LED_BY, InverseKind.FOUNDED_BY)
_LIST_WORDS = re.compile(
    r"(?<![가-힣])(?:목록|리스트|명단|전부|모두)|(?<![a-z])(?:lists?|all|which|what)(?![a-z])|"
    r"(?:어떤|무슨|어느)\s|뭐\s?뭐|어디\s?어디|(?:어디|누구|뭐가?|무엇)(?=[가-힣?\s]|$)"
)
# What may stand beside the words that were understood: particles, politeness and words that only ask.
_ONLY_ASKS = re.compile(
    r"(?<![가-힣])(?:목록|리스트|명단|전부|모두|좀|어떤|무슨|어느|있는|어디|누구|뭐뭐|뭐|무엇|곳|것|게|알려|보여|말해|나열해?|정리해|이름|들)"
    r"|(?:있나요|있어요?|있습니까|있지|줘|주세요|인가요|입니까|이야|이에요|예요|야|은|는|이|가|을|를|의|에는|에|들|와|과|로|라면)"
    r"(?=[\s?!.,가-힣]|$)"
    r"|(?<![a-z])(?:lists?|all|the|a|an|of|in|from|is|are|was|were|which|what|who|whose|show|give|tell|me|please|there|does|do|by|has|"
    r"have|based|s|and|it)(?![a-z])"
)


class ListedUnits(NamedTuple):
    """The first ``LISTED_MAX`` units of a list, and how many it has."""

    units: list[Unit]
    total: int


NO_LIST = ListedUnits([], 0)


def units_listed(question: AskedQuestion) -> ListedUnits:
    """The public units that the question wants listed; none where it wants another thing."""
    if question.kind in (QuestionKind.ADVICE, QuestionKind.NOW, QuestionKind.HOW_MANY, QuestionKind.WHEN):
        return NO_LIST
    if len(question.named) == 1 and (found := _related(question)).units:
        return found
    return _of_kind(question.understood.lexical.text.lower())


def _related(question: AskedQuestion) -> ListedUnits:
    """What stands to the named unit in the way that is asked for, or in two ways one after the other: the head of its
    operator."""
    steps = _steps(question.beside_names.lower())
    if len(steps) > STEPS_MAX or (len(steps) == 1 and steps[0] in _NEVER_ALONE):
        return NO_LIST
    # 업비트 운영사 대표, and: head of the operator of Upbit.
    ordered = steps if question.lang == "ko" else steps[::-1]
    reached = [one.unit for one in question.units] if steps else []
    for kind in ordered:
        reached = [one.other for unit in reached for one in relations_of(unit, [kind]) if not one.ended]
    units = list(dict.fromkeys(reached))
    return ListedUnits(units[:LISTED_MAX], len(units))


def _steps(text: str) -> list[str]:
    """The kinds of relation that a text speaks of, in its order; none where it says anything else."""
    found: list[tuple[int, int, str]] = []
    for kind, phrase in _said("relations"):
        found += [
            (one.start(), one.end(), kind)
            for one in phrase.finditer(text)
            if not any(one.start() < end and start < one.end() for start, end, _kind in found)
        ]
    if not _nothing_left(text, [(start, end) for start, end, _kind in found]):
        return []
    return [kind for _start, _end, kind in sorted(found)]


def _of_kind(text: str) -> ListedUnits:
    if not _LIST_WORDS.search(text):
        return NO_LIST
    category, place = next(
        ((value, found.span()) for value, phrase in _said("categories") if (found := phrase.search(text))),
        ("", (0, 0)),
    )
    if not category:
        return NO_LIST
    country, where = next(
        ((code, found.span()) for code, phrase in _countries() if (found := phrase.search(text))),
        ("", (0, 0)),
    )
    if not _nothing_left(text, [place, where]):
        return NO_LIST
    prefix = "asset" if category in CATEGORIES_OF[UnitType.ASSET] else "entity"
    units, _more = listed(prefix, page=1, category=category, country=country)
    total = counted(prefix, "category", category=category, country=country).get(category, 0)
    return ListedUnits(units[:LISTED_MAX], total)


def _nothing_left(text: str, places: Iterable[tuple[int, int]]) -> bool:
    left = list(text)
    for start, end in places:
        left[start:end] = " " * (end - start)
    return not re.search(r"\w", _ONLY_ASKS.sub(" ", "".join(left)))


@cache
def _said(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each value with each phrase for it, the longest phrase first."""
    lines = (WORDS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    pairs = [
        (value, phrase.replace("_", " "))
        for value, *phrases in (line.split() for line in lines if line and not line.startswith("#"))
        for phrase in phrases
    ]
    return tuple((value, _phrase(phrase)) for value, phrase in sorted(pairs, key=lambda pair: -len(pair[1])))


@cache
def _countries() -> tuple[tuple[str, re.Pattern[str]], ...]:
    names = [
        (code, _phrase(name.lower()))
        for code, country in COUNTRIES.items()
        for name in (country.en, country.ko)
    ]
    return (*_said("countries"), *sorted(names, key=lambda pair: -len(pair[1].pattern)))


def _phrase(phrase: str) -> re.Pattern[str]:
    """A word of its own: a Latin one also in its plural, a Korean one with particles behind it."""
    written = re.escape(phrase)
    if phrase[0].isascii():
        return re.compile(rf"(?<![a-z]){written}(?:e?s)?(?![a-z])")
    return re.compile(rf"(?<![가-힣]){written}(?![가-힣]{{3}})")
