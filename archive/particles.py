"""Korean particles by the sound before them: ``거래 항구[은/는]`` becomes ``거래 항구는``.

The first form follows a final consonant, the second a vowel; ``[으로/로]`` also follows ㄹ with its second form.
"""

import re

MARK = re.compile(r"(\S)\[([가-힣]+)/([가-힣]+)\]")
HANGUL_FIRST, HANGUL_LAST, FINALS = 0xAC00, 0xD7A3, 28
RIEUL = 8
# 영 일 이 삼 사 오 육 칠 팔 구: the final consonant of each digit as it is read.
DIGIT_FINALS = {"0": 21, "1": RIEUL, "2": 0, "3": 16, "4": 0, "5": 0, "6": 1, "7": RIEUL, "8": RIEUL, "9": 0}
# Letters whose Korean names end in a consonant: 엘 엠 엔 알.
LETTER_FINALS = {"l": RIEUL, "m": 16, "n": 4, "r": RIEUL}


def final_of(character: str) -> int:
    """The index of the final consonant with which a character is read aloud; 0 for none."""
    code = ord(character)
    if HANGUL_FIRST <= code <= HANGUL_LAST:
        return (code - HANGUL_FIRST) % FINALS
    return DIGIT_FINALS.get(character, LETTER_FINALS.get(character.lower(), 0))


def with_particles(text: str) -> str:
    """``text`` with every ``[A/B]`` mark replaced by the form that fits the character before it."""
    return MARK.sub(_chosen, text)


def _chosen(match: re.Match[str]) -> str:
    before, closed, open_ = match.groups()
    final = final_of(before)
    is_open = final == 0 or (closed == "으로" and final == RIEUL)
    return before + (open_ if is_open else closed)
