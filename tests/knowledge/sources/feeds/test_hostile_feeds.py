"""Whatever a feed does, the worker lives and the harm stays with that feed (R4)."""

import re
import resource
import sys
import time
import unicodedata
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import get_args

import pytest

from knowledge.sources.base import DocumentItem
from knowledge.sources.errors import Cause, SourceError
from knowledge.sources.http.client import HttpClient
from tests.fakes.hostile_feeds import READ, REFUSED, STOLEN, HostileFeed, hostile_feeds, rss, rss_item
from tests.fakes.replay import Replay
from tests.knowledge.sources.reading import read, unsaved

MakeHttp = Callable[..., HttpClient]

FEEDS = hostile_feeds()
QUICK = [feed for feed in FEEDS if not feed.slow]
SLOW = [feed for feed in FEEDS if feed.slow]
MEBIBYTE = 1 << 20


def outcome(feed: HostileFeed, url: str, http: HttpClient) -> list[DocumentItem] | SourceError:
    try:
        return read(unsaved("rss", url), http)
    except SourceError as error:
        return error


def check(feed: HostileFeed, result: list[DocumentItem] | SourceError, now: datetime) -> None:
    if isinstance(result, SourceError):
        assert feed.outcome != READ, f"{feed.name}: {result}"
        assert result.cause in get_args(Cause)
        assert len(str(result)) < 400
        return
    assert feed.outcome != REFUSED, f"{feed.name}: read {len(result)} items"
    assert len(result) <= 200
    for item in result:
        check_item(item, now)


def check_item(item: DocumentItem, now: datetime) -> None:
    """A document that is safe to keep and to show."""
    assert 0 < len(item.external_id) <= 300
    assert 0 < len(item.title) <= 300
    assert len(item.summary) <= 300
    assert re.match(r"https?://[^\s<>\"'@]+$", item.url)
    assert item.published_at is None or (item.published_at - now).total_seconds() <= 900
    for text in (item.title, item.summary, item.author):
        assert not re.search(r"<[A-Za-z/!?]", text)
        assert all(unicodedata.category(char)[0] != "C" for char in text)


def good_feed_is_read(replay: Replay, http: HttpClient) -> bool:
    url = replay.serve("/good", rss(rss_item()))
    return len(read(unsaved("rss", url), http)) == 1


def test_there_are_five_hundred_different_ones() -> None:
    assert len(FEEDS) >= 500
    assert len({feed.name for feed in FEEDS}) == len(FEEDS)


def test_no_hostile_feed_kills_the_worker_or_comes_through(
    replay: Replay, make_http: MakeHttp, now: datetime
) -> None:
    http = make_http()
    for number, feed in enumerate(QUICK):
        check(feed, outcome(feed, feed.install(replay, f"/{number}"), http), now)
    assert good_feed_is_read(replay, http)
    assert replay.count(STOLEN) == 0


@pytest.mark.soak
def test_the_heavy_and_the_slow_ones_cost_less_than_twenty_seconds_and_200_megabytes_each(
    replay: Replay, make_http: MakeHttp, now: datetime
) -> None:
    http = make_http(interval_seconds=0, connect_seconds=5.0, total_seconds=20.0)
    for number, feed in enumerate(SLOW):
        url = feed.install(replay, f"/{number}")
        forget_peak_memory()
        before, started = peak_memory(), time.monotonic()
        result = outcome(feed, url, http)
        seconds, grown = time.monotonic() - started, peak_memory() - before
        check(feed, result, now)
        assert seconds < 21, f"{feed.name}: {seconds:.1f} s"
        assert grown < 200 * MEBIBYTE, f"{feed.name}: {grown / MEBIBYTE:.0f} MB"
    assert good_feed_is_read(replay, http)


def forget_peak_memory() -> None:
    """Linux can begin a new peak; elsewhere it is that of the whole process, and the check is weaker."""
    if sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5")


def peak_memory() -> int:
    """Bytes at this process's highest."""
    if sys.platform == "linux":
        status = Path("/proc/self/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024  # type: ignore[index]
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
