"""Which names would be taken for one another: seen before an alias is saved, and over the whole canon.

What the database forbids (one unambiguous norm for two units of a type) is ``Alias.collision``; here is what it
allows and an editor should know.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from rapidfuzz.distance import Levenshtein

from knowledge.linking.automaton import default_ambiguous
from knowledge.linking.hangul import is_syllable, read_tail
from knowledge.linking.lexicon import COMMON_ACRONYMS, ENGLISH_WORDS, GENERIC_WORDS, KOREAN_WORDS
from knowledge.models import Alias, Status, survivor_key
from knowledge.normalise import fold

_SHORT = 2  # characters: too few to stand for something without other evidence
_SIMILAR_HANGUL, _SIMILAR_LATIN = 3, 5  # characters from which one letter's difference is a likely slip
_NAMED = 3  # rivals that one warning names; it counts the others


class Kind(TextChoices):
    SAME = "same", _("같은 표기, 다른 항목")
    PUNCTUATION = "punctuation", _("부호만 다름")
    PARTICLE = "particle", _("조사나 뒷말만 다름")
    PART = "part", _("다른 이름의 일부")
    SIMILAR = "similar", _("한 글자만 다름")
    COMMON = "common", _("흔한 낱말")
    SHORT = "short", _("너무 짧음")


_SENTENCES: dict[Kind, str | Promise] = {
    Kind.SAME: _(
        "다른 항목도 같은 표기를 씁니다: %(names)s. 한 표기에 항목이 둘이면 늘 단서가 있어야 이어집니다."
    ),
    Kind.PUNCTUATION: _("부호만 다른 이름이 있습니다: %(names)s."),
    Kind.PARTICLE: _("조사나 뒷말만 다른 이름이 있습니다: %(names)s. 조사는 적지 않아도 알아봅니다."),
    Kind.PART: _("한쪽이 다른 쪽의 일부입니다: %(names)s. 글에서는 긴 이름이 이깁니다."),
    Kind.SIMILAR: _("한 글자만 다른 이름이 있습니다: %(names)s."),
    Kind.COMMON: _("흔한 낱말입니다. ‘모호함’으로 표시하면 다른 단서가 있을 때만 이어집니다."),
    Kind.SHORT: _("너무 짧습니다. ‘모호함’으로 표시하면 다른 단서가 있을 때만 이어집니다."),
}


class Spelling(NamedTuple):
    """A surface by which texts call a unit."""

    surface: str
    norm: str
    unit: int
    unit_label: str
    ambiguous: bool
    case_sensitive: bool = False


class Concern(NamedTuple):
    """One thing an editor should know before a name is saved."""

    kind: Kind
    surface: str
    message: str


def known_names() -> list[Spelling]:
    """Every name of a unit that is not retracted. One query, however many there are."""
    names = Alias.names.linked().exclude(unit__status=Status.RETRACTED).exclude(norm="")
    # A merged unit's names speak for its survivor, so between the two nothing clashes.
    rows = names.order_by("is_label", "pk").values_list(
        "surface", "norm", survivor_key("unit"), "unit__label", "ambiguous", "case_sensitive", "is_label"
    )
    return [
        Spelling(surface, norm, unit, label, default_ambiguous(surface) if is_label else ambiguous, exact)
        for surface, norm, unit, label, ambiguous, exact, is_label in rows
    ]


def concerns(candidate: Spelling, names: Iterable[Spelling]) -> list[Concern]:
    """What speaks against a name for its unit, beside ``names`` of the others. The gravest first."""
    rivals: dict[Kind, list[Spelling]] = defaultdict(list)
    for other in names:
        if other.unit != candidate.unit and (kind := _relation(candidate, other)):
            rivals[kind].append(other)
    found = {kind: _listed(rivals[kind]) for kind in Kind if kind in rivals}
    if doubt := doubtful(candidate):
        found[doubt] = ""
    return [
        Concern(kind, candidate.surface, str(_SENTENCES[kind]) % {"names": listed})
        for kind, listed in found.items()
    ]


def clashes(names: Sequence[Spelling]) -> dict[Kind, list[tuple[Spelling, ...]]]:
    """Names of the canon that meet, and those that are doubtful by themselves, by kind.

    Part-of is left out: the longer name wins, and most such pairs are meant.
    """
    same = _groups(names, lambda name: name.norm)
    shared = {group[0].norm for group in same}
    others = [name for name in names if name.norm not in shared]
    doubts = [(doubtful(name), name) for name in names]
    return {
        Kind.SAME: same,
        Kind.PUNCTUATION: _groups(others, lambda name: _letters(name.norm)),
        Kind.PARTICLE: list(_tails(names)),
        Kind.SIMILAR: list(_slips(names)),
        **{kind: [(name,) for doubt, name in doubts if doubt is kind] for kind in (Kind.COMMON, Kind.SHORT)},
    }


def doubtful(name: Spelling) -> Kind | None:
    """What is doubtful about a name by itself; nothing once it counts only with other evidence."""
    if name.ambiguous:
        return None
    common = any(name.norm in words for words in (KOREAN_WORDS, GENERIC_WORDS, COMMON_ACRONYMS))
    if common or (name.norm in ENGLISH_WORDS and not name.case_sensitive):
        return Kind.COMMON
    return Kind.SHORT if len(name.norm) <= _SHORT else None


def _relation(candidate: Spelling, other: Spelling) -> Kind | None:
    one, two = candidate.norm, other.norm
    if one == two:
        return Kind.SAME
    short, long = sorted((one, two), key=len)
    if short in long and len(short) >= _SHORT:
        if _adds_a_tail(short, long):
            return Kind.PARTICLE
        if _stands_in(fold(candidate.surface).low.strip(), fold(other.surface).low.strip()):
            return Kind.PART
    if not (one.isalnum() and two.isalnum()) and _letters(one) == _letters(two) != "":
        return Kind.PUNCTUATION
    return Kind.SIMILAR if _are_similar(one, two) else None


def _letters(norm: str) -> str:
    return "".join(filter(str.isalnum, norm))


def _adds_a_tail(one: str, two: str) -> bool:
    """Whether the longer is the shorter with what reads as a particle or a noun that may follow it."""
    short, long = sorted((one, two), key=len)
    rest = long.removeprefix(short)
    return rest != long and all(map(is_syllable, short[-1] + rest)) and bool(read_tail(rest))


def _stands_in(one: str, two: str) -> bool:
    """Whether the shorter text begins a word of the longer, and ends one where it is Latin."""
    short, long = sorted((one, two), key=len)
    end = "" if is_syllable(short[-1]) else r"(?![^\W_])"
    return re.search(rf"(?<![^\W_]){re.escape(short)}{end}", long) is not None


def _least_length(norm: str) -> int:
    return _SIMILAR_LATIN if norm.isascii() else _SIMILAR_HANGUL


def _are_similar(one: str, two: str) -> bool:
    """Whether two names of some length are one typing slip apart."""
    long_enough = min(len(one), len(two)) >= _least_length(one)
    if not long_enough or Levenshtein.distance(one, two, score_cutoff=1) != 1:
        return False
    (slip,) = Levenshtein.editops(one, two)
    # Another digit is another year or version, and no slip.
    return not (one[slip.src_pos :][:1].isdigit() or two[slip.dest_pos :][:1].isdigit())


def _groups(names: Iterable[Spelling], key: Callable[[Spelling], str]) -> list[tuple[Spelling, ...]]:
    groups: dict[str, list[Spelling]] = defaultdict(list)
    for name in names:
        groups[key(name)].append(name)
    several = (group for form, group in groups.items() if form and len({name.unit for name in group}) > 1)
    return [tuple(group) for group in several]


def _tails(names: Sequence[Spelling]) -> Iterator[tuple[Spelling, Spelling]]:
    """Names that another name becomes with a particle: looked up, not compared pair by pair."""
    by_norm = {name.norm: name for name in names}
    for name in names:
        for length in range(_SHORT, len(name.norm)):
            other = by_norm.get(name.norm[:length])
            if other is not None and other.unit != name.unit and _adds_a_tail(other.norm, name.norm):
                yield other, name


def _slips(names: Sequence[Spelling]) -> Iterator[tuple[Spelling, Spelling]]:
    """Pairs one slip apart. Two such names share a form with one letter gone, so only those are compared."""
    by_norm = {name.norm: name for name in names if len(name.norm) >= _least_length(name.norm)}
    shortened: dict[str, list[str]] = defaultdict(list)
    for norm in by_norm:
        for form in {norm, *(norm[:at] + norm[at + 1 :] for at in range(len(norm)))}:
            shortened[form].append(norm)
    pairs = dict.fromkeys(pair for group in shortened.values() for pair in combinations(group, 2))
    for one, two in pairs:
        apart = by_norm[one].unit != by_norm[two].unit
        if apart and _are_similar(one, two) and not _adds_a_tail(one, two):
            yield by_norm[one], by_norm[two]


def _listed(rivals: Sequence[Spelling]) -> str:
    named = ", ".join(f"{rival.surface} ({rival.unit_label})" for rival in rivals[:_NAMED])
    rest = len(rivals) - _NAMED
    if rest > 0:
        named += " " + ngettext("외 %(rest)d개", "외 %(rest)d개", rest) % {"rest": rest}
    return named
