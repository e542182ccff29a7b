"""News over RSS, Atom or RDF: ``rss``. Papers, agencies and regulators, Korean and English.

The guid is the identity where there is one (Blockmedia's links carry trackers, its guid does not); of the
dates only pubDate counts (Blockmedia's pubDate2 is Korean time without an offset).
"""

from __future__ import annotations

from datetime import datetime

from knowledge.models import SUMMARY_MAX_LENGTH, Source
from knowledge.sources.base import DocumentItem
from knowledge.sources.errors import SourceError
from knowledge.sources.feeds.cleaning import (
    AUTHOR_LENGTH,
    TITLE_LENGTH,
    clean_text,
    language_of,
    language_tag,
)
from knowledge.sources.feeds.links import canonical_url, identity, text_identity
from knowledge.sources.feeds.parser import Feed, FeedEntry, parse_feed
from knowledge.sources.http.client import Fetched
from knowledge.sources.times import parse_time

ACCEPT = "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"


def parse(answer: Fetched, source: Source) -> list[DocumentItem]:
    """The items of one feed."""
    return parse_rss(
        answer.body,
        content_type=answer.content_type,
        base_url=answer.url,
        lang=source.lang,
        naive_timezone=source.naive_timezone,
        now=answer.fetched_at,
    )


def parse_rss(
    body: bytes,
    *,
    now: datetime,
    content_type: str = "",
    base_url: str = "",
    lang: str = "",
    naive_timezone: str = "",
) -> list[DocumentItem]:
    """Documents of a feed, each identity once. ``base_url`` is where the feed was read; ``lang`` overrides
    its own.

    Raises ``SourceError`` parse where the body is no whole feed.
    """
    feed = parse_feed(body, content_type)
    items: dict[str, DocumentItem] = {}
    for entry in feed.entries:
        item = _document(feed, entry, base_url, lang, naive_timezone, now)
        if item is not None:
            items.setdefault(item.external_id, item)
    if feed.entries and not items:
        raise SourceError("parse", "none of the feed's items has both something to say and an address")
    return list(items.values())


def _document(
    feed: Feed, entry: FeedEntry, base_url: str, lang: str, naive_timezone: str, now: datetime
) -> DocumentItem | None:
    summary = clean_text(entry.summary, SUMMARY_MAX_LENGTH)
    title = clean_text(entry.title, TITLE_LENGTH) or clean_text(summary, AUTHOR_LENGTH)
    if not title:
        return None
    link = canonical_url(entry.link, base_url) or canonical_url(entry.guid)
    # An item without an address is cited by where it was read: the site, else the feed.
    url = link or canonical_url(feed.link, base_url) or canonical_url(base_url)
    if not url:
        return None
    published_raw = entry.published or entry.updated
    return DocumentItem(
        external_id=identity(entry.guid, link) or text_identity(title, summary),
        url=url,
        title=title,
        summary="" if summary == title else summary,
        published_at=parse_time(published_raw, naive_timezone=naive_timezone, now=now),
        updated_at=parse_time(entry.updated, naive_timezone=naive_timezone, now=now),
        lang=lang or language_tag(feed.language) or language_of(title + summary),
        author=clean_text(entry.author, AUTHOR_LENGTH),
        published_raw=published_raw,
    )
