"""How much of what a question asks stands in a text: its words, in whatever form they are answered, and their spelling.

A word is answered by itself, by another that tells one of its concepts, or by a word that begins alike. The
analyser cuts what it does not know; pairs of characters bring back what it cuts differently in question and text.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from sys import intern

from ask.concepts import told
from ask.questions import AskedQuestion, Word
from knowledge.linking.gazetteer import version_at_hand
from knowledge.search.morphemes import normalise
from knowledge.search.words import analyse

_STEM_SYLLABLES, _STEM_LETTERS = 2, 5
_SPELT_LETTERS = 6  # of a Latin word, which is compared by its beginning
HALF_HELD = 0.5  # what a word of several morphemes is held when some of them are
PARTS_HELD = 0.8  # and when all of them are, apart from each other
_LATIN_WORD = re.compile(r"[a-z0-9][a-z0-9'-]*")
_WRITTEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Body:
    """A text as it is compared: in lower case, without spaces, its morphemes, its Latin words that are none, and the
    beginnings of all of them."""

    low: str
    compact: str
    terms: frozenset[str]
    words: frozenset[str]
    stems: frozenset[str]
    concepts: frozenset[int]

    def says(self, form: str) -> bool:
        """Whether the text has this word, or one that begins as it does."""
        if form in self.terms or form in self.words:
            return True
        if form[0].isascii():
            return len(form) >= _STEM_LETTERS and form[:_STEM_LETTERS] in self.stems
        return len(form) >= _STEM_SYLLABLES and form[:_STEM_SYLLABLES] in self.low


def body_of(text: str) -> Body:
    return _body(text, version_at_hand())


# The same texts answer many questions, and the analyser is half of what choosing costs. It reads names as words, so
# what was read holds for these names alone. The starter canon has 3,900 sentences, each with a text of questions.
@lru_cache(maxsize=16_384)
def _body(text: str, _names: str) -> Body:
    low = text.lower()
    tokens = analyse(text)
    terms = frozenset(intern(token.term) for token in tokens)
    words = frozenset(map(intern, _LATIN_WORD.findall(low)))
    stems = frozenset(intern(word[:_STEM_LETTERS]) for word in words if len(word) >= _STEM_LETTERS)
    return Body(low, low.replace(" ", ""), terms, words - terms, stems, told(text, tokens))


def held(words: Sequence[Word], text: str) -> tuple[float, ...]:
    """Of each word how far the text answers it, 0 to 1."""
    body = body_of(text)
    return tuple(_held(word, body) for word in words)


def _held(word: Word, body: Body) -> float:
    if not word.concepts.isdisjoint(body.concepts):
        return 1.0
    is_spelt_out = len(word.written) > 1 and not word.written.isascii()
    if is_spelt_out and word.written in body.compact:
        return 1.0
    found = [body.says(term) or body.says(surface) for term, surface in word.parts]
    if len(found) == 1:
        # A noun that no record has and that only begins as one that they have, such as 보라색, is another thing.
        return HALF_HELD if found[0] and word.is_unknown else float(found[0])
    return PARTS_HELD if all(found) else HALF_HELD * sum(found) / len(found)


def together(*shares: Sequence[float]) -> tuple[float, ...]:
    """Of each word how far any of several texts answers it."""
    return tuple(map(max, zip(*shares, strict=True)))


def share(
    shares: Iterable[float],
    words: Sequence[Word],
    *,
    among: Collection[bool] | None = None,
    empty: float = 0.0,
) -> float:
    """The share, 0 to 1, of what the words tell that is held; ``among`` says which of them count, ``empty`` what no
    word at all is worth."""
    counted = [True] * len(words) if among is None else among
    pairs = [(held, word.tells) for held, word, counts in zip(shares, words, counted, strict=True) if counts]
    total = sum(tells for _held, tells in pairs)
    return sum(held * tells for held, tells in pairs) / total if total else empty


def told_of(shares: Iterable[float], words: Sequence[Word]) -> float:
    """How much is told of what the words tell."""
    return sum(held * word.tells for held, word in zip(shares, words, strict=True))


def missing_of(shares: Iterable[float], words: Sequence[Word]) -> float:
    """How much is missing of what the words want."""
    return sum((1 - held) * word.wanted for held, word in zip(shares, words, strict=True))


class SharedSpelling:
    """How much of a question's spelling stands in texts: the share of its character pairs, without the names in it,
    those counting more that few of the texts have."""

    def __init__(self, question: AskedQuestion, texts: Collection[str]) -> None:
        wanted = pairs_of(question.beside_names)
        counts = Counter(pair for text in texts for pair in pairs_of(text) & wanted)
        self._worth: Mapping[str, float] = {
            pair: math.log(1 + (len(texts) - counts[pair] + 0.5) / (counts[pair] + 0.5)) for pair in wanted
        }
        self._total = sum(self._worth.values()) or 1.0

    def share(self, text: str) -> float:
        return sum(self._worth[pair] for pair in pairs_of(text) & self._worth.keys()) / self._total


@lru_cache(maxsize=16_384)
def pairs_of(text: str) -> frozenset[str]:
    """The neighbouring characters of each word, and the beginnings of Latin ones."""
    found: set[str] = set()
    for word in _WRITTEN.findall(normalise(text)):
        if word[0].isascii():
            found.add(word if len(word) == 1 else word[:_SPELT_LETTERS])
        elif len(word) == 1:
            found.add(word)
        else:
            found.update(word[at : at + 2] for at in range(len(word) - 1))
    return frozenset(map(intern, found))
