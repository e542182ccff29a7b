"""``list_events`` and ``get_event``."""

from knowledge.models import PassageKind, Unit, UnitType
from knowledge.queries.listings import EVENT_ORDERS, events
from knowledge.queries.profiles import profile_of
from knowledge.times import iso_kst
from mcpserver.arguments import optional_unit, paged, span_of, unit_of
from mcpserver.holdings import stored
from mcpserver.languages import LANG, english_title
from mcpserver.profiles import (
    PROFILE,
    PROFILE_OPTIONAL,
    bounds_of,
    head_of,
    is_detailed,
    sources_of,
)
from mcpserver.records import CONCISE_TEXT, clipped, listing, named, occurrence, unit_item
from mcpserver.schemas import (
    CURSOR,
    FACTS,
    FORMAT,
    ITEM,
    LIMIT,
    MOMENT,
    SINCE,
    TITLE,
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
    return listing(
        page,
        lambda event: item_of(event, given),
        path="/events",
        hint=hint if page.rows else f"{hint} {stored([PassageKind.EVENT])}",
    )


def item_of(event: Unit, given: Arguments) -> Record:
    """An event's line of a timeline, in detail with its summary."""
    when = {"occurred_at": iso_kst(event.occurred_at)} if event.occurred_at else {}
    item = {**unit_item(event), **english_title(event, given), **when}
    return item | {"summary": clipped(event.shown_summary, CONCISE_TEXT)} if is_detailed(given) else item


def run_get(given: Arguments, caller: Caller) -> Record:
    located = unit_of(given, "id", "event")
    event = located.unit
    assert event is not None
    profile = profile_of(event, now=caller.now, bounds=bounds_of(given, documents=SOURCES_CONCISE))
    subjects = profile.references
    found = {
        **head_of(profile, located, given),
        "entities": named([unit for unit in subjects if unit.type != UnitType.TOPIC][:SUBJECTS_MAX]),
        "topics": named([unit for unit in subjects if unit.type == UnitType.TOPIC][:SUBJECTS_MAX]),
        **sources_of(profile.documents),
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
        "Chronicle of what happened, newest first unless order says oldest. Filters apply together. For "
        "timelines, not single headlines. Editors confirm events, so the last hours may be missing. Detailed adds "
        "summaries."
    ),
    input_schema=arguments(
        {},
        entity_id=asked("Id, page URL or exact name."),
        topic_id=asked("Id, page URL or exact name."),
        since=SINCE,
        until=UNTIL,
        order=choice("Order by time.", *EVENT_ORDERS, default="newest"),
        response_format=FORMAT,
        lang=LANG,
        limit=LIMIT,
        cursor=CURSOR,
    ),
    output_schema=result_schema(
        listing_schema(record(ITEM, summary=text(CONCISE_TEXT), occurred_at=MOMENT, title_en=TITLE))
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
        "One event: what happened, when, who and which topics it concerns, sources in order of publication, "
        "events on the same subjects before and after. Not to browse. Detailed adds source_urls, the "
        "whole text, AI persona opinions."
    ),
    input_schema=arguments(
        {"id": asked("Id, page URL or exact name.")},
        response_format=FORMAT,
        lang=LANG,
    ),
    output_schema=result_schema(
        record(
            {
                **PROFILE,
                "entities": rows(FACTS),
                "topics": rows(FACTS),
                "sources": rows(FACTS),
            },
            **PROFILE_OPTIONAL,
            occurred_at=MOMENT,
            before=FACTS,
            after=FACTS,
        )
    ),
    keeps=True,
    run=run_get,
    example={"id": "event:2022-05-luna-collapse", "response_format": "concise"},
)
