"""The things that questions ask for and texts tell, each known by a group of words: formal, everyday and English ones.

A line of ``words/concepts/*.txt`` is a group; ``_`` stands in it for a space. Whether a text tells what is asked for is
whether both have words of one group: so a salary is found by 연봉 and by "paid a year", and one that nobody wrote down
is missed.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from ask.patterns import WORDS
from knowledge.search.morphemes import Token, normalise
from knowledge.search.words import analyse

_WORDS_MAX = 5  # of an English phrase
_TYPO_LETTERS_MIN = {
    True: 6,
    False: 4,
}  # of a Latin and of a Hangul word, below which one slip makes another word
_OTHER_NOUN_MIN = 2  # letters beyond a word that begins a longer noun, which then is another
_NOUNS = frozenset({"NNG", "NNP"})
_LATIN_WORD = re.compile(r"[a-z0-9][a-z0-9'&-]*")
_HANGUL = re.compile(r"[가-힣]")
_WRITTEN = re.compile(r"(?<!\S)[가-힣]")  # where a Korean word begins


@dataclass(frozen=True, slots=True)
class ConceptMention:
    """A word or phrase of some concepts, by its place in ``normalise(text)``."""

    start: int
    end: int
    concepts: frozenset[int]


@cache
def groups() -> tuple[tuple[str, ...], ...]:
    """The words of each concept, phrases with spaces; a concept is known by its place here."""
    lines = (
        line
        for path in sorted((WORDS / "concepts").glob("*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    return tuple(
        tuple(dict.fromkeys(word.lower().replace("_", " ") for word in line.split()))
        for line in lines
        if line.strip() and not line.startswith("#")
    )


def mentions(text: str) -> tuple[ConceptMention, ...]:
    """The concepts that a text speaks of, in order; of words within a longer phrase only the phrase."""
    kept: list[ConceptMention] = []
    for start, end, concepts in sorted(_spans(text, analyse(text)), key=lambda span: (span[0], -span[1])):
        if not kept or end > kept[-1].end:
            kept.append(ConceptMention(start, end, concepts))
        elif (start, end) == (kept[-1].start, kept[-1].end):
            kept[-1] = ConceptMention(start, end, kept[-1].concepts | concepts)
    return tuple(kept)


def told(text: str, tokens: Iterable[Token] | None = None) -> frozenset[int]:
    """All concepts that a text has a word of; ``tokens`` are what ``analyse`` makes of it, where that is known."""
    spans = _spans(text, analyse(text) if tokens is None else tokens)
    return frozenset().union(*(concepts for _start, _end, concepts in spans))


@cache
def details() -> frozenset[int]:
    """The concepts of which a record says nothing unless it has a word of them: ``words/details.txt``."""
    lines = (WORDS / "details.txt").read_text(encoding="utf-8").splitlines()
    words = {word.replace("_", " ") for line in lines if not line.startswith("#") for word in line.split()}
    return frozenset(number for number, group in enumerate(groups()) if not words.isdisjoint(group))


Span = tuple[int, int, frozenset[int]]


@lru_cache(maxsize=1024)
def nearest(word: str) -> frozenset[int]:
    """The concepts of the word that a mistyped one is a single slip away from; none where there is no such word."""
    if len(word) < _TYPO_LETTERS_MIN[word.isascii()]:
        return frozenset()
    found = process.extractOne(word, _single_words(word.isascii()), scorer=OSA.distance, score_cutoff=1)
    return _index()[0][found[0]] if found else frozenset()


@cache
def _single_words(is_latin: bool) -> tuple[str, ...]:
    least = _TYPO_LETTERS_MIN[is_latin]
    return tuple(
        word for word in _index()[0] if word.isascii() == is_latin and len(word) >= least and " " not in word
    )


def _spans(text: str, tokens: Iterable[Token]) -> frozenset[Span]:
    return frozenset((*_korean(text, tokens), *_english(text)))


def _korean(text: str, tokens: Iterable[Token]) -> Iterator[Span]:
    """By dictionary form, and by any word or phrase that begins where a word or a morpheme does, spaced or not."""
    index, longest = _index()
    low = normalise(text)
    places = [at for at, character in enumerate(low) if not character.isspace()]
    packed = "".join(low[at] for at in places)
    place_of = {at: order for order, at in enumerate(places)}
    begins = {word.start() for word in _WRITTEN.finditer(low)}
    ends = {token.start: token.end for token in tokens if token.tag in _NOUNS}
    for token in tokens:
        if _HANGUL.match(token.term):
            begins.add(token.start)
            if (concepts := index.get(token.term)) is not None and _is_word(token):
                yield token.start, token.end, concepts
    for begin in begins:
        order = place_of[begin]
        for length in range(2, min(longest, len(packed) - order) + 1):
            end = places[order + length - 1] + 1
            # 이자카야 is one noun, and has nothing of 이자.
            is_other = ends.get(begin, end) - end >= _OTHER_NOUN_MIN
            if not is_other and (concepts := index.get(packed[order : order + length])) is not None:
                yield begin, end, concepts


def _is_word(token: Token) -> bool:
    """Whether a morpheme is a word by itself: the 사 of 변호사 buys nothing."""
    if len(token.term) > 1 or token.tag.startswith("V"):
        return True
    return token.tag in _NOUNS and token.end - token.start == 1


def _english(text: str) -> Iterator[Span]:
    index, _longest = _index()
    words = list(_LATIN_WORD.finditer(normalise(text)))
    for first in range(len(words)):
        for count in range(1, min(_WORDS_MAX, len(words) - first) + 1):
            run = words[first : first + count]
            if (concepts := index.get(" ".join(word.group() for word in run))) is not None:
                yield run[0].start(), run[-1].end(), concepts


@cache
def _index() -> tuple[Mapping[str, frozenset[int]], int]:
    """The concepts of each word, Korean phrases without their spaces, and the length of the longest Korean one."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    longest = 0
    for number, group in enumerate(groups()):
        for word in group:
            is_korean = bool(_HANGUL.search(word))
            written = word.replace(" ", "") if is_korean else word
            found[written].add(number)
            longest = max(longest, len(written) if is_korean else 0)
    shared: dict[frozenset[int], frozenset[int]] = {}
    sets = ((word, frozenset(numbers)) for word, numbers in found.items())
    return {word: shared.setdefault(numbers, numbers) for word, numbers in sets}, longest
