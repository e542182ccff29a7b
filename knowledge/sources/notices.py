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
    listed = text(notice, "listed_at")
    first_listed = text(notice, "first_listed_at") or listed
    return DocumentItem(
        external_id=str(number),
        url=f"https://upbit.com/service_center/notice?id={number}",
        title=_title(notice),
        published_at=_korean_time(first_listed, now),
        updated_at=_korean_time(listed, now),
        lang="ko",
        author="업비트",
        published_raw=first_listed,
    )


def parse_bithumb(answer: Fetched, _source: Source) -> list[DocumentItem]:
    """Notices of ``[{title, pc_url, published_at, modified_at}]``; the number in pc_url is the id."""
    notices = rows(json_of(answer.body))[:MAX_ITEMS]
    return distinct(_bithumb_notice(notice, answer.fetched_at) for notice in notices)


def _bithumb_notice(notice: Mapping[str, Any], now: datetime) -> DocumentItem:
    url, raw = canonical_url(needed(notice, "pc_url")), text(notice, "published_at")
    number = _NUMBER_AT_END.search(url)
    if not number:
        raise ValueError("a notice without a number in its address")
    published, modified = _korean_time(raw, now), _korean_time(text(notice, "modified_at"), now)
    return DocumentItem(
        external_id=number[1],
        url=url,
        title=_title(notice),
        published_at=published,
        updated_at=max(published, modified) if published and modified else modified,
        lang="ko",
        author="빗썸",
        published_raw=raw,
    )


def _title(notice: Mapping[str, Any]) -> str:
    title = clean_text(needed(notice, "title"), TITLE_LENGTH)
    if not title:
        raise ValueError("a notice without a title")
    return title


def _korean_time(raw: str, now: datetime) -> datetime | None:
    return parse_time(raw, naive_timezone="Asia/Seoul", now=now)
