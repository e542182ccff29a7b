"""Channels' newest videos over YouTube's Atom feeds: ``youtube_rss``.

YouTube sends neither ETag nor Last-Modified but max-age 900. Since December 2025 it answers 404 (with an
HTML page) for hours on most days, so a 404 is transient. A video is its yt:videoId, whatever form the link
has (/watch, /shorts); ``updated`` moves with the view count and therefore says nothing.
"""

import re
from collections.abc import Mapping
from datetime import datetime

from knowledge.models import SUMMARY_MAX_LENGTH, Source
from knowledge.sources.base import DocumentItem, distinct
from knowledge.sources.feeds.cleaning import AUTHOR_LENGTH, TITLE_LENGTH, clean_text, language_of
from knowledge.sources.feeds.parser import Feed, parse_feed
from knowledge.sources.http.client import Fetched
from knowledge.sources.times import parse_time

_VIDEO_ID = re.compile(r"[A-Za-z0-9_-]{5,20}")


def parse(answer: Fetched, source: Source) -> list[DocumentItem]:
    """The 15 newest videos of one channel; the feed has no way to ask for more or less."""
    feed = parse_feed(answer.body, answer.content_type)
    if not feed.is_youtube:
        raise ValueError("another feed")
    found = distinct(_video(entry, feed, source.lang, answer.fetched_at) for entry in feed.entries)
    if feed.entries and not found:
        raise ValueError("no video with a yt:videoId")
    return found


def _video(entry: Mapping[str, str], feed: Feed, lang: str, now: datetime) -> DocumentItem | None:
    title, video_id = clean_text(entry["title"], TITLE_LENGTH), entry["yt_videoid"]
    if not title or not _VIDEO_ID.fullmatch(video_id):
        return None
    summary = clean_text(entry["summary"], SUMMARY_MAX_LENGTH)
    return DocumentItem(
        external_id=video_id,
        url=f"https://www.youtube.com/watch?v={video_id}",
        title=title,
        summary=summary,
        published_at=parse_time(entry["published"], now=now),
        lang=lang or language_of(title + summary),
        author=clean_text(entry["author"] or feed.head["title"], AUTHOR_LENGTH),
        published_raw=entry["published"],
    )
