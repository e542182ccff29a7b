"""RSS, Atom and RDF in all their broken forms, as plain records. The only import of feedparser.

``feedparser.parse`` is not called: it decides on the charset anew, and searches every author for a mail address in
quadratic time. An author of 80 kB takes it minutes, and comments or references hide one from any look at the text. So
its strict and loose parsers are driven here the way it drives them, with bounds, over text that passed the guards.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from xml.sax import SAXException

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser
from feedparser import api

from knowledge.sources.base import MAX_ITEMS
from knowledge.sources.errors import SourceError
from knowledge.sources.feeds.charsets import decode
from knowledge.sources.feeds.guards import GuardedFeed, guarded

# Of one element's text: more than is ever read of a body, far more than any title, date or address has.
MAX_TEXT = 20_000
# Line ends and references come one by one; what comes after so many is not kept.
MAX_PIECES = 20_000
# feedparser looks for a mail address in the author, quadratic in its length.
MAX_AUTHOR = 100


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
    parsed = _parsed(feed)
    entries = tuple(_entry(raw) for raw in parsed.entries[:MAX_ITEMS])
    if not entries and (feed.items or not feed.well_formed):
        raise SourceError("parse", "the feed is broken: none of its items can be read")
    head = parsed.feeddata
    return Feed(
        title=_text(head, "title"),
        link=_text(head, "link"),
        language=_text(head, "language"),
        is_atom=(parsed.version or "").startswith("atom"),
        is_youtube="http://www.youtube.com/xml/schemas/2015" in parsed.namespaces_in_use.values(),
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


def _parsed(feed: GuardedFeed) -> Any:
    """feedparser's parser, done; raises ``SourceError`` parse where even the loose one gives up."""
    try:
        return (_strict(feed.text) if feed.well_formed else None) or _loose(feed.text)
    except Exception as error:  # hostile markup meets all kinds of assumptions in there
        raise SourceError("parse", f"the feed cannot be read ({type(error).__name__})") from error


class _Bounded:
    """Stands before a parser of feedparser and keeps the text of an element short."""

    elementstack: list[Any]

    def _is_full(self) -> bool:
        return bool(self.elementstack) and len(self.elementstack[-1][2]) >= MAX_PIECES

    def handle_data(self, text: str, escape: int = 1) -> None:
        if not self._is_full():
            super().handle_data(text[:MAX_TEXT], escape)  # type: ignore[misc]

    def handle_charref(self, ref: str) -> None:
        if not self._is_full():
            super().handle_charref(ref)  # type: ignore[misc]

    def handle_entityref(self, ref: str) -> None:
        if not self._is_full():
            super().handle_entityref(ref)  # type: ignore[misc]

    def pop(self, element: str, strip_whitespace: int = 1) -> Any:
        if self.elementstack and self.elementstack[-1][0] == element:
            self.elementstack[-1][2] = _first(self.elementstack[-1][2], MAX_TEXT)
        return super().pop(element, strip_whitespace)  # type: ignore[misc]

    def _sync_author_detail(self, key: str = "author") -> None:
        context = self._get_context()  # type: ignore[attr-defined]
        if len(context.get(key) or "") <= MAX_AUTHOR:
            super()._sync_author_detail(key)  # type: ignore[misc]


class _StrictParser(_Bounded, api.StrictFeedParser):  # type: ignore[misc]
    """Well-formed XML."""


class _LooseParser(_Bounded, api.LooseFeedParser):  # type: ignore[misc]
    """Everything else."""


def _first(pieces: list[str | bytes], limit: int) -> list[str | bytes]:
    kept: list[str | bytes] = []
    for piece in pieces:
        if limit <= 0:
            break
        kept.append(piece[:limit])
        limit -= len(piece)
    return kept


def _strict(text: str) -> Any | None:
    """The strict parser's result, or None where a namespace is wrong that no plain XML parser minds."""
    parser = _prepared(_StrictParser("", None, "utf-8"))
    reader = DefusedExpatParser(namespaceHandling=1, forbid_dtd=True)
    reader.setContentHandler(parser)
    reader.setErrorHandler(parser)
    try:
        reader.parse(io.BytesIO(text.encode("utf-8")))
    except DefusedXmlException:
        raise
    except SAXException:
        return None
    return parser


def _loose(text: str) -> Any:
    parser = _prepared(_LooseParser("", None, "utf-8", {}))
    parser.feed(text)
    return parser


def _prepared(parser: Any) -> Any:
    parser.resolve_relative_uris = False
    parser.sanitize_html = False  # texts are stripped of all markup later
    return parser
