"""What a text states to the digit: amounts, shares, dates, times of day, telephone numbers and other codes.

Each is read as a value that compares across Korean and English and across ways of writing: 3.6억, 3억 6,000만 and
360 million are one number, 2024-01-10, 2024년 1월 10일 and January 10, 2024 one day. Pure, and linear in the text.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise

from ask.statement_forms import ENGLISH_STEPS, FORMS, KOREAN_STEPS, TO
from ask.statements import Date, Number, Reading, Statement


def read(text: str) -> list[Statement]:
    """What a text states, in order."""
    rest, places = _folded(text)
    found: list[Statement] = []
    for form in FORMS:
        kept = []
        for match in form.pattern.finditer(rest):
            readings = form.made(match)
            if readings is not None:
                start, end = places[match.start()], 1 + places[match.end() - 1]
                found.append(Statement(start, end, frozenset(readings), form.is_claim(match)))
                kept.append(match.span())
        rest = _without(rest, kept)
    return sorted(_with_shared_units(found, text))


class Stated:
    """All that some texts state, to ask whether a statement is among it."""

    def __init__(self, texts: Iterable[str], *, dated: Iterable[str] = ()) -> None:
        """``dated`` are texts of which the dates alone count."""
        readings = {one for text in texts for statement in read(text) for one in statement.readings}
        self._others = {one for one in readings if not isinstance(one, Date)}
        self._days = {one for one in readings if isinstance(one, Date)}
        self._days.update(
            one for text in dated for found in read(text) for one in found.readings if isinstance(one, Date)
        )
        self._values = {one.value for one in readings if isinstance(one, Number)}

    def holds(self, statement: Statement) -> bool:
        """Whether any reading of the statement is stated."""
        return any(self._holds(one) for one in statement.readings)

    def _holds(self, one: Reading) -> bool:
        if isinstance(one, Date):
            return self._holds_day(one)
        # Whoever leaves out the unit says the same number.
        return one in self._others or (isinstance(one, Number) and not one.kind and one.value in self._values)

    def _holds_day(self, one: Date) -> bool:
        """A day may be told in parts: 2024년에 있었고 … 4월 20일."""
        return any(self._agrees(one, other) for other in self._days)

    def _agrees(self, one: Date, other: Date) -> bool:
        finest = max(at for at, part in enumerate(one) if part)
        if other[finest] != one[finest]:
            return False
        for at in range(finest):
            if one[at] and other[at] != one[at] and (other[at] or not self._has_part(at, one[at])):
                return False
        return True

    def _has_part(self, at: int, value: int) -> bool:
        return any(day[at] == value for day in self._days)


def _folded(text: str) -> tuple[str, list[int]]:
    """The text as it is read, and for each of its characters the place in the text."""
    folded: list[str] = []
    places: list[int] = []
    for place, one in enumerate(text):
        plain = unicodedata.normalize("NFKC", one).lower().translate(_PLAIN)
        # 10¹⁸ is a power, and not 1018.
        raised = one in _RAISED and not (place and text[place - 1] in _RAISED)
        folded.append(f"^{plain}" if raised else plain)
        places += [place] * len(folded[-1])
    return "".join(folded), [*places, len(text)]


_PLAIN = {
    **dict.fromkeys(map(ord, "−‒‐‑"), "-"),
    ord("’"): "'",
    ord("，"): ",",
    ord("⁄"): "/",
    ord("\u00a0"): " ",
}
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with what was read already made unreadable, in its place."""
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], "§" * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


def _with_shared_units(found: list[Statement], text: str) -> Iterator[Statement]:
    """In "20~30%" and "5·7·9억 원" the unit of the last counts for what stands before it."""
    found = sorted(found)
    shared: frozenset[Reading] = frozenset()
    for one, following in reversed([*pairwise(found), *((last, None) for last in found[-1:])]):
        between = text[one.end : following.start] if following else ""
        more: frozenset[Reading] = frozenset()
        if following and _JOINS.fullmatch(between):
            more = _in_unit_of(
                one, shared or following.readings, _step(text[following.start : following.end])
            )
        shared = more or one.readings
        yield one._replace(readings=one.readings | more)


_JOINS = re.compile(TO, re.IGNORECASE)


def _step(written: str) -> int:
    """By what the last part of a range is multiplied: 3~5억 is from three hundred million on."""
    found = _STEP.search(written.lower())
    return 1 if found is None else KOREAN_STEPS.get(found[0].strip()) or ENGLISH_STEPS[found[0].strip()]


_STEP = re.compile(r"[만억조]|(?<=\d)\s?(?:bn|mn|tn|[kmbt])\b|thousand|million|billion|trillion")


def _in_unit_of(one: Statement, following: Iterable[Reading], step: int) -> frozenset[Reading]:
    plain = [part for part in one.readings if isinstance(part, Number) and not part.kind]
    made: set[Reading] = set()
    for part, other in ((part, other) for part in plain for other in following):
        if isinstance(other, Number):
            made.update((Number(part.value, other.kind), Number(part.value * step, other.kind)))
        elif isinstance(other, Date) and part.value == int(part.value):
            made.update(_parts_like(int(part.value), other))
    return frozenset(made)


def _parts_like(value: int, other: Date) -> Iterator[Date]:
    if other.year and not other.month and 1900 <= value < 2100:
        yield Date(year=value)
    if other.month and not other.day and 1 <= value <= 12:
        yield Date(other.year, value)
    if other.day and 1 <= value <= 31:
        yield Date(other.year, other.month, value)
