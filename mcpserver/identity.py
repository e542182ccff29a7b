"""What the server says of itself."""

from functools import cache

from django.conf import settings

VERSION = "1.0.0"  # of the tools: their names, arguments and results


@cache
def server_info() -> dict[str, str]:
    return {
        "name": settings.SERVICE_SLUG,
        "title": settings.SERVICE_NAME,
        "version": VERSION,
        "websiteUrl": settings.BASE_URL,
    }


@cache
def ask_tool_name() -> str:
    return f"ask_{settings.SERVICE_SLUG}"


@cache
def instructions() -> str:
    """At most 600 characters, of a rehearsal a sentence more: which tool for which need."""
    rehearsed = "REHEARSAL: every record here is invented. " if settings.REHEARSAL else ""
    return rehearsed + (
        f"{settings.SERVICE_NAME}: Korean crypto knowledge base and a virtual city's daily archive. Free, no key. "
        f"A name to its id: resolve_entity. Known id: get_entity, get_topic, get_event, get_city_day, or fetch for "
        f"any record. Browse: list_topics, list_events, list_pulses (sudden price moves). Words: search. A whole "
        f"question: search_answers first (instant), then {ask_tool_name()} (5-30 s, limited). Ids look like asset:btc; "
        f"page URLs work as ids; merged ids give the survivor. Quote with an inline link. "
        "AI persona posts are opinions: say so."
    )
