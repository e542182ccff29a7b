"""What the common words of headlines mean, alike in Korean and in English. Pure but for reading its list once.

`소비자물가` and `consumer prices` are both `cpi`, `파산보호` and `Chapter 11` both `bankruptcy`.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from knowledge.events.common_words import COMMON_WORDS

LIST = Path(__file__).with_name("meanings.txt")
WORD = re.compile(r"[가-힣]+|[一-龥]|[a-z0-9](?:[a-z0-9.,&-]*[a-z0-9])?")
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
LATIN_WORD = re.compile(r"[A-Za-z'.-]+")
LONGEST_KOREAN = 7  # syllables
LONGEST_PHRASE = 4  # words
LEAST_STEM = 2
# What an English word ends in besides its stem, and what the stem has instead.
ENDINGS = (
    *(("", ""), ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("d", ""), ("ied", "y")),
    *(("ing", ""), ("ing", "e"), ("'s", "")),
)

Meanings = dict[str, tuple[str, ...]]


def meanings(text: str) -> Iterator[str]:
    """What the words of a caseless text mean, in their order. A number of two digits or more means itself."""
    words = WORD.findall(text)
    place = 0
    while place < len(words):
        word, taken = words[place], 1
        if "가" <= word[0] <= "힣":
            yield from _of_korean(word)
        elif word in _lists()[0]:
            yield from _lists()[0][word]
        elif word[0].isdigit():
            yield from _of_number(word, words[place + 1 : place + 2])
        else:
            taken, found = _of_english(words[place : place + LONGEST_PHRASE])
            yield from found
        place += taken


def is_common(word: str) -> bool:
    """Whether a caseless word of Latin letters is a common one, so that it is no name."""
    return word in COMMON_WORDS or bool(_of_english([word])[1])


def without_phrases(text: str) -> str:
    """The text with a gap where a phrase of the list stands, as Hong Kong: no word of it is a name."""
    words = [match.span() for match in LATIN_WORD.finditer(text)]
    for length in range(LONGEST_PHRASE, 1, -1):
        for first, last in zip(words, words[length - 1 :], strict=False):
            start, end = first[0], last[1]
            if text[start:end].casefold() in _lists()[1]:
                text = text[:start] + " " * (end - start) + text[end:]
    return text


def common_beginning(word: str) -> int:
    """How many syllables of a word of Hangul are the common word that it begins with, 0 if it begins with none."""
    lengths = range(LONGEST_KOREAN, 1, -1)
    return next((length for length in lengths if word[:length] in _lists()[0]), 0)


@cache
def _lists() -> tuple[Meanings, Meanings]:
    """The meanings of each Korean and of each English word."""
    korean: Meanings = {}
    english: Meanings = {}
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        meaning, _, words = line.partition(": ")
        for listed, side in zip((korean, english), words.split(" / "), strict=True):
            for word in side.replace("_", "\N{NO-BREAK SPACE}").split(" "):
                known = word.replace("\N{NO-BREAK SPACE}", " ")
                listed[known] = (*listed.get(known, ()), meaning)
    return korean, english


def _of_korean(word: str) -> Iterator[str]:
    korean, start = _lists()[0], 0
    if len(word) == 1:
        yield from korean.get(word, ())
    while start < len(word) - 1:
        ends = range(min(len(word), start + LONGEST_KOREAN), start + 1, -1)
        end = next((end for end in ends if word[start:end] in korean), 0)
        yield from korean.get(word[start:end], ())
        start = end or start + 1


def _of_number(word: str, following: list[str]) -> Iterator[str]:
    month = word + "".join(following)[:1]
    if month in _lists()[0]:
        yield from _lists()[0][month]
    elif (number := NUMBER.match(word)) and len(number[0]) > 1:
        yield number[0].replace(",", "")


def _of_english(words: list[str]) -> tuple[int, tuple[str, ...]]:
    """How many of these words the longest phrase takes that they begin with, and what it means."""
    english = _lists()[1]
    for length in range(len(words), 0, -1):
        first, between, last = words[0], words[1 : length - 1], words[length - 1]
        for stem in _stems(first):
            for other in _stems(last) if length > 1 else [""]:
                phrase = " ".join([stem, *between, other]).rstrip()
                if phrase in english:
                    return length, english[phrase]
    return 1, ()


@lru_cache(maxsize=4096)
def _stems(word: str) -> tuple[str, ...]:
    found = []
    for ending, instead in ENDINGS:
        stem = word.removesuffix(ending)
        if (ending and stem == word) or len(stem) < LEAST_STEM:
            continue
        found.append(stem + instead)
        # A doubled consonant: dropped, planning.
        if ending in ("ed", "ing") and not instead and len(stem) > LEAST_STEM + 1 and stem[-1] == stem[-2]:
            found.append(stem[:-1])
    return tuple(found)
