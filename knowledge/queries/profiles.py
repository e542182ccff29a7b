"""The whole public record of one unit: what ``/api/units/<id>.json`` and the look-ups of MCP are made of."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, cast

from django.conf import settings

from knowledge.models import (
    ENTITY_TYPES,
    Document,
    Persona,
    PersonaPost,
    Pulse,
    Status,
    Unit,
    UnitType,
)
from knowledge.queries import units
from knowledge.queries.records import pulse_record, record_of
from knowledge.queries.relations import Related, relation_record, relations_of
from knowledge.queries.serializers import (
    DocumentReference,
    EventReference,
    PostRecord,
    ProfileRecord,
    UnitReference,
)
from knowledge.queries.series import record_of as series_record
from knowledge.queries.series import shown_series
from knowledge.queries.series_serializers import SeriesRecord
from knowledge.series.values import figures_of
from knowledge.times import iso_kst

VERSION = "v1"


class Bounds(NamedTuple):
    """How many there are at most of what a unit may have many of."""

    references: int
    events: int
    pulses: int
    documents: int
    posts: int
    series: int


WHOLE = Bounds(references=20, events=20, pulses=10, documents=20, posts=10, series=20)


@dataclass(frozen=True, slots=True)
class Profile:
    """A unit with all that belongs to it, the newest first; a list that its kind does not have is empty.

    ``references`` are the units named with it, for a topic entities only; of an event those that it is about.
    ``before`` and ``after`` are an event's neighbours on the same subjects, its documents stand in the order in which
    they appeared.
    """

    unit: Unit
    aliases: list[str]
    merged_ids: list[str]
    persona: Persona | None
    references: list[Unit]
    events: list[Unit]
    before: Unit | None
    after: Unit | None
    pulses: list[Pulse]
    documents: list[Document]
    posts: list[PersonaPost]
    series: list[SeriesRecord]
    relations: list[Related]


def profile_of(unit: Unit, *, now: datetime, bounds: Bounds = WHOLE, foremost: str = "") -> Profile:
    """The profile of a published unit at ``now``; ``foremost`` is the id of a series that comes before the others."""
    kind = UnitType(unit.type)
    is_event = kind is UnitType.EVENT
    before, after = units.adjacent_events(unit) if is_event else (None, None)
    return Profile(
        unit=unit,
        aliases=units.aliases_of(unit),
        merged_ids=merged_ids(unit),
        persona=units.persona_of(unit),
        references=_references(unit, kind, bounds.references),
        events=[] if is_event else list(units.events_about(unit)[: bounds.events]),
        before=before,
        after=after,
        pulses=list(units.pulses_of(unit)[: bounds.pulses]) if kind is UnitType.ASSET else [],
        documents=_documents(unit, kind, bounds.documents),
        posts=list(units.posts_about(unit)[: bounds.posts]) if bounds.posts else [],
        series=[] if is_event else series_records(unit, now=now, foremost=foremost)[: bounds.series],
        relations=relations_of(unit) if kind in ENTITY_TYPES else [],
    )


def merged_ids(unit: Unit) -> list[str]:
    """The ids that were public and lead to the unit since theirs were merged into it; a retracted one is not named."""
    merged = Unit.objects.filter(merged_into=unit.pk, status=Status.PUBLISHED)
    return sorted(each.public_id for each in merged)


def series_records(unit: Unit, *, now: datetime, foremost: str = "") -> list[SeriesRecord]:
    """What the series of a unit's page say at ``now``, the headline first, before it only ``foremost``."""
    records = [series_record(figures) for figures in figures_of(shown_series(unit), now=now)]
    return sorted(records, key=lambda record: record["id"] != foremost)


def _references(unit: Unit, kind: UnitType, limit: int) -> list[Unit]:
    if kind is UnitType.EVENT:
        return units.subjects_of(unit)
    if kind is UnitType.TOPIC:
        return units.companions_of(unit, limit, types=ENTITY_TYPES)
    return units.companions_of(unit, limit)


def _documents(unit: Unit, kind: UnitType, limit: int) -> list[Document]:
    if not limit:
        return []
    return (units.documents_of_event if kind is UnitType.EVENT else units.documents_about)(unit, limit)


def whole_record(profile: Profile) -> ProfileRecord:
    """The profile as ``/api/units/<id>.json`` says it: the record of the unit's index, with all that belongs to it."""
    unit = profile.unit
    subjects = profile.references if unit.type == UnitType.EVENT else ()
    record = {
        "version": VERSION,
        "site": settings.BASE_URL,
        "kind": unit.kind,
        "type": unit.type,
        **record_of(unit, subjects),
        "mergedIds": profile.merged_ids,
        "references": [unit_reference(each) for each in profile.references],
        "events": [_event(each) for each in profile.events],
        "pulses": [pulse_record(each) for each in profile.pulses],
        "documents": [_document(each) for each in profile.documents],
        "posts": [_post(each) for each in profile.posts],
        "series": profile.series,
        "relations": [relation_record(each) for each in profile.relations],
    }
    if unit.type == UnitType.EVENT:
        record["before"] = _event(profile.before) if profile.before else None
        record["after"] = _event(profile.after) if profile.after else None
    return cast(ProfileRecord, record)


def unit_reference(unit: Unit) -> UnitReference:
    return {"id": unit.public_id, "label": unit.label, "url": unit.get_absolute_url()}


def _event(event: Unit) -> EventReference:
    occurred_at = iso_kst(event.occurred_at) if event.occurred_at else None
    return {**unit_reference(event), "occurredAt": occurred_at}


def _document(document: Document) -> DocumentReference:
    return {
        "id": f"document:{document.pk}",
        "kind": document.kind,
        "title": document.title,
        "url": document.url,
        "source": document.source.name,
        "publishedAt": iso_kst(document.published_at) if document.published_at else None,
    }


def _post(post: PersonaPost) -> PostRecord:
    persona = post.persona
    return {
        "id": f"post:{post.pk}",
        "url": post.get_absolute_url(),
        "persona": persona.entity.public_id,
        "isAiPersona": True,
        "glyph": persona.glyph,
        "disclosure": persona.disclosed,
        "body": post.body,
        "publishedAt": iso_kst(post.published_at),
    }
