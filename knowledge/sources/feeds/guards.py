"""What a feed must be before feedparser sees it.

feedparser mends nearly anything, at a price: entities expand, its loose parser and its attribute look-ups
are quadratic in places, every element becomes an object. So the text is cut to the items that are wanted,
document type declarations are refused, and markup, depth, attributes and the length of ill-formed text are
bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.sax import ContentHandler, SAXException
from xml.sax.xmlreader import AttributesImpl

import defusedxml.sax
from defusedxml.common import DefusedXmlException

from knowledge.sources.base import MAX_ITEMS
from knowledge.sources.errors import SourceError

# 20 µs each in feedparser: 2 s at most. A full feed of 200 items has 4,000.
MAX_MARKUP = 60_000
MAX_DEPTH = 100
MAX_ATTRIBUTES = 100
MAX_NAMESPACES = 100
# Comments and instructions before the root element.
MAX_PROLOG = 1_000
# The loose parser takes 5 s and 20 MB for this much at its worst.
MAX_ILL_FORMED_LENGTH = 1_000_000

_FEED_ROOTS = frozenset({"rss", "feed", "rdf"})

_OWN_DECLARATION = re.compile(r"<\?xml[^>]{0,300}>")
_ROOT = re.compile(r"<((?:[A-Za-z_][\w.-]{0,40}:)?([A-Za-z_][\w.-]{0,40}))(?=[\s/>])")
_HTML = re.compile(r"<!doctype\s+html", re.IGNORECASE)
_LANDMARK = re.compile(r"<!\[CDATA\[|<!--|</(?:[A-Za-z_][\w.-]{0,40}:)?(?:item|entry)\s*>")
_CHARREF = re.compile(r"&#(?:[xX]([0-9a-fA-F]+)|([0-9]+));")
# Characters XML may not hold, though feeds do; one of them makes the whole feed ill-formed.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class GuardedFeed:
    """A feed that feedparser may have: ``items`` were counted in it, ``well_formed`` says whether it is
    XML.
    """

    text: str
    items: int
    well_formed: bool


def guarded(text: str) -> GuardedFeed:
    """The feed in a decoded body, bounded; raises ``SourceError`` parse or too_large for anything else."""
    if text.count("<!--") + text.count("<![CDATA[") > MAX_MARKUP:
        raise _too_much_markup()
    text = _ILLEGAL.sub("", text).strip().removeprefix("\ufeff")
    text = _CHARREF.sub(_legal_charref, text)
    text = _OWN_DECLARATION.sub("", text, count=1) if text.startswith("<?xml") else text
    prefixed_root, root_start = _root(text)
    text = _whole(text, prefixed_root, root_start)
    text, items = _first_items(text, prefixed_root)
    text = text.encode("utf-8", "replace").decode("utf-8")
    well_formed = _is_well_formed(text)
    if not well_formed and len(text) > MAX_ILL_FORMED_LENGTH:
        raise SourceError("parse", "the feed is ill-formed and too long to be mended")
    return GuardedFeed(text, items, well_formed)


def _legal_charref(found: re.Match[str]) -> str:
    digits = found[1] or found[2]
    code = int(digits, 16 if found[1] else 10) if len(digits) <= 8 else 0
    legal = (
        code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000
    )
    return found[0] if legal else ""


def _root(text: str) -> tuple[str, int]:
    """The root element's name as written and where it begins. Comments and instructions may stand before
    it.
    """
    position = 0
    for _piece in range(MAX_PROLOG):
        while text[position : position + 1].isspace():
            position += 1
        if text.startswith("<!--", position):
            position = _behind(text, "-->", position)
        elif text.startswith("<?", position):
            position = _behind(text, "?>", position)
        else:
            break
    if text.startswith("<!", position):
        kind = "an HTML page" if _HTML.match(text, position) else "a document type declaration"
        raise SourceError("parse", f"expected a feed, found {kind}")
    found = _ROOT.match(text, position)
    if not found or found[2].lower() not in _FEED_ROOTS:
        raise SourceError("parse", f"expected a feed, found {_seen(text, position, found)}")
    return found[1], position


def _behind(text: str, mark: str, position: int) -> int:
    end = text.find(mark, position)
    if end == -1:
        raise SourceError("parse", "the feed is cut off before it begins")
    return end + len(mark)


def _seen(text: str, position: int, root: re.Match[str] | None) -> str:
    if root:
        return "an HTML page" if root[2].lower() == "html" else f"a document <{root[2]}>"
    start = " ".join(text[position : position + 40].split())
    return f"text that begins {start!r}" if start else "nothing"


def _whole(text: str, root: str, root_start: int) -> str:
    """The text up to the end of the root element. A feed without that end is cut off, and its last item
    half a lie.
    """
    closing = re.compile(rf"</{re.escape(root)}\s*>")
    end = -1
    for start in _last_places(text, f"</{root}"):
        found = closing.match(text, start)
        if found:
            end = found.end()
            break
    if end == -1:
        if re.compile(rf"<{re.escape(root)}[^<>]*/>").match(text, root_start):
            return text
        raise SourceError("parse", f"the feed is cut off: </{root}> is missing")
    return text[:end]


def _last_places(text: str, mark: str) -> list[int]:
    """The last few places of a mark, last first."""
    places: list[int] = []
    end = len(text)
    while len(places) < 3 and (place := text.rfind(mark, 0, end)) != -1:
        places.append(place)
        end = place
    return places


def _first_items(text: str, root: str) -> tuple[str, int]:
    """The text cut behind its first ``MAX_ITEMS`` items, and how many it has."""
    items = markup = position = counted = 0
    while found := _LANDMARK.search(text, position):
        position = found.end()
        markup += text.count("<", counted, position)
        if found[0].startswith("<!"):
            mark = "]]>" if found[0] == "<![CDATA[" else "-->"
            end = text.find(mark, position)
            if end == -1:
                break
            position = end + len(mark)
        else:
            items += 1
        counted = position
        if items == MAX_ITEMS:
            text = text[:position] + ("</channel>" if root.lower() == "rss" else "") + f"</{root}>"
            break
    markup += text.count("<", counted)
    if markup > MAX_MARKUP:
        raise _too_much_markup()
    return text, items


def _too_much_markup() -> SourceError:
    return SourceError("too_large", f"the feed has more than {MAX_MARKUP} pieces of markup")


class _Bounds(ContentHandler):
    """Counts what feedparser would choke on."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0
        self._namespaces: set[str] = set()

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        self._depth += 1
        if self._depth > MAX_DEPTH or attrs.getLength() > MAX_ATTRIBUTES:
            raise SourceError("parse", "the feed nests too deep or has an element with too many attributes")
        self._namespaces.update(attrs.getValue(key) for key in attrs.getNames() if key.startswith("xmlns"))
        if len(self._namespaces) > MAX_NAMESPACES:
            raise SourceError("parse", f"the feed has more than {MAX_NAMESPACES} namespaces")

    def endElement(self, name: str) -> None:  # noqa: N802 - SAX's name
        self._depth -= 1


def _is_well_formed(text: str) -> bool:
    try:
        defusedxml.sax.parseString(text.encode("utf-8"), _Bounds(), forbid_dtd=True)
    except DefusedXmlException:
        raise SourceError("parse", "a feed with a document type declaration or entities is refused") from None
    except SAXException:
        return False
    return True
