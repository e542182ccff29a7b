"""Text to canonical units: spellings found, words told from parts of words, doubtful names weighed."""

from collections.abc import Iterable
from typing import NamedTuple

from knowledge.linking.automaton import AliasSpec, Dictionary, UnitKey
from knowledge.linking.disambiguation import Disambiguation
from knowledge.linking.hangul import LOOKALIKE, read_tail
from knowledge.linking.matching import select
from knowledge.normalise import fold


class Found(NamedTuple):
    """A unit named in a text: ``text[start:end] == surface``."""

    unit: UnitKey
    start: int
    end: int
    surface: str
    owner: UnitKey


class Linker:
    """Finds units in texts. Immutable, so threads may share it."""

    def __init__(self, aliases: Iterable[AliasSpec]) -> None:
        self._dictionary = Dictionary(aliases)

    def find(self, text: str, *, crypto_channel: bool = False) -> list[Found]:
        """The units that ``text`` names, in order. Takes any string in linear time.

        At most one stands at a place, but for the assets in a topic's or an event's name, which follow it:
        비트코인 반감기 names the halving and Bitcoin.

        ``crypto_channel`` says that the text comes from a channel on crypto: evidence for doubtful names.
        """
        folded = fold(text)
        names = select(self._dictionary, folded)
        found = []
        for name, entry in Disambiguation(folded, names, crypto_channel).resolve():
            start, end = folded.span(name.start, name.end)
            found.append(Found(entry.unit, start, end, text[start:end], entry.owner))
        return found

    def leading_name(self, word: str) -> int:
        """How many characters of one written word, in small letters, are a name with no more than nouns and a particle
        behind it: the longest, doubtful or not; 0 where there is none."""
        for length in self._dictionary.leading(word):
            if read_tail(word[length:]):
                lookalike = LOOKALIKE.match(word)
                return 0 if lookalike and lookalike.end() > length else length
        return 0

    def units(self, text: str, *, crypto_channel: bool = False) -> list[UnitKey]:
        """The distinct units that ``text`` names, in the order of their first mention."""
        return list(dict.fromkeys(found.unit for found in self.find(text, crypto_channel=crypto_channel)))
