"""What a text is about, as far as it tells whether an ambiguous name in it is a canonical unit."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from typing import Literal, get_args

import ahocorasick

from knowledge.linking.hangul import is_syllable
from knowledge.linking.lexicon import read_words

_MONEY = re.compile(r"\d[\d,.]{0,15} ?[천만억조]{0,2} ?(?:달러|원|엔|위안|%|퍼센트|배|usd|krw)|[$₩]\d")
_DIGIT = re.compile(r"\d")  # without one there is no amount, and looking for one is quick
_LATIN = re.compile(r"[a-z0-9_]")

Subject = Literal["crypto", "market", "macro", "funds", "everyday"]
_SUBJECTS: tuple[Subject, ...] = get_args(Subject)


def weigh(low: str, names: Sequence[tuple[int, int]]) -> dict[Subject, int]:
    """How many different cues of each subject a folded text holds. ``names`` are the spans of its names in order; none
    is a cue.
    """
    seen = {low[start:end] for start, end in names}
    counts = dict.fromkeys(_SUBJECTS, 0)
    for last, (cue, latin, subject) in _automaton().iter(low):
        if cue in seen:
            continue
        start, end = last + 1 - len(cue), last + 1
        if _stands(low, start, end, latin, subject) and not _within(names, start, end):
            seen.add(cue)
            counts[subject] += 1
    if _DIGIT.search(low):
        counts["market"] += any(not _within(names, *match.span()) for match in _MONEY.finditer(low))
    return counts


def _stands(low: str, start: int, end: int, latin: bool, subject: Subject) -> bool:
    """Whether a cue is a word there, and not letters of another."""
    before = low[start - 1 : start]
    if latin:
        return not (_LATIN.match(before) or _LATIN.match(low, end))
    # 자동화 is no 동화, so everyday words count only at the beginning of a word; 알트코인 does say 코인.
    return subject != "everyday" or not before or not is_syllable(before)


def _within(names: Sequence[tuple[int, ...]], start: int, end: int) -> bool:
    """Whether ``start:end`` overlaps one of ``names``, which are in order and do not overlap."""
    at = bisect_left(names, (end,))  # the first that begins at ``end`` or later
    return at > 0 and names[at - 1][1] > start


@cache
def _automaton() -> ahocorasick.Automaton:
    automaton = ahocorasick.Automaton()
    for subject in _SUBJECTS:
        for word in read_words(f"cues_{subject}"):
            automaton.add_word(word, (word, word.isascii(), subject))
    automaton.make_automaton()
    return automaton
