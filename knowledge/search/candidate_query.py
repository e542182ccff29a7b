"""Which passages are worth scoring: a budget of document frequencies.

Scoring every passage that holds any word of the question costs a second at 200,000 passages, nearly all of it spent on
common words. The rarest words find nearly everything that matters; common ones join in as conjunctions.
"""

import math
from collections.abc import Iterable, Mapping
from itertools import combinations

from knowledge.search.lexemes import quoted_lexeme

# Candidate passages, estimated; the second when the first brought fewer than ENOUGH.
BUDGETS = (3_000, 20_000)
ENOUGH = 20
# Words of one question meet in a text this many times more often than if they were strangers.
TOGETHERNESS = 3.0
CONJUNCTION_MAX = 4  # words
_CONJOINED_MAX = 8  # rarest common words that take part: 154 conjunctions at most


def candidate_query(frequencies: Mapping[str, int], passages: int, budget: float) -> str:
    """A tsquery whose matches are estimated within ``budget``; empty when no word and no conjunction fits.

    ``frequencies``: the document frequency, above 0, of each lexeme that may take part.
    """
    rarest_first = sorted(frequencies, key=lambda lexeme: (frequencies[lexeme], lexeme))
    alone: list[str] = []
    left = budget
    while rarest_first and frequencies[rarest_first[0]] <= left:
        alone.append(rarest_first.pop(0))
        left -= frequencies[alone[-1]]
    common = {lexeme: frequencies[lexeme] for lexeme in rarest_first[:_CONJOINED_MAX]}
    conjunctions = [
        f"({' & '.join(map(quoted_lexeme, sorted(words)))})"
        for words in _fitting_conjunctions(common, passages, left)
    ]
    return " | ".join([*map(quoted_lexeme, alone), *conjunctions])


def any_of(lexemes: Iterable[str]) -> str:
    """A tsquery for every passage that holds at least one of these."""
    return " | ".join(map(quoted_lexeme, lexemes))


def _fitting_conjunctions(
    frequencies: Mapping[str, int], passages: int, budget: float
) -> list[frozenset[str]]:
    """Conjunctions within the budget, shorter ones first: a chosen pair covers longer ones that hold it."""
    chosen: list[frozenset[str]] = []
    for size in range(2, CONJUNCTION_MAX + 1):
        estimated = sorted(
            (_estimate([frequencies[word] for word in words], passages), words)
            for words in combinations(frequencies, size)
        )
        for estimate, words in estimated:
            if estimate > budget:
                break
            if not any(known.issubset(words) for known in chosen):
                chosen.append(frozenset(words))
                budget -= estimate
    return chosen


def _estimate(frequencies: list[int], passages: int) -> float:
    """About how many passages hold all of these words: n·3^(k−1)·Π(df/n)."""
    share = math.prod(df / max(passages, df) for df in frequencies)
    return passages * TOGETHERNESS ** (len(frequencies) - 1) * share
