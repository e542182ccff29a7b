"""One normal form for aliases, and a folded form of texts that knows where every character came from."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from knowledge.invisible import without_invisible

# In names these do what a space does: middle dots, hyphens, dashes, the minus sign.
SEPARATORS = ("·", "・", "‧", "-", "‐", "‒", "–", "—", "―", "−")
_DROPPED = dict.fromkeys(map(ord, "()" + "".join(SEPARATORS)))
_LONGEST_CLUSTER = 32  # characters; reordering marks is quadratic, so a longer run of them is cut

# What NFKC leaves as it is and what needs no thought: the fast path copies runs of these.
_PLAIN = r"\n -~가-힣ㄱ-ㅣ一-鿿‘’“”…·–—→↑↓「」『』《》〈〉【】"
_SIMPLE = re.compile("[0-9A-Za-z가-힣]+")
_IRREGULAR = re.compile(rf" *[^{_PLAIN}](?:[^{_PLAIN}]| )*| {{2,}}")


def normalise_alias(surface: str) -> str:
    """The key of an alias: its folded form without case, spaces, brackets and separators.

    Two surfaces with one key are one alias, and surfaces that the linker reads as one have one key.
    """
    if _SIMPLE.fullmatch(surface):
        return surface.lower()
    # Dropping a space may let a mark meet a letter, so the form is stable only after a second time.
    return _normalise_once(_normalise_once(surface))


def _normalise_once(surface: str) -> str:
    caseless = unicodedata.normalize("NFKC", fold(surface).low).casefold()
    folded = without_invisible(unicodedata.normalize("NFKC", caseless))
    return unicodedata.normalize("NFKC", "".join(folded.translate(_DROPPED).split()))


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text under NFKC, with runs of spaces as one and invisible characters gone.

    ``cased`` keeps letter case; ``low`` is its lower-case twin in which ``SEPARATORS`` are spaces. Both have
    the same length, so a place in one is a place in the other; ``span`` leads back to the original text.
    """

    cased: str
    low: str
    # Starts in the folded text, and where each leads: (start, end) of the original, end -1 for a copied run.
    _breaks: list[int] = field(default_factory=list, repr=False)
    _origins: list[tuple[int, int]] = field(default_factory=list, repr=False)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where ``low[start:end]`` stands in the original text."""
        if not self._breaks:
            return start, end
        return self._origin(start)[0], self._origin(end - 1)[1]

    def _origin(self, place: int) -> tuple[int, int]:
        at = bisect_right(self._breaks, place) - 1
        start, end = self._origins[at]
        if end >= 0:
            return start, end
        start += place - self._breaks[at]
        return start, start + 1


def fold(text: str) -> FoldedText:
    """The folded form of any text, in time linear in its length; lone surrogates and mark floods included."""
    if _IRREGULAR.search(text) is None:
        return FoldedText(text, _lower(text))
    pieces: list[str] = []
    origins: list[tuple[int, int]] = []
    done = 0

    def put(piece: str, start: int, end: int) -> None:
        if piece:
            pieces.append(piece)
            origins.append((start, end))

    for match in _IRREGULAR.finditer(text):
        first = match.start()
        # A mark or a final consonant belongs to the plain character before it.
        if first > done and _continues(text[first]):
            first -= 1
        put(text[done:first], done, -1)
        for start, end in _clusters(text, first, match.end()):
            put(_fold_cluster(text[start:end], pieces[-1][-1:] if pieces else ""), start, end)
        done = match.end()
    put(text[done:], done, -1)
    cased = "".join(pieces)
    breaks = list(accumulate(map(len, pieces), initial=0))[:-1]
    return FoldedText(cased, _lower(cased), breaks, origins)


def _lower(cased: str) -> str:
    low = cased.lower()
    if len(low) != len(cased):  # only İ grows under lower()
        low = cased.replace("İ", "i").lower()
    for separator in SEPARATORS:
        low = low.replace(separator, " ")
    return low


def _continues(char: str) -> bool:
    return "\u1160" <= char <= "\u11ff" or unicodedata.combining(char) != 0


def _clusters(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of ``text[start:end]``, each a character and the marks or jamo that compose with it."""
    opened = start
    for place in range(start + 1, end):
        if not _continues(text[place]) or place - opened >= _LONGEST_CLUSTER:
            yield opened, place
            opened = place
    yield opened, end


def _fold_cluster(cluster: str, before: str) -> str:
    folded = without_invisible(unicodedata.normalize("NFKC", without_invisible(cluster)))
    if folded.isspace() and "\n" not in folded:
        return "" if before == " " else " "
    return folded
