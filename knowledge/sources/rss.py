"""News over RSS, Atom or RDF: ``rss``. Papers, agencies and regulators, Korean and English.

The guid is the identity where there is one (Blockmedia's links carry trackers, its guid does not); of the
dates only pubDate counts (Blockmedia's pubDate2 is Korean time without an offset).
"""

from collections.abc import Mapping

from knowledge.models import SUMMARY_MAX_LENGTH, Source
from knowledge.sources.base import DocumentItem, distinct
from knowledge.sources.feeds.cleaning import (
    AUTHOR_LENGTH,
    TITLE_LENGTH,
    clean_text,
    language_of,
    language_tag,
)
from knowledge.sources.feeds.links import canonical_url, identity
from knowledge.sources.feeds.parser import Feed, parse_feed
from knowledge.sources.http.client import Fetched
from knowledge.sources.times import parse_time

ACCEPT = "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"


def parse(answer: Fetched, source: Source) -> list[DocumentItem]:
    """The items of one feed; what the source says of its language and of times without a zone goes before the feed."""
    feed = parse_feed(answer.body, answer.content_type)
    found = distinct(_document(feed, entry, answer, source) for entry in feed.entries)
    if feed.entries and not found:
        raise ValueError("none of its items has both something to say and an address")
    return found


def _document(feed: Feed, entry: Mapping[str, str], answer: Fetched, source: Source) -> DocumentItem | None:
    summary = clean_text(entry["summary"], SUMMARY_MAX_LENGTH)
    title = clean_text(entry["title"], TITLE_LENGTH) or clean_text(summary, AUTHOR_LENGTH)
    if not title:
        return None
    link = canonical_url(entry["link"], answer.url) or canonical_url(entry["id"])
    # An item without an address is cited by where it was read: the site, else the feed.
    url = link or canonical_url(feed.head["link"], answer.url) or canonical_url(answer.url)
    if not url:
        return None
    raw, zone, now = entry["published"] or entry["updated"], source.naive_timezone, answer.fetched_at
    return DocumentItem(
        external_id=identity(entry["id"], link, said=(title, summary)),
        url=url,
        title=title,
        summary="" if summary == title else summary,
        published_at=parse_time(raw, naive_timezone=zone, now=now),
        updated_at=parse_time(entry["updated"], naive_timezone=zone, now=now),
        lang=source.lang or language_tag(feed.head["language"]) or language_of(title + summary),
        author=clean_text(entry["author"], AUTHOR_LENGTH),
        published_raw=raw,
    )
