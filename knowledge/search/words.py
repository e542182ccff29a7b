"""Texts as search reads them: content morphemes, and behind those of a name the name as one word.

The analyser knows few names: 이더리움 comes apart as 더리, and with another particle otherwise. So a name that begins a
written word is read by itself, in passages and in questions alike, and its morphemes stay beside it: what was indexed
before the name was known is found by them.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter

from knowledge.linking.gazetteer import gazetteer_at_hand
from knowledge.linking.hangul import PARTICLES
from knowledge.linking.linker import Linker
from knowledge.search import morphemes
from knowledge.search.morphemes import NAME_TAG, Token

_START = attrgetter("start")
# Latin words stay whole in any case.
_MAY_BE_BROKEN = re.compile(r"(?<![0-9a-z가-힣])[a-z]*+[0-9가-힣][0-9a-z가-힣]*+")


def analyse(text: str) -> list[Token]:
    """The content morphemes of a text in order, and each name as a token of its own, tagged ``NAME_TAG``, behind its
    morphemes where it is not the only one. Positions count characters of ``normalise(text)``.

    Names are those of the gazetteer at hand; before a process has read any, there are none.
    """
    tokens, known = morphemes.analyse(text), gazetteer_at_hand()
    if known is None:
        return tokens
    return _with_names(morphemes.normalise(text), tokens, known.linker)


def terms(text: str) -> list[str]:
    """The dictionary forms alone, in order, repeats included."""
    return [token.term for token in analyse(text)]


def places(text: str) -> list[tuple[str, ...]]:
    """The terms by place, for an index: a name stands at that of its last morpheme."""
    found: list[tuple[str, ...]] = []
    end = 0
    for token in analyse(text):
        if token.tag == NAME_TAG and token.start < end:
            found[-1] = (*found[-1], token.term)
        else:
            found.append((token.term,))
        end = token.end
    return found


def _with_names(text: str, tokens: list[Token], linker: Linker) -> list[Token]:
    """The tokens of a normalised text; those of each word that begins with a name are made anew."""
    found: list[Token] = []
    at = 0
    for word in _MAY_BE_BROKEN.finditer(text):
        if length := linker.leading_name(word.group()):
            start, end = word.span()
            first = bisect_left(tokens, start, at, key=_START)
            found += tokens[at:first]
            found += _shifted(_read_apart(word.group(), length), start)
            at = bisect_left(tokens, end, first, key=_START)
    return [*found, *tokens[at:]] if found or at else tokens


# The same names come again, with the same particles.
@lru_cache(maxsize=8_192)
def _read_apart(word: str, length: int) -> list[Token]:
    """The tokens of a word of which the first ``length`` characters are a name, and what follows is read by itself: a
    particle would change how the analyser cuts the name."""
    name, rest = word[:length], word[length:]
    tokens = morphemes.analyse(name)
    if [token.term for token in tokens] != [name]:
        tokens.append(Token(name, NAME_TAG, 0, length))
    return tokens if rest in PARTICLES else tokens + _shifted(morphemes.analyse(rest), length)


def _shifted(tokens: Iterable[Token], by: int) -> list[Token]:
    return [Token(term, tag, start + by, end + by) for term, tag, start, end in tokens]
