"""Texts of strangers in the formats of this app: one line, visible characters only, nothing that is markup."""

import re

from django.utils.encoding import iri_to_uri

from ask.hashing import clean
from knowledge.models.source_urls import in_hangul

# In Markdown these begin emphasis, links, code, headings, HTML, tables or entities wherever they stand.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
# ... and these only where a line begins: a list, a quotation, an underlined heading.
_LINE_START = re.compile(r"^(?P<mark>[0-9]*)(?P<sign>(?<=[0-9])[.)]|(?<![0-9])[-+=])")
# The llms.txt reference parser ends a name at "]" and an address at ")", escaped or not.
_NAME = str.maketrans("[]<>", "()‹›")
_SCHEME = re.compile(r"^https?://(?:www\.)?")
_ANGLES = str.maketrans("<>", "‹›")


def plain(text: str) -> str:
    """One line of visible characters: no controls, no zero-width or bidirectional marks, nothing XML refuses."""
    return clean(text)


def markdown(text: str) -> str:
    """The text as Markdown that shows exactly it and does nothing else."""
    return _LINE_START.sub(r"\g<mark>\\\g<sign>", inline(text))


def inline(text: str) -> str:
    """As ``markdown`` does, for the middle of a line, where ``2.5`` begins no list."""
    return _MARKUP.sub(r"\\\1", clean(text))


def address(url: str) -> str:
    """An address as Markdown's ``<address>``, which nothing in it can end; empty for what is no web address."""
    return f"<{iri_to_uri(url)}>" if url.startswith(("https://", "http://")) else ""


def readable(url: str) -> str:
    """A web address as people read it: host and path, with Hangul in place of its codes."""
    return in_hangul(_SCHEME.sub("", url)).rstrip("/")


def link_name(text: str) -> str:
    """A name for ``[name](address)`` that every reader of llms.txt understands."""
    return clean(text).translate(_NAME).replace("\\", "")


def feed_title(text: str) -> str:
    """A title for feed readers, some of which read titles as HTML."""
    return clean(text).translate(_ANGLES)
