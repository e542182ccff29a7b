"""Names by their sound, so that 다온은행 and Daon Bank meet without being known. Pure."""

import re
from collections.abc import Iterator

INITIALS = ("k", "k", "n", "t", "t", "l", "m", "p", "p", "s", "s", "", "s", "s", "s", "k", "t", "p", "")
# What Hangul writes between the consonants of a loanword, 으, is no sound of it.
VOWELS = (
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae",
    "oe", "yo", "u", "wo", "we", "wi", "yu", "", "ui", "i",
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
SOFT_G = re.compile(r"d?g(?=[eiy])")
TH = re.compile("th")
HARD_G = re.compile(r"ng(?=[aeiouy])")
ROUGHLY = {"a": "a", "e": "e", "i": "e", "y": "e", "o": "o", "u": "o"}
CONSONANTS = re.compile(r"[^a-z]|[aeiouwy]")
LEAST_CONSONANTS = 3  # of fewer the vowels must agree as well
LONGEST = 7  # syllables of a name written in Hangul
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


def parties(text: str) -> list[tuple[str, list[str]]]:
    """The exchanges, banks, bridges and the like that a text names with their kind: each as written, and its sounds."""
    hangul = ((match[1], list(_hangul(match[1]))[-1:]) for match in HANGUL_PARTY.finditer(text))
    latin = ((match[1].lower(), list(_latin(match[1]))) for match in LATIN_PARTY.finditer(text))
    named = (party for party in (*hangul, *latin) if party[0] not in NO_NAMES)
    return [(name, [key for key in map(_key, sounds) if key]) for name, sounds in named]


def loosely(key: str) -> str:
    """The key of a name of two consonants with its first vowel alone, told roughly, so that 탤로 and Tallow meet; every
    other key as it is."""
    consonants = CONSONANTS.sub("", key)
    vowel = next((ROUGHLY[letter] for letter in key if letter in ROUGHLY), "")
    if key.isupper() or len(consonants) < LEAST_CONSONANTS - 1 or not vowel:
        return key
    return f"{vowel}-{consonants}" if key[0] in "aeiouwy" else f"{consonants[0]}{vowel}{consonants[1:]}"


def _hangul(word: str) -> Iterator[str]:
    sound = ""
    for count, syllable in enumerate(word[:LONGEST], start=1):
        place = ord(syllable) - FIRST
        initial, vowel, final = INITIALS[place // 588], VOWELS[place % 588 // 28], FINALS[place % 28]
        # ㄹㄹ is one l.
        sound += ("" if initial == "l" and sound.endswith("l") else initial) + vowel + final
        if count >= 2:
            yield sound


def _latin(word: str) -> Iterator[str]:
    """As written, and without an r before a consonant or at the end, which Hangul often leaves out; a th as t and as s,
    since Hangul writes either; ng before a vowel as one sound and as two, a g before e, i or y as one and as j."""
    plain = SILENT_GH.sub("", word.lower())
    ways = {plain: None, SILENT_R.sub("", plain): None}
    for spelling, instead in ((TH, "s"), (HARD_G, "nk"), (SOFT_G, "j")):
        ways |= {spelling.sub(instead, way): None for way in ways}
    for way in ways:
        sound = SOFT_C.sub("s", way)
        for letters, class_ in LATIN:
            sound = sound.replace(letters, class_)
        yield re.sub(r"(.)\1", r"\1", sound)


def _key(sound: str) -> str:
    consonants = CONSONANTS.sub("", sound)
    if len(consonants) >= LEAST_CONSONANTS:
        return consonants.upper()
    return sound if len(sound) >= LEAST_CONSONANTS else ""
