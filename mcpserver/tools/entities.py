"""``get_entity``: one asset, creator, company, organisation, person or product."""

from knowledge.models import Persona, Pulse
from knowledge.queries.profiles import profile_of
from knowledge.times import iso_kst
from mcpserver.arguments import unit_of
from mcpserver.profiles import (
    OCCURRENCE,
    PROFILE,
    PROFILE_OPTIONAL,
    SERIES,
    SOURCE,
    bounds_of,
    head_of,
    is_detailed,
)
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

MOVE = leaf(id=ID, pulse_kind=text(8), direction=text(4), magnitude_pct=NUMBER, detected_at=MOMENT)


def run(given: Arguments, caller: Caller) -> Record:
    detailed = is_detailed(given)
    located = unit_of(given, "id", "entity")
    unit = located.unit
    assert unit is not None
    profile = profile_of(unit, now=caller.now, bounds=bounds_of(given), foremost=located.series)
    found = {
        **head_of(profile, located, detailed=detailed),
        "type": unit.type,
        "related": named(profile.references),
        "events": [occurrence(event) for event in profile.events],
        "pulses": [move_of(pulse) for pulse in profile.pulses],
        **{name: value for name in ("symbol", "website") if (value := getattr(unit, name))},
    }
    if profile.persona is not None:
        found["ai_persona"] = persona_of(profile.persona)
    if detailed:
        found["documents"] = [document_item(document) for document in profile.documents]
        found["posts"] = [post_text(post)[:TEXT_MAX_LENGTH] for post in profile.posts]
    return found


def persona_of(persona: Persona) -> Record:
    return {"glyph": persona.glyph, "disclosure": persona.disclosed}


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
        "Profile of one asset, creator, company, organisation, person or product: summary, aliases, counts, units "
        "named with it, events and pulses newest first, latest values of its series (price, premium). Use "
        "it when the id, page URL or exact name is known; not for topics and events. "
        "Detailed adds documents and AI persona opinions. Lists follow within minutes. No "
        "advice."
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
            **SERIES,
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
