"""``list_events`` and ``get_event``."""

from knowledge.models import Unit, UnitType
from knowledge.queries.listings import EVENT_ORDERS, events
from knowledge.queries.profiles import profile_of
from knowledge.times import iso_kst
from mcpserver.arguments import optional_unit, paged, span_of, unit_of
from mcpserver.profiles import (
    OCCURRENCE,
    PROFILE,
    PROFILE_OPTIONAL,
    SOURCE,
    bounds_of,
    head_of,
    is_detailed,
)
from mcpserver.records import CONCISE_TEXT, clipped, document_item, listing, named, occurrence, unit_item
from mcpserver.schemas import (
    CURSOR,
    FORMAT,
    ITEM,
    LIMIT,
    MOMENT,
    NAMED,
    SINCE,
    UNTIL,
    arguments,
    asked,
    choice,
    record,
    rows,
    text,
)
from mcpserver.schemas import listing as listing_schema
from mcpserver.schemas import result as result_schema
from mcpserver.tool import Arguments, Caller, Record, Tool

SUBJECTS_MAX, SOURCES_CONCISE = 20, 4


def run_list(given: Arguments, caller: Caller) -> Record:
    entity = optional_unit(given, "entity_id", "entity")
    topic = optional_unit(given, "topic_id", "topic")
    since, until = span_of(given)
    page = paged(
        lambda: events(
            order=given["order"],
            entity=entity,
            topic=topic,
            since=since,
            until=until,
            limit=given["limit"],
            cursor=given.get("cursor", ""),
        )
    )
    hint = "No event fits. Widen since and until, leave entity_id or topic_id out, or use search for news."
    return listing(page, item_of, path="/events", hint=hint)


def item_of(event: Unit) -> Record:
    item = unit_item(event) | {"summary": clipped(event.summary, CONCISE_TEXT)}
    return item | {"occurred_at": iso_kst(event.occurred_at)} if event.occurred_at else item


def run_get(given: Arguments, caller: Caller) -> Record:
    located = unit_of(given, "id", "event")
    event = located.unit
    assert event is not None
    profile = profile_of(event, now=caller.now, bounds=bounds_of(given, documents=SOURCES_CONCISE))
    subjects = profile.references
    found = {
        **head_of(profile, located, detailed=is_detailed(given)),
        "entities": named([unit for unit in subjects if unit.type != UnitType.TOPIC][:SUBJECTS_MAX]),
        "topics": named([unit for unit in subjects if unit.type == UnitType.TOPIC][:SUBJECTS_MAX]),
        "sources": [document_item(document) for document in profile.documents],
    }
    if event.occurred_at:
        found["occurred_at"] = iso_kst(event.occurred_at)
    if profile.before is not None:
        found["before"] = occurrence(profile.before)
    if profile.after is not None:
        found["after"] = occurrence(profile.after)
    return found


LIST = Tool(
    name="list_events",
    title="List events",
    description=(
        "Chronicle of what happened, newest first unless order says oldest. Filters apply together. Use it for "
        "timelines and 'what happened when'; not for single headlines. Editors confirm events, so the last hours may "
        "be missing; withdrawn ones are not listed."
    ),
    input_schema=arguments(
        {},
        entity_id=asked("Id, page URL or exact name."),
        topic_id=asked("Id, page URL or exact name."),
        since=SINCE,
        until=UNTIL,
        order=choice("Order by time.", *EVENT_ORDERS, default="newest"),
        limit=LIMIT,
        cursor=CURSOR,
    ),
    output_schema=result_schema(
        listing_schema(record({**ITEM, "summary": text(CONCISE_TEXT)}, occurred_at=MOMENT))
    ),
    run=run_list,
    example={
        "entity_id": "asset:btc",
        "topic_id": "topic:kimchi-premium",
        "since": "2026-01-01",
        "until": "2026-12-31",
        "order": "newest",
        "limit": 10,
    },
)
GET = Tool(
    name="get_event",
    title="Get an event",
    description=(
        "One event in full: what happened, when, who and which topics it concerns, sources in order of "
        "publication, events on the same subjects just before and after. Use it when the id, page URL or alias is "
        "known; not to browse. Detailed adds full text and more sources. "
        "Editors update summaries."
    ),
    input_schema=arguments(
        {"id": asked("Id such as event:2022-05-luna-collapse, page URL, or exact alias.")},
        response_format=FORMAT,
    ),
    output_schema=result_schema(
        record(
            {
                **PROFILE,
                "entities": rows(NAMED),
                "topics": rows(NAMED),
                "sources": rows(SOURCE),
            },
            **PROFILE_OPTIONAL,
            occurred_at=MOMENT,
            before=OCCURRENCE,
            after=OCCURRENCE,
        )
    ),
    keeps=True,
    run=run_get,
    example={"id": "event:2022-05-luna-collapse", "response_format": "concise"},
)
