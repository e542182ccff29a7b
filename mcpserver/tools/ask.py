"""``ask_<service>``: a question, an answer with citations."""

from django.conf import settings

from ask import answering, limits
from ask.errors import AnswerHidden, InvalidQuestion, QuestionTooLong
from ask.models import QUESTION_MAX_LENGTH, Mode
from ask.told import told
from knowledge.times import iso_kst
from mcpserver.identity import ask_tool_name
from mcpserver.next_calls import Call
from mcpserver.records import absolute, citations, cite, opinions
from mcpserver.schemas import (
    CITATION,
    CITE,
    FACTS,
    ID,
    MOMENT,
    NUMBER,
    TEXT_MAX_LENGTH,
    URL,
    YES_NO,
    arguments,
    asked,
    record,
    rows,
    text,
    whole,
)
from mcpserver.schemas import result as result_schema
from mcpserver.teaching import Lesson
from mcpserver.tool import Arguments, Caller, Record, Tool

CITATIONS_MAX = 12
_LIMITS = " and ".join(
    f"{one.quota} a {one.name}" for one in limits.parse("MCP_ASK_LIMITS", settings.MCP_ASK_LIMITS)
)


def run(given: Arguments, caller: Caller) -> Record:
    try:
        reply = answering.ask(given["question"], now=caller.now, allowance=limits.of_agent(caller.request))
    except (InvalidQuestion, QuestionTooLong) as refusal:
        raise Lesson(
            "question", refusal.english, expected=f"1 to {QUESTION_MAX_LENGTH} characters."
        ) from refusal
    except AnswerHidden as refusal:
        free = Call("search_answers", {"query": given["question"]})
        raise Lesson("question", refusal.english, call=free, outcome="gone") from refusal
    answer, version = reply.answer, reply.version
    parts = told(version, given["max_citations"])
    return {
        "question": reply.question,
        "answer": parts.text,
        "citations": citations(version.citations, parts.numbers),
        "opinions": opinions(parts.opinions, version.citations),
        "related": [{**one, "url": absolute(one["url"])} for one in reply.related],
        "answer_id": f"answer:{answer.pk}",
        "answer_url": absolute(answer.get_absolute_url()),
        "mode": version.mode,
        "cost_usd": version.cost_usd,
        "cached": reply.cached,
        "generated_at": iso_kst(version.generated_at),
        "cite": cite(answer.get_absolute_url()),
    }


TOOL = Tool(
    name=ask_tool_name(),
    title=f"Ask {settings.SERVICE_NAME}",
    description=(
        "Answers a question on Korean crypto from today's records, with citations ([n] is citation n); opinions of AI "
        "personas stand apart. At once when quoted, up to 30 s when a model writes; "
        f"limited to {_LIMITS} per address, answered ones are free. mode: llm, extractive (quoted), none (not "
        "recorded). No advice or forecasts."
    ),
    input_schema=arguments(
        {"question": asked("One whole question, Korean or English.", QUESTION_MAX_LENGTH, shortest=1)},
        max_citations=whole("How many.", 1, CITATIONS_MAX, CITATIONS_MAX),
    ),
    output_schema=result_schema(
        record(
            {
                "question": text(QUESTION_MAX_LENGTH),
                "answer": text(TEXT_MAX_LENGTH),
                "citations": rows(CITATION),
                "opinions": rows(FACTS),
                "related": rows(FACTS),
                "answer_id": ID,
                "answer_url": URL,
                "mode": {"type": "string", "enum": list(Mode.values)},
                "cost_usd": NUMBER,
                "cached": YES_NO,
                "generated_at": MOMENT,
                "cite": CITE,
            }
        )
    ),
    run=run,
    example={"question": "김치 프리미엄이 뭐야?"},
    open_world=True,
    idempotent=False,
    refuses=True,
)
