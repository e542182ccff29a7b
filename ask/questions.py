"""A question as people ask it: its language, the units it names, its kind, and which of its words state a fact.

The words by which people ask stand as data in ``words/``. Everything that composes an answer reads this one result.
"""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from ask.figures import with_holders
from ask.language import Language, language_of
from ask.patterns import WORDS, pattern
from knowledge.linking.store import units_asked
from knowledge.models import Unit
from knowledge.queries.units import aliases_of
from knowledge.search import words
from knowledge.search.lexemes import ENTITY_MARK
from knowledge.search.ranking import UnderstoodQuestion, understand

_FINAL_RIEUL = 8  # the place of ㄹ among the 28 finals of a syllable
_SYLLABLES = 0xAC00
# "…ㄹ까" asks for advice or a forecast, but for these, which only ask.
_ONLY_ASKS = re.compile(r"(?:뭘|일|누굴|얼말|어딜|왤|있을|그럴)까")
_MAY_ADVISE = re.compile(r"([가-힣])까")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


class Kind(StrEnum):
    """What a question asks for."""

    DEFINITION = "definition"
    WHEN = "when"
    WHO = "who"
    WHY = "why"
    HOW_MUCH = "how-much"
    HOW_MANY = "how-many"
    LIST = "list"
    WHICH = "which"
    HOW_STEPS = "how-steps"
    WHAT_HAPPENED = "what-happened"
    DIFFERENCE = "difference"
    YES_NO = "yes-no"
    NOW = "now"
    ADVICE = "advice"


# Where several kinds of words stand in a question, the first of these is meant: "어떻게" asks for steps unless "됐어"
# follows, and "what" defines unless something says more.
_ORDER = (
    Kind.WHY,
    Kind.DIFFERENCE,
    Kind.WHAT_HAPPENED,
    Kind.LIST,
    Kind.WHEN,
    Kind.WHO,
    Kind.HOW_MANY,
    Kind.HOW_MUCH,
    Kind.WHICH,
    Kind.HOW_STEPS,
    Kind.DEFINITION,
    Kind.YES_NO,
)
# Asked with a word for now, these may still mean what happened or why.
_BEFORE_NOW = (Kind.WHY, Kind.DIFFERENCE, Kind.WHAT_HAPPENED, Kind.WHO, Kind.LIST)


@dataclass(frozen=True)
class AskedQuestion:
    """A question as it was understood.

    ``content`` holds the lexemes that state a fact, neither names nor asking words, and how much each tells;
    ``years`` are those that the question mentions.
    """

    understood: UnderstoodQuestion
    lang: Language
    kind: Kind
    content: Mapping[str, float]
    years: tuple[str, ...]

    @property
    def named(self) -> tuple[str, ...]:
        """The public ids of the units that the question names, in order."""
        return self.understood.named

    @property
    def compares(self) -> bool:
        return self.kind is Kind.DIFFERENCE and len(self.named) > 1


def read(question: str) -> AskedQuestion:
    """Read a question once for retrieval, choosing and refusing."""
    # Whatever else it says, what speaks of no named unit answers nothing: these tell as much as words.
    understood, kind = with_holders(understand(question, entity_weight=1.0)), kind_of(question)
    content = _content(understood, asking_words(now=kind is Kind.NOW))
    return AskedQuestion(
        understood=understood,
        lang=language_of(question),
        kind=kind or (Kind.WHICH if content else Kind.DEFINITION),
        content=content,
        years=tuple(_YEAR.findall(question)),
    )


def kind_of(question: str) -> Kind | None:
    """What a question asks for, by its words alone; None where none of them asks. What is no more than a name then
    wants its definition, and anything else what it says of it."""
    lang, asked = language_of(question), question.strip().rstrip("?!？.~ ").lower()
    if _advises(asked, lang):
        return Kind.ADVICE
    found = [kind for kind in _ORDER if pattern("kinds", kind, lang).search(asked)]
    if _is_now(asked, lang) and not any(kind in found for kind in _BEFORE_NOW):
        return Kind.NOW
    return found[0] if found else None


def _advises(asked: str, lang: Language) -> bool:
    if pattern("kinds", Kind.ADVICE, lang).search(asked):
        return True
    if pattern("now", "ahead", lang).search(asked) and pattern("now", "figure", lang).search(asked):
        return True
    left = _ONLY_ASKS.sub("", asked)
    return any((ord(found[1]) - _SYLLABLES) % 28 == _FINAL_RIEUL for found in _MAY_ADVISE.finditer(left))


def _is_now(asked: str, lang: Language) -> bool:
    """Whether a figure is asked for as it is now."""
    return all(pattern("now", part, lang).search(asked) for part in ("now", "figure"))


def _content(understood: UnderstoodQuestion, asking: Set[str]) -> dict[str, float]:
    lexical, information = understood.lexical, understood.information
    places = [(one.start, one.end) for one in units_asked(lexical.text, crypto_channel=True)]
    named = {
        token.term
        for token in lexical.tokens
        if any(start < token.end and token.start < end for start, end in places)
    }
    names = named | _names_of(understood.named)
    return {
        term: information[term]
        for term in dict.fromkeys(token.term for token in lexical.tokens)
        if term in information
        and not term.startswith(ENTITY_MARK)
        and term not in names
        and term not in asking
    }


def _names_of(public_ids: tuple[str, ...]) -> set[str]:
    units = Unit.objects.published().with_public_ids(list(public_ids)) if public_ids else ()
    return {
        term for unit in units for term in words.terms(" ".join((unit.label, unit.symbol, *aliases_of(unit))))
    }


@cache
def asking_words(*, now: bool = False) -> frozenset[str]:
    """Words that ask and state no fact; ``now`` adds those by which a figure is asked for."""
    lists = ("asking", "asking_now") if now else ("asking",)
    return frozenset(word for name in lists for line in _lines(name) for word in line)


@cache
def synonyms() -> Mapping[str, frozenset[str]]:
    """Each word of the groups, and all words of the groups it stands in."""
    found: dict[str, set[str]] = {}
    for line in _lines("synonyms"):
        for word in line:
            found.setdefault(word.lower(), set()).update(other.lower() for other in line)
    return {word: frozenset(others) for word, others in found.items()}


def _lines(name: str) -> list[list[str]]:
    text = (WORDS / f"{name}.txt").read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]
