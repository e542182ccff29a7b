"""An answer's text as HTML that can do nothing but be read.

Quoted sentences come from strangers, so everything is escaped, and only the marks that we ourselves put there become
links. In a quotation that is the one at the end of a line, and a ``[2]`` inside it stays text; what a model wrote was
rid of such numbers before ours were put in, so every mark in it is one of ours.
"""

from __future__ import annotations

import re

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

ANSWER_MAX_LENGTH = 4000  # characters shown
_CLOSING_MARK = re.compile(r"( \[[1-9][0-9]?\]$)")
_ANY_MARK = re.compile(r"( \[[1-9][0-9]?\])(?!\w)")


def as_html(body: str, citations: int, *, quoted: bool = True) -> SafeString:
    """Paragraphs and line breaks, with ``[n]`` leading to ``#cn`` for 1 ≤ n ≤ ``citations``.

    ``quoted`` says that the text is quotations, in which only the mark that closes a line is ours.
    """
    marks = _CLOSING_MARK if quoted else _ANY_MARK
    paragraphs = (part for part in body[:ANSWER_MAX_LENGTH].split("\n\n") if part.strip())
    return format_html_join("\n", "<p>{}</p>", ((_lines(part, marks, citations),) for part in paragraphs))


def _lines(paragraph: str, marks: re.Pattern[str], citations: int) -> SafeString:
    lines = (line for line in paragraph.split("\n") if line.strip())
    return format_html_join(SafeString("<br>\n"), "{}", ((_line(line, marks, citations),) for line in lines))


def _line(line: str, marks: re.Pattern[str], citations: int) -> SafeString:
    # A pattern with one group splits into text, mark, text, mark …
    pieces = marks.split(line)
    return format_html_join(
        "", "{}", ((_mark(one, citations) if at % 2 else one,) for at, one in enumerate(pieces))
    )


def _mark(mark: str, citations: int) -> SafeString | str:
    number = int(mark.strip(" []"))
    if number > citations:
        return mark
    return format_html(' <sup><a href="#c{}">[{}]</a></sup>', number, number)
