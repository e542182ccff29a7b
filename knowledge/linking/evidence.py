"""What a text is about, as far as it tells whether an ambiguous name in it is a canonical unit."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

import ahocorasick

from knowledge.linking.hangul import is_syllable
from knowledge.linking.lexicon import CRYPTO_CUES, EVERYDAY_CUES, MACRO_CUES, MARKET_CUES

_MONEY = re.compile(r"\d[\d,.]{0,15} ?[천만억조]{0,2} ?(?:달러|원|엔|위안|%|퍼센트|배|usd|krw)|[$₩]\d")
_LATIN = re.compile(r"[a-z0-9_]")


class CueKind(IntEnum):
    CRYPTO = 0
    MARKET = 1
    MACRO = 2
    EVERYDAY = 3


@dataclass(frozen=True, slots=True)
class CueCounts:
    """How many different cues of each subject a text holds outside its names."""

    crypto: int
    market: int
    macro: int
    everyday: int


def weigh(low: str, names: Sequence[tuple[int, int]]) -> CueCounts:
    """Count the cues of a folded text. ``names`` are the spans of its names in order; none is a cue."""
    seen = {low[start:end] for start, end in names}
    counts = [0] * len(CueKind)
    for last, (cue, latin, subject) in _automaton().iter(low):
        if cue in seen:
            continue
        start, end = last + 1 - len(cue), last + 1
        if _stands(low, start, end, latin, subject) and not _within(names, start, end):
            seen.add(cue)
            counts[subject] += 1
    money = any(not _within(names, *match.span()) for match in _MONEY.finditer(low))
    return CueCounts(
        crypto=counts[CueKind.CRYPTO],
        market=counts[CueKind.MARKET] + money,
        macro=counts[CueKind.MACRO],
        everyday=counts[CueKind.EVERYDAY],
    )


def _stands(low: str, start: int, end: int, latin: bool, subject: CueKind) -> bool:
    """Whether a cue is a word there, and not letters of another."""
    before = low[start - 1 : start]
    if latin:
        return not (_LATIN.match(before) or _LATIN.match(low, end))
    # 자동화 is no 동화, so everyday words count only at the beginning of a word; 알트코인 does say 코인.
    return subject is not CueKind.EVERYDAY or not before or not is_syllable(before)


def _within(names: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether ``start:end`` overlaps one of ``names``, which are in order and do not overlap."""
    at = bisect_left(names, end, key=lambda name: name[0])
    return at > 0 and names[at - 1][1] > start


@cache
def _automaton() -> ahocorasick.Automaton:
    automaton = ahocorasick.Automaton()
    subjects = (
        (CueKind.MACRO, MACRO_CUES),
        (CueKind.MARKET, MARKET_CUES),
        (CueKind.CRYPTO, CRYPTO_CUES),
        (CueKind.EVERYDAY, EVERYDAY_CUES),
    )
    for subject, words in subjects:
        for word in words:
            automaton.add_word(word, (word, word.isascii(), subject))
    automaton.make_automaton()
    return automaton
