"""One story as several outlets tell it: documents with nearly the same title stand together."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Generic, TypeVar

from rapidfuzz.distance import OSA

from knowledge.linking.hangul import PARTICLES
from knowledge.models import Document, SourceKind

Row = TypeVar("Row")
TOLD_WITHIN = timedelta(days=3)
TOLD_BY = (SourceKind.NEWS, SourceKind.NOTICE, SourceKind.VIDEO)
LOOKED_AT = 80  # of the newest documents
_LEAST_WORDS = 3  # of a title: of fewer too many are alike
_MOST_ADDED = 0.34  # of a title's words, that the other one lacks
_NEARLY = 0.34  # of a word's letters, that another one may change
# 속보, 종합, 단독 in brackets, and the outlet's own name after a dash.
_MARKS = re.compile(r"[\[【(<][^\])】>]{1,12}[\])】>]|\s[-|–—]\s[^-|–—]{1,20}$")
_WORD = re.compile(r"[0-9][0-9.,]*|[^\W\d_]+")
_SYLLABLES_LEFT = 2


@dataclass(slots=True)
class Story(Generic[Row]):
    """A row and those that tell the same, in the order of the rows. ``outlets`` are the names of their sources."""

    first: Row
    copies: list[Row] = field(default_factory=list)
    outlets: list[str] = field(default_factory=list)

    @property
    def told_by(self) -> int:
        return len(self.outlets)


def stories(rows: Iterable[Row], document_of: Callable[[Row], Document | None]) -> list[Story[Row]]:
    """The rows, each with later ones whose document tells the same; a row without a document stands alone."""
    found: list[Story[Row]] = []
    told: list[tuple[Story[Row], Document]] = []
    for row in rows:
        document = document_of(row)
        same = None if document is None else next((s for s, d in told if tells_the_same(d, document)), None)
        if same is None:
            same = Story(row)
            found.append(same)
        else:
            same.copies.append(row)
        if document is not None:
            told.append((same, document))
            if document.source.name not in same.outlets:
                same.outlets.append(document.source.name)
    return found


def tells_the_same(one: Document, other: Document) -> bool:
    """Whether two titles differ by no more than a few added words or endings, within days, and in no number."""
    if one.published_at and other.published_at and abs(one.published_at - other.published_at) > TOLD_WITHIN:
        return False
    mine, theirs = words_of(one.title), words_of(other.title)
    if min(len(mine), len(theirs)) < _LEAST_WORDS:
        return mine == theirs and one.title.strip() != ""
    if 2 * len(set(mine) & set(theirs)) < min(len(mine), len(theirs)):
        return False
    only_mine, only_theirs = (
        [word for word in some if word not in others] for some, others in ((mine, theirs), (theirs, mine))
    )
    changed = [word for word in only_mine if not _drop_nearest(word, only_theirs)]
    # A word in the place of another is another name or another deed, as a number is another value.
    if changed and only_theirs:
        return False
    added = changed + only_theirs
    return not any(word[0].isdigit() for word in added) and len(added) <= _MOST_ADDED * max(
        len(mine), len(theirs)
    )


def _drop_nearest(word: str, others: list[str]) -> bool:
    """Take out of ``others`` one that is nearly this word; whether there was any. Of numbers none is near another."""
    for at, other in enumerate(others):
        if word[0].isdigit() or other[0].isdigit():
            continue
        shorter, longer = sorted((word, other), key=len)
        if longer.startswith(shorter) or OSA.normalized_distance(word, other) <= _NEARLY:
            del others[at]
            return True
    return False


@lru_cache(maxsize=2048)
def words_of(title: str) -> tuple[str, ...]:
    """The words of a title without marks, outlet, punctuation and particles, each once."""
    plain = _MARKS.sub(" ", unicodedata.normalize("NFKC", title)).casefold()
    return tuple(dict.fromkeys(_without_particle(word.rstrip(".,")) for word in _WORD.findall(plain)))


def _without_particle(word: str) -> str:
    for end in range(_SYLLABLES_LEFT, len(word)):
        if word[end:] in PARTICLES:
            return word[:end]
    return word


def newest_stories(limit: int, *, since: datetime, now: datetime) -> list[Story[Document]]:
    """What outlets published since then, the newest first; of a story its newest document leads."""
    rows = Document.objects.published().filter(
        kind__in=TOLD_BY, published_at__gt=since, published_at__lte=now
    )
    newest = rows.select_related("source").order_by("-published_at", "-pk")[:LOOKED_AT]
    return stories(newest, lambda document: document)[:limit]
