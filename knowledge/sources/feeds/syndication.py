"""RSS, Atom and RDF in all their broken forms, as plain records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowledge.sources.base import MAX_ITEMS
from knowledge.sources.errors import SourceError
from knowledge.sources.feeds.charsets import decode
from knowledge.sources.feeds.guards import guarded
from knowledge.sources.feeds.parser import parse_guarded


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One item as the feed has it: nothing is cleaned yet."""

    guid: str
    link: str
    title: str
    summary: str
    published: str
    updated: str
    author: str
    video_id: str


@dataclass(frozen=True, slots=True)
class Feed:
    title: str
    link: str
    language: str
    is_atom: bool
    is_youtube: bool
    entries: tuple[FeedEntry, ...]


def parse_feed(body: bytes, content_type: str = "") -> Feed:
    """A feed from a response body; at most ``MAX_ITEMS`` entries, in the feed's order.

    A well-formed feed without items is an empty one. Raises ``SourceError`` parse for everything that is no
    whole feed, and where items stand in the text that cannot be read.
    """
    feed = guarded(decode(body, content_type))
    parsed = parse_guarded(feed)
    entries = tuple(_entry(raw) for raw in parsed.entries[:MAX_ITEMS])
    if not entries and (feed.items or not feed.well_formed):
        raise SourceError("parse", "the feed is broken: none of its items can be read")
    head = parsed.head
    return Feed(
        title=_text(head, "title"),
        link=_text(head, "link"),
        language=_text(head, "language"),
        is_atom=parsed.version.startswith("atom"),
        is_youtube="http://www.youtube.com/xml/schemas/2015" in parsed.namespaces,
        entries=entries,
    )


def _entry(raw: Mapping[str, Any]) -> FeedEntry:
    return FeedEntry(
        guid=_text(raw, "id"),
        link=_text(raw, "link"),
        title=_text(raw, "title"),
        summary=_text(raw, "summary") or _content(raw),
        published=_text(raw, "published"),
        updated=_text(raw, "updated"),
        author=_text(raw, "author"),
        video_id=_text(raw, "yt_videoid"),
    )


def _text(record: Mapping[str, Any], key: str) -> str:
    # Asked for a missing "updated", feedparser's dict answers with "published".
    value = dict.get(record, key) if isinstance(record, dict) else None
    return value if isinstance(value, str) else ""


def _content(raw: Mapping[str, Any]) -> str:
    contents = dict.get(raw, "content") if isinstance(raw, dict) else None
    return _text(contents[0], "value") if isinstance(contents, list) and contents else ""
