"""An answer's text as HTML that can do nothing but be read.

Quoted sentences come from strangers, so everything is escaped, and only the mark that we ourselves put at the end of
a line becomes a link; a ``[2]`` inside a quotation stays text.
"""

from __future__ import annotations

import re

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

ANSWER_MAX_LENGTH = 4000  # characters shown
_MARK = re.compile(r"^(?P<text>.*) \[(?P<number>[1-9][0-9]?)\]$", re.DOTALL)


def as_html(body: str, citations: int) -> SafeString:
    """Paragraphs and line breaks, with ``[n]`` at the end of a line leading to ``#cn`` for 1 ≤ n ≤ ``citations``."""
    paragraphs = (part for part in body[:ANSWER_MAX_LENGTH].split("\n\n") if part.strip())
    return format_html_join("\n", "<p>{}</p>", ((_lines(part, citations),) for part in paragraphs))


def _lines(paragraph: str, citations: int) -> SafeString:
    lines = (line for line in paragraph.split("\n") if line.strip())
    return format_html_join(SafeString("<br>\n"), "{}", ((_line(line, citations),) for line in lines))


def _line(line: str, citations: int) -> SafeString:
    marked = _MARK.match(line)
    if marked is None or int(marked["number"]) > citations:
        return format_html("{}", line)
    number = marked["number"]
    return format_html('{} <sup><a href="#c{}">[{}]</a></sup>', marked["text"], number, number)
