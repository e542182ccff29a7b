"""All that is public of one unit: what its page, its Markdown twin and its linked data are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from knowledge.models import ENTITY_TYPES, Document, Persona, PersonaPost, Pulse, Unit, UnitType
from knowledge.queries.records import record_of
from knowledge.queries.relations import Related, relations_of
from knowledge.queries.units import (
    documents_about,
    events_about,
    persona_of,
    posts_about,
    pulses_of,
    sequels_of,
    subjects_of,
)

# What tells that a sheet, or a profile, may be another: a unit speaks of others, and of its series.
SCOPES = frozenset({"entity", "topic", "event", "series", "pulse", "post", "documents"})
DOCUMENTS_SHOWN = 10
POSTS_SHOWN = 10
# On a persona's own page all that it wrote, so that the address of each leads to it.
OWN_POSTS_SHOWN = 200
EVENTS_SHOWN = 12
NEWER_SHOWN = 5
PULSES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class UnitSheet:
    """``record`` is the unit's in the public JSON, ``documents`` one page of its documents, ``newer`` the next events
    that name what its name names first."""

    unit: Unit
    record: dict[str, Any]
    persona: Persona | None
    subjects: Sequence[Unit]
    events: Sequence[Unit]
    newer: Sequence[Unit]
    documents: Sequence[Document]
    page: int
    has_more: bool
    posts: Sequence[PersonaPost]
    pulses: Sequence[Pulse]
    relations: Sequence[Related]

    @property
    def has_facts(self) -> bool:
        """Whether anything at all is known beyond the name."""
        return bool(self.record["summary"] or self.documents or self.events or self.posts)


def sheet_of(unit: Unit, *, page: int = 1) -> UnitSheet:
    """The sheet of a published unit. ``page`` counts pages of documents from 1."""
    is_event = unit.type == UnitType.EVENT
    subjects = subjects_of(unit) if is_event else []
    persona = persona_of(unit)
    documents = documents_about(unit, DOCUMENTS_SHOWN + 1, start=(page - 1) * DOCUMENTS_SHOWN)
    return UnitSheet(
        unit=unit,
        record=dict(record_of(unit, subjects)),
        persona=persona,
        subjects=subjects,
        events=() if is_event else list(events_about(unit)[:EVENTS_SHOWN]),
        newer=sequels_of(unit, subjects, NEWER_SHOWN),
        documents=documents[:DOCUMENTS_SHOWN],
        page=page,
        has_more=len(documents) > DOCUMENTS_SHOWN,
        posts=list(posts_about(unit)[: OWN_POSTS_SHOWN if persona else POSTS_SHOWN]),
        pulses=list(pulses_of(unit)[:PULSES_SHOWN]),
        relations=relations_of(unit) if unit.type in ENTITY_TYPES else (),
    )
