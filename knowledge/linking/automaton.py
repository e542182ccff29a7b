"""The dictionary side of linking: every name of every unit in one Aho-Corasick automaton, and how it may be written."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple, TypeAlias

import ahocorasick

from knowledge.linking.hangul import NOUNS, is_syllable
from knowledge.linking.lexicon import (
    COMMON_ACRONYMS,
    ENGLISH_WORDS,
    GENERIC_WORDS,
    KOREAN_WORDS,
    MACRO_NAMES,
    SHARED_TERMS,
)
from knowledge.normalise import fold, normalise_alias

UnitKey: TypeAlias = int | str  # a key of the database, or a name in a labelled file

_TICKER = re.compile(r"[A-Z0-9]{1,8}")
_ASSET_NAME = re.compile(r"(?:코인|토큰|체인|프로토콜|coin|token|protocol)$", re.IGNORECASE)
_THEMES = frozenset({"topic", "event"})
_MAY_HOLD = _THEMES | {""}  # the kinds of units whose names may hold an asset's
_SHORT_HANGUL = 2  # syllables
_SHORT_TICKER = 3  # letters
_VOWELS = frozenset("aeiouy")
_SPLITTABLE = 4  # syllables from which writers break a name into words
_SHORTEST_PART = 2
_MAX_BREAKS = 2
# After a country's name these are many: 한국 은행 is any Korean bank, 한국은행 the central one.
_PLURAL_NOUNS = frozenset({"은행", "거래소", "정부", "시장", "당국", "기업"})
_SHORTEST_LEADING = 2  # characters
_MAX_SPACES = 3  # of a longer name no space may be left out


class AliasSpec(NamedTuple):
    """One surface of one unit.

    ``case_sensitive`` and ``ambiguous`` are an editor's word; None leaves it to ``default_case_sensitive``
    and ``default_ambiguous``. A mention is dropped where one of ``blocked_contexts`` stands near it. ``kind``
    is the unit's type, guessed from its other aliases when empty. ``owner`` is the unit that holds the alias
    where that is not ``unit`` itself: a merged unit's aliases speak for the survivor.
    """

    unit: UnitKey
    surface: str
    case_sensitive: bool | None = None
    ambiguous: bool | None = None
    blocked_contexts: tuple[str, ...] = ()
    kind: str = ""
    owner: UnitKey | None = None


class Ambiguity(IntEnum):
    """How much evidence a name needs before it counts."""

    PLAIN = 0  # none
    SHORT = 1  # none, unless the text is about something else
    COINED = 2  # ambiguous, but no everyday word: some evidence
    EVERYDAY = 3  # an everyday word: strong evidence
    GENERIC = 4  # a word of the trade or a common acronym: its own unit, named beyond doubt


class Entry(NamedTuple):
    """One alias behind a pattern."""

    spaces: tuple[int, ...]  # before how many of its characters each stands, those not counted
    exact: str  # the surface whose case must agree, spaces aside; empty when any case will do
    ambiguity: Ambiguity
    contexts: tuple[str, ...]
    kind: str  # of the unit; "asset" too where a unit of unknown kind has the names of one
    has_ticker: bool = False  # the unit is known by one, so another in brackets speaks of something else
    unit: UnitKey = 0
    owner: UnitKey = 0

    @property
    def asset(self) -> bool:
        return self.kind == "asset"


class Pattern:
    """One spelling in lower case and the aliases it may stand for."""

    def __init__(self, text: str, entries: tuple[Entry, ...]) -> None:
        first, last = text[0], text[-1]
        hangul = all(is_syllable(char) or char == " " for char in text)
        self.entries = entries
        self.ambiguity = min(entry.ambiguity for entry in entries)  # of its least doubtful alias
        self.any_case = not any(entry.exact for entry in entries)
        self.contexts = any(entry.contexts for entry in entries)  # whether any alias has blocked contexts
        self.hangul_first, self.hangul_last = is_syllable(first), is_syllable(last)
        self.latin_first = first.isascii() and first.isalnum()
        self.latin_last = last.isascii() and last.isalnum()
        # A long Hangul name without a doubt: other names may be written right against it.
        self.strong = hangul and self.ambiguity <= Ambiguity.SHORT and len(text) > _SHORTEST_PART
        self.word = text in ENGLISH_WORDS
        key = text.replace(" ", "")
        self.macro = key in MACRO_NAMES
        self.shared_term = key in SHARED_TERMS
        kinds = {entry.kind for entry in entries}
        self.asset, self.person = "asset" in kinds, "person" in kinds
        self.theme = not kinds.isdisjoint(_THEMES)
        self.holds = not kinds.isdisjoint(_MAY_HOLD)
        self.several_units = len({entry.unit for entry in entries}) > 1


class Dictionary:
    """All names of some units. Immutable, so threads may share it.

    Writers close up the spaces of a name and break long ones into words, so names are looked for in the text without
    its spaces, and whether one may be written with those it has there is asked of what is found. A hundred thousand
    units have three hundred thousand names: these are numbers in an automaton and in arrays; a ``Pattern`` is made when
    a text holds it, and the latest are kept.
    """

    def __init__(self, aliases: Iterable[AliasSpec]) -> None:
        # By the number of an alias. That of the first alias with its characters stands in the automaton.
        self._units: list[UnitKey] = []
        self._owners: list[UnitKey] = []
        self._traits: list[Entry] = []  # without units, so that many aliases share one
        self._next = array("i")  # the next alias with the same characters, or -1
        self._lengths = array("I")
        self._most_spaces = array("I")  # with which any alias of the same characters may be written
        self._assets: set[UnitKey] = set()  # of unknown kind
        self._with_ticker: set[UnitKey] = set()
        self._automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS)
        shared: dict[Entry, Entry] = {}
        for spec in aliases:
            if normalise_alias(spec.surface):
                self._add(spec, shared)
        self._automaton.make_automaton()
        self._pattern = lru_cache(maxsize=8_192)(self._made_pattern)

    def find(self, low: str) -> Iterator[tuple[int, int, Pattern]]:
        """Every spelling at every place of a folded text: start, end and what it may stand for, by the end."""
        if not self._units:  # of nothing there is no automaton
            return
        lengths, pattern_of = self._lengths, self._pattern
        for last, number in self._automaton.iter(low, ignore_white_space=True):
            end = last + 1
            start = end - lengths[number]
            if " " in low[start:end]:
                start = self._start(low, number, end)
            if pattern := pattern_of(number, low[start:end]):
                yield start, end, pattern

    def leading(self, word: str) -> Sequence[int]:
        """How long the names of two characters and more are with which a word begins, spaces of theirs aside, the
        longest first."""
        # Asked of every word of every text, and nearly none begins as a name does.
        if not self._units or (longest := self._automaton.longest_prefix(word)) < _SHORTEST_LEADING:
            return ()
        lengths = range(longest, _SHORTEST_LEADING - 1, -1)
        return [length for length in lengths if word[:length] in self._automaton]

    def _start(self, low: str, number: int, end: int) -> int:
        """Where a spelling with spaces begins; with more of them than any alias may have, ``end``."""
        length, most, spaces = self._lengths[number], self._most_spaces[number], 0
        while spaces <= most and (within := low.count(" ", end - length - spaces, end)) > spaces:
            spaces = within
        return end - length - spaces if spaces <= most else end

    def _add(self, spec: AliasSpec, shared: dict[Entry, Entry]) -> None:
        folded = fold(spec.surface)
        low = folded.low.strip()
        key, spaces = low.replace(" ", ""), _spaces(low)
        is_ticker = _TICKER.fullmatch(spec.surface) is not None
        if is_ticker:
            self._with_ticker.add(spec.unit)
        known_term = key in SHARED_TERMS or key in MACRO_NAMES  # ETF, FOMC: capitals, but no ticker
        if not spec.kind and ((is_ticker and not known_term) or _ASSET_NAME.search(spec.surface)):
            self._assets.add(spec.unit)
        traits = _traits(spec, folded.cased.strip(), spaces)
        alias, first = len(self._units), self._automaton.get(key, -1)
        self._units.append(spec.unit)
        self._owners.append(spec.unit if spec.owner is None else spec.owner)
        self._traits.append(shared.setdefault(traits, traits))
        self._next.append(-1)
        self._lengths.append(len(key))
        self._most_spaces.append(len(spaces) or (_MAX_BREAKS if _is_splittable(key) else 0))
        if first < 0:
            self._automaton.add_word(key, alias)
        else:
            *_others, latest = self._aliases(first)
            self._next[latest] = alias
            self._most_spaces[first] = max(self._most_spaces[first], self._most_spaces[alias])

    def _aliases(self, alias: int) -> Iterator[int]:
        """This alias and those after it with the same characters."""
        while alias >= 0:
            yield alias
            alias = self._next[alias]

    def _made_pattern(self, first: int, text: str) -> Pattern | None:
        if not text or "\n" in text:  # the automaton passes over line ends as over spaces
            return None
        entries = [self._entry(alias) for alias in self._aliases(first) if self._may_be_written(alias, text)]
        return Pattern(text, tuple(dict.fromkeys(entries))) if entries else None

    def _entry(self, alias: int) -> Entry:
        unit = self._units[alias]
        traits = self._traits[alias]
        return traits._replace(
            unit=unit,
            owner=self._owners[alias],
            kind=traits.kind or self._guessed_kind(unit, traits.exact),
            has_ticker=unit in self._with_ticker,
        )

    def _guessed_kind(self, unit: UnitKey, exact: str) -> str:
        """A unit of unknown kind with a name like Fed is no asset, FOMC or not."""
        return "asset" if unit in self._assets and (not exact or exact.isupper()) else ""

    def _may_be_written(self, alias: int, text: str) -> bool:
        """Whether an alias may have its spaces where ``text`` has them: its own or fewer, or between words."""
        own, written = self._traits[alias].spaces, _spaces(text)
        if written == own:
            return True
        if own:
            return len(own) <= _MAX_SPACES and Counter(written) <= Counter(own)
        *head, last = words = text.split(" ")
        if (
            not _is_splittable("".join(words))
            or min(map(len, words)) < _SHORTEST_PART
            or len(head) > _MAX_BREAKS
        ):
            return False
        if last not in NOUNS:
            return True
        called = self._automaton.get("".join(head), -1)
        if called < 0:
            return last not in _PLURAL_NOUNS
        return self._units[alias] in map(self._units.__getitem__, self._aliases(called))


def _spaces(text: str) -> tuple[int, ...]:
    """Before how many characters each space stands, spaces not counted."""
    return tuple(accumulate(map(len, text.split(" ")[:-1])))


def _is_splittable(name: str) -> bool:
    return len(name) >= _SPLITTABLE and all(map(is_syllable, name))


def _traits(spec: AliasSpec, surface: str, spaces: tuple[int, ...]) -> Entry:
    exact = default_case_sensitive(surface) if spec.case_sensitive is None else spec.case_sensitive
    ambiguous = default_ambiguous(surface) if spec.ambiguous is None else spec.ambiguous
    return Entry(
        spaces=spaces,
        exact=surface.replace(" ", "") if exact else "",
        ambiguity=_ambiguity(surface, doubtful=ambiguous, exact=exact),
        contexts=tuple(filter(None, (fold(context).low.strip() for context in spec.blocked_contexts))),
        kind=spec.kind,
    )


def default_case_sensitive(surface: str) -> bool:
    """Whether a surface nobody judged needs its exact case: tickers that are short or read as English words.

    Three consonants (BTC, XRP) are no word in any case, and people write them small.
    """
    name = fold(surface).cased
    if not (name.isascii() and name.isalnum() and name.isupper()):
        return False
    low = name.lower()
    if low in ENGLISH_WORDS or low in COMMON_ACRONYMS or len(low) < _SHORT_TICKER:
        return True
    return len(low) == _SHORT_TICKER and not _VOWELS.isdisjoint(low)


def default_ambiguous(surface: str) -> bool:
    """Whether a surface nobody judged needs evidence: Hangul of at most two syllables, and everyday words."""
    norm = normalise_alias(surface)
    if norm and all(map(is_syllable, norm)):
        return len(norm) <= _SHORT_HANGUL or norm in KOREAN_WORDS or norm in GENERIC_WORDS
    return len(norm) < _SHORT_HANGUL or norm in COMMON_ACRONYMS


def _ambiguity(surface: str, *, doubtful: bool, exact: bool) -> Ambiguity:
    if not doubtful:
        hangul = all(map(is_syllable, surface))
        short = len(surface) <= _SHORTEST_PART if hangul else exact and len(surface) <= _SPLITTABLE
        return Ambiguity.SHORT if short else Ambiguity.PLAIN
    norm = normalise_alias(surface)
    if norm in GENERIC_WORDS or norm in COMMON_ACRONYMS or len(norm) == 1:
        return Ambiguity.GENERIC
    if exact and norm in ENGLISH_WORDS and not surface.isupper():
        return Ambiguity.COINED  # Circle: how doubtful the word is depends on where its capital stands
    if norm in KOREAN_WORDS or norm in ENGLISH_WORDS or (norm.isascii() and len(norm) <= _SHORTEST_PART):
        return Ambiguity.EVERYDAY
    return Ambiguity.COINED
