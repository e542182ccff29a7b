"""Help for mistyped names: bitcion, 비트코윈. Words that nobody knows are compared with all names, letter by letter.

A word is mended where it is a slip away from a name, is no word of the dictionary, of passages or of the canon, and
where the text then names a unit by it.
"""

import re
import time
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, product
from math import inf
from threading import Lock, Thread
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from knowledge.linking import gazetteer
from knowledge.linking.store import units_asked
from knowledge.models import Alias
from knowledge.normalise import normalise_alias
from knowledge.search import morphemes
from knowledge.search.known_words import SYLLABLES_MIN, forms, is_known, is_read, stands_in_passages, within
from knowledge.search.query import Question
from knowledge.search.slips import initial, is_hangul, is_likely, slips_allowed, spellings
from knowledge.search.statistics import Corpus

WORDS_MAX = 3  # unknown words of a question that are looked up
_TRIED_MAX = 5  # equally close names
_WORD = re.compile(r"(?<![가-힣])[가-힣]{3,20}(?![가-힣])|(?<![A-Za-z0-9])[A-Za-z]{5,24}(?![A-Za-z0-9])")
_COMPARED = re.compile(r"[가-힣]{3,20}|[a-z]{5,24}")
_LETTERS = re.compile(r"[가-힣]{2,20}|[a-z]{4,24}")
_ALIKE = 0.7  # of the letters of two names that resemble each other
_LETTERS_APART = 2  # at most, their lengths
_WORD_OF_NAME = re.compile(r"[가-힣]{3,}|[A-Za-z]{5,}")
_NOTHING_KNOWN = Corpus(passages=0, average_length=1.0, frequencies={})


class Mend(NamedTuple):
    """A name as it was written, without its particle, and the name that it was taken for."""

    written: str
    taken: str


class Mended(NamedTuple):
    """A question with its mistyped names put right, and what was put right in it, in order."""

    question: str
    mends: tuple[Mend, ...]


def mend(asked: Question, corpus: Corpus) -> Mended | None:
    """The question with each unknown word replaced by the name it is closest to; None if there is none."""
    text = unicodedata.normalize("NFKC", morphemes.CONTROL.sub(" ", asked.text))
    unknown = [word for word in _WORD.finditer(text) if not is_known(word.group(), corpus)]
    if not unknown or not (names := names_at_hand(text)):
        return None
    read = morphemes.verbatim_morphemes(text) if morphemes.HAS_MECAB else []
    words = [word for word in unknown if not is_read(within(word, read), corpus)]
    mended, mends = text, list[Mend]()
    for word in reversed(words[:WORDS_MAX]):
        if not stands_in_passages(within(word, read), corpus) and (found := _name_meant(word, text, names)):
            mended = mended[: word.start()] + found.taken + mended[word.start() + len(found.written) :]
            mends.insert(0, found)
    return Mended(mended, tuple(mends)) if mends else None


def _name_meant(word: re.Match[str], text: str, names: "Names") -> Mend | None:
    """The closest name by which the text would name a unit; None where it would name several."""
    meant: dict[tuple[str, ...], Mend] = {}
    for found in _nearest(word.group(), names):
        instead = text[: word.start()] + found.taken + text[word.start() + len(found.written) :]
        end = word.start() + len(found.taken)
        for said in units_asked(instead, crypto_channel=True):
            if said.start < end and word.start() < said.end:
                meant.setdefault(said.public_ids, found)
    return next(iter(meant.values())) if len(meant) == 1 else None


def _nearest(word: str, names: "Names") -> list[Mend]:
    """The names closest to a word, or to the longest part of it that a particle may follow; none for what is a word
    of a name as it stands."""
    # By what the word becomes: how long the first part was that became it, and the last, which leaves the particle out.
    found: dict[tuple[int, int], dict[str, tuple[int, Mend]]] = defaultdict(dict)
    for form in forms(word):
        for drawn_together, letters in enumerate(spellings(form)):
            for distance, surface in _near(letters, names, hangul=is_hangul(word)):
                if normalise_alias(surface) == form.lower():
                    return []
                mended, same = surface + word[len(form) :], found[distance, drawn_together]
                length, _other = same.get(mended, (len(form), None))
                same[mended] = length, Mend(form, surface)
    closest = found[min(found)].values() if found else ()
    longest = max((length for length, _mend in closest), default=0)
    return [one for length, one in closest if length == longest][:_TRIED_MAX]


def _near(letters: str, names: "Names", *, hangul: bool) -> Iterator[tuple[int, str]]:
    slack = slips_allowed(len(letters) + 1, hangul=hangul)
    for length in range(len(letters) - slack, len(letters) + slack + 1):
        allowed = slips_allowed(min(len(letters), length), hangul=hangul)
        if (bucket := names.get((initial(letters), length))) is None or not allowed:
            continue
        choices, surfaces = (joined.split("\n") for joined in bucket)
        near = process.extract(letters, choices, scorer=OSA.distance, score_cutoff=allowed, limit=None)
        for spelling, distance, at in near:
            if hangul or is_likely(letters, spelling):
                yield int(distance), surfaces[at]


# By initial and number of letters: spellings, and the names so spelt, each joined by line ends. Three hundred thousand
# strings of their own would take five times as much.
Names = dict[tuple[str, int], tuple[str, str]]
_lock = Lock()
_names: Names = {}
_offered: Names = {}  # those that nothing is mended to unasked: short ones, tickers, and names of several units
_version: str | None = None  # the gazetteer's when they were read
_seconds = inf  # that reading them took


def alike(words: str, limit: int) -> list[tuple[str, float]]:
    """The names that a few words resemble as a whole, nearest first, each with the share of letters that agree.

    For a reader who chooses among them: less has to agree than for what is mended unasked. Of two syllables that are a
    word of the language none is offered.
    """
    norm = normalise_alias(words)
    if not _LETTERS.fullmatch(norm) or (len(norm) < SYLLABLES_MIN and _is_short_word(norm)):
        return []
    names_at_hand(words)
    found: dict[str, float] = {}
    for letters, names in product(spellings(norm), (_names, _offered)):
        for surface, similarity in _resembling(letters, names, limit):
            found[surface] = max(similarity, found.get(surface, 0.0))
    return sorted(found.items(), key=lambda one: -one[1])[:limit]


def _resembling(letters: str, names: Names, limit: int) -> Iterator[tuple[str, float]]:
    for length in range(len(letters) - _LETTERS_APART, len(letters) + _LETTERS_APART + 1):
        if (bucket := names.get((initial(letters), length))) is None:
            continue
        choices, surfaces = (joined.split("\n") for joined in bucket)
        near = process.extract(
            letters, choices, scorer=OSA.normalized_similarity, score_cutoff=_ALIKE, limit=limit
        )
        yield from ((surfaces[at], similarity) for _spelling, similarity, at in near)


def _is_short_word(norm: str) -> bool:
    return morphemes.HAS_MECAB and is_read(morphemes.verbatim_morphemes(norm), _NOTHING_KNOWN)


def names_at_hand(text: str) -> Names:
    """The names, as old as reading the next ones takes: nobody waits for long. Empty until a process has read any."""
    if _version is None or _version != gazetteer.current_gazetteer(text).version:
        if _seconds <= gazetteer.PATIENCE_SECONDS:
            read_names()
        else:
            Thread(target=gazetteer.read_beside, args=(read_names, _lock), name="typos", daemon=True).start()
    return _names


def read_names() -> None:
    """Read the names of public units, and their phrases. Waits for a process's first gazetteer."""
    global _names, _offered, _version, _seconds
    version, began = gazetteer.current_gazetteer().version, time.monotonic()
    units = gazetteer.linkable_units().order_by().prefetch_related(None)
    aliases = Alias.names.linked().filter(unit__in=units.values("pk")).order_by("pk")
    firm, doubtful = (
        aliases.filter(ambiguous=ambiguous).values_list("surface", flat=True) for ambiguous in (False, True)
    )
    asked_as = units.exclude(asked_as=[]).values_list("asked_as", flat=True)
    phrases = (phrase.rstrip("?") for phrases in asked_as for phrase in phrases)
    symbols = units.exclude(symbol="").values_list("symbol", flat=True)
    mended_to, offered = _Spelt(_COMPARED), _Spelt(_LETTERS)
    for surface in _compared(chain(firm.iterator(), phrases)):
        if not mended_to.add(surface):
            offered.add(surface)
    for surface in chain(symbols, doubtful.iterator()):
        offered.add(surface)
    _names, _offered = mended_to.joined(), offered.joined()
    _version, _seconds = version, time.monotonic() - began


class _Spelt:
    """Names of a form by how they are spelt; of several that are spelt alike the first."""

    def __init__(self, form: re.Pattern[str]) -> None:
        self._form = form
        self._known: dict[tuple[str, int], dict[str, str]] = defaultdict(dict)

    def add(self, surface: str) -> bool:
        """Whether the name has the form."""
        if not self._form.fullmatch(norm := normalise_alias(surface)):
            return False
        for letters in spellings(norm):
            self._known[initial(letters), len(letters)].setdefault(letters, surface)
        return True

    def joined(self) -> Names:
        return {key: ("\n".join(found), "\n".join(found.values())) for key, found in self._known.items()}


def _compared(names: Iterable[str]) -> Iterator[str]:
    """Each name, and then the words of those that have several."""
    words: dict[str, None] = {}
    for name in names:
        yield name
        if " " in name or "-" in name:
            words.update(dict.fromkeys(_WORD_OF_NAME.findall(name)))
    yield from words
