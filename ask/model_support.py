"""Of a model's answer the sentences that say what they cite. The others are left out, whole.

Half of a sentence may say the opposite, so a sentence stays or goes. It stays when most of it is cited and all that it
states to the digit or by name stands in what is cited there: a number of a block in the sentences that this block
cites, a number between blocks in those that the sentence cites.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise

from ask import prose
from ask.language import Language
from ask.passages import CITED_SHARE_MIN, Passage, text_of, without
from ask.prompts import Prompt
from ask.support import Claim, Finding, Support, claims
from knowledge.search.sentences import split_sentences


def supported(passages: Sequence[Passage], prompt: Prompt, find: Finding) -> list[Passage]:
    """The passages without the sentences that cite too little, or state what they do not cite."""
    answer = _Answer(passages, prompt, find)
    stated = sorted(claims(text_of(passages), find), key=lambda claim: claim.start)
    left_out, at = [], 0
    for start, end in _sentences(passages, prompt.lang):
        first, at = (
            at,
            next((place for place in range(at, len(stated)) if stated[place].start >= end), len(stated)),
        )
        if not (answer.is_cited(start, end) and answer.states(stated[first:at], start, end)):
            left_out.append((start, end))
    return without(passages, left_out)


def _sentences(passages: Sequence[Passage], lang: Language) -> list[tuple[int, int]]:
    """Where the sentences stand. A model writes its next block without a blank, so a cited one that ends with a full
    stop ends a sentence."""
    ends = set(accumulate(len(one) for one in split_sentences(text_of(passages), lang)))
    blocks = zip(passages, accumulate(len(one.text) for one in passages), strict=True)
    ends.update(end for one, end in blocks if one.cited and prose.ends_sentence(one.text))
    return list(pairwise([0, *sorted(ends - {0})]))


class _Answer:
    def __init__(self, passages: Sequence[Passage], prompt: Prompt, find: Finding) -> None:
        self._passages = passages
        self._ends = list(accumulate(len(one.text) for one in passages))
        self._question = prompt.question
        self._find = find
        self._supports: dict[tuple[int, ...], Support] = {}

    def is_cited(self, start: int, end: int) -> bool:
        """Whether a sentence says nothing at all, or most of it is cited."""
        parts = self._between(start, end)
        total = sum(prose.weight(one.text) for one in parts)
        return sum(prose.weight(one.text) for one in parts if one.cited) >= CITED_SHARE_MIN * total

    def states(self, stated: Sequence[Claim], start: int, end: int) -> bool:
        """Whether all that a sentence claims stands in what it cites."""
        return all(claim.rests_on(self._support(claim, start, end)) for claim in stated)

    def _support(self, claim: Claim, start: int, end: int) -> Support:
        parts = self._between(claim.start, claim.end)
        if not all(one.cited for one in parts):
            parts = self._between(start, end)
        rests = tuple({id(rest): rest for one in parts for rest in one.rests}.values())
        key = tuple(map(id, rests))
        if key not in self._supports:
            self._supports[key] = Support(rests, self._question, self._find)
        return self._supports[key]

    def _between(self, start: int, end: int) -> list[Passage]:
        """The parts of the passages between two places of their text."""
        parts = []
        for place in range(bisect_right(self._ends, start), len(self._passages)):
            one = self._passages[place]
            at = self._ends[place] - len(one.text)
            if at >= end:
                break
            parts.append(one.saying(one.text[max(0, start - at) : end - at]))
        return parts
