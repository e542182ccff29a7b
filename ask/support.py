"""Whether what a model says stands in the sentences that it cites: numbers, dates, codes and names.

A right citation proves only that a sentence was offered. Here the sentence is read: whatever an answer states to the
digit or by name must be said by a sentence that it cites there. Names may also come from the title or the label of
what is cited, or from the question; what a sentence means beyond that is not judged.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Protocol, TypeAlias

from ask.evidence import Evidence
from ask.stated import Stated, read
from ask.statements import Statement
from knowledge.events import sounds
from knowledge.linking.store import Said
from knowledge.models import Unit

_WORDS = Path(__file__).parent / "words"
_LATIN = re.compile(r"[A-Za-z0-9]*[A-Z](?:[A-Za-z0-9]|[&.'’/-](?=[A-Za-z0-9]))*")
_WORD = re.compile(r"[a-z0-9]+(?:[&.'/-][a-z0-9]+)*")
_HANGUL_WORD = re.compile("[가-힣]{2,}")
_POSSESSIVE = re.compile(r"['’]s$")
_BEGINS = re.compile(r"[.!?…:;\n\"“‘(\[-][\s\"“‘(\[*]{0,4}\Z|^\W*\Z")
_BEFORE = 8  # characters in which the beginning of a sentence is looked for
_INNER_CAPITAL = re.compile(r"(?<=.)[A-Z]")
_LEAST_JOINED = 4  # letters of a name that may be found inside other letters

Finding: TypeAlias = Callable[[str], Sequence[Said]]  # the units that a text names


# Compared by identity: evidence that was made for a question has no key of its own.
@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """Sentences of one piece of evidence on which something rests."""

    evidence: Evidence
    sentences: tuple[str, ...]


class Claim(Protocol):
    """A stretch of an answer that states something which has to be cited."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    def rests_on(self, support: "Support") -> bool:
        """Whether what is cited states it."""
        ...


class Support:
    """What is cited for a stretch of an answer."""

    def __init__(self, rests: Iterable[Rest], question: str, find: Finding) -> None:
        self._rests = tuple(rests)
        self._question = question
        self._find = find

    @cached_property
    def stated(self) -> Stated:
        labels = [rest.evidence.citation.label for rest in self._rests]
        return Stated((one for rest in self._rests for one in rest.sentences), dated=labels)

    @cached_property
    def is_latin(self) -> bool:
        """Whether any sentence is in Latin script."""
        return any(not _HANGUL_WORD.search(one) for rest in self._rests for one in rest.sentences)

    @cached_property
    def _named(self) -> tuple[str, ...]:
        """The texts whose names count."""
        titles = [
            one for rest in self._rests for one in (rest.evidence.hit.title, rest.evidence.citation.label)
        ]
        return (*(one for rest in self._rests for one in rest.sentences), *titles, self._question)

    @cached_property
    def _low(self) -> str:
        return "\n".join(self._named).replace("’", "'").casefold()

    @cached_property
    def _joined(self) -> str:
        return "".join(filter(str.isalnum, self._low))

    @cached_property
    def _words(self) -> frozenset[str]:
        words = {form for word in _WORD.findall(self._low) for form in (word, *re.split("[&.'/-]", word))}
        return frozenset(words | {_singular(word) for word in words})

    @cached_property
    def units(self) -> frozenset[str]:
        """The public ids of what is cited and of the units that it names."""
        own = {unit.public_id for rest in self._rests for unit in _units_of(rest.evidence)}
        said = {key for text in self._named for one in self._find(text) for key in one.public_ids}
        return frozenset(own | said)

    @cached_property
    def _heard(self) -> tuple[frozenset[str], frozenset[str]]:
        """The sounds of the Hangul words, and those of the Latin ones."""
        hangul = (sound for word in _HANGUL_WORD.findall(self._low) for sound in sounds.of_hangul(word))
        latin = (sound for word in _WORD.findall(self._low) for sound in sounds.of_latin(word))
        return frozenset(hangul), frozenset(latin)

    def writes(self, name: str) -> bool:
        """Whether a name is written there: as it is, as one word or in several, or by its sound in the other script."""
        low = _POSSESSIVE.sub("", name.replace("’", "'").casefold())
        if low in self._words or _singular(low) in self._words:
            return True
        joined = "".join(filter(str.isalnum, low))
        # A doubtful name is a unit beside others, and none in the one sentence that is cited.
        least = _LEAST_JOINED if low.isascii() else 1
        if len(joined) >= least and joined in self._joined:
            return True
        return self._sounds(low)

    def _sounds(self, low: str) -> bool:
        hangul, latin = self._heard
        if low.isascii():
            return any(sound in hangul for sound in sounds.of_latin(low))
        written = list(sounds.of_hangul("".join(_HANGUL_WORD.findall(low))))
        return bool(written) and written[-1] in latin

    def has(self, place: re.Pattern[str]) -> bool:
        """Whether a place is called by any of its names."""
        return place.search(self._low) is not None


@dataclass(frozen=True, slots=True)
class _Unit:
    start: int
    end: int
    surface: str
    public_ids: tuple[str, ...]

    def rests_on(self, support: Support) -> bool:
        return bool(support.units & set(self.public_ids)) or support.writes(self.surface)


@dataclass(frozen=True, slots=True)
class _Name:
    """A name in Latin letters that is no unit's, word by word."""

    start: int
    end: int
    words: tuple[str, ...]

    def rests_on(self, support: Support) -> bool:
        # There is more than one way to write Gavin Wood in Hangul, so across scripts a part of a name is enough.
        enough = all if support.is_latin else any
        return enough(map(self._is_written(support), self.words))

    def _is_written(self, support: Support) -> Callable[[str], bool]:
        def is_written(word: str) -> bool:
            parts = re.split("[/&-]", word)
            return support.writes(word) or (
                len(parts) > 1 and all(_is_general(part) or support.writes(part) for part in parts)
            )

        return is_written


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    end: int
    names: re.Pattern[str]

    def rests_on(self, support: Support) -> bool:
        return support.has(self.names)


@dataclass(frozen=True, slots=True)
class _Figure:
    start: int
    end: int
    statement: Statement

    def rests_on(self, support: Support) -> bool:
        return support.stated.holds(self.statement)


def claims(text: str, find: Finding) -> list[Claim]:
    """What a text states that a citation has to hold."""
    named = list(find(text))
    found: list[Claim] = [
        _Unit(one.start, one.end, text[one.start : one.end], one.public_ids)
        for one in named
        if not all(map(_is_theme, one.public_ids))
    ]
    # The 500 in the name of an index is no figure.
    plain = _without(text, ((one.start, one.end) for one in named))
    found += (_Figure(one.start, one.end, one) for one in read(plain) if one.is_claim)
    places = list(_places(plain))
    rest = _without(plain, ((one.start, one.end) for one in (*found, *places)))
    return [*found, *places, *_names(rest)]


def _is_theme(public_id: str) -> bool:
    """Topics are common words as well as names, and events are told by their parts."""
    return public_id.partition(":")[0] in ("topic", "event")


def _units_of(evidence: Evidence) -> Iterator[Unit]:
    hit = evidence.hit
    yield from (unit for unit in (hit.unit, hit.landing_unit) if unit is not None)


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    letters = list(text)
    for start, end in spans:
        letters[start:end] = "§" * (end - start)
    return "".join(letters)


def _places(text: str) -> list[_Place]:
    """The places that a text names, of two that overlap the longer: North Korea is not Korea."""
    found = [_Place(*match.span(), names) for names in _place_names() for match in names.finditer(text)]
    kept: list[_Place] = []
    for one in sorted(found, key=lambda one: one.start - one.end):
        # Turkey is a country, and a turkey none.
        is_name = not text[one.start : one.end].isascii() or text[one.start].isupper()
        if is_name and all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return kept


def _names(text: str) -> Iterator[_Name]:
    """Words with a capital that does not only begin a sentence; those that follow one another are one name."""
    run: list[re.Match[str]] = []
    for match in _LATIN.finditer(text):
        if run and text[run[-1].end() : match.start()] != " ":
            yield from _named(run, text)
            run = []
        run.append(match)
    yield from _named(run, text)


def _named(run: Sequence[re.Match[str]], text: str) -> Iterator[_Name]:
    words = [_POSSESSIVE.sub("", match.group()) for match in run]
    if len(run) == 1 and _only_begins(run[0], text):
        return
    if said := tuple(word for word in words if len(word) > 1 and not _is_general(word)):
        yield _Name(run[0].start(), run[-1].end(), said)


def _only_begins(word: re.Match[str], text: str) -> bool:
    """Whether a lone word has its capital from the beginning of a sentence."""
    before = text[max(0, word.start() - _BEFORE) : word.start()]
    return _BEGINS.search(before) is not None and not _INNER_CAPITAL.search(word.group())


def _is_general(word: str) -> bool:
    low = word.casefold().rstrip(".")
    return low in _general_names() or _singular(low) in _general_names()


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _LEAST_JOINED and word.endswith("s") else word


@cache
def _general_names() -> frozenset[str]:
    return frozenset(word for line in _lines("general_names") for word in line)


@cache
def _place_names() -> tuple[re.Pattern[str], ...]:
    """A pattern a place, with all of its names in both languages."""
    return tuple(re.compile("|".join(map(_written, line)), re.IGNORECASE) for line in _lines("places"))


def _written(name: str) -> str:
    written = re.escape(name.replace("_", " "))
    if name.isascii():
        return rf"(?<![a-z]){written}(?![a-z])"
    return written if len(name) > 1 else rf"(?<![가-힣]){written}(?![가-힣])"


def _lines(name: str) -> list[list[str]]:
    text = (_WORDS / f"{name}.txt").read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]
