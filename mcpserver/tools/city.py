"""``get_city_day``: one day of the virtual city, or the files of many."""

import re
from collections.abc import Mapping
from typing import Any

from archive.queries import unheard
from mcpserver.city_days import (
    content_of,
    file_of,
    head_of,
    item_of,
    notes_on,
    page_of,
    range_of,
    state_of,
)
from mcpserver.profiles import is_detailed
from mcpserver.records import cite
from mcpserver.schemas import (
    CITE,
    FACTS,
    FORMAT,
    HINT_MAX_LENGTH,
    INTEGER,
    ITEM,
    URL,
    YES_NO,
    arguments,
    asked,
    record,
    rows,
    text,
)
from mcpserver.schemas import result as result_schema
from mcpserver.teaching import Lesson
from mcpserver.tool import Arguments, Caller, Record, Tool

HIGHLIGHTS_MAX, NOTABLE_MAX = 5, 8


def run(given: Arguments, caller: Caller) -> Record:
    asked_for = [name for name in ("from", "to") if name in given]
    if asked_for and "date" in given:
        raise Lesson("date", f"it does not go with {asked_for[0]}.", expected="the one or the other.")
    return days(given) if asked_for else one_day(given, caller)


def days(given: Arguments) -> Record:
    """Days of the calendar with their files."""
    found = range_of(given.get("from"), given.get("to"))
    missing = unheard([item.day for item in found.items])
    files = [file_of(item, missing.get(item.day, ())) for item in found.items]
    result: Record = {
        "days": files,
        "gaps": [day.isoformat() for day in found.gaps],
        "first_day": found.first.isoformat(),
        "last_day": found.last.isoformat(),
        "notes": notes_on(files),
        "cite": cite("/city"),
    }
    if not files:
        result["hint"] = "No day of these is sealed. first_day and last_day say which are."
    return result


def one_day(given: Arguments, caller: Caller) -> Record:
    item = item_of(given.get("date"), now=caller.now)
    content = content_of(item)
    detailed = is_detailed(given)
    file = file_of(item, unheard([item.day]).get(item.day, ()))
    found = {
        **head_of(item),
        "late": item.late,
        "rehearsal": item.rehearsal,
        "revision": item.revision,
        **file,
        "state": state_of(content["city"]),
        "reflection": content["reflection"]["text"],
        "signals": [signal_of(entry, detailed=detailed) for entry in content["signals"]],
        "notes": notes_on([file]),
        "cite": cite(page_of(item)),
    }
    if detailed:
        found["districts"] = [district_of(one) for one in content["districts"]]
        found["notable"] = [one["text"] for one in content["notable"]][:NOTABLE_MAX]
    return found


def signal_of(entry: Mapping[str, Any], *, detailed: bool) -> Record:
    found: Record = {"service": entry["service"], "state": entry["state"]}
    raw = entry["raw"]
    if detailed and raw:
        found["metrics"] = {
            snake(name): value for name, value in raw["metrics"].items() if isinstance(value, int | float)
        }
        lines = [f"{one['label']}: {one['value']}"[:300] for one in raw.get("highlights", [])]
        found["highlights"] = lines[:HIGHLIGHTS_MAX]
    return found


def snake(name: str) -> str:
    """``volumeKrw`` as these records write it: ``volume_krw``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def district_of(district: Mapping[str, Any]) -> Record:
    return {"id": district["id"], "status": district["status"], "activity": district["activity"]}


TOOL = Tool(
    name="get_city_day",
    title="Get a city day",
    description=(
        "One sealed day of the virtual city that six sister services drive: state (mood -100..100, indexes 0..100), "
        "Korean reflection, signals; or with from and to the days between: status, what is missing, file address, "
        "bytes, SHA-256, gaps. Not for real markets. Sealed at midnight Seoul. Detailed adds districts, notable "
        "facts, metrics."
    ),
    input_schema=arguments(
        {},
        date=asked("Day in Seoul, YYYY-MM-DD; newest when absent.", 40),
        **{"from": asked("First of many days.", 40), "to": asked("Last.", 40)},
        response_format=FORMAT,
    ),
    output_schema=result_schema(
        record(
            {"notes": rows(text(200)), "cite": CITE},
            **ITEM,
            date=text(10),
            status=text(10),
            late=YES_NO,
            rehearsal=YES_NO,
            missing=rows(text(20)),
            state=FACTS,
            reflection=text(1000),
            signals=rows(FACTS),
            file=URL,
            bytes=INTEGER,
            sha256=text(64),
            revision=INTEGER,
            districts=rows(FACTS),
            notable=rows(text(300)),
            days=rows(FACTS),
            gaps=rows(text(10)),
            first_day=text(10),
            last_day=text(10),
            hint=text(HINT_MAX_LENGTH),
        )
    ),
    run=run,
    example={"date": "2026-11-19", "response_format": "concise"},
)
