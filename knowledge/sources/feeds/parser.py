"""RSS, Atom and RDF in all their broken forms, as plain records. The only import of feedparser.

``feedparser.parse`` is not called: it decides on the charset anew, and searches every author for a mail address in
quadratic time. An author of 80 kB takes it minutes, and comments or references hide one from any look at the text. So
its strict and loose parsers are driven here the way it drives them, with bounds, over text that passed the guards.
"""

import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax import SAXException
from xml.sax.xmlreader import AttributesNSImpl

from defusedxml.expatreader import DefusedExpatParser
from feedparser import api

from knowledge.sources.base import MAX_ITEMS
from knowledge.sources.errors import SourceError
from knowledge.sources.feeds.charsets import decode
from knowledge.sources.feeds.guards import guarded

# Of one element's text: more than is ever read of a body, far more than any title, date or address has.
MAX_TEXT = 20_000
# Line ends and references come one by one; what comes after so many is not kept.
MAX_PIECES = 20_000
# feedparser looks for a mail address in the author, quadratic in its length.
MAX_AUTHOR = 100
# Open elements, attributes of one (whose look-ups are quadratic), namespaces (each element may look at all).
MAX_STRUCTURE = 100
# The loose parser takes 5 s and 20 MB for this much at its worst.
MAX_ILL_FORMED_LENGTH = 1_000_000
_YOUTUBE = "http://www.youtube.com/xml/schemas/2015"


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed's head and its items, each the texts under feedparser's names as the feed has them: nothing is cleaned
    yet, and a text that is missing is empty.
    """

    head: Mapping[str, str]
    entries: Sequence[Mapping[str, str]]
    is_youtube: bool


def parse_feed(body: bytes, content_type: str = "") -> Feed:
    """A feed from a response body; at most ``MAX_ITEMS`` entries, in the feed's order.

    A well-formed feed without items is an empty one. Raises ``SourceError`` parse for everything that is no
    whole feed, and where items stand in the text that cannot be read.
    """
    text, items = guarded(decode(body, content_type))
    parsed, well_formed = _parsed(text)
    entries = [_texts(raw) for raw in parsed.entries[:MAX_ITEMS]]
    if not entries and (items or not well_formed):
        raise SourceError("parse", "the feed is broken: none of its items can be read")
    return Feed(
        head=_texts(parsed.feeddata),
        entries=entries,
        is_youtube=(parsed.version or "").startswith("atom")
        and _YOUTUBE in parsed.namespaces_in_use.values(),
    )


def _texts(raw: Mapping[str, Any]) -> Mapping[str, str]:
    # Asked for a missing "updated", feedparser's own dict answers with "published".
    texts = defaultdict(str, {name: value for name, value in raw.items() if isinstance(value, str)})
    if not texts["summary"] and raw.get("content"):
        texts["summary"] = raw["content"][0].get("value") or ""
    return texts


class _Bounded:
    """Stands before a parser of feedparser and keeps the text of an element short."""

    elementstack: list[Any]
    resolve_relative_uris = False
    sanitize_html = False  # texts are stripped of all markup later

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

    open_elements = 0  # feedparser's own depth forgets ends of div in content that says it is escaped

    def startElementNS(self, name: object, qname: object, attrs: AttributesNSImpl) -> None:  # noqa: N802 - SAX's name
        if max(self.open_elements, len(attrs), len(self.namespaces_in_use)) >= MAX_STRUCTURE:
            raise SourceError("parse", "the feed nests too deep, or has too many attributes or namespaces")
        self.open_elements += 1
        super().startElementNS(name, qname, attrs)

    def endElementNS(self, name: object, qname: object) -> None:  # noqa: N802 - SAX's name
        self.open_elements -= 1
        super().endElementNS(name, qname)


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


def _parsed(text: str) -> tuple[Any, bool]:
    """feedparser's parser, done, and whether the feed is well-formed XML with namespaces.

    Raises ``SourceError`` parse where even the loose one gives up.
    """
    try:
        try:
            return _strict(text), True
        except SAXException:
            return _loose(text), False
    except SourceError:
        raise
    except Exception as error:  # hostile markup meets all kinds of assumptions in there
        raise SourceError("parse", f"the feed cannot be read ({type(error).__name__})") from error


def _strict(text: str) -> _StrictParser:
    parser = _StrictParser("", None, "utf-8")
    reader = DefusedExpatParser(namespaceHandling=1, forbid_dtd=True)
    reader.setContentHandler(parser)
    reader.parse(io.BytesIO(text.encode()))
    return parser


def _loose(text: str) -> _LooseParser:
    if len(text) > MAX_ILL_FORMED_LENGTH:
        raise SourceError("parse", "the feed is ill-formed and too long to be mended")
    parser = _LooseParser("", None, "utf-8", {})
    parser.feed(text)
    return parser
