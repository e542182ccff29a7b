"""Names by their sound, so that 다온은행 and Daon Bank meet without being known. Pure."""

import re
from collections.abc import Iterator

INITIALS = ("k", "k", "n", "t", "t", "l", "m", "p", "p", "s", "s", "", "s", "s", "s", "k", "t", "p", "")
VOWELS = (
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae",
    "oe", "yo", "u", "wo", "we", "wi", "yu", "eu", "ui", "i",
)  # fmt: skip
FINALS = (
    "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p",
    "t", "t", "n", "t", "t", "k", "t", "p", "",
)  # fmt: skip
LATIN = (
    ("ph", "p"), ("ch", "s"), ("sh", "s"), ("th", "t"), ("ck", "k"), ("ng", "n"), ("qu", "k"), ("x", "ks"),
    ("c", "k"), ("g", "k"), ("q", "k"), ("r", "l"), ("b", "p"), ("v", "p"), ("f", "p"), ("d", "t"), ("z", "s"),
    ("j", "s"), ("h", ""),
)  # fmt: skip
SILENT_R = re.compile(r"(?<=[aeiouy])r(?![aeiouyr])")
SILENT_GH = re.compile(r"(?<=[aeiou])gh(?=t|$)")
SOFT_C = re.compile(r"c(?=[eiy])")
CONSONANTS = re.compile(r"[^a-z]|[aeiouwy]")
LEAST_CONSONANTS = 3  # of fewer the vowels must agree as well
LONGEST = 5  # syllables of a name written in Hangul
FIRST = ord("가")
HANGUL_PARTY = re.compile(
    r"([가-힣]{2,5}?)(?:거래소|은행(?!권)|\s?재단|\s?브리지|\s?프로토콜|페이(?!지|퍼)|증권(?!사)|\s?캐피탈|\s?랩스)"
)
LATIN_PARTY = re.compile(
    r"\b([A-Z][A-Za-z]{2,})(?:'s)? (?:[Ee]xchange|[Bb]ank|[Bb]ridge|[Ff]oundation|[Pp]rotocol|"
    r"[Pp]ay|[Ss]ecurities|[Cc]apital|[Ll]abs)\b"
)
NO_NAMES = frozenset(
    re.findall(
        r"\w+",
        """국내 해외 코인 가상자산 자산 디지털자산 암호화폐 중앙 시중 대형 주요 글로벌 탈중앙화 한국 일본 유럽중앙
        crypto korean the central major global local national bitcoin south stock cross""",
    )
)


def of_hangul(word: str) -> Iterator[str]:
    """The sounds of the beginnings of a word, since what stands behind a name is written together with it."""
    return (key for key in map(_key, _hangul(word)) if key)


def of_latin(word: str) -> Iterator[str]:
    return (key for key in map(_key, _latin(word)) if key)


def parties(text: str) -> frozenset[str]:
    """The sounds of the exchanges, banks, bridges and the like that a text names with their kind."""
    hangul = [match[1] for match in HANGUL_PARTY.finditer(text)]
    latin = [match[1] for match in LATIN_PARTY.finditer(text)]
    sounds = [sound for name in hangul if name not in NO_NAMES for sound in list(_hangul(name))[-1:]]
    sounds += [sound for name in latin if name.lower() not in NO_NAMES for sound in _latin(name)]
    return frozenset(filter(None, map(_key, sounds)))


def _hangul(word: str) -> Iterator[str]:
    sound = ""
    for count, syllable in enumerate(word[:LONGEST], start=1):
        place = ord(syllable) - FIRST
        initial, vowel, final = INITIALS[place // 588], VOWELS[place % 588 // 28], FINALS[place % 28]
        # ㄹㄹ is one l.
        sound += ("" if initial == "l" and sound.endswith("l") else initial) + vowel + final
        if count >= 2:
            yield sound.removesuffix("eu")


def _latin(word: str) -> Iterator[str]:
    """As written, and without an r before a consonant or at the end, which Hangul often leaves out; a th as t and as s,
    since Hangul writes either."""
    plain = SILENT_GH.sub("", word.lower())
    for spelling in dict.fromkeys((plain, SILENT_R.sub("", plain))):
        for sound in dict.fromkeys((spelling, spelling.replace("th", "s"))):
            sound = SOFT_C.sub("s", sound)
            for letters, class_ in LATIN:
                sound = sound.replace(letters, class_)
            yield re.sub(r"(.)\1", r"\1", sound)


def _key(sound: str) -> str:
    consonants = CONSONANTS.sub("", sound)
    if len(consonants) >= LEAST_CONSONANTS:
        return consonants.upper()
    return sound if len(sound) >= LEAST_CONSONANTS else ""
