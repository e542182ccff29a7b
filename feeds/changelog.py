"""``/changelog.xml``: the changes of this service itself, an Atom entry for each section of ``CHANGELOG.md``.

The file stands at the root of the repository, from which the service runs (pyproject.toml: nothing is installed as a
package), and changes only with an upgrade, so it is read once a process. A heading of the second level opens a section
and names its version; ``YYYY-MM-DD`` in it is the day of the release, in Seoul.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cache
from itertools import pairwise
from pathlib import Path

import nh3
from django.conf import settings
from django.utils import timezone
from django.utils.text import slugify
from feedgen.feed import FeedGenerator
from markdown_it import MarkdownIt

from feeds.texts import feed_title
from knowledge.invisible import without_invisible
from knowledge.publications.bodies import StoredBody, ready_body

FILE_NAME = "CHANGELOG.md"
CONTENT_TYPE = "application/atom+xml; charset=utf-8"
TITLE_MAX = 120
TAGS = {"p", "br", "ul", "ol", "li", "em", "strong", "code", "pre", "blockquote", "h3", "h4", "a"}
SEOUL = timezone.get_default_timezone()
# Of a feed without entries: a moment that stays the same.
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_OTHER_SPACE = re.compile(r"[^\S \n\t]")
_PARSER = MarkdownIt("commonmark", {"html": False})


@dataclass(frozen=True, slots=True)
class Section:
    """The changes of one version. ``id`` stays the same when later versions come; ``html`` is safe."""

    id: str
    title: str
    html: str
    updated: datetime


@cache
def ready() -> StoredBody:
    """The feed, made with this process's first request for it."""
    path = Path(settings.BASE_DIR) / FILE_NAME
    try:
        text, written = path.read_text(encoding="utf-8", errors="replace"), path.stat().st_mtime
    except OSError:
        return made("", NEVER)
    return made(text, datetime.fromtimestamp(written, SEOUL))


def made(text: str, written: datetime) -> StoredBody:
    """The feed of a changelog's text. What has no date of its own is dated by the day the file was ``written``."""
    found = sections(text, written)
    updated = max((section.updated for section in found), default=NEVER)
    # Several changes may be made on one day, and a reader who asks by date must get the last.
    return ready_body(_atom(found, updated), content_type=CONTENT_TYPE, built_at=written)


def sections(text: str, written: datetime) -> list[Section]:
    """In the order of the file, which is newest first. Two of one name differ by a number, the oldest has none."""
    seen: Counter[str] = Counter()
    found = []
    for heading, body in reversed(list(_parts(_visible(text)))):
        title = feed_title(heading)[:TITLE_MAX] or "-"
        name = slugify(title, allow_unicode=True) or "section"
        seen[name] += 1
        number = f"-{seen[name]}" if seen[name] > 1 else ""
        key = f"{settings.SERVICE_SLUG}:changelog:{name}{number}"
        found.append(Section(key, title, _html(body), _updated(heading, written)))
    return found[::-1]


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Each heading of the second level with the lines below it; what stands before the first is left out."""
    tokens, lines = _PARSER.parse(text), text.split("\n")
    opened = [
        (token.map, following.content)
        for token, following in pairwise(tokens)
        if (token.type, token.tag, token.level) == ("heading_open", "h2", 0) and token.map
    ]
    ends = [begins for (begins, _below), _title in opened[1:]] + [len(lines)]
    for ((_begins, below), title), end in zip(opened, ends if opened else (), strict=True):
        yield title, "\n".join(lines[below:end])


def _visible(text: str) -> str:
    """Without what XML refuses and what nobody sees; lines stay lines."""
    return _OTHER_SPACE.sub(" ", without_invisible(text.replace("\r\n", "\n")))


def _updated(heading: str, written: datetime) -> datetime:
    """The beginning of a day in Seoul: that of the heading, else the one on which the file was written."""
    stated = _DAY.search(heading)
    try:
        day = date.fromisoformat(stated[0]) if stated else written.date()
    except ValueError:
        day = written.date()
    return datetime.combine(day, time(), SEOUL)


def _html(markdown: str) -> str:
    """Markdown as HTML that does nothing: no raw HTML, a few tags, links to absolute web addresses alone."""
    return nh3.clean(
        _PARSER.render(markdown),
        tags=TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https"},
        url_relative="deny",
        link_rel=None,
    ).strip()


def _atom(found: list[Section], updated: datetime) -> bytes:
    feed = FeedGenerator()
    feed.id(f"{settings.SERVICE_SLUG}:changelog")
    feed.title(feed_title(f"{settings.SERVICE_NAME} API changelog"))
    feed.author(name=settings.SERVICE_NAME)
    feed.language("en")
    feed.link(href=f"{settings.BASE_URL}/changelog.xml", rel="self", type="application/atom+xml")
    feed.link(href=f"{settings.BASE_URL}/docs#changelog", rel="alternate", type="text/html")
    feed.updated(updated)
    for section in found:
        entry = feed.add_entry(order="append")
        entry.id(section.id)
        entry.title(section.title)
        entry.link(href=f"{settings.BASE_URL}/docs#changelog", rel="alternate")
        entry.updated(section.updated)
        entry.content(section.html or f"<p>{section.title}</p>", type="html")
    body: bytes = feed.atom_str()
    return body
