"""``get_city_day``: one day of the virtual city."""

import re
from collections.abc import Mapping
from typing import Any

from mcpserver.city_days import content_of, head_of, item_of, page_of, state_of
from mcpserver.profiles import is_detailed
from mcpserver.records import cite
from mcpserver.schemas import (
    CITE,
    FACTS,
    FORMAT,
    INTEGER,
    ITEM,
    YES_NO,
    arguments,
    asked,
    leaf,
    record,
    rows,
    text,
)
from mcpserver.schemas import result as result_schema
from mcpserver.tool import Arguments, Caller, Record, Tool

HIGHLIGHTS_MAX, NOTABLE_MAX = 5, 8
SIGNAL = leaf(service=text(20), state=text(10), metrics=FACTS, highlights=rows(text(300)))
DISTRICT = leaf(id=text(20), status=text(10), activity=INTEGER)


def run(given: Arguments, caller: Caller) -> Record:
    item = item_of(given.get("date"))
    content = content_of(item)
    detailed = is_detailed(given)
    found = {
        **head_of(item),
        "status": item.status,
        "late": item.late,
        "rehearsal": item.rehearsal,
        "state": state_of(content["city"]),
        "reflection": content["reflection"]["text"],
        "signals": [signal_of(entry, detailed=detailed) for entry in content["signals"]],
        "sha256": item.sha256,
        "revision": item.revision,
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
        "One sealed day of the virtual city that six sister services drive: state (population, mood "
        "-100..100, indexes 0..100, weather), Korean reflection, signals that came, the file's SHA-256. Use "
        "it for the city, not for real markets. Sealed at midnight Seoul, so today is not found; a day without a "
        "file names the nearest. Detailed adds districts, notable facts, raw metrics."
    ),
    input_schema=arguments(
        {},
        date=asked("Day in Seoul, YYYY-MM-DD or city:YYYY-MM-DD; newest when absent.", 40),
        response_format=FORMAT,
    ),
    output_schema=result_schema(
        record(
            {
                **ITEM,
                "status": text(10),
                "late": YES_NO,
                "rehearsal": YES_NO,
                "state": FACTS,
                "reflection": text(1000),
                "signals": rows(SIGNAL),
                "sha256": text(64),
                "revision": INTEGER,
                "cite": CITE,
            },
            districts=rows(DISTRICT),
            notable=rows(text(300)),
        )
    ),
    run=run,
    example={"date": "2026-11-19", "response_format": "concise"},
)
