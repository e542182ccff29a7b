"""Texts of feeds as they may be kept: plain, one line, short.

Sources escape once or twice, wrap titles in markup and hide characters in them; what is stored has none of
it. No HTML parser is asked: 20 kB of formatting that is left open make one build a tree of 270 MB.
"""

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
# Up to the ``>`` that closes a tag; one inside a quoted attribute value does not. Unclosed markup ends the text.
_REST_OF_TAG = r"""(?>[^>"']+|(?<==)"[^"]*"|(?<==)'[^']*'|["'])*+(?:>|\Z)"""
_SILENT = "script|style|template|noscript|iframe|object|svg"  # what they contain is no text
_MARKUP = re.compile(
    "|".join(
        (
            r"<!--.*?(?:-->|\Z)",
            r"<!\[CDATA\[(?P<text>.*?)(?:\]\]>|\Z)",
            rf"<(?P<silent>{_SILENT})(?![\w:-]){_REST_OF_TAG}.*?(?:</(?P=silent)\s*>|\Z)",
            rf"<(?:/?(?P<name>[a-z][a-z0-9:-]*)|[/!?]){_REST_OF_TAG}",
        )
    ),
    re.ASCII | re.DOTALL | re.IGNORECASE,
)
# These stand inside words and sentences; taking them away must not tear 비트<b>코인</b> apart.
_INLINE = re.compile(
    r"(?i)a|abbr|b|bdi|bdo|cite|code|del|dfn|em|font|i|ins|kbd|mark"
    r"|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var"
)


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
        text = _MARKUP.sub(_in_its_place, text)
    return re.sub(r"<(?=[A-Za-z/!?])", "", text)


def _in_its_place(markup: re.Match[str]) -> str:
    if markup["text"] is not None:
        return markup["text"]
    return "" if _INLINE.fullmatch(markup["name"] or "") else " "


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
