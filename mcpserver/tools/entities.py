"""``get_entity``: one asset, creator, company, organisation, person or product."""

from knowledge.models import Persona, Pulse, Unit
from knowledge.queries import units
from knowledge.queries.records import ai_disclosure
from knowledge.times import iso_kst
from mcpserver.arguments import unit_of
from mcpserver.profiles import OCCURRENCE, PROFILE, PROFILE_OPTIONAL, SOURCE, is_detailed, profile_of
from mcpserver.records import document_item, named, occurrence, post_text
from mcpserver.schemas import (
    FORMAT,
    ID,
    MOMENT,
    NAMED,
    NUMBER,
    TEXT_MAX_LENGTH,
    URL,
    arguments,
    asked,
    leaf,
    record,
    rows,
    text,
)
from mcpserver.schemas import result as result_schema
from mcpserver.tool import Arguments, Caller, Record, Tool

RELATED_MAX, EVENTS_MAX, PULSES_MAX, DOCUMENTS_MAX, POSTS_MAX = 20, 20, 10, 10, 5
MOVE = leaf(id=ID, direction=text(4), magnitude_pct=NUMBER, detected_at=MOMENT)


def run(given: Arguments, caller: Caller) -> Record:
    detailed = is_detailed(given)
    located = unit_of(given, "id", "entity")
    unit = located.unit
    assert unit is not None
    share = 1 if detailed else 4  # a concise record shows the first quarter of each list
    found = {
        **profile_of(located, detailed=detailed),
        "type": unit.type,
        "related": named(units.companions_of(unit, RELATED_MAX // share)),
        "events": [occurrence(event) for event in units.events_about(unit)[: EVENTS_MAX // share]],
        "pulses": [move_of(pulse) for pulse in units.pulses_of(unit)[: PULSES_MAX // share]],
        **{name: value for name in ("symbol", "website") if (value := getattr(unit, name))},
    }
    persona = units.persona_of(unit)
    if persona is not None:
        found["ai_persona"] = persona_of(persona)
    if detailed:
        found["documents"] = [
            document_item(document) for document in units.documents_about(unit, DOCUMENTS_MAX)
        ]
        found["posts"] = posts_of(unit)
    return found


def posts_of(unit: Unit) -> list[str]:
    return [post_text(post)[:TEXT_MAX_LENGTH] for post in units.posts_about(unit)[:POSTS_MAX]]


def persona_of(persona: Persona) -> Record:
    return {"glyph": persona.glyph, "disclosure": ai_disclosure(persona.disclosure)}


def move_of(pulse: Pulse) -> Record:
    return {
        "id": pulse.public_id,
        "direction": pulse.direction,
        "magnitude_pct": pulse.magnitude_pct,
        "detected_at": iso_kst(pulse.detected_at),
    }


TOOL = Tool(
    name="get_entity",
    title="Get an entity",
    description=(
        "Profile of one asset, creator, company, organisation, person or product: summary, aliases, counts, "
        "units named with it, events and price pulses newest first. Use it when the id, page URL or exact "
        "name is known; not for topics and events. Merged ids give the survivor and merged_from. "
        "Detailed adds documents and AI persona opinions. Lists follow the records within minutes. No prices "
        "or advice."
    ),
    input_schema=arguments(
        {"id": asked("Id such as asset:btc, page URL, or exact name or alias.")}, response_format=FORMAT
    ),
    output_schema=result_schema(
        record(
            {
                **PROFILE,
                "type": text(16),
                "related": rows(NAMED),
                "events": rows(OCCURRENCE),
                "pulses": rows(MOVE),
            },
            **PROFILE_OPTIONAL,
            symbol=text(24),
            website=URL,
            ai_persona=leaf(glyph=text(8), disclosure=text(300)),
            documents=rows(SOURCE),
            posts=rows(text(TEXT_MAX_LENGTH)),
        )
    ),
    keeps=True,
    run=run,
    example={"id": "asset:btc", "response_format": "concise"},
)
