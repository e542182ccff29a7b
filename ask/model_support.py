"""Of a model's answer the sentences that say what they cite, in the language of the question. The others are left out.

Half of a sentence may say the opposite, so a sentence stays or goes. It stays when most of it is cited and all that it
states to the digit or by name stands in what is cited there: a number of a block in the sentences that this block
cites, a number between blocks in those that the sentence cites.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise

from ask import marks, prose
from ask.language import Language
from ask.passages import CITED_SHARE_MIN, Passage, text_of, without
from ask.prompts import Prompt
from ask.support import Claim, Finding, Support, claims
from knowledge.search.sentences import split_sentences

HANGUL_SHARE_MAX = 0.2  # of the letters of an English sentence: names and titles


def supported(passages: Sequence[Passage], prompt: Prompt, find: Finding) -> list[Passage]:
    """The passages without the sentences that cite too little, state what they do not cite, or cannot be read."""
    answer = _Answer(passages, prompt, find)
    return without(
        passages, [span for span in _sentences(passages, prompt.lang) if not answer.may_say(*span)]
    )


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
        self._question, self._lang = prompt.question, prompt.lang
        self._find = find
        self._claims = sorted(claims(text_of(passages), find), key=lambda claim: claim.start)
        self._supports: dict[tuple[int, ...], Support] = {}

    def may_say(self, start: int, end: int) -> bool:
        """Whether the sentence that stands there may be shown."""
        return self._is_cited(start, end) and self._is_readable(start, end) and self._is_supported(start, end)

    def _is_cited(self, start: int, end: int) -> bool:
        """Whether a sentence says nothing at all, or most of it is cited."""
        parts = self._between(start, end)
        total = sum(prose.weight(one.text) for one in parts)
        return sum(prose.weight(one.text) for one in parts if one.cited) >= CITED_SHARE_MIN * total

    def _is_readable(self, start: int, end: int) -> bool:
        """Whether a sentence is in the language of the question, and poses as no AI persona's unless it cites one."""
        parts = self._between(start, end)
        said = text_of(parts)
        letters = sum(map(str.isalpha, said))
        hangul = sum("가" <= one <= "힣" for one in said)
        right = bool(hangul) or not letters if self._lang == "ko" else hangul <= HANGUL_SHARE_MAX * letters
        return right and not (
            marks.POSES.match(said) and not any(one.is_opinion for part in parts for one in part.cited)
        )

    def _is_supported(self, start: int, end: int) -> bool:
        """Whether all that a sentence claims stands in what it cites."""
        first, last = (
            bisect_left(self._claims, place, key=lambda claim: claim.start) for place in (start, end)
        )
        return all(claim.rests_on(self._support(claim, start, end)) for claim in self._claims[first:last])

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
