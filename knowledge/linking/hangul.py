"""Korean word building: what may follow a name inside one written word."""

import re
from functools import lru_cache
from typing import Final

from knowledge.linking.lexicon import read_words

LONGEST_TAIL = 14  # syllables after a name; a longer run is another word
HANGUL_RUN = re.compile(rf"[가-힣]{{1,{LONGEST_TAIL + 1}}}")

PARTICLES = read_words("particles")
NOUNS = read_words("nouns")

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


# What may stand between a name and its particle, and what it says.
_WORDS: dict[str, int] = {
    # One syllable that makes another noun of a name: 트럼프발, 업비트측. After a doubtful name it counts against.
    **dict.fromkeys("측발표식급계형판용간내상값주화권파법팀앱붐롱숏갤", Tail.AFFIXED),
    # Forms of address: whoever bears the name is a person.
    **dict.fromkeys("씨님양군", Tail.ADDRESSED),
    **dict.fromkeys(NOUNS, Tail.NONE),
    **dict.fromkeys(("코인", "토큰"), Tail.COIN),
}
_LONGEST_WORD = max(map(len, _WORDS))


def is_syllable(char: str) -> bool:
    return "가" <= char <= "힣"


@lru_cache(maxsize=65_536)
def read_tail(tail: str, nouns_left: int = 3) -> int:
    """Read ``tail`` as nouns (at most three) and then a particle, each optional."""
    if not tail or tail in PARTICLES:
        return Tail.FITS
    if nouns_left:
        for length in range(min(len(tail), _LONGEST_WORD), 0, -1):
            says = _WORDS.get(tail[:length])
            if says is not None and (rest := read_tail(tail[length:], nouns_left - 1)):
                return rest | says
    return Tail.NONE
