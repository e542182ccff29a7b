"""The dictionary side of linking: every way an alias may be written, in one Aho-Corasick automaton."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import ahocorasick

from knowledge.linking.hangul import NOUNS, is_syllable
from knowledge.linking.lexicon import COMMON_ACRONYMS, ENGLISH_WORDS, GENERIC_WORDS, KOREAN_WORDS
from knowledge.linking.specs import AliasSpec, UnitKey, default_ambiguous, default_case_sensitive
from knowledge.normalise import fold, normalise_alias

_TICKER = re.compile(r"[A-Z0-9]{1,8}")
_ASSET_NAME = re.compile(r"(?:코인|토큰|체인|프로토콜|coin|token|protocol)$", re.IGNORECASE)
_SPLITTABLE = 4  # syllables from which writers break a name into words
_SHORTEST_PART = 2
_MAX_GAPS = 2
# After a country's name these are many: 한국 은행 is any Korean bank, 한국은행 the central one.
_PLURAL_NOUNS = frozenset({"은행", "거래소", "정부", "시장", "당국", "기업"})
_MAX_SPACES = 4
_LONGEST_NOUN = max(map(len, NOUNS))
PATTERNS_KEPT = 8_192


class Ambiguity(IntEnum):
    """How much evidence a name needs before it counts."""

    PLAIN = 0  # none
    SHORT = 1  # none, unless the text is about something else
    COINED = 2  # ambiguous, but no everyday word: some evidence
    EVERYDAY = 3  # an everyday word: strong evidence
    GENERIC = 4  # a word of the trade or a common acronym: its own unit, named beyond doubt


@dataclass(frozen=True, slots=True)
class Entry:
    """One alias behind a pattern."""

    unit: UnitKey
    owner: UnitKey
    exact: str  # the surface whose case must agree, spaces aside; empty when any case will do
    ambiguity: Ambiguity
    contexts: tuple[str, ...]
    asset: bool
    has_ticker: bool  # the unit is known by a ticker, so another one in brackets speaks of something else


@dataclass(frozen=True, slots=True)
class Pattern:
    """One spelling in lower case and the aliases it may stand for."""

    text: str
    entries: tuple[Entry, ...]
    ambiguity: Ambiguity  # of its least doubtful alias
    any_case: bool
    contexts: bool  # whether any alias has blocked contexts
    hangul_first: bool
    hangul_last: bool
    latin_first: bool
    latin_last: bool
    strong: bool  # a long Hangul name without a doubt: other names may be written right against it
    word: bool  # an English word
    several_units: bool


class _Traits(NamedTuple):
    """What many aliases have in common: the fields of an ``Entry`` beside its units."""

    exact: str
    ambiguity: Ambiguity
    contexts: tuple[str, ...]
    asset: bool
    has_ticker: bool


class Dictionary:
    """All spellings of some aliases. Immutable, so threads may share it.

    A hundred thousand units have half a million spellings, so these are numbers in an automaton and in arrays; a
    ``Pattern`` is made when a text holds it, and the latest are kept.
    """

    def __init__(self, aliases: Iterable[AliasSpec]) -> None:
        self._automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS)
        # By the number of an alias:
        self._units: Sequence[UnitKey] = ()
        self._owners: Sequence[UnitKey] = ()
        self._traits: list[_Traits] = []
        # By the number of a spelling:
        self._lengths = array("I")
        self._aliases = array("i")  # the one alias, or below zero ~place in _shared
        self._shared: list[tuple[int, ...]] = []  # the aliases of spellings that have several
        self._fill([spec for spec in aliases if normalise_alias(spec.surface)])
        self._automaton.make_automaton()
        self._pattern = lru_cache(PATTERNS_KEPT)(self._made_pattern)

    def __len__(self) -> int:
        return len(self._lengths)

    def find(self, low: str) -> Iterator[tuple[int, int, Pattern]]:
        """Every spelling at every place of a folded text: start, end and what it may stand for, by the end."""
        for last, number in self._automaton.iter(low):
            end = last + 1
            start = end - self._lengths[number]
            yield start, end, self._pattern(number, low[start:end])

    def _fill(self, specs: list[AliasSpec]) -> None:
        assets, tickers = _assets(specs), {spec.unit for spec in specs if _TICKER.fullmatch(spec.surface)}
        owners, known = _owners_of_heads(specs), dict[_Traits, _Traits]()
        self._units = _packed([spec.unit for spec in specs])
        self._owners = _packed([spec.unit if spec.owner is None else spec.owner for spec in specs])
        for number, spec in enumerate(specs):
            traits = _traits(spec, asset=spec.unit in assets, has_ticker=spec.unit in tickers)
            self._traits.append(known.setdefault(traits, traits))
            for text in dict.fromkeys(_variants(spec, owners)):
                self._add(text, number)

    def _add(self, text: str, alias: int) -> None:
        number = self._automaton.get(text, -1)
        if number < 0:
            self._automaton.add_word(text, len(self._lengths))
            self._lengths.append(len(text))
            self._aliases.append(alias)
            return
        others = self._aliases_of(number)
        if self._entry(alias) in map(self._entry, others):
            return
        if len(others) == 1:
            self._aliases[number] = ~len(self._shared)
            self._shared.append(())
        self._shared[~self._aliases[number]] = (*others, alias)

    def _aliases_of(self, number: int) -> tuple[int, ...]:
        alias = self._aliases[number]
        return (alias,) if alias >= 0 else self._shared[~alias]

    def _entry(self, alias: int) -> Entry:
        return Entry(self._units[alias], self._owners[alias], *self._traits[alias])

    def _made_pattern(self, number: int, text: str) -> Pattern:
        return _pattern(text, tuple(map(self._entry, self._aliases_of(number))))


def _assets(specs: list[AliasSpec]) -> set[UnitKey]:
    """Units that are assets: by their kind or, where it is unknown, by a ticker or a name like a coin's."""
    return {
        spec.unit
        for spec in specs
        if spec.kind == "asset"
        or (not spec.kind and (_TICKER.fullmatch(spec.surface) or _ASSET_NAME.search(spec.surface)))
    }


def _packed(keys: list[UnitKey]) -> Sequence[UnitKey]:
    """Keys of the database in eight bytes each; those of a labelled file as they are."""
    numbers = [key for key in keys if isinstance(key, int)]
    return array("q", numbers) if len(numbers) == len(keys) else keys


def _owners_of_heads(specs: list[AliasSpec]) -> dict[str, set[UnitKey]]:
    """The units called by what stands before a noun in another name: for 한국은행, those called 한국."""
    heads = {head for spec in specs for head in _heads(fold(spec.surface).low.strip())}
    owners: dict[str, set[UnitKey]] = {}
    for spec in specs:
        if (norm := normalise_alias(spec.surface)) in heads:
            owners.setdefault(norm, set()).add(spec.unit)
    return owners


def _heads(name: str) -> Iterator[str]:
    for place in range(max(_SHORTEST_PART, len(name) - _LONGEST_NOUN), len(name) - 1):
        if name[place:] in NOUNS:
            yield name[:place]


def _traits(spec: AliasSpec, *, asset: bool, has_ticker: bool) -> _Traits:
    surface = fold(spec.surface).cased.strip()
    exact = default_case_sensitive(surface) if spec.case_sensitive is None else spec.case_sensitive
    ambiguous = default_ambiguous(surface) if spec.ambiguous is None else spec.ambiguous
    return _Traits(
        exact=surface.replace(" ", "") if exact else "",
        ambiguity=_ambiguity_of_doubtful(surface) if ambiguous else _ambiguity_of_plain(surface, exact=exact),
        contexts=tuple(filter(None, (fold(context).low.strip() for context in spec.blocked_contexts))),
        asset=asset,
        has_ticker=has_ticker,
    )


def _ambiguity_of_doubtful(surface: str) -> Ambiguity:
    norm = normalise_alias(surface)
    if norm in GENERIC_WORDS or norm in COMMON_ACRONYMS or len(norm) == 1:
        return Ambiguity.GENERIC
    if norm in KOREAN_WORDS or norm in ENGLISH_WORDS or (norm.isascii() and len(norm) <= _SHORTEST_PART):
        return Ambiguity.EVERYDAY
    return Ambiguity.COINED


def _ambiguity_of_plain(surface: str, *, exact: bool) -> Ambiguity:
    if all(map(is_syllable, surface)):
        return Ambiguity.SHORT if len(surface) <= _SHORTEST_PART else Ambiguity.PLAIN
    return Ambiguity.SHORT if exact and len(surface) <= _SPLITTABLE else Ambiguity.PLAIN


def _variants(spec: AliasSpec, owners: dict[str, set[UnitKey]]) -> Iterator[str]:
    """Spellings of one alias: as it is, its spaces closed up, and a long Hangul name broken into words."""
    low = fold(spec.surface).low.strip()
    yield low
    words = low.split(" ")
    if 1 < len(words) <= _MAX_SPACES:
        yield from _closed_up(words)
    elif len(words) == 1 and len(low) >= _SPLITTABLE and all(map(is_syllable, low)):
        yield from (broken for broken in _broken_up(low) if _reads_as_name(broken, spec.unit, owners))


def _closed_up(words: list[str]) -> Iterator[str]:
    """``a b c`` with any of its spaces gone."""
    for gaps in range(len(words) - 1):
        for kept in combinations(range(1, len(words)), gaps):
            yield "".join(f" {word}" if place in kept else word for place, word in enumerate(words))


def _broken_up(name: str) -> Iterator[str]:
    """``name`` with one or two spaces, no part under two syllables."""
    for gaps in range(1, _MAX_GAPS + 1):
        for cuts in combinations(range(_SHORTEST_PART, len(name) - 1), gaps):
            parts = [name[a:b] for a, b in zip((0, *cuts), (*cuts, len(name)), strict=True)]
            if min(map(len, parts)) >= _SHORTEST_PART:
                yield " ".join(parts)


def _reads_as_name(broken: str, unit: UnitKey, owners: dict[str, set[UnitKey]]) -> bool:
    """Whether a name broken into words is still its unit's: 한국 은행들 are banks."""
    head, _space, last = broken.rpartition(" ")
    if last not in NOUNS:
        return True
    known = owners.get(head.replace(" ", ""))
    return last not in _PLURAL_NOUNS if known is None else unit in known


def _pattern(text: str, entries: tuple[Entry, ...]) -> Pattern:
    first, last = text[0], text[-1]
    hangul = all(is_syllable(char) or char == " " for char in text)
    plain = any(entry.ambiguity <= Ambiguity.SHORT for entry in entries)
    return Pattern(
        text=text,
        entries=entries,
        ambiguity=min(entry.ambiguity for entry in entries),
        any_case=not any(entry.exact for entry in entries),
        contexts=any(entry.contexts for entry in entries),
        hangul_first=is_syllable(first),
        hangul_last=is_syllable(last),
        latin_first=first.isascii() and first.isalnum(),
        latin_last=last.isascii() and last.isalnum(),
        strong=hangul and plain and len(text) > _SHORTEST_PART,
        word=text in ENGLISH_WORDS,
        several_units=len({entry.unit for entry in entries}) > 1,
    )
