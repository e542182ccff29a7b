"""``list_topics`` and ``get_topic``."""

from datetime import timedelta

from knowledge.models import Unit
from knowledge.queries.listings import TOPIC_ORDERS, topics
from knowledge.queries.profiles import profile_of
from mcpserver.arguments import optional_unit, paged, unit_of
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
from mcpserver.records import document_item, listing, named, occurrence, unit_item
from mcpserver.schemas import (
    CURSOR,
    FORMAT,
    INTEGER,
    ITEM,
    LIMIT,
    NAMED,
    arguments,
    asked,
    choice,
    record,
    rows,
)
from mcpserver.schemas import listing as listing_schema
from mcpserver.schemas import result as result_schema
from mcpserver.tool import Arguments, Caller, Record, Tool

WINDOWS = {"24h": timedelta(days=1), "7d": timedelta(days=7), "30d": timedelta(days=30)}
SOURCES_CONCISE = 3


def run_list(given: Arguments, caller: Caller) -> Record:
    about = optional_unit(given, "entity_id", "entity")
    page = paged(
        lambda: topics(
            order=given["order"],
            now=caller.now,
            window=WINDOWS[given["window"]],
            about=about,
            limit=given["limit"],
            cursor=given.get("cursor", ""),
        )
    )
    hint = "No topic is named together with this entity. Leave entity_id out, or use search."
    return listing(
        page, item_of, path="/topics", hint=hint if about else "No topic is published yet. Use search."
    )


def item_of(topic: Unit) -> Record:
    item = unit_item(topic) | {"document_count": topic.document_count}
    recent = getattr(topic, "recent_documents", None)
    return item if recent is None else item | {"recent_documents": recent}


def run_get(given: Arguments, caller: Caller) -> Record:
    located = unit_of(given, "id", "topic")
    unit = located.unit
    assert unit is not None
    bounds = bounds_of(given, documents=SOURCES_CONCISE)
    profile = profile_of(unit, now=caller.now, bounds=bounds, foremost=located.series)
    return {
        **head_of(profile, located, detailed=is_detailed(given)),
        "timeline": [occurrence(event) for event in profile.events],
        "entities": named(profile.references),
        "sources": [document_item(document) for document in profile.documents],
    }


LIST = Tool(
    name="list_topics",
    title="List topics",
    description=(
        "Browses the topics of Korean crypto. trending: most documents within window first (recent_documents); "
        "newest: last added first; alphabetical: by Korean label. entity_id keeps topics named together with that "
        "entity. Use it to see what is discussed; not for a topic known by name. Counts follow within minutes."
    ),
    input_schema=arguments(
        {},
        order=choice("Order of the list.", *TOPIC_ORDERS, default="trending"),
        window=choice("Time that trending counts.", *WINDOWS, default="7d"),
        entity_id=asked("Id, page URL or exact name."),
        limit=LIMIT,
        cursor=CURSOR,
    ),
    output_schema=result_schema(
        listing_schema(record({**ITEM, "document_count": INTEGER}, recent_documents=INTEGER))
    ),
    run=run_list,
    example={"order": "trending", "window": "7d", "entity_id": "asset:btc", "limit": 10},
)
GET = Tool(
    name="get_topic",
    title="Get a topic",
    description=(
        "One topic explained: briefing (summary), timeline of its events newest first, entities named with it, "
        "newest sources with original links, latest values of its series. Use it when the id, page URL or exact "
        "name is known; not for assets or events. Detailed adds full text and longer lists. "
        "Sources follow within minutes; no full articles."
    ),
    input_schema=arguments(
        {"id": asked("Id such as topic:kimchi-premium, page URL, or exact name or alias.")},
        response_format=FORMAT,
    ),
    output_schema=result_schema(
        record(
            {
                **PROFILE,
                "timeline": rows(OCCURRENCE),
                "entities": rows(NAMED),
                "sources": rows(SOURCE),
            },
            **PROFILE_OPTIONAL,
            **SERIES,
        )
    ),
    keeps=True,
    run=run_get,
    example={"id": "topic:kimchi-premium", "response_format": "concise"},
)
