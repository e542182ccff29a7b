"""The one list of characters that draw nothing: a reader does not see them, so no text, name or key may hold them.

These are controls, bidirectional marks, zero-width characters, tags, private, unassigned and half characters, variation
selectors, and the letters and marks that are blank.
"""

import re
import unicodedata

# Fillers of Hangul and Khmer, the blank braille cell, the joiner of graphemes, variation selectors.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
_SEPARATOR = re.compile(r"[^\S ]")


def is_invisible(char: str) -> bool:
    """Whether a character draws nothing and separates nothing: white space of any kind is no such character."""
    drawn_as_nothing = char in _BLANK or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn")
    return drawn_as_nothing and not char.isspace()


class _Dropped(dict[int, str | None]):
    """A table for ``str.translate`` that looks each character up once: None drops it."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        self[code] = kept = None if is_invisible(char) else char
        return kept


_DROPPED = _Dropped()


def without_invisible(text: str) -> str:
    """The text without characters that draw nothing; line ends and other separators stay."""
    return text.translate(_DROPPED)


def visible(text: str) -> str:
    """The text without characters that draw nothing; line ends and other separators are spaces."""
    return _SEPARATOR.sub(" ", without_invisible(text))


def one_line(text: str) -> str:
    """What is seen of a text on one line: no invisible characters, single spaces, none at the ends."""
    return " ".join(without_invisible(text).split())
