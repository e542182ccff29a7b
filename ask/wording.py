"""Two texts word by word: what stayed, what went, what came. Pure; whoever shows it escapes it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

# Words with the blanks after them, so that the pieces of a text joined are the text.
_WORD = re.compile(r"\s+|\w+\s*|[^\w\s]\s*")
# The comparison is quadratic; anything longer is compared as one piece rather than for seconds.
WORDS_MAX = 1500


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a text, and whether the other text lacks them."""

    text: str
    changed: bool


def compared(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Both texts in pieces. The pieces of each, joined, are that text."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(before), len(after)) > WORDS_MAX:
        return [Piece(old, old != new)], [Piece(new, old != new)]
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return (
        list(_pieces(before, [(tag, start, end) for tag, start, end, _from, _to in blocks])),
        list(_pieces(after, [(tag, start, end) for tag, _from, _to, start, end in blocks])),
    )


def _pieces(words: list[str], blocks: list[tuple[str, int, int]]) -> Iterator[Piece]:
    for tag, start, end in blocks:
        if end > start:
            yield Piece("".join(words[start:end]), tag != "equal")
