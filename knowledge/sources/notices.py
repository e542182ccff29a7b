"""Notices of Korean exchanges: ``upbit_notices``, ``bithumb_notices``.

Both are undocumented or thin interfaces, so they are asked rarely. Upbit moves ``listed_at`` when it lists a notice
again weeks later: published is ``first_listed_at``. Upbit shows foreign addresses an HTML challenge with status 200.
Bithumb writes Korean time without an offset, and plans notices ahead: modified may lie before published.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from knowledge.models import Source
from knowledge.sources.base import MAX_ITEMS, DocumentItem, distinct
from knowledge.sources.feeds.cleaning import TITLE_LENGTH, clean_text
from knowledge.sources.feeds.links import canonical_url
from knowledge.sources.http.client import Fetched
from knowledge.sources.json_bodies import json_of, needed, rows, text
from knowledge.sources.times import parse_time

# Seconds between two requests: nobody promised these interfaces to us.
MIN_INTERVAL = 10.0
_NUMBER_AT_END = re.compile(r"/(\d{1,12})/?(?:[?#].*)?$")


def parse_upbit(answer: Fetched, _source: Source) -> list[DocumentItem]:
    """Notices of ``{"success": true, "data": {"notices": [{id, title, listed_at, first_listed_at}]}}``."""
    found = json_of(answer.body)
    if found["success"] is not True:
        raise ValueError("the answer does not say success")
    notices = rows(found["data"]["notices"])[:MAX_ITEMS]
    return distinct(_upbit_notice(notice, answer.fetched_at) for notice in notices)


def _upbit_notice(notice: Mapping[str, Any], now: datetime) -> DocumentItem:
    number = notice["id"]
    if type(number) is not int:
        raise TypeError("a notice without a number")
    url, listed = f"https://upbit.com/service_center/notice?id={number}", text(notice, "listed_at")
    times = text(notice, "first_listed_at") or listed, listed
    return _document(notice, str(number), url, "업비트", times, now)


def parse_bithumb(answer: Fetched, _source: Source) -> list[DocumentItem]:
    """Notices of ``[{title, pc_url, published_at, modified_at}]``; the number in pc_url is the id."""
    notices = rows(json_of(answer.body))[:MAX_ITEMS]
    return distinct(_bithumb_notice(notice, answer.fetched_at) for notice in notices)


def _bithumb_notice(notice: Mapping[str, Any], now: datetime) -> DocumentItem:
    url = canonical_url(needed(notice, "pc_url"))
    number = _NUMBER_AT_END.search(url)
    if not number:
        raise ValueError("a notice without a number in its address")
    times = text(notice, "published_at"), text(notice, "modified_at")
    return _document(notice, number[1], url, "빗썸", times, now)


def _document(
    notice: Mapping[str, Any], number: str, url: str, author: str, times: tuple[str, str], now: datetime
) -> DocumentItem:
    """``times`` are when it was first published and when last changed, of Seoul where they have no offset."""
    title = clean_text(needed(notice, "title"), TITLE_LENGTH)
    if not title:
        raise ValueError("a notice without a title")
    published, updated = (parse_time(raw, naive_timezone="Asia/Seoul", now=now) for raw in times)
    return DocumentItem(
        external_id=number,
        url=url,
        title=title,
        published_at=published,
        updated_at=max(published, updated) if published and updated else updated,
        lang="ko",
        author=author,
        published_raw=times[0],
    )
