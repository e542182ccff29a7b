"""Help for mistyped names: 비트코잉 is compared with the aliases letter by letter (jamo)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Q
from django.db.models.functions import Coalesce, Length

from knowledge.linking.hangul import PARTICLES
from knowledge.models import Alias, Unit
from knowledge.search import morphemes
from knowledge.search.query import Question
from knowledge.search.statistics import Corpus

SYLLABLES_MIN = 3
JAMO_PER_ERROR = 6  # one slip in every six letters
_WORDS_MAX = 3  # mistyped words of a question that are looked up
_WORD_MAX_LENGTH = 20  # syllables
_NAME = re.compile(rf"[가-힣]{{{SYLLABLES_MIN},}}")
_TOO_FAR = 99


class Name(NamedTuple):
    """An alias and the public id of the unit it speaks for."""

    surface: str
    public_id: str


class Mended(NamedTuple):
    """A question with its mistyped names put right, and the public ids of the units they name."""

    question: str
    public_ids: tuple[str, ...]


def mend(asked: Question, corpus: Corpus) -> Mended | None:
    """The question with each unknown word replaced by the alias it is closest to; None if there is none."""
    mended = morphemes.normalise(asked.text)
    meant: list[Name] = []
    for word in list(_unknown_words(asked, corpus))[:_WORDS_MAX]:
        names = _nearest(word)
        if names:
            mended = mended.replace(word, " ".join(dict.fromkeys(name.surface for name in names)))
            meant += names
    return Mended(mended, tuple(name.public_id for name in meant)) if meant else None


def _unknown_words(asked: Question, corpus: Corpus) -> Iterator[str]:
    """Written words of three syllables and more in which some morpheme stands in no passage at all.

    Whole written words rather than the analyser's nouns, for it takes apart exactly what it does not know.
    """
    unknown = [token for token in asked.tokens if not corpus.df(token.term)]
    for run in morphemes.HANGUL_RUN.finditer(morphemes.normalise(asked.text)):
        is_unknown = any(run.start() <= token.start < run.end() for token in unknown)
        if is_unknown and SYLLABLES_MIN <= len(run.group()) <= _WORD_MAX_LENGTH:
            yield run.group()


def _nearest(word: str) -> list[Name]:
    """The names closest to a word or to the word without its particle; several only when equally close."""
    forms = [_jamo(form) for form in _without_particles(word)]
    distances = [
        (min(_slips(form, _jamo(name.surface)) for form in forms), name)
        for name in _names_up_to(len(word) + 1)
    ]
    least = min((distance for distance, _name in distances), default=_TOO_FAR)
    return [name for distance, name in distances if distance == least < _TOO_FAR]


def _without_particles(word: str) -> list[str]:
    ends = range(SYLLABLES_MIN, len(word))
    return [word, *(word[:end] for end in ends if word[end:] in PARTICLES)]


def _names_up_to(syllables: int) -> list[Name]:
    """The unambiguous Hangul names of public units that are no longer than this."""
    public = Unit.objects.published()
    rows = (
        Alias.names.linked()
        .filter(Q(unit__in=public) | Q(unit__merged_into__in=public), ambiguous=False)
        .annotate(
            syllables=Length("surface"),
            prefix=Coalesce("unit__merged_into__prefix", "unit__prefix"),
            slug=Coalesce("unit__merged_into__slug", "unit__slug"),
        )
        .filter(syllables__gte=SYLLABLES_MIN, syllables__lte=syllables)
        .order_by("pk")
        .values_list("surface", "prefix", "slug")
    )
    return [Name(surface, f"{prefix}:{slug}") for surface, prefix, slug in rows if _NAME.fullmatch(surface)]


def _jamo(syllables: str) -> str:
    return unicodedata.normalize("NFD", syllables)


def _slips(typed: str, meant: str) -> int:
    """How many letters are wrong, missing, extra or swapped; _TOO_FAR beyond one in JAMO_PER_ERROR."""
    allowed = min(len(typed), len(meant)) // JAMO_PER_ERROR
    if not allowed or abs(len(typed) - len(meant)) > allowed:
        return _TOO_FAR
    before_last: list[int] = []
    last = list(range(len(meant) + 1))
    for row, letter in enumerate(typed, 1):
        current = [row]
        for column, other in enumerate(meant, 1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == meant[column - 2] and typed[row - 2] == other:
                cost = min(cost, before_last[column - 2] + 1)
            current.append(cost)
        if min(current) > allowed:
            return _TOO_FAR
        before_last, last = last, current
    return last[-1] if last[-1] <= allowed else _TOO_FAR
