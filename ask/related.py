"""Where a reader may go on from an answer: pages that were near when it was made, and starter questions near it.

Pages are kept with the version by their keys, and named when they are shown: what was withdrawn since is left out, and
what was merged is its survivor. They are no citations: the answer does not rest on them. Where there is no answer, each
has the sentence that comes nearest to the question, as long as it stands on that page.
"""

from collections.abc import Sequence
from typing import Any, TypedDict

from django.db.models import OuterRef, Q, QuerySet, Subquery

from ask.drafts import Draft
from ask.evidence import Evidence, unit_key, units_of
from ask.models import Answer, AnswerQuerySet, AnswerVersion, Mode, SeedQuestion
from knowledge.languages import ENGLISH
from knowledge.models import Unit
from knowledge.queries.units import companions_of, persona_of

SHOWN = 3
KEPT = 6  # so that some are left when others are withdrawn
_NONE = Q(pk__in=())
ANSWER = "answer"  # the type of a starter question


class RelatedRecord(TypedDict):
    """A page as the contract shows it. ``url`` is site-relative; ``sentence`` is empty where there is an answer."""

    label: str
    url: str
    type: str
    sentence: str


def pages_near(evidence: Sequence[Evidence], draft: Draft) -> list[str]:
    """The keys of the units on whose pages the other evidence stands, the nearest first; where those are few, of the
    units that are named most often beside the first one."""
    ranked = sorted(evidence, key=lambda one: one.rank)
    found_near = (key for key, _sentence in draft.nearest)
    near = list(dict.fromkeys([*found_near, *(one.page_key for one in ranked if not one.is_opinion)]))
    first = next((key for key in (*draft.cited_keys, *near) if key.startswith("unit:")), None)
    found = [key for key in near if key not in draft.cited_keys]
    if len(found) < SHOWN and first is not None:
        (beside,) = units_of([first])
        companions = companions_of(Unit.objects.get(pk=beside), KEPT)
        found += [
            unit_key(unit.pk) for unit in companions if unit_key(unit.pk) not in (*found, *draft.cited_keys)
        ]
    return found[:KEPT]


def related(version: AnswerVersion) -> list[RelatedRecord]:
    """At most three pages to go on with, public now: the nearest where there is no answer, else a starter question on
    the same unit first. Two queries."""
    pages = _pages(version)
    about, others = _starters(version)
    if version.mode == Mode.NONE:
        return [*pages, *about, *others][:SHOWN]
    return [*about[:1], *pages[:2], *about[1:], *pages[2:], *others][:SHOWN]


def _pages(version: AnswerVersion) -> list[RelatedRecord]:
    wanted, lang = units_of(version.related_keys), version.answer.lang
    units = Unit.objects.select_related("merged_into").in_bulk(wanted) if wanted else {}
    found = dict.fromkeys(units[key].survivor for key in wanted if key in units)
    return [
        {
            "label": _label(unit, lang),
            "url": unit.get_absolute_url(),
            "type": unit.url_prefix,
            "sentence": _sentence(version, unit),
        }
        for unit in found
        if unit.is_public
    ]


def _sentence(version: AnswerVersion, unit: Unit) -> str:
    """The kept sentence of a page, unless its text was changed since."""
    kept: str = version.related_sentences.get(unit_key(unit.pk), "")
    return kept if any(kept in text for text in (unit.summary, unit.summary_en)) else ""


def _label(unit: Unit, lang: str) -> str:
    """In the language of the answer, or of an English page; an AI persona says what it is wherever it is named."""
    if (persona := persona_of(unit)) is not None:
        return persona.byline_in(lang)
    return unit.label_in(ENGLISH) if lang == ENGLISH else unit.shown_label


def starters_on(unit: Unit, subjects: Sequence[Unit] = (), *, lang: str) -> list[RelatedRecord]:
    """Three starter questions in a language: those whose answers cite the unit first, then those that name it or whose
    answers cite one of the ``subjects`` of an event, then others. One query."""
    beside = [unit_key(subject.pk) for subject in subjects]
    near = Q(question__icontains=unit.label_in(lang)) | Q(current__cited_keys__overlap=beside)
    about, others = _answered(Answer.objects.filter(lang=lang), unit_key(unit.pk), near)
    return [*about, *others]


def _starters(version: AnswerVersion) -> tuple[list[RelatedRecord], list[RelatedRecord]]:
    """Starter questions in the language of the answer: those whose answers cite its first unit, and others."""
    first = next((key for key in (*version.cited_keys, *version.related_keys) if key.startswith("unit:")), "")
    return _answered(Answer.objects.filter(lang=version.answer.lang).exclude(pk=version.answer_id), first)


def _answered(
    answers: AnswerQuerySet, evidence_key: str, near: Q = _NONE
) -> tuple[list[RelatedRecord], list[RelatedRecord]]:
    """The starter questions among these answers: those whose answers cite this evidence, and others, those that are
    ``near`` first; three in all."""
    place = SeedQuestion.objects.active().filter(question_hash=OuterRef("pk")).values("order")
    rows: QuerySet[Any] = starting(answers).annotate(
        about=Q(current__cited_keys__contains=[evidence_key]), near=near, place=Subquery(place)
    )
    about: list[RelatedRecord] = []
    others: list[RelatedRecord] = []
    for answer in rows.order_by("-about", "-near", "place", "pk")[:SHOWN]:
        record: RelatedRecord = {
            "label": answer.question,
            "url": answer.get_absolute_url(),
            "type": ANSWER,
            "sentence": "",
        }
        (about if answer.about else others).append(record)
    return about, others


def starting(answers: AnswerQuerySet) -> AnswerQuerySet:
    """Those of them that answer a starter question, and say something."""
    return answers.published().seeds().exclude(current__mode=Mode.NONE)
