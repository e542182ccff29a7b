"""Whether anything recorded fits a search, or only shares a word with it.

BM25 ranks whatever holds one word of a search, and a search for what is not recorded mostly has one that is: 강아지
산책, 김치찌개 레시피, 없는말쿄쿄, which the analyser takes apart into 없, 말 and 쿄. Something fits where a search
names a unit, where one passage holds half of what its nouns tell, or two of its words that together tell nearly as much
as a word that stands nowhere: of a long question no passage need hold half. A word that nobody knows tells as much;
what it was taken apart into finds nothing, but a text in which it is written has it.
"""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from knowledge.linking.hangul import PARTICLES
from knowledge.models.search import SearchPassage
from knowledge.search import morphemes
from knowledge.search.known_words import unread_words
from knowledge.search.query import WEAK_TAGS
from knowledge.search.ranking import UnderstoodQuestion
from knowledge.search.slips import is_hangul

SHARE_MIN = 0.5  # of what the nouns tell: of two words of which one is nowhere, the other never tells half
WORDS_MIN = 2
OF_NOWHERE = 0.8  # of what a word tells that is nowhere, for so many words together
_SYLLABLES_MIN = 2  # of a word that is looked for as it is written
_WRITTEN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Word:
    """A written word of a search: as it stands there, from its first lexeme to its last, how much each of them tells,
    and what finds it in a text as it is written. One that nobody knows has the lexeme "", which no passage holds."""

    said: str
    tells: Mapping[str, float]
    written: re.Pattern[str] | None

    @property
    def told(self) -> float:
        return sum(self.tells.values())

    def told_in(self, passage: SearchPassage, text: str) -> float:
        if self.written is not None and self.written.search(text):
            return self.told
        return sum(self.tells[lexeme] for lexeme in passage.held & self.tells.keys())


def fits(question: UnderstoodQuestion, found: Iterable[SearchPassage]) -> bool:
    """Whether the question names a unit, or one of the passages found holds enough of it."""
    if question.named:
        return True
    words = _words(question)
    nouns = _words(question, WEAK_TAGS) or words
    half = SHARE_MIN * sum(word.told for word in nouns)
    nearly = OF_NOWHERE * question.corpus.idf("")
    for passage in found:
        text = morphemes.normalise(f"{passage.title}\n{passage.text}")
        if sum(word.told_in(passage, text) for word in nouns) >= half:
            return True
        told = [part for word in words if (part := word.told_in(passage, text))]
        if len(told) >= WORDS_MIN and sum(told) >= nearly:
            return True
    return False


def words_held(question: UnderstoodQuestion) -> tuple[str, ...]:
    """Of a question of several words those by each of which something is found, without their particles."""
    words = _words(question, WEAK_TAGS)
    if len(words) == 1 and words[0].said == morphemes.normalise(question.lexical.text).strip():
        return ()
    return tuple(word.said for word in words if all(map(question.corpus.df, word.tells)))


def _words(question: UnderstoodQuestion, without: Set[str] = frozenset()) -> list[_Word]:
    """The written words, each once, without their lexemes of these tags, and without those that have no other."""
    text, corpus = morphemes.normalise(question.lexical.text), question.corpus
    unread = unread_words(text, corpus)
    tokens = [
        token
        for token in question.lexical.tokens
        if token.term in question.information
        and token.tag not in without
        and not any(word.start < token.end and token.start < word.stop for word in unread)
    ]
    found: dict[str, _Word] = {}
    for one in _WRITTEN.finditer(text):
        nowhere = [word for word in unread if one.start() <= word.start < one.end()]
        within = [token for token in tokens if one.start() <= token.start < one.end()]
        tells = {token.term: question.information[token.term] for token in within}
        if nowhere:
            tells[""] = corpus.idf("")
        if tells:
            start = min([token.start for token in within] + [word.start for word in nowhere])
            said = text[start : max([token.end for token in within] + [word.stop for word in nowhere])]
            found.setdefault(said, _Word(said, tells, _as_written(said)))
    return list(found.values())


def _as_written(word: str) -> re.Pattern[str] | None:
    """What finds a Hangul word at the beginning of a written one, with whatever particle; None for any other word."""
    if len(word) < _SYLLABLES_MIN or not is_hangul(word):
        return None
    ends = (end for end in range(_SYLLABLES_MIN, len(word)) if word[end:] in PARTICLES)
    return re.compile(f"(?<![가-힣]){re.escape(word[: next(ends, len(word))])}")
