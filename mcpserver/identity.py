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
    """At most 600 characters, of a rehearsal a sentence more: what is held, how fresh, what is not, and where to go."""
    rehearsed = "REHEARSAL: every record here is invented. " if settings.REHEARSAL else ""
    return rehearsed + (
        f"{settings.SERVICE_NAME}: Korean crypto. Holds assets, organisations, people, topics, dated events "
        "(English by lang: en), titles and links of news, videos, notices as their sources give them, prices and "
        "other series (in get_entity, get_topic), pulses (sudden moves), sealed days of a virtual city. Not held: "
        "full articles, order books, prices of every moment, advice, forecasts. Name to id: resolve_entity. All of "
        f"a kind: search without query. A whole question: search_answers, then {ask_tool_name()} (limited). Page "
        "URLs work as ids. Quote with a link. AI persona posts are opinions: say so."
    )
