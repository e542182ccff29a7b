"""How a question is read before anything is looked for: mistyped names put right, the units it names found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ask.language import Language, language_of
from knowledge.search import typos
from knowledge.search.query import read_question
from knowledge.search.statistics import read_corpus

# Reads a text and gives the public ids of the units it names.
Link = Callable[[str], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as it was meant. ``named`` are the public ids of the units it names, in order."""

    text: str
    named: tuple[str, ...]
    lang: Language


def read(question: str, *, link: Link) -> Reading:
    """Read a question; nothing is stored or shown of it, so the asker's own words stay what was asked."""
    named = list(link(question))
    corpus = read_corpus(read_question(question).lexemes)
    mended = typos.mend(question, corpus)
    text = mended.question if mended else question
    named += mended.public_ids if mended else ()
    return Reading(text, tuple(dict.fromkeys(named)), language_of(question))
