"""Korean and English text as content morphemes: what search counts and finds by.

The analyser is mecab-ko, the only one small enough to run in every process (15 MB, .03 s). It has no wheel for Python
3.13 and later; character bigrams stand in there. Rows and questions must be read by the same rules, so ``ANALYZER``
names them and stands on every indexed row: change the rules, raise ``RULES``, and rows are read again.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, NamedTuple

RULES = 2
HAS_MECAB = find_spec("mecab") is not None and find_spec("mecab_ko_dic") is not None
ANALYZER = (
    f"mecab-ko/{version('python-mecab-ko')}+{version('python-mecab-ko-dic')}" if HAS_MECAB else "bigram"
) + f"/{RULES}"

# Nouns, foreign words, hanja, numbers, roots, verbs, adjectives and general adverbs carry content; particles,
# endings and auxiliaries do not. NNBC is this dictionary's name for units of counting.
CONTENT_TAGS = frozenset({"NNG", "NNP", "NNB", "NNBC", "NR", "SL", "SH", "SN", "XR", "VV", "VA", "MAG"})
LATIN_TAG, NUMBER_TAG, NOUN_TAG = "SL", "SN", "NNG"
NAME_TAG = "NAME"  # of no analyser: a name as a whole, which stands behind the morphemes that it is made of

_PLAIN_FORM = ",*,*,*,*"  # what the features of nine morphemes of ten end with: nothing to take apart
HANGUL_RUN = re.compile(r"[가-힣]+")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_THOUSANDS_COMMA = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ES_PLURAL = re.compile(r"(?:ch|sh|ss|x|z)es$")
_WORD = re.compile(r"(?P<hangul>[가-힣]+)|(?P<latin>[^\W\d_ㄱ-ㆎ가-힣]+)|(?P<number>\d+(?:\.\d+)?)")


class Token(NamedTuple):
    """A content morpheme: dictionary form, part of speech, and where it stands in ``normalise(text)``."""

    term: str
    tag: str
    start: int
    end: int


class Morpheme(NamedTuple):
    """Any morpheme, as the analyser found it. Positions count characters of the text it was given."""

    surface: str
    tag: str
    expression: str  # "오르/VV/*+았/EP/*" for an inflected or compound form, else empty
    start: int
    end: int


def normalise(text: str) -> str:
    """NFKC, lower case, no control characters, no thousands commas: what both analysers read."""
    folded = unicodedata.normalize("NFKC", CONTROL.sub(" ", text)).lower()
    return _THOUSANDS_COMMA.sub("", folded)


def analyse(text: str) -> list[Token]:
    """The content morphemes of a text in order. Positions count characters of ``normalise(text)``."""
    if not HAS_MECAB:
        return bigram_tokens(text)
    return _join_decimals(content(_morphemes(normalise(text))))


def terms(text: str) -> list[str]:
    """The dictionary forms alone, in order, repeats included."""
    return [token.term for token in analyse(text)]


def singular(word: str) -> str:
    """An English noun without its plural ending, by light rules: policies → policy, boxes → box."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and _ES_PLURAL.search(word):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def bigram_tokens(text: str) -> list[Token]:
    """The stand-in: every pair of neighbouring syllables, Latin words and numbers whole."""
    tokens: list[Token] = []
    for match in _WORD.finditer(normalise(text)):
        word, (start, end) = match.group(), match.span()
        if match.lastgroup == "hangul":
            pairs = [(at, at + 2) for at in range(start, end - 1)] or [(start, end)]
            tokens += [Token(word[at - start : to - start], NOUN_TAG, at, to) for at, to in pairs]
        elif match.lastgroup == "latin":
            tokens.append(Token(singular(word), LATIN_TAG, start, end))
        else:
            tokens.append(Token(word, NUMBER_TAG, start, end))
    return tokens


@cache
def _tagger() -> tuple[Any, Any]:
    # Loaded at first use: the dictionary is mapped into memory, and `manage.py check` never needs it.
    mecab = import_module("mecab")
    return mecab.MeCab()._tagger, import_module("mecab.utils").create_lattice


def _morphemes(text: str) -> list[Morpheme]:
    # Read off the lattice: the package's own Morpheme objects cost as much as the analysis itself.
    tagger, create_lattice = _tagger()
    lattice = create_lattice(text)
    tagger.parse(lattice)
    found = []
    for (start, end), node in lattice:
        # tag, semantic class, final consonant, reading, type, first tag, last tag, expression
        feature = node.feature
        if feature.endswith(_PLAIN_FORM):
            found.append(Morpheme(node.surface, feature.partition(",")[0], "", start, end))
        else:
            tag, _, _, _, form, _, _, expression = feature.split(",")
            found.append(Morpheme(node.surface, tag, "" if form == "*" else expression, start, end))
    return found


def content(morphemes: Iterable[Morpheme]) -> Iterator[Token]:
    """Content morphemes, inflected and compound forms taken apart; full stops kept for ``_join_decimals``."""
    for found in morphemes:
        if found.expression:
            for part in found.expression.split("+"):
                form, _, rest = part.partition("/")
                tag = rest.partition("/")[0]
                if tag in CONTENT_TAGS:
                    yield Token(form, tag, found.start, found.end)
        elif found.tag in CONTENT_TAGS:
            term = singular(found.surface) if found.tag == LATIN_TAG else found.surface
            yield Token(term, found.tag, found.start, found.end)
        elif found.surface == ".":
            yield Token(".", "", found.start, found.end)


def _join_decimals(tokens: Iterable[Token]) -> list[Token]:
    """``3`` ``.`` ``5`` without a gap is one number; every other full stop goes."""
    joined: list[Token] = []
    for token in tokens:
        joined.append(token)
        if token.tag == NUMBER_TAG and [one.tag for one in joined[-3:-1]] == [NUMBER_TAG, ""]:
            whole, point, _token = joined[-3:]
            if whole.end == point.start and point.end == token.start:
                joined[-3:] = [Token(f"{whole.term}.{token.term}", NUMBER_TAG, whole.start, token.end)]
    return [token for token in joined if token.tag]


def verbatim_morphemes(text: str) -> list[Morpheme]:
    """Every morpheme, with positions in the text as it stands: NFKC, as in ``normalise``, would move them."""
    return _morphemes(CONTROL.sub(" ", text))
