"""Where the sentences of Korean and English texts end: what is quoted, and where long texts are cut."""

import re
from collections.abc import Iterator
from itertools import pairwise

import sentencex

from knowledge.search import morphemes
from knowledge.search.morphemes import CONTROL, HANGUL_RUN, verbatim_morphemes

_CLOSERS = r"[\"'”’)\]」』》〉】]*"
_TERMINATOR = re.compile(rf"(?:[.!?…。！？]+){_CLOSERS}")
_NEWLINES = re.compile(r"\s*\n\s*")
# What is quoted or bracketed is one thing; the length bound keeps an unbalanced mark from swallowing a text.
_ENCLOSED = re.compile(
    r"“[^”\n]{0,300}”|\"[^\"\n]{0,300}\"|‘[^’\n]{0,300}’|\([^()\n]{0,300}\)|\[[^\[\]\n]{0,300}\]"
    r"|「[^」\n]{0,300}」|『[^』\n]{0,300}』|《[^》\n]{0,300}》|〈[^〉\n]{0,300}〉|【[^】\n]{0,300}】"
)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
# "1. Overview" is one sentence, for a number that begins a line counts.
_NUMBER_OF_LINE = re.compile(r"\s*\d{1,3}\.\s*")
_ABBREVIATION = re.compile(
    r"(?:^|[^A-Za-z])(?:[A-Za-z]|(?:[A-Za-z]\.)+[A-Za-z]|mr|mrs|ms|dr|prof|vs|etc|no|inc|ltd|co|corp|jr|sr|st|fig)$",
    re.IGNORECASE,
)
# "2024. 5. 1.", "1. 개요", "가. 목적": a full stop that counts instead of ending.
_ENUMERATION = re.compile(r"(?:^|\s)(?:\d{1,4}|[가나다라마바사아자차카타파하])$")
# An hour and its zone: 3:42 p.m. Korean time, 9 a.m. KST.
_HOUR = re.compile(r"\b[ap]\.m\.\s*$")
_ZONE = re.compile(r"\s*(?:[A-Z]{2,4}\b|(?:[A-Z][a-z]+ ){1,2}(?:[Ss]tandard )?[Tt]ime\b)")
_QUOTED_ON = re.compile(r"\s*(?:이라고|이라는|이라며|이라|라고|라는|라며|라면서|하고|며|고)(?![가-힣])")
_POLITE_ENDING = re.compile(r"(?:니다|어요|아요|에요|예요|해요|세요|네요|군요|지요|죠)$")
_PLAIN_ENDING = re.compile(r"(?:다|요|죠|까)$")


def split_sentences(text: str, lang: str = "ko") -> list[str]:
    """The sentences of a text, verbatim: joined without a separator they are the text again.

    ``lang`` is the text's language code; a text with Hangul in it is read by the Korean rules whatever it says.
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
    for line in _LINE.finditer(text):
        # Blanks for control characters and half surrogate pairs, which sentencex takes for other things or not at all.
        plain = CONTROL.sub(" ", line.group())
        for found in sentencex.get_sentence_boundaries("en", plain):
            end = found["end_index"]
            if not (_NUMBER_OF_LINE.fullmatch(plain, 0, end) or _is_before_zone(plain, end)):
                yield line.start() + end
        yield line.end()


def _is_before_zone(text: str, end: int) -> bool:
    """Whether what seems to end here is an hour, of which the time zone follows."""
    return _HOUR.search(text, max(0, end - 8), end) is not None and _ZONE.match(text, end) is not None


def _korean_ends(text: str) -> Iterator[int]:
    yield from (match.end() for match in _NEWLINES.finditer(text))
    enclosed = [match.span() for match in _ENCLOSED.finditer(text)]
    closing, polite = _endings(text)
    for match in _TERMINATOR.finditer(text):
        if _ends_sentence(text, match, enclosed, closing):
            yield _after_blanks(text, match.end())
    for position in polite:
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


def _endings(text: str) -> tuple[set[int], list[int]]:
    """Where sentence-closing verb endings end, for "…했다.그러나" is two sentences and "3.5배" is one; and where polite
    sentences end that have no full stop, as captions and video descriptions are written."""
    if not morphemes.HAS_MECAB:
        runs = [(run.end(), run.group()) for run in HANGUL_RUN.finditer(text)]
        closing = {end for end, run in runs if _PLAIN_ENDING.search(run)}
        return closing, [end for end, run in runs if _POLITE_ENDING.search(run)]
    found = verbatim_morphemes(text)
    polite = []
    for one, following in pairwise(found):
        gap = text[one.end : following.start]
        # Without a full stop the dictionary often calls these endings connective (EC).
        closes = one.tag[-2:] in ("EF", "EC") and _POLITE_ENDING.search(text, max(0, one.end - 2), one.end)
        if closes and gap.isspace() and following.tag[0] != "J" and not _QUOTED_ON.match(text, one.end):
            polite.append(one.end)
    return {one.end for one in found if one.tag.endswith("EF")}, polite
