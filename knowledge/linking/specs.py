"""Aliases as the linker takes them, and what the linker finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from knowledge.linking.hangul import is_syllable
from knowledge.linking.lexicon import COMMON_ACRONYMS, ENGLISH_WORDS, GENERIC_WORDS, KOREAN_WORDS
from knowledge.normalise import fold, normalise_alias

UnitKey: TypeAlias = int | str  # a key of the database, or a name in a labelled file

_SHORT_HANGUL = 2  # syllables
_SHORT_TICKER = 3  # letters
_VOWELS = frozenset("aeiouy")


@dataclass(frozen=True, slots=True)
class AliasSpec:
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


@dataclass(frozen=True, slots=True)
class Found:
    """A unit named in a text: ``text[start:end] == surface``."""

    unit: UnitKey
    start: int
    end: int
    surface: str
    owner: UnitKey


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
