"""The one list of characters that draw nothing: a reader does not see them, so no text, name or key may hold them.

These are controls, bidirectional marks, zero-width characters, tags, private, unassigned and half characters, variation
selectors, and the letters and marks that are blank.
"""

import unicodedata

# Fillers of Hangul and Khmer, the blank braille cell, the joiner of graphemes, Mongolian variation selectors.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_VARIATION_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_SEPARATORS = frozenset("\t\n\r\v\f\x1c\x1d\x1e\x1f\x85")


def is_invisible(char: str) -> bool:
    """Whether a character draws nothing and separates nothing: white space of any kind is no such character."""
    if _separates(char):
        return False
    in_a_range = any(ord(char) in selectors for selectors in _VARIATION_SELECTORS)
    return in_a_range or char in _BLANK or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn")


def _separates(char: str) -> bool:
    return char in _SEPARATORS or unicodedata.category(char) in ("Zs", "Zl", "Zp")


class _Dropped(dict[int, str | None]):
    """A table for ``str.translate`` that looks each character up once: None drops it."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        self[code] = kept = None if is_invisible(char) else char
        return kept


class _Visible(_Dropped):
    """The same, with a space for every separator."""

    def __missing__(self, code: int) -> str | None:
        kept = super().__missing__(code)
        if kept is not None and _separates(kept):
            self[code] = kept = " "
        return kept


_DROPPED, _VISIBLE = _Dropped(), _Visible()


def without_invisible(text: str) -> str:
    """The text without characters that draw nothing; line ends and other separators stay."""
    return text.translate(_DROPPED)


def visible(text: str) -> str:
    """The text without characters that draw nothing; line ends and other separators are spaces."""
    return text.translate(_VISIBLE)


def one_line(text: str) -> str:
    """What is seen of a text on one line: no invisible characters, single spaces, none at the ends."""
    return " ".join(visible(text).split())
