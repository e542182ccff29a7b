"""``list_pulses``: sudden moves of assets."""

from knowledge.models import WINDOW_HOURS_MAX, Direction
from knowledge.queries.holdings import PULSE, last_detection
from knowledge.queries.listings import pulses
from knowledge.times import iso_kst
from mcpserver.arguments import optional_unit, paged
from mcpserver.holdings import stored
from mcpserver.languages import LANG
from mcpserver.records import listing, pulse_item
from mcpserver.schemas import (
    CURSOR,
    ID,
    INTEGER,
    ITEM,
    LIMIT,
    MOMENT,
    NUMBER,
    arguments,
    asked,
    choice,
    record,
    text,
    whole,
)
from mcpserver.schemas import listing as listing_schema
from mcpserver.schemas import result as result_schema
from mcpserver.tool import Arguments, Caller, Record, Tool

HOURS_DEFAULT = 72


def run(given: Arguments, caller: Caller) -> Record:
    asset = optional_unit(given, "asset", "asset")
    hours = given["hours"]
    page = paged(
        lambda: pulses(
            hours=hours,
            now=caller.now,
            asset=asset,
            direction=given.get("direction", ""),
            min_confidence=given["min_confidence"],
            limit=given["limit"],
            cursor=given.get("cursor", ""),
        )
    )
    hint = "" if page.rows else f"No sudden move in the last {hours} hours fits. {stored([PULSE])}"
    return listing(page, pulse_item, path="/pulses", hint=hint) | detector()


def detector() -> Record:
    """When prices were last looked at, so that no move can be told from nobody looking."""
    run = last_detection()
    if run is None:
        return {
            "markets_watched": 0,
            "detector_note": "The detector has not run here: no market is followed yet.",
        }
    return {"markets_watched": run.markets, "detector_ran_at": iso_kst(run.ran_at)}


TOOL = Tool(
    name="list_pulses",
    title="List pulses",
    description=(
        "Sudden moves of assets in the last hours, newest first: size in per cent (negative for a fall; premium: "
        "points), hours measured over, confidence 0..1; when the detector last ran and over how many markets. "
        "Current prices and slow moves are not found."
    ),
    input_schema=arguments(
        {},
        asset=asked("Id, page URL or exact name."),
        direction=choice("Only rises or falls.", *Direction.values),
        hours=whole("How far back.", 1, WINDOW_HOURS_MAX, HOURS_DEFAULT),
        min_confidence={
            "type": "number",
            "description": "Least confidence to keep.",
            "minimum": 0,
            "maximum": 1,
            "default": 0,
        },
        lang=LANG,
        limit=LIMIT,
        cursor=CURSOR,
    ),
    output_schema=result_schema(
        listing_schema(
            record(
                {
                    **ITEM,
                    "asset": ID,
                    "pulse_kind": text(8),
                    "direction": text(4),
                    "magnitude_pct": NUMBER,
                    "horizon_hours": INTEGER,
                    "confidence": NUMBER,
                }
            ),
            {"detector_ran_at": MOMENT, "detector_note": text(200)},
            markets_watched=INTEGER,
        )
    ),
    run=run,
    example={"asset": "asset:btc", "direction": "down", "hours": 72, "min_confidence": 0.5, "limit": 10},
)
