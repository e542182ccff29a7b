"""How alike two documents are: their words, and the units they name (design: events). Pure."""

import math
import re
from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from knowledge.events.facets import action_facets
from knowledge.pulses.headlines import caseless

WINDOW = timedelta(days=14)
# A window of a few documents cannot tell common words from rare ones, so this many are taken for granted.
DOCUMENTS_ASSUMED = 1000

LEXICAL_WEIGHT = 0.55
UNIT_WEIGHT = 0.45
WORDS_ALONE_WEIGHT = 0.8  # where one document names no unit at all, its words are all there is to go by
NO_SHARED_UNIT_FACTOR = 0.5
LEAST_REMAINDER = 0.2  # cosine of what is said besides the names
LEAST_UNITS_ACROSS_LANGUAGES = 2
SELDOM_DOCUMENTS, SELDOM_SHARE = 5, 0.01  # of the window: what is written about less has one story at a time

HANGUL_OR_LATIN_WORD = re.compile(r"[가-힣]+|[a-z][a-z0-9]*")
WORD_OR_NUMBER = re.compile(r"[가-힣]+|[a-z0-9]+(?:[.,][0-9]+)*")
STOP_WORDS = frozenset(
    re.findall(
        r"[a-z]+",
        """a after ahead all also amid an and any are as at be been before but by can could for from had
        has have he her his how if in into is it its just may more most new no not now of off on or our out
        over says said she should so some than that the their them then there they this to under up us was
        we were what when where which while who why will with would you your""",
    )
)

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class EventDoc:
    """A headline, its lead ("" where there is none), who published it when (aware) in which language.

    A document whose time is unknown has no place in a pass through time and stays alone.
    """

    title: str
    lead: str
    outlet: str
    at: datetime | None
    lang: str
    url: str = ""

    def __post_init__(self) -> None:
        if self.at is not None and self.at.tzinfo is None:
            raise ValueError("a document's time must carry its zone")

    @property
    def text(self) -> str:
        """What is compared; the places of mentions count characters of this."""
        return f"{self.title}\n{self.lead}" if self.lead else self.title


@dataclass(frozen=True, slots=True)
class NamedUnit:
    """A canonical unit named in `text[start:end]` of a document."""

    unit: str
    start: int
    end: int


def terms(text: str, words: re.Pattern[str] = HANGUL_OR_LATIN_WORD) -> Counter[str]:
    """Bigrams of Hangul syllables within words, and Latin words but the commonest."""
    counts: Counter[str] = Counter()
    for word in words.findall(caseless(text)):
        if "가" <= word[0] <= "힣":
            counts.update(word[start : start + 2] for start in range(len(word) - 1))
        elif word not in STOP_WORDS:
            counts[word] += 1
    return counts


def without_names(text: str, mentions: Iterable[NamedUnit]) -> str:
    """The text with a gap where a unit is named."""
    characters = list(text)
    for mention in mentions:
        for place in range(max(0, mention.start), min(mention.end, len(characters))):
            characters[place] = " "
    return "".join(characters)


@dataclass(frozen=True, slots=True)
class CountedDocument:
    """A document without its text: what units it names, what it says is done, how often each term stands in it, and in
    what remains of it without the names of units."""

    at: datetime
    lang: str
    units: frozenset[str]
    facets: frozenset[str]
    whole: Mapping[str, int]
    remainder: Mapping[str, int]


def counted(document: EventDoc, at: datetime, mentions: Collection[NamedUnit]) -> CountedDocument:
    return CountedDocument(
        at=at,
        lang=document.lang,
        units=frozenset(mention.unit for mention in mentions),
        facets=action_facets(document.title, document.lead),
        whole=terms(document.text),
        remainder=terms(without_names(document.text, mentions), WORD_OR_NUMBER),
    )


@dataclass(frozen=True, slots=True)
class Features:
    """What is compared of a document. The vectors have length one; `remainder` is of the words and numbers
    besides the names of units. They hold the weights of the time when the document came."""

    at: datetime
    lang: str
    units: frozenset[str]
    facets: frozenset[str]
    vector: Vector
    remainder: Vector


class RecentUse:
    """In how many documents of the last 14 days each term and each unit occurs."""

    def __init__(self) -> None:
        self._recent: deque[tuple[datetime, frozenset[str], frozenset[str]]] = deque()
        self._terms: Counter[str] = Counter()
        self._units: Counter[str] = Counter()

    def features(self, document: CountedDocument) -> Features:
        """Counts a document into the window and weighs its terms by it."""
        self.count(document)
        return Features(
            at=document.at,
            lang=document.lang.casefold().partition("-")[0],
            units=document.units,
            facets=document.facets,
            vector=self._vector(document.whole),
            remainder=self._vector(document.remainder),
        )

    def count(self, document: CountedDocument) -> None:
        """Counts a document into the window. One that comes late leaves the window with those it came with."""
        used = frozenset(document.whole) | frozenset(document.remainder)
        self._recent.append((document.at, used, document.units))
        self._terms.update(used)
        self._units.update(document.units)
        while self._recent[0][0] <= document.at - WINDOW:
            _, old_terms, old_units = self._recent.popleft()
            _uncount(self._terms, old_terms)
            _uncount(self._units, old_units)

    def unit_overlap(self, one: frozenset[str], other: frozenset[str]) -> float:
        """Jaccard overlap in which a unit that everybody names weighs little."""
        union = sum(self._idf(self._units[unit]) for unit in one | other)
        return sum(self._idf(self._units[unit]) for unit in one & other) / union if union else 0.0

    def is_seldom(self, unit: str) -> bool:
        return self._units[unit] <= max(SELDOM_DOCUMENTS, SELDOM_SHARE * len(self._recent))

    def _idf(self, documents: int) -> float:
        return math.log(1 + (DOCUMENTS_ASSUMED + len(self._recent)) / max(documents, 1))

    def _vector(self, counts: Mapping[str, int]) -> Vector:
        weights = {
            term: (1 + math.log(count)) * self._idf(self._terms[term]) for term, count in counts.items()
        }
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()}


def _uncount(counts: Counter[str], names: Iterable[str]) -> None:
    for name in names:
        counts[name] -= 1
        if not counts[name]:
            del counts[name]


def cosine(one: Vector, other: Vector) -> float:
    return math.fsum(one[term] * other[term] for term in one.keys() & other.keys())


def may_be_alike(one: Features, other: Features) -> bool:
    """False where a look at the names is enough: two documents that name different units can reach half of
    the lexical weight at most, which is less than what joins."""
    return not one.units or not other.units or not one.units.isdisjoint(other.units)


def likeness(one: Features, other: Features, use: RecentUse) -> float:
    """0 to 1, before time is taken into account; words count within one language only."""
    overlap = UNIT_WEIGHT * use.unit_overlap(one.units, other.units)
    if one.lang != other.lang:
        return overlap
    lexical = cosine(one.vector, other.vector)
    if not one.units or not other.units:
        return WORDS_ALONE_WEIGHT * lexical
    score = LEXICAL_WEIGHT * lexical + overlap
    return score if overlap else NO_SHARED_UNIT_FACTOR * score


def same_story(one: Features, other: Features, use: RecentUse) -> bool:
    """Whether there is more in common than a name: two documents on bitcoin need not tell the same story.

    They must also share the action or, in one language, some of the remaining words and, across languages, a
    second unit; a unit that is seldom in the news is enough of itself.
    """
    if one.facets & other.facets:
        return True
    if one.lang == other.lang:
        return cosine(one.remainder, other.remainder) >= LEAST_REMAINDER
    shared = one.units & other.units
    return len(shared) >= LEAST_UNITS_ACROSS_LANGUAGES or any(use.is_seldom(unit) for unit in shared)


def contradicts(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of action facets name actions, and none alike."""
    return bool(one) and bool(other) and one.isdisjoint(other)
