"""Which pages have a card, and what each says: one module for each kind of page.

A page is known by its path, ``/en/…`` for an English twin. Whatever kind it is, a module gives its ``paths``, which are
Korean ones, the most important first; the ``cards`` of some of them, read together and in the language that is active;
and what a reader meets ``at`` one of them.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import chain, groupby, zip_longest
from typing import Protocol

from django.conf import settings
from django.utils.translation import gettext, override

from feeds.cards.content import Card, joined
from feeds.cards.subjects import answers, days, numbers, standing, units
from feeds.cards.subjects.meeting import Meeting
from knowledge.languages import ENGLISH, KOREAN, english_path, korean_path, language_of_path


class Subject(Protocol):
    """A module of this package."""

    PATH: re.Pattern[str]

    def paths(self) -> Iterable[str]: ...
    def cards(self, paths: Collection[str], now: datetime) -> dict[str, Card]: ...
    def at(self, path: str) -> Meeting: ...


SUBJECTS: tuple[Subject, ...] = (standing, days, answers, numbers, units)


def every_page() -> Iterator[str]:
    """All pages that want a card, each of them once: those that are always there, then of each kind the most important,
    the Korean ones first."""
    first, *others = SUBJECTS
    in_turns = filter(None, chain.from_iterable(zip_longest(*(each.paths() for each in others))))
    for korean in (list(first.paths()), list(dict.fromkeys(in_turns))):
        yield from korean
        yield from (twin for twin in map(english_path, korean) if twin)


def cards_of(pages: Collection[str], now: datetime) -> dict[str, Card]:
    """The cards of those of these pages that are public and have something to say."""
    found: dict[str, Card] = {}
    for (place, lang), group in groupby(sorted(pages, key=_kind), key=_kind):
        if place < len(SUBJECTS):
            by_path = {korean_path(page): page for page in group}
            with override(lang):
                read = SUBJECTS[place].cards(list(by_path), now)
                found |= {by_path[path]: _labelled(card) for path, card in read.items()}
    return found


def _labelled(card: Card) -> Card:
    """Of a rehearsed world that it is one: a picture goes where no page is around it."""
    if not settings.REHEARSAL:
        return card
    return replace(card, kicker=joined(gettext("연습용 데이터"), card.kicker))


def met_at(page: str) -> Meeting | None:
    """What a reader meets at a page; None where there can be none with a card."""
    place, lang = _kind(page)
    if place == len(SUBJECTS):
        return None
    met = SUBJECTS[place].at(korean_path(page))
    return met if lang == KOREAN or not met.path else met._replace(path=english_path(met.path))


def _kind(page: str) -> tuple[int, str]:
    """Which subject a page belongs to, the number of them where none, and its language."""
    path, lang = korean_path(page), language_of_path(page)
    if lang == ENGLISH and english_path(path) != page:
        return len(SUBJECTS), lang
    fitting = (place for place, each in enumerate(SUBJECTS) if each.PATH.fullmatch(path))
    return next(fitting, len(SUBJECTS)), lang
