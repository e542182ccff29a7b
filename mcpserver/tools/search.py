"""``search``: words to records."""

from datetime import datetime

from knowledge.models import AI_PERSONA, SEARCH_KINDS
from knowledge.models.search import SearchPassage
from knowledge.queries.search import hits, record_id
from knowledge.times import iso_kst
from mcpserver.arguments import paged, span_of
from mcpserver.records import absolute, clipped, listing
from mcpserver.schemas import (
    CURSOR,
    ITEM,
    LIMIT,
    QUERY_MAX_LENGTH,
    SINCE,
    TITLE,
    UNTIL,
    Schema,
    arguments,
    asked,
    leaf,
    record,
    rows,
    text,
)
from mcpserver.schemas import listing as listing_schema
from mcpserver.schemas import result as result_schema
from mcpserver.teaching import Lesson
from mcpserver.tool import Arguments, Caller, Record, Tool

SNIPPET_MAX_LENGTH = 240
KINDS: Schema = {
    "type": "array",
    "description": "Only these kinds.",
    "minItems": 1,
    # Ahead of "items", which looks at each. Not "uniqueItems": that compares each with each.
    "maxItems": len(SEARCH_KINDS),
    "items": {"type": "string", "enum": list(SEARCH_KINDS)},
}


def run(given: Arguments, caller: Caller) -> Record:
    query = " ".join(given["query"].split())
    if not any(map(str.isalnum, query)):
        raise Lesson("query", "it holds no letter or digit.", expected="words in Korean or English.")
    since, until = span_of(given)
    page = paged(
        lambda: hits(
            query,
            now=caller.now,
            kinds=given.get("kinds"),
            since=since,
            until=until,
            limit=given["limit"],
            cursor=given.get("cursor", ""),
        )
    )
    hint = "Nothing fits. Try fewer or other words, Korean as well as English, or leave kinds, since and until out."
    found = listing(page, item_of, path="/search", hint=hint)
    return found | {"mended": [one._asdict() for one in page.mended]}


def item_of(hit: SearchPassage) -> Record:
    item = {
        "id": record_id(hit),
        "kind": hit.kind,
        "title": hit.title or clipped(hit.text, 80),
        "url": absolute(hit.page) or (hit.document.url if hit.document else ""),
        "updated_at": iso_kst(_updated_at(hit)),
        "snippet": clipped(" ".join(hit.text.split()), SNIPPET_MAX_LENGTH),
    }
    if hit.document is not None:
        item["source"], item["original_url"] = hit.document.source.name, hit.document.url
    if hit.post is not None:
        item["title"] = hit.post.persona.byline
        item["source"] = f"{AI_PERSONA}: opinion, not fact"
    return item


def _updated_at(hit: SearchPassage) -> datetime:
    if hit.unit is not None:
        return hit.unit.updated_at
    if hit.document is not None:
        return hit.document.published_at or hit.document.fetched_at
    assert hit.post is not None
    return hit.post.published_at


TOOL = Tool(
    name="search",
    title="Search all records",
    description=(
        "Finds records by words in Korean or English, best first, those of exactly that name (or with a series so "
        "named) foremost: entities, topics, events, news, videos, notices, AI persona posts. Use it when no id is "
        "known, or for documents on a subject. mended says what mistyped names were taken for. Documents appear "
        "minutes after publication; since and until bound that time and leave out records without one. Pulses and "
        "city days are not found."
    ),
    input_schema=arguments(
        {"query": asked("Words, e.g. 비트코인 반감기.", QUERY_MAX_LENGTH, shortest=1)},
        kinds=KINDS,
        since=SINCE,
        until=UNTIL,
        limit=LIMIT,
        cursor=CURSOR,
    ),
    output_schema=result_schema(
        listing_schema(
            record({**ITEM, "snippet": text(SNIPPET_MAX_LENGTH)}, source=text(200), original_url=text(1000)),
            mended=rows(leaf(written=TITLE, taken=TITLE)),
        )
    ),
    run=run,
    example={
        "query": "비트코인 반감기",
        "kinds": ["news"],
        "since": "2026-01-01",
        "until": "2026-12-31",
        "limit": 10,
    },
)
