"""What the text of a feed must be before feedparser sees it.

feedparser mends nearly anything, at a price: entities expand, its loose parser is quadratic in places, every element
becomes an object. So document type declarations are refused, the text is cut to the items that are wanted, and markup
is bounded. What only a parser can see is bounded in ``parser``.
"""

import re

from knowledge.sources.base import MAX_ITEMS
from knowledge.sources.errors import SourceError

# 20 µs each in feedparser: 2 s at most. A full feed of 200 items has 4,000.
MAX_MARKUP = 60_000

_FEED_ROOTS = frozenset({"rss", "feed", "rdf"})

_OWN_DECLARATION = re.compile(r"<\?xml[^>]{0,300}>")
# Space, comments and instructions before the root element; atomic, so that hostile ones are read once.
_PROLOG = re.compile(r"(?>\s+|<!--.*?-->|<\?.*?\?>)*", re.DOTALL)
_ROOT = re.compile(r"<((?:[A-Za-z_][\w.-]{0,40}:)?([A-Za-z_][\w.-]{0,40}))(?=[\s/>])")
_HTML = re.compile(r"<!doctype\s+html|<html[\s/>]", re.IGNORECASE)
# Markup outside of comments and CDATA, each of which is one piece; an open one is what is left of the text.
_MARKUP = re.compile(
    r"<!(?:\[CDATA\[.*?\]\]>|--.*?-->|(?:\[CDATA\[|--)(?P<open>.*))"
    r"|</(?:[A-Za-z_][\w.-]{0,40}:)?(?P<item>item|entry)\s*>|<",
    re.DOTALL,
)
_CHARREF = re.compile(r"&#(?:[xX]([0-9a-fA-F]+)|([0-9]+));")
# Characters XML may not hold, though feeds do; one of them makes the whole feed ill-formed.
_ILLEGAL = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ud800-\\udfff\\ufffe\\uffff]")


def guarded(text: str) -> tuple[str, int]:
    """The feed in a decoded body, bounded, and how many items were counted in it.

    Raises ``SourceError`` parse or too_large for anything else.
    """
    text = _ILLEGAL.sub("", text).strip().removeprefix("\ufeff")
    text = _CHARREF.sub(_legal_charref, text)
    text = _OWN_DECLARATION.sub("", text, count=1) if text.startswith("<?xml") else text
    root, start = _root(text)
    return _first_items(_whole(text, root, start), root)


def _legal_charref(found: re.Match[str]) -> str:
    digits = found[1] or found[2]
    code = int(digits, 16 if found[1] else 10) if len(digits) <= 8 else 0
    legal = code < 0x110000 and (code >= 0x20 or code in (9, 10, 13)) and not _ILLEGAL.match(chr(code))
    return found[0] if legal else ""


def _root(text: str) -> tuple[str, int]:
    """The root element's name as written and where it begins."""
    prolog = _PROLOG.match(text)
    start = prolog.end() if prolog else 0
    found = _ROOT.match(text, start)
    if found and found[2].lower() in _FEED_ROOTS:
        return found[1], start
    seen = " ".join(text[start : start + 40].split())
    if _HTML.match(text, start):
        kind = "an HTML page"
    elif seen.startswith("<!"):
        kind = "a document type declaration or an open comment"
    elif found:
        kind = f"a document <{found[2]}>"
    else:
        kind = f"text that begins {seen!r}" if seen else "nothing"
    raise SourceError("parse", f"expected a feed, found {kind}")


def _whole(text: str, root: str, start: int) -> str:
    """The text up to the end of the root element. A feed without that end is cut off, and its last item half a lie."""
    end = max((found.end() for found in re.finditer(rf"</{re.escape(root)}\s*>", text)), default=None)
    if end is None and not re.compile(rf"<{re.escape(root)}(?:\s[^<>]*)?/>").match(text, start):
        raise SourceError("parse", f"the feed is cut off: </{root}> is missing")
    return text[:end]


def _first_items(text: str, root: str) -> tuple[str, int]:
    """The text cut behind its first ``MAX_ITEMS`` items, and how many it has."""
    items = markup = 0
    for found in _MARKUP.finditer(text):
        markup += 1 + (found["open"] or "").count("<")
        if markup > MAX_MARKUP:
            raise SourceError("too_large", f"the feed has more than {MAX_MARKUP} pieces of markup")
        items += found["item"] is not None
        if items == MAX_ITEMS:
            channel = "</channel>" if root.lower() == "rss" else ""
            return f"{text[: found.end()]}{channel}</{root}>", items
    return text, items
