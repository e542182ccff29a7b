"""``get_entity``: one asset, creator, company, organisation, person or product."""

from collections.abc import Sequence

from knowledge.models import Persona, Pulse
from knowledge.queries.profiles import profile_of
from knowledge.queries.relations import Related
from knowledge.times import iso_kst
from mcpserver.arguments import unit_of
from mcpserver.languages import LANG
from mcpserver.profiles import (
    PROFILE,
    PROFILE_OPTIONAL,
    SERIES,
    bounds_of,
    head_of,
    is_detailed,
    sources_of,
)
from mcpserver.records import absolute, disclosure_of, named, occurrence, sort_of
from mcpserver.schemas import (
    FACTS,
    FORMAT,
    URL,
    arguments,
    asked,
    record,
    rows,
    text,
)
from mcpserver.schemas import result as result_schema
from mcpserver.tool import Arguments, Caller, Record, Tool

RELATIONS_CONCISE = 8


def run(given: Arguments, caller: Caller) -> Record:
    detailed = is_detailed(given)
    located = unit_of(given, "id", "entity")
    unit = located.unit
    assert unit is not None
    profile = profile_of(unit, now=caller.now, bounds=bounds_of(given), foremost=located.series)
    found = {
        **head_of(profile, located, given),
        **sort_of(unit),
        "related": named(profile.references),
        "relations": relations_of(profile.relations, detailed=detailed),
        "events": [occurrence(event) for event in profile.events],
        "pulses": [move_of(pulse) for pulse in profile.pulses],
        **{name: value for name in ("symbol", "website") if (value := getattr(unit, name))},
    }
    if profile.persona is not None:
        found["ai_persona"] = persona_of(profile.persona)
    return found | sources_of(profile.documents, "documents") if detailed else found


def relations_of(relations: Sequence[Related], *, detailed: bool) -> list[Record]:
    """How the unit stands to others, in detail all of it with dates and reference; ``kind`` reads from the unit."""
    told = relations if detailed else relations[:RELATIONS_CONCISE]
    return [relation_of(one, detailed=detailed) for one in told]


def relation_of(one: Related, *, detailed: bool) -> Record:
    found: Record = {"kind": one.kind.value, "id": one.other.public_id, "title": one.other.shown_label}
    dates: Record = {"from": one.started, "to": one.ended}
    if detailed:
        dates |= {"reference": one.reference, "url": absolute(one.other.get_absolute_url())}
    return found | {name: value for name, value in dates.items() if value}


def persona_of(persona: Persona) -> Record:
    return {"glyph": persona.glyph, "disclosure": disclosure_of(persona)}


def move_of(pulse: Pulse) -> Record:
    return {
        "id": pulse.public_id,
        "pulse_kind": pulse.kind,
        "direction": pulse.direction,
        "magnitude_pct": pulse.magnitude_pct,
        "detected_at": iso_kst(pulse.detected_at),
    }


TOOL = Tool(
    name="get_entity",
    title="Get an entity",
    description=(
        "Profile of one asset, creator, company, organisation, person or product: summary, aliases, relations "
        "(founder, operator, member …), units named with it, events and pulses newest first, what its series say now. "
        "Not for topics and events. Detailed adds source_urls, newest documents, AI persona "
        "opinions, dates of relations."
    ),
    input_schema=arguments(
        {"id": asked("Id such as asset:btc, page URL or exact name.")},
        response_format=FORMAT,
        lang=LANG,
    ),
    output_schema=result_schema(
        record(
            {
                **PROFILE,
                "type": text(16),
                "related": rows(FACTS),
                "relations": rows(FACTS),
                "events": rows(FACTS),
                "pulses": rows(FACTS),
            },
            **PROFILE_OPTIONAL,
            **SERIES,
            category=text(16),
            country=text(2),
            symbol=text(24),
            website=URL,
            ai_persona=FACTS,
            documents=rows(FACTS),
        )
    ),
    keeps=True,
    run=run,
    example={"id": "asset:btc", "response_format": "concise", "lang": "en"},
)
