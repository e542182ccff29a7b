"""Help for mistyped names: 비트코잉 is compared with the names of public units letter by letter (jamo)."""

import re
import time
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from math import inf
from threading import Lock, Thread
from typing import NamedTuple

from django.db.models.functions import Coalesce
from rapidfuzz import process
from rapidfuzz.distance import OSA

from knowledge.linking import gazetteer
from knowledge.linking.hangul import PARTICLES
from knowledge.models import Alias
from knowledge.search import morphemes
from knowledge.search.query import Question
from knowledge.search.statistics import Corpus

SYLLABLES_MIN = 3
JAMO_PER_ERROR = 6  # one slip in every six letters
_WORDS_MAX = 3  # mistyped words of a question that are looked up
_WORD_MAX_LENGTH = 20  # syllables
_NAME = re.compile(rf"[가-힣]{{{SYLLABLES_MIN},}}")


class Correction(NamedTuple):
    """A name and the public id of the unit it speaks for."""

    surface: str
    public_id: str


class Mended(NamedTuple):
    """A question with its mistyped names put right, and the public ids of the units they name."""

    question: str
    public_ids: tuple[str, ...]


def mend(asked: Question, corpus: Corpus) -> Mended | None:
    """The question with each unknown word replaced by the name it is closest to; None if there is none."""
    mended = morphemes.normalise(asked.text)
    meant: list[Correction] = []
    for word in list(_unknown_words(asked, corpus))[:_WORDS_MAX]:
        if names := _nearest(word):
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


def _nearest(word: str) -> list[Correction]:
    """The names closest to a word or to the word without its particle; several only when equally close.

    A letter may be wrong, missing, extra or swapped with its neighbour, one in every six.
    """
    names = names_at_hand(word)
    found: defaultdict[int, dict[Correction, None]] = defaultdict(dict)
    ends = range(SYLLABLES_MIN, len(word))
    for form in (word, *(word[:end] for end in ends if word[end:] in PARTICLES)):
        letters = _jamo(form)
        slack = len(letters) // JAMO_PER_ERROR
        for length in range(len(letters) - slack, len(letters) + slack + 1):
            spellings = list(names.get(length, ()))
            allowed = min(len(letters), length) // JAMO_PER_ERROR
            near = process.extract(letters, spellings, scorer=OSA.distance, score_cutoff=allowed, limit=None)
            for spelling, distance, _at in near:
                found[distance].update(dict.fromkeys(names[length][spelling]))
    return list(found[min(found)]) if found else []


Spellings = dict[int, dict[str, list[Correction]]]  # by the number of letters, then by the letters
_lock = Lock()
_names: Spellings = {}
_version: str | None = None  # the gazetteer's when they were read
_seconds = inf  # that reading them took


def names_at_hand(word: str) -> Spellings:
    """The names, as old as reading the next ones takes: nobody waits for long. Empty until a process has read any."""
    if _version is None or _version != gazetteer.current_gazetteer(word).version:
        if _seconds <= gazetteer.PATIENCE_SECONDS:
            read_names()
        else:
            Thread(target=gazetteer.read_beside, args=(read_names, _lock), name="typos", daemon=True).start()
    return _names


def read_names() -> None:
    """Read the unambiguous Hangul names of public units, and their phrases. Waits for a process's first gazetteer."""
    global _names, _version, _seconds
    version, began = gazetteer.current_gazetteer().version, time.monotonic()
    linkable = gazetteer.linkable_units().order_by()
    rows = (
        Alias.names.linked()
        .filter(unit__in=linkable.values("pk"), ambiguous=False)
        .annotate(
            prefix=Coalesce("unit__merged_into__prefix", "unit__prefix"),
            slug=Coalesce("unit__merged_into__slug", "unit__slug"),
        )
        .order_by("pk")
        .values_list("surface", "prefix", "slug")
    )
    known: defaultdict[int, dict[str, list[Correction]]] = defaultdict(dict)
    named = [(surface, f"{prefix}:{slug}") for surface, prefix, slug in rows.iterator()]
    asked = linkable.prefetch_related(None).select_related("merged_into").exclude(asked_as=[])
    phrases = [(phrase.rstrip("?"), unit.survivor.public_id) for unit in asked for phrase in unit.asked_as]
    borne = {surface for surface, _public_id in named}
    for surface, public_id in [*named, *(one for one in phrases if one[0] not in borne)]:
        if _NAME.fullmatch(surface):
            letters = _jamo(surface)
            known[len(letters)].setdefault(letters, []).append(Correction(surface, public_id))
    _names, _version, _seconds = dict(known), version, time.monotonic() - began


def _jamo(syllables: str) -> str:
    return unicodedata.normalize("NFD", syllables)
