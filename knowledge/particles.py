"""Korean particles that depend on how the word before them ends; Latin letters and digits by their Korean names."""

_CONSONANT_LETTERS = "LMNR"  # letters whose Korean name ends in a consonant: 엘 엠 엔 알
_CONSONANT_DIGITS = "013678"  # 영 일 삼 육 칠 팔
_RIEUL = "LR178"  # 엘 알 일 칠 팔
_FINALS = 28  # forms of a syllable with the same beginning, the first without a final consonant
_FINAL_RIEUL = 8


def subject_particle(word: str) -> str:
    """이 after a final consonant, 가 after a vowel."""
    return "이" if _final(word) else "가"


def topic_particle(word: str) -> str:
    """은 after a final consonant, 는 after a vowel."""
    return "은" if _final(word) else "는"


def direction_particle(word: str) -> str:
    """으로 after a final consonant other than ㄹ, 로 otherwise."""
    return "으로" if _final(word) not in (0, _FINAL_RIEUL) else "로"


def _final(word: str) -> int:
    """The place of the word's final consonant among those of Hangul, 0 for a vowel; for a Latin letter or a digit that
    of ㄹ or of another."""
    last = next((character for character in reversed(word.upper()) if character.isalnum()), "")
    if "가" <= last <= "힣":
        return (ord(last) - ord("가")) % _FINALS
    if last and last in _RIEUL:
        return _FINAL_RIEUL
    return 1 if last and last in _CONSONANT_LETTERS + _CONSONANT_DIGITS else 0
