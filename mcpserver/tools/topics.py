"""``list_topics`` and ``get_topic``."""

from collections.abc import Sequence
from datetime import timedelta

from knowledge.models import Unit
from knowledge.queries.holdings import DOCUMENT_KINDS
from knowledge.queries.listings import TOPIC_ORDERS, topics
from knowledge.queries.profiles import profile_of
from mcpserver.arguments import optional_unit, paged, unit_of
from mcpserver.holdings import stored
from mcpserver.languages import LANG, english_title
from mcpserver.profiles import (
    PROFILE,
    PROFILE_OPTIONAL,
    SERIES,
    bounds_of,
    head_of,
    sources_of,
)
from mcpserver.records import listing, named, occurrence, unit_item
from mcpserver.schemas import (
    CURSOR,
    FACTS,
    FORMAT,
    INTEGER,
    ITEM,
    LIMIT,
    TITLE,
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
    found = listing(
        page,
        lambda topic: item_of(topic, given),
        path="/topics",
        hint=hint if about else "No topic is published yet. Use search.",
    )
    return found | _quiet(found["items"], given)


def item_of(topic: Unit, given: Arguments) -> Record:
    item = {**unit_item(topic), **english_title(topic, given), "document_count": topic.document_count}
    recent = getattr(topic, "recent_documents", None)
    return item if recent is None else item | {"recent_documents": recent}


def _quiet(items: Sequence[Record], given: Arguments) -> Record:
    """What to know of a trend where there is none."""
    if not items or given["order"] != "trending" or any(item["recent_documents"] for item in items):
        return {}
    said = f"No document of the last {given['window']} names these topics, so their order says nothing."
    return {"hint": f"{said} {stored(DOCUMENT_KINDS)}"}


def run_get(given: Arguments, caller: Caller) -> Record:
    located = unit_of(given, "id", "topic")
    unit = located.unit
    assert unit is not None
    bounds = bounds_of(given, documents=SOURCES_CONCISE)
    profile = profile_of(unit, now=caller.now, bounds=bounds, foremost=located.series)
    return {
        **head_of(profile, located, given),
        "timeline": [occurrence(event) for event in profile.events],
        "entities": named(profile.references),
        **sources_of(profile.documents),
    }


LIST = Tool(
    name="list_topics",
    title="List topics",
    description=(
        "Browses the topics of Korean crypto. trending: most documents within window first (recent_documents); "
        "newest: last added first; alphabetical: by Korean label. entity_id keeps topics named with that "
        "entity. Not for a topic known by name."
    ),
    input_schema=arguments(
        {},
        order=choice("Order of the list.", *TOPIC_ORDERS, default="trending"),
        window=choice("Time that trending counts.", *WINDOWS, default="7d"),
        entity_id=asked("Id, page URL or exact name."),
        lang=LANG,
        limit=LIMIT,
        cursor=CURSOR,
    ),
    output_schema=result_schema(
        listing_schema(record({**ITEM, "document_count": INTEGER}, recent_documents=INTEGER, title_en=TITLE))
    ),
    run=run_list,
    example={"order": "trending", "window": "7d", "entity_id": "asset:btc", "limit": 10},
)
GET = Tool(
    name="get_topic",
    title="Get a topic",
    description=(
        "One topic explained: summary, timeline of its events newest first, entities named with it, newest sources "
        "with links, what its series say now. Not for assets. Detailed adds source_urls, the whole text, "
        "AI persona opinions."
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
                "timeline": rows(FACTS),
                "entities": rows(FACTS),
                "sources": rows(FACTS),
            },
            **PROFILE_OPTIONAL,
            **SERIES,
        )
    ),
    keeps=True,
    run=run_get,
    example={"id": "topic:kimchi-premium", "response_format": "concise"},
)
