"""Texts of feeds as they may be kept: plain, one line, short.

Sources escape once or twice, wrap titles in markup and hide characters in them; what is stored has none of
it. No HTML parser is asked: 20 kB of formatting that is left open make one build a tree of 270 MB.
"""

from __future__ import annotations

import html
import re
import unicodedata

from knowledge.invisible import visible

TITLE_LENGTH = 300
AUTHOR_LENGTH = 100
# Markup before the first 300 visible characters (an image, a few links) is shorter than this; the rest is
# not read.
_RAW_LENGTH = 20_000

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG_STOP = re.compile(r"[>\"']")
_TAG_NAME = re.compile(r"/?([A-Za-z][A-Za-z0-9:-]*)")
# These stand inside words and sentences; taking them away must not tear 비트<b>코인</b> apart.
_INLINE = re.compile(
    r"a|abbr|b|bdi|bdo|cite|code|del|dfn|em|font|i|ins|kbd|mark"
    r"|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var"
)
# Their content is no text.
_SILENT = frozenset({"script", "style", "template", "noscript", "iframe", "object", "svg"})


def clean_text(raw: str, limit: int) -> str:
    """Plain text of at most ``limit`` characters from text or HTML, in NFC.

    Entities are undone once, invisible characters go before tags do (they would hide a tag), white space
    becomes single spaces, and a text that is too long ends at a word with an ellipsis.
    """
    text = visible(unescape_once(raw[:_RAW_LENGTH]))
    text = " ".join(strip_tags(text).split())
    return shorten(unicodedata.normalize("NFC", text), limit)


def unescape_once(text: str) -> str:
    """Entities undone one time, and only those that end in a semicolon (``?a=1&copy=2`` is an address)."""
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text)


def strip_tags(text: str) -> str:
    """The text without markup, also where taking a tag away makes a new one: ``<<b>script>``."""
    for _round in range(3):
        stripped = _strip_tags_once(text)
        if stripped == text:
            return stripped
        text = stripped
    return re.sub(r"<(?=[A-Za-z/!?])", "", text)


def _strip_tags_once(text: str) -> str:
    pieces: list[str] = []
    position = 0
    while (start := text.find("<", position)) != -1:
        pieces.append(text[position:start])
        following = text[start + 1 : start + 2]
        if not (following.isascii() and (following.isalpha() or following in ("/", "!", "?"))):
            pieces.append("<")  # "a < b"
            position = start + 1
            continue
        position, replacement = _skip_markup(text, start)
        pieces.append(replacement)
    pieces.append(text[position:])
    return "".join(pieces)


def _skip_markup(text: str, start: int) -> tuple[int, str]:
    """Where the markup that begins at ``start`` ends, and what stands in its place. Unclosed markup ends
    the text.
    """
    if text.startswith("<!--", start):
        return _after(text, "-->", start + 4), " "
    if text.startswith("<![CDATA[", start):
        end = text.find("]]>", start)
        return (len(text), text[start + 9 :]) if end == -1 else (end + 3, text[start + 9 : end])
    end = _tag_end(text, start + 1)
    named = _TAG_NAME.match(text, start + 1)
    name = named[1].lower() if named else ""
    if name in _SILENT and text[start + 1] != "/":
        closing = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, end)
        return (closing.end() if closing else len(text)), " "
    return end, "" if _INLINE.fullmatch(name) else " "


def _tag_end(text: str, position: int) -> int:
    """Behind the ``>`` that closes a tag; a ``>`` inside a quoted attribute value does not."""
    while stop := _TAG_STOP.search(text, position):
        char, position = stop[0], stop.end()
        if char == ">":
            return position
        if text[stop.start() - 1] == "=":
            closing = text.find(char, position)
            if closing == -1:
                return _after(text, ">", position)
            position = closing + 1
    return len(text)


def _after(text: str, mark: str, position: int) -> int:
    found = text.find(mark, position)
    return len(text) if found == -1 else found + len(mark)


def shorten(text: str, limit: int) -> str:
    """At most ``limit`` characters, cut behind a word where there is one in the last quarter."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    if not text[limit - 1].isspace():
        space = cut.rfind(" ", limit * 3 // 4)
        cut = cut[:space] if space != -1 else cut
    return cut.rstrip(" ,.;:·-–—") + "…"


def language_of(text: str) -> str:
    """``ko`` where Hangul stands, else ``en``: the two languages that are read here."""
    return "ko" if re.search(r"[\uac00-\ud7a3\u3131-\u318e]", text) else "en"


def language_tag(declared: str) -> str:
    """``ko`` from ``ko-KR`` or ``ko_KR``; empty when it is no language tag."""
    found = re.match(r"\s*([A-Za-z]{2,3})(?:[-_]|\s*$)", declared)
    return found[1].lower() if found else ""
