"""What the look-ups of entities, topics and events have in common."""

from collections.abc import Mapping
from typing import Any

from knowledge.queries.names import Located
from knowledge.queries.profiles import WHOLE, Bounds, Profile
from mcpserver.figures import FIGURE, figures
from mcpserver.records import CONCISE_TEXT, Record, cite, clipped, unit_item
from mcpserver.schemas import (
    CITE,
    ID,
    INTEGER,
    ITEM,
    MOMENT,
    TEXT_MAX_LENGTH,
    TITLE,
    URL,
    Schema,
    leaf,
    rows,
    text,
)

ALIASES_CONCISE, ALIASES_DETAILED = 6, 50
ALIAS_MAX_LENGTH = 200
POSTS_MAX = 5

OCCURRENCE = leaf(id=ID, title=TITLE, occurred_at=MOMENT)
SOURCE = leaf(id=ID, title=TITLE, url=URL, source=text(120), published_at=MOMENT)
PROFILE: dict[str, Schema] = {
    **ITEM,
    "summary": text(TEXT_MAX_LENGTH),
    "aliases": rows(text(ALIAS_MAX_LENGTH)),
    "document_count": INTEGER,
    "video_count": INTEGER,
    "cite": CITE,
}
PROFILE_OPTIONAL: dict[str, Schema] = {
    "summary_en": text(TEXT_MAX_LENGTH),
    "merged_from": ID,
    "merged_ids": rows(ID),
}
SERIES: dict[str, Schema] = {"series": rows(FIGURE)}


def is_detailed(arguments: Mapping[str, Any]) -> bool:
    return bool(arguments["response_format"] == "detailed")


def bounds_of(given: Mapping[str, Any], documents: int = 0) -> Bounds:
    """How much a look-up asks for: all of it, or a quarter of each list; ``documents`` of a concise one."""
    if is_detailed(given):
        return WHOLE._replace(posts=POSTS_MAX)
    share = [most // 4 for most in WHOLE]
    return Bounds(*share)._replace(documents=documents, posts=0)


def head_of(profile: Profile, located: Located, *, detailed: bool) -> Record:
    """The head of a unit's record: names, summary, counts, series, the former id where it was merged, and in detail all
    ids that were merged into it."""
    unit = profile.unit
    longest = TEXT_MAX_LENGTH if detailed else CONCISE_TEXT
    found: Record = {
        **unit_item(unit),
        "summary": clipped(unit.summary, longest),
        "aliases": profile.aliases[: ALIASES_DETAILED if detailed else ALIASES_CONCISE],
        "document_count": unit.document_count,
        "video_count": unit.video_count,
        "cite": cite(unit.get_absolute_url()),
    }
    if unit.summary_en:
        found["summary_en"] = clipped(unit.summary_en, longest)
    if located.merged_from:
        found["merged_from"] = located.merged_from
    if detailed:
        found["merged_ids"] = profile.merged_ids
    if told := figures(profile.series, detailed=detailed):
        found["series"] = told
    return found
