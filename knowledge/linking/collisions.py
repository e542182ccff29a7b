"""Which names would be taken for one another: seen before an alias is saved, and over the whole canon.

What the database forbids (one unambiguous norm for two units of a type) is ``Alias.collision``; here is what it
allows and an editor should know.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from rapidfuzz.distance import Levenshtein

from knowledge.linking.automaton import default_ambiguous
from knowledge.linking.hangul import is_syllable, read_tail
from knowledge.linking.lexicon import COMMON_ACRONYMS, ENGLISH_WORDS, GENERIC_WORDS, KOREAN_WORDS
from knowledge.models import Alias, Status, survivor_key
from knowledge.normalise import fold

_SHORT = 2  # characters: too few to stand for something without other evidence
_SIMILAR_HANGUL, _SIMILAR_LATIN = 3, 5  # characters from which one letter's difference is a likely slip
_NAMED = 3  # rivals that one warning names; it counts the others


class Kind(StrEnum):
    SAME = "same"
    PUNCTUATION = "punctuation"
    PARTICLE = "particle"
    PART = "part"
    SIMILAR = "similar"
    COMMON = "common"
    SHORT = "short"


TITLES: dict[Kind, str | Promise] = {
    Kind.SAME: gettext_lazy("같은 표기, 다른 단위"),
    Kind.PUNCTUATION: gettext_lazy("부호만 다름"),
    Kind.PARTICLE: gettext_lazy("조사나 뒷말만 다름"),
    Kind.PART: gettext_lazy("다른 이름의 일부"),
    Kind.SIMILAR: gettext_lazy("한 글자만 다름"),
    Kind.COMMON: gettext_lazy("흔한 낱말"),
    Kind.SHORT: gettext_lazy("너무 짧음"),
}


@dataclass(frozen=True, slots=True)
class Spelling:
    """A surface by which texts call a unit."""

    surface: str
    norm: str
    unit: int
    unit_label: str
    ambiguous: bool
    case_sensitive: bool = False


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing an editor should know before a name is saved."""

    kind: Kind
    surface: str
    message: str


@dataclass(frozen=True, slots=True)
class Clash:
    """Names of the canon that meet, or one that is doubtful by itself."""

    kind: Kind
    names: tuple[Spelling, ...]


def known_names() -> list[Spelling]:
    """Every name of a unit that is not retracted. One query, however many there are."""
    rows = (
        Alias.names.linked()
        .exclude(unit__status=Status.RETRACTED)
        .exclude(norm="")
        .order_by("is_label", "pk")
    )
    columns = ("surface", "norm", "unit__label", "ambiguous", "case_sensitive", "is_label")
    # A merged unit's names speak for its survivor, so between the two nothing clashes.
    return [
        Spelling(surface, norm, unit, label, default_ambiguous(surface) if is_label else ambiguous, exact)
        for unit, surface, norm, label, ambiguous, exact, is_label in rows.values_list(
            survivor_key("unit"), *columns
        )
    ]


def concerns(candidate: Spelling, names: Sequence[Spelling]) -> list[Concern]:
    """What speaks against a name for its unit, beside ``names`` of the others. The gravest first."""
    rivals: dict[Kind, list[Spelling]] = defaultdict(list)
    squeezed = _squeezed(candidate.surface)
    low = _spaced(candidate.surface)
    for other in names:
        if other.unit != candidate.unit and (kind := _relation(candidate, squeezed, low, other)):
            rivals[kind].append(other)
    found = [Concern(kind, candidate.surface, _sentence(kind, rivals[kind])) for kind in Kind if rivals[kind]]
    return found + [Concern(kind, candidate.surface, _alone(kind)) for kind in doubtful(candidate)]


def clashes(names: Sequence[Spelling]) -> Iterator[Clash]:
    """All clashes of the canon, by kind. Part-of is left out: the longer name wins, and most such pairs are meant."""
    yield from _groups(Kind.SAME, names, lambda name: name.norm)
    same = {name.norm for clash in _groups(Kind.SAME, names, lambda name: name.norm) for name in clash.names}
    others = [name for name in names if name.norm not in same]
    yield from _groups(Kind.PUNCTUATION, others, lambda name: _squeezed(name.surface))
    yield from _tails(names)
    yield from _slips(names)
    for name in names:
        for kind in doubtful(name):
            yield Clash(kind, (name,))


def doubtful(name: Spelling) -> list[Kind]:
    """What is doubtful about a name by itself; nothing once it counts only with other evidence."""
    if name.ambiguous:
        return []
    if name.norm in KOREAN_WORDS | GENERIC_WORDS or name.norm in COMMON_ACRONYMS:
        return [Kind.COMMON]
    if name.norm in ENGLISH_WORDS and not name.case_sensitive:
        return [Kind.COMMON]
    return [Kind.SHORT] if len(name.norm) <= _SHORT else []


def _relation(candidate: Spelling, squeezed: str, low: str, other: Spelling) -> Kind | None:
    one, two = candidate.norm, other.norm
    if one == two:
        return Kind.SAME
    short, long = (one, two) if len(one) <= len(two) else (two, one)
    if short in long and len(short) >= _SHORT:
        if long.startswith(short) and _is_tail(short, long):
            return Kind.PARTICLE
        if _stands_in(low, _spaced(other.surface)):
            return Kind.PART
    if squeezed and squeezed[0] in two and squeezed == _squeezed(other.surface):
        return Kind.PUNCTUATION
    if abs(len(one) - len(two)) <= 1 and _similar(one, two):
        return Kind.SIMILAR
    return None


def _squeezed(surface: str) -> str:
    return "".join(filter(str.isalnum, fold(surface).low))


def _spaced(surface: str) -> str:
    return fold(surface).low.strip()


def _is_tail(short: str, long: str) -> bool:
    """Whether what ``long`` adds reads as a particle or a noun that may follow ``short``."""
    rest = long[len(short) :]
    return is_syllable(short[-1]) and all(map(is_syllable, rest)) and bool(read_tail(rest))


def _stands_in(one: str, two: str) -> bool:
    """Whether the shorter text begins a word of the longer, and ends one where it is Latin."""
    short, long = (one, two) if len(one) <= len(two) else (two, one)
    at = long.find(short)
    while at >= 0:
        end = at + len(short)
        begins = at == 0 or not long[at - 1].isalnum()
        if begins and (is_syllable(short[-1]) or end == len(long) or not long[end].isalnum()):
            return True
        at = long.find(short, at + 1)
    return False


def _similar(one: str, two: str) -> bool:
    """Whether two names of some length are one typing slip apart."""
    least = _SIMILAR_LATIN if one.isascii() else _SIMILAR_HANGUL
    if min(len(one), len(two)) < least or Levenshtein.distance(one, two, score_cutoff=1) != 1:
        return False
    (slip,) = Levenshtein.editops(one, two)
    # Another digit is another year or version, and no slip.
    return not (one[slip.src_pos :][:1].isdigit() or two[slip.dest_pos :][:1].isdigit())


def _groups(kind: Kind, names: Iterable[Spelling], key: object) -> Iterator[Clash]:
    groups: dict[str, list[Spelling]] = defaultdict(list)
    for name in names:
        groups[key(name)].append(name)  # type: ignore[operator]
    for form, group in groups.items():
        if form and len({name.unit for name in group}) > 1:
            yield Clash(kind, tuple(group))


def _tails(names: Sequence[Spelling]) -> Iterator[Clash]:
    """Names that another name becomes with a particle: looked up, not compared pair by pair."""
    by_norm = {name.norm: name for name in names if is_syllable(name.norm[-1])}
    for name in names:
        for length in range(_SHORT, len(name.norm)):
            other = by_norm.get(name.norm[:length])
            if other is not None and other.unit != name.unit and _is_tail(other.norm, name.norm):
                yield Clash(Kind.PARTICLE, (other, name))


def _slips(names: Sequence[Spelling]) -> Iterator[Clash]:
    """Pairs one slip apart. Two such names share a form with one letter gone, so only those are compared."""
    shortened: dict[str, list[Spelling]] = defaultdict(list)
    for name in {name.norm: name for name in names}.values():
        least = _SIMILAR_LATIN if name.norm.isascii() else _SIMILAR_HANGUL
        if len(name.norm) >= least:
            for form in {name.norm, *(name.norm[:at] + name.norm[at + 1 :] for at in range(len(name.norm)))}:
                shortened[form].append(name)
    seen: set[tuple[str, str]] = set()
    for group in shortened.values():
        for at, one in enumerate(group):
            for two in group[at + 1 :]:
                pair = (min(one.norm, two.norm), max(one.norm, two.norm))
                if (
                    one.unit != two.unit
                    and pair not in seen
                    and _similar(*pair)
                    and not _is_tail_of_either(*pair)
                ):
                    seen.add(pair)
                    yield Clash(Kind.SIMILAR, (one, two))


def _is_tail_of_either(one: str, two: str) -> bool:
    short, long = (one, two) if len(one) <= len(two) else (two, one)
    return long.startswith(short) and _is_tail(short, long)


def _sentence(kind: Kind, rivals: Sequence[Spelling]) -> str:
    named = ", ".join(f"{rival.surface} ({rival.unit_label})" for rival in rivals[:_NAMED])
    rest = len(rivals) - _NAMED
    if rest > 0:
        named += " " + ngettext("외 %(rest)d개", "외 %(rest)d개", rest) % {"rest": rest}
    sentences = {
        Kind.SAME: _(
            "다른 단위도 같은 표기를 씁니다: %(names)s. 한 표기에 단위가 둘이면 늘 단서가 있어야 이어집니다."
        ),
        Kind.PUNCTUATION: _("부호만 다른 이름이 있습니다: %(names)s."),
        Kind.PARTICLE: _("조사나 뒷말만 다른 이름이 있습니다: %(names)s. 조사는 적지 않아도 알아봅니다."),
        Kind.PART: _("한쪽이 다른 쪽의 일부입니다: %(names)s. 글에서는 긴 이름이 이깁니다."),
        Kind.SIMILAR: _("한 글자만 다른 이름이 있습니다: %(names)s."),
    }
    return sentences[kind] % {"names": named}


def _alone(kind: Kind) -> str:
    if kind is Kind.COMMON:
        return _("흔한 낱말입니다. ‘모호함’으로 표시하면 다른 단서가 있을 때만 이어집니다.")
    return _("너무 짧습니다. ‘모호함’으로 표시하면 다른 단서가 있을 때만 이어집니다.")
