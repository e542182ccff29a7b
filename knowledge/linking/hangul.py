"""Korean word building: what may follow a name inside one written word."""

import re
from functools import lru_cache
from typing import Final

from knowledge.linking.lexicon import read_words

SYLLABLE_FIRST, SYLLABLE_LAST = "가", "힣"
LONGEST_TAIL = 14  # syllables after a name; a longer run is another word
HANGUL_RUN = re.compile(rf"[가-힣]{{1,{LONGEST_TAIL + 1}}}")
_MAX_NOUNS = 3
_MAX_MEMOISED_TAILS = 65_536

PARTICLES = read_words("particles")
NOUNS = read_words("nouns")

# One syllable that makes another noun of a name: 트럼프발, 업비트측. After a doubtful name it counts against.
AFFIXES = frozenset("측발표식급계형판용간내상값주화권파법팀앱붐롱숏갤")

# Forms of address: whoever bears the name is a person.
ADDRESSES = frozenset("씨님양군")

COIN_NOUNS = frozenset({"코인", "토큰"})

# Everyday words in which a short name and a particle only seem to meet.
LOOKALIKE = re.compile(r"도지사|이더라|비코인|솔로|보라고|보라는")
# A surname with a title reads like a name with a particle: 김프로는 is Mr Kim the professional.
TITLED_NAME = re.compile(
    "[김이박최정강조윤장임한오서신권황안송류홍전고문양손배백허유남심노하곽성차주우구민진나]프로(?!토콜|젝트)"
)


class Tail:
    """How the syllables after a name read: bits of a plain int, for an enum would slow every document."""

    NONE: Final = 0  # they belong to another word
    FITS: Final = 1
    AFFIXED: Final = 2  # only by a one-syllable affix
    COIN: Final = 4  # 코인 or 토큰 is part of it
    ADDRESSED: Final = 8  # by 씨 or 님


def is_syllable(char: str) -> bool:
    return SYLLABLE_FIRST <= char <= SYLLABLE_LAST


@lru_cache(maxsize=_MAX_MEMOISED_TAILS)
def read_tail(tail: str) -> int:
    """Read ``tail`` as nouns (at most three) and then a particle, each optional."""
    return _read(tail, _MAX_NOUNS)


def _read(tail: str, nouns_left: int) -> int:
    if not tail or tail in PARTICLES:
        return Tail.FITS
    if not nouns_left:
        return Tail.NONE
    for length in range(min(len(tail), 6), 1, -1):
        head = tail[:length]
        if head in NOUNS:
            rest = _read(tail[length:], nouns_left - 1)
            if rest:
                return rest | (Tail.COIN if head in COIN_NOUNS else Tail.NONE)
    return _read_syllable(tail, nouns_left)


def _read_syllable(tail: str, nouns_left: int) -> int:
    """Read a tail whose first noun is a single syllable."""
    head, rest = tail[0], _read(tail[1:], nouns_left - 1)
    if not rest:
        return Tail.NONE
    if head in NOUNS:
        return rest
    if head in ADDRESSES:
        return rest | Tail.ADDRESSED
    return rest | Tail.AFFIXED if head in AFFIXES else Tail.NONE
