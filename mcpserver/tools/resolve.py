"""``resolve_entity``: a name to ids."""

from knowledge.models import UnitType
from knowledge.queries.parameters import CANDIDATES_DEFAULT, CANDIDATES_MAX
from knowledge.queries.resolving import DISAMBIGUATION_MAX_LENGTH, disambiguation, resolved
from knowledge.search.exact_names import NAME_MAX_LENGTH, NameMatch
from mcpserver.languages import LANG, english_title, in_english
from mcpserver.records import cite, sort_of, unit_item
from mcpserver.schemas import (
    CITE,
    HINT_MAX_LENGTH,
    ITEM,
    NUMBER,
    TITLE,
    arguments,
    asked,
    choice,
    record,
    rows,
    text,
    whole,
)
from mcpserver.schemas import result as result_schema
from mcpserver.tool import Arguments, Caller, Record, Tool


def run(given: Arguments, caller: Caller) -> Record:
    types = [given["type"]] if "type" in given else None
    found = resolved(given["name"], types=types, limit=given["limit"])
    result: Record = {"candidates": [candidate_of(one, given) for one in found], "cite": cite("/")}
    if not found:
        result["hint"] = (
            "No record has such a name. Leave type out, try the Korean or English name, or use search."
        )
    return result


def candidate_of(one: NameMatch, given: Arguments) -> Record:
    return {
        **unit_item(one.unit),
        **english_title(one.unit, given),
        **sort_of(one.unit),
        "confidence": one.confidence,
        "matched_on": one.matched_on,
        "disambiguation": disambiguation(one.unit, english=in_english()),
    }


TOOL = Tool(
    name="resolve_entity",
    title="Resolve a name to ids",
    description=(
        "Turns a name, ticker or alias (Korean or English, in any spacing and case) into canonical ids, likeliest "
        "first, with confidence 0..1 and a line to tell candidates apart. Below 0.7 it is a guess: check "
        "disambiguation. Searches names, not texts."
    ),
    input_schema=arguments(
        {"name": asked("Name, ticker, alias, id or page URL, e.g. 비트코인.", NAME_MAX_LENGTH, shortest=1)},
        type=choice("Only this type.", *UnitType.values),
        lang=LANG,
        limit=whole("How many.", 1, CANDIDATES_MAX, CANDIDATES_DEFAULT),
    ),
    output_schema=result_schema(
        record(
            {
                "candidates": rows(
                    record(
                        {
                            **ITEM,
                            "confidence": NUMBER,
                            "matched_on": text(10),
                            "disambiguation": text(DISAMBIGUATION_MAX_LENGTH),
                        },
                        title_en=TITLE,
                        type=text(16),
                        category=text(16),
                        country=text(2),
                    ),
                ),
                "cite": CITE,
            },
            hint=text(HINT_MAX_LENGTH),
        )
    ),
    run=run,
    example={"name": "비트코인", "type": "asset", "lang": "en", "limit": 5},
)
