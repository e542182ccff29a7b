"""``search_answers``: questions that the editors asked already."""

from ask.models import Answer
from ask.seed_search import seeds_found
from ask.told import told
from knowledge.times import iso_kst
from mcpserver.arguments import moment_of, paged
from mcpserver.identity import ask_tool_name
from mcpserver.records import answer_item, citations, clipped, listing, opinions
from mcpserver.schemas import (
    CITATION,
    CURSOR,
    FACTS,
    ITEM,
    LIMIT,
    QUERY_MAX_LENGTH,
    SINCE,
    arguments,
    asked,
    record,
    rows,
    text,
)
from mcpserver.schemas import listing as listing_schema
from mcpserver.schemas import result as result_schema
from mcpserver.tool import Arguments, Caller, Record, Tool

ANSWER_SHOWN, CITATIONS_SHOWN = 1000, 5


def run(given: Arguments, caller: Caller) -> Record:
    page = paged(
        lambda: seeds_found(
            given["query"],
            now=caller.now,
            since=moment_of(given, "since"),
            limit=given["limit"],
            cursor=given.get("cursor", ""),
        )
    )
    hint = (
        f"No answered question asks this. Ask {ask_tool_name()} with the whole question, or search for records. "
        f"Stored: {Answer.objects.indexable().count()} answered questions."
    )
    return listing(page, item_of, path="/ask", hint=hint)


def item_of(answer: Answer) -> Record:
    version = answer.current
    assert version is not None
    parts = told(version, CITATIONS_SHOWN)
    found = answer_item(answer, iso_kst(version.generated_at)) | {
        "answer": clipped(parts.text, ANSWER_SHOWN),
        "citations": citations(version.citations, parts.numbers),
    }
    return found | {"opinions": opinions(parts.opinions, version.citations)} if parts.opinions else found


TOOL = Tool(
    name="search_answers",
    title="Search answered questions",
    description=(
        "Finds questions that the editors keep answered, best fit first, with answer and citations ([n] is "
        "citation n). Free and instant: try it before asking anew. Visitors' own questions are not found, nor any that "
        "share no subject with yours."
    ),
    input_schema=arguments(
        {"query": asked("The question or its words, Korean or English.", QUERY_MAX_LENGTH, shortest=1)},
        since=SINCE,
        limit=LIMIT,
        cursor=CURSOR,
    ),
    output_schema=result_schema(
        listing_schema(
            record(
                {
                    **ITEM,
                    "answer": text(ANSWER_SHOWN),
                    "citations": rows(CITATION),
                },
                opinions=rows(FACTS),
            )
        )
    ),
    run=run,
    example={"query": "김치 프리미엄이란?", "since": "2026-01-01", "limit": 10},
)
