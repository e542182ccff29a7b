"""An answer's text as HTML that can do nothing but be read.

Quoted sentences come from strangers and a model's prose from a machine that read them, so both go the same way: a
Markdown parser that knows paragraphs, line breaks and, for a model, emphasis; then a sanitiser that lets six tags and
one form of link pass. A line may begin with a year, a minus or a greater-than sign, so neither lists nor quotations
are read; nor are escapes and entities, which could spell a mark. Quotations are verbatim: no sign of theirs is markup.

The only links are marks that we ourselves put there. In a quotation that is the one at the end of a line, and a
``[2]`` inside it stays text; what a model wrote was rid of such numbers before ours were put in.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from ask.citations import CitationRecord
from ask.drafts import FIGURE_LEADS, LEADS
from ask.hashing import clean
from ask.models import AnswerVersion, Mode
from ask.rehearsal import LABELS
from knowledge.models.personas import is_byline
from knowledge.search.sentences import split_sentences

ANSWER_MAX_LENGTH = 4000  # characters shown
TAGS = {"p", "br", "em", "strong", "sup", "a"}
_CLOSING_MARK = re.compile(r"( \[[1-9][0-9]?\])$")
_CLOSING_MARKS = re.compile(_CLOSING_MARK.pattern, re.MULTILINE)
_ANY_MARK = re.compile(r"( \[[1-9][0-9]?\])")
_MARKS_FIRST = re.compile(r"\s*(?:\[[1-9][0-9]?\]\s*)+")
_PARAGRAPHS = re.compile(r"\n{2,}")
# What the page says in its own words.
_INTRODUCES = frozenset({*LEADS.values(), *FIGURE_LEADS.values(), *LABELS.values()})
_FRAGMENT = re.compile(r"#c[1-9][0-9]?")


def as_html(body: str, citations: int, *, quoted: bool = True, page: str = "") -> SafeString:
    """Paragraphs and line breaks, with ``[n]`` leading to ``#cn`` for 1 ≤ n ≤ ``citations``.

    ``quoted`` says that the text is quotations, in which only the mark that closes a line is ours. ``page`` is the
    absolute address of the answer, for marks that are read elsewhere.
    """
    lines = (clean(line) for line in body[:ANSWER_MAX_LENGTH].split("\n"))
    marked = _parser(quoted).render("\n".join(lines), {"citations": citations, "page": page})
    return SafeString(_sanitised(marked, page).strip())


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer in the parts that its page shows: how a mistyped question was read, the sentence that answers, what
    follows it, and what AI personas say."""

    read_as: str
    first: SafeString
    rest: SafeString
    opinions: SafeString


def shown(version: AnswerVersion) -> ShownAnswer:
    """A version that answers; the lead of its text is left out, for the page says that by itself."""
    count, quoted = len(version.citations), version.mode != Mode.LLM
    body, opinions = parted(version.body, version.citations) if quoted else (version.body, "")
    paragraphs = [one for one in _PARAGRAPHS.split(body) if one]
    leads = [place for place, one in enumerate(paragraphs) if one in _INTRODUCES]
    told = paragraphs[leads[-1] + 1 :] if leads else paragraphs
    read_as = [one for one in paragraphs[: leads[-1]] if one not in _INTRODUCES] if leads else []
    first, rest = _first_of("\n\n".join(told), version.answer.lang, quoted=quoted)
    return ShownAnswer(
        read_as=" ".join(read_as),
        first=as_html(first, count, quoted=quoted),
        rest=as_html(rest, count, quoted=quoted),
        opinions=as_html(opinions, count),
    )


def _first_of(told: str, lang: str, *, quoted: bool) -> tuple[str, str]:
    """The first sentence with its marks, and what follows: a quoted one is a line, a model's ends in its paragraph."""
    line, _, after = told.partition("\n")
    if quoted:
        return line, after.strip("\n")
    sentences = split_sentences(line, lang)
    end = len(sentences[0]) if sentences else 0
    if marks := _MARKS_FIRST.match(line, end):
        end = marks.end()
    return line[:end].rstrip(), f"{line[end:]}\n{after}".strip()


def parted(body: str, citations: Sequence[CitationRecord]) -> tuple[str, str]:
    """A quoted answer in two texts: what was copied from the records, and what AI personas say.

    The first is empty, without its lead too, where personas alone are quoted.
    """
    personas = {number for number, one in enumerate(citations, 1) if is_byline(one["label"])}
    said: dict[bool, list[str]] = {False: [], True: []}
    for line in body.split("\n"):
        mark = _CLOSING_MARK.search(line)
        said[mark is not None and int(mark[0].strip(" []")) in personas].append(line)
    records, opinions = ("\n".join(said[of]).strip() for of in (False, True))
    return (records if _CLOSING_MARKS.search(records) else ""), opinions


@functools.cache
def _parser(quoted: bool) -> MarkdownIt:
    # "zero" knows paragraphs and nothing else, so that what a later version learns stays off.
    parser = MarkdownIt(
        "zero", {"html": False, "breaks": True}, renderer_cls=_Quotation if quoted else _Prose
    )
    parser.enable("newline")
    return parser if quoted else parser.enable("emphasis")


class _Quotation(RendererHTML):
    marks = _CLOSING_MARK

    def text(self, tokens: Sequence[Token], at: int, options: Any, env: Mapping[str, Any]) -> str:
        # A pattern with one group splits into text, mark, text, mark …
        pieces = self.marks.split(tokens[at].content)
        return "".join(_mark(one, env) if place % 2 else escape(one) for place, one in enumerate(pieces))


class _Prose(_Quotation):
    marks = _ANY_MARK


def _mark(mark: str, env: Mapping[str, Any]) -> str:
    number = int(mark.strip(" []"))
    if number > env["citations"]:
        return mark
    return f' <sup><a href="{escape(env["page"])}#c{number}">[{number}]</a></sup>'


def _sanitised(html: str, page: str) -> str:
    """Whatever the parser let through: the tags above, and links to the sources of this answer alone."""

    def kept(tag: str, attribute: str, value: str) -> str | None:
        own = value.startswith(page) and _FRAGMENT.fullmatch(value.removeprefix(page))
        return value if own else None

    return nh3.clean(html, tags=TAGS, attributes={"a": {"href"}}, attribute_filter=kept, link_rel=None)
