"""What the look-ups of entities, topics and events have in common."""

from collections.abc import Mapping, Sequence
from typing import Any

from knowledge.models import Document, Unit
from knowledge.queries.holdings import DOCUMENT_KINDS
from knowledge.queries.names import Located
from knowledge.queries.profiles import WHOLE, Bounds, Profile
from mcpserver.figures import figures
from mcpserver.holdings import stored
from mcpserver.languages import english_title, in_both
from mcpserver.records import CONCISE_TEXT, Record, cite, clipped, document_item, post_item, unit_item
from mcpserver.schemas import (
    CITE,
    FACTS,
    HINT_MAX_LENGTH,
    ID,
    INTEGER,
    ITEM,
    TEXT_MAX_LENGTH,
    TITLE,
    URL,
    Schema,
    rows,
    text,
)

ALIASES_CONCISE, ALIASES_DETAILED = 6, 50
ALIAS_MAX_LENGTH = 200
POSTS_MAX = 5

PROFILE: dict[str, Schema] = {
    **ITEM,
    "summary": text(TEXT_MAX_LENGTH),
    "aliases": rows(text(ALIAS_MAX_LENGTH)),
    "document_count": INTEGER,
    "video_count": INTEGER,
    "cite": CITE,
}
PROFILE_OPTIONAL: dict[str, Schema] = {
    "title_en": TITLE,
    "summary_en": text(TEXT_MAX_LENGTH),
    "merged_from": ID,
    "merged_ids": rows(ID),
    "source_urls": rows(URL),
    "posts": rows(FACTS),
    "hint": text(HINT_MAX_LENGTH),
}
SERIES: dict[str, Schema] = {"series": rows(FACTS)}


def is_detailed(arguments: Mapping[str, Any]) -> bool:
    return bool(arguments["response_format"] == "detailed")


def bounds_of(given: Mapping[str, Any], documents: int = 0) -> Bounds:
    """How much a look-up asks for: all of it, or a quarter of each list; ``documents`` of a concise one."""
    if is_detailed(given):
        return WHOLE._replace(posts=POSTS_MAX)
    share = [most // 4 for most in WHOLE]
    return Bounds(*share)._replace(documents=documents, posts=0)


def head_of(profile: Profile, located: Located, given: Mapping[str, Any]) -> Record:
    """The head of a unit's record: names, summary, counts, series, the former id where it was merged, and in detail all
    ids that were merged into it, where its facts come from and what AI personas say of it."""
    unit, detailed = profile.unit, is_detailed(given)
    found: Record = {
        **unit_item(unit),
        **english_title(unit, given),
        **_summaries(unit, given),
        "aliases": profile.aliases[: ALIASES_DETAILED if detailed else ALIASES_CONCISE],
        "document_count": unit.document_count,
        "video_count": unit.video_count,
        "cite": cite(unit.get_absolute_url()),
    }
    if located.merged_from:
        found["merged_from"] = located.merged_from
    if detailed:
        found["merged_ids"] = profile.merged_ids
        found["source_urls"] = unit.source_urls
        found["posts"] = [post_item(post) for post in profile.posts]
    if told := figures(profile.series, detailed=detailed):
        found["series"] = told
    return found


def _summaries(unit: Unit, given: Mapping[str, Any]) -> Record:
    longest = TEXT_MAX_LENGTH if is_detailed(given) else CONCISE_TEXT
    found = {"summary": clipped(unit.shown_summary, longest)}
    if in_both(given) and unit.summary_en:
        found["summary_en"] = clipped(unit.summary_en, longest)
    return found


def sources_of(documents: Sequence[Document], name: str = "sources") -> Record:
    """Documents under a name; where there are none, what is stored at all."""
    found: Record = {name: [document_item(document) for document in documents]}
    return found if documents else found | {"hint": f"No document names it yet. {stored(DOCUMENT_KINDS)}"}
