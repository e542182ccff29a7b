"""Notices of Korean exchanges: ``upbit_notices``, ``bithumb_notices``.

Both are undocumented or thin interfaces, so they are asked rarely. Upbit moves ``listed_at`` when it lists
a notice again weeks later: published is ``first_listed_at``. Upbit shows foreign addresses an HTML
challenge with status 200. Bithumb writes Korean time without an offset, and plans notices ahead: modified
may lie before published.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from knowledge.invisible import visible
from knowledge.models import Source
from knowledge.sources.base import MAX_ITEMS, DocumentItem
from knowledge.sources.errors import SourceError
from knowledge.sources.feeds.cleaning import TITLE_LENGTH, clean_text
from knowledge.sources.feeds.links import canonical_url
from knowledge.sources.http.client import Fetched
from knowledge.sources.json_bodies import describe, objects, parse_json, unexpected
from knowledge.sources.times import parse_time

# Seconds between two requests: nobody promised these interfaces to us.
MIN_INTERVAL = 10.0
_KOREA = "Asia/Seoul"
_UPBIT_NOTICE = "https://upbit.com/service_center/notice?id={id}"
_NUMBER_AT_END = re.compile(r"/(\d{1,12})/?(?:[?#].*)?$")


def parse_bithumb(answer: Fetched, source: Source) -> list[DocumentItem]:
    """Bithumb's newest notices, by the source's own rule for times without a zone where it has one."""
    zone = source.naive_timezone or _KOREA
    return parse_bithumb_notices(answer.body, now=answer.fetched_at, naive_timezone=zone)


def parse_upbit_notices(body: bytes, *, now: datetime) -> list[DocumentItem]:
    """Notices of ``{"success": true, "data": {"notices": [{id, title, listed_at, first_listed_at}]}}``."""
    expected = "Upbit's notices"
    answer = parse_json(body, expected)
    if not isinstance(answer, dict):
        raise unexpected(expected, describe(answer))
    if answer.get("success") is not True:
        raise SourceError("parse", f"{expected}: the answer does not say success")
    data = answer.get("data")
    notices = objects(data.get("notices") if isinstance(data, dict) else None, expected)
    return _distinct([_upbit_notice(notice, now) for notice in notices[:MAX_ITEMS]])


def _upbit_notice(notice: dict[str, Any], now: datetime) -> DocumentItem:
    number, title = notice.get("id"), _title(notice)
    if not isinstance(number, int) or isinstance(number, bool) or not title:
        raise unexpected("Upbit's notices with id and title", describe(notice))
    listed, first_listed = _text(notice, "listed_at"), _text(notice, "first_listed_at")
    return DocumentItem(
        external_id=str(number),
        url=_UPBIT_NOTICE.format(id=number),
        title=title,
        published_at=parse_time(first_listed or listed, naive_timezone=_KOREA, now=now),
        updated_at=parse_time(listed, naive_timezone=_KOREA, now=now),
        lang="ko",
        author="업비트",
        published_raw=first_listed or listed,
    )


def parse_bithumb_notices(body: bytes, *, now: datetime, naive_timezone: str = _KOREA) -> list[DocumentItem]:
    """Notices of ``[{title, pc_url, published_at, modified_at}]``; the number in pc_url is the id."""
    expected = "a list of Bithumb's notices"
    notices = objects(parse_json(body, expected), expected)
    return _distinct([_bithumb_notice(notice, now, naive_timezone) for notice in notices[:MAX_ITEMS]])


def _bithumb_notice(notice: dict[str, Any], now: datetime, naive_timezone: str) -> DocumentItem:
    url, title = canonical_url(_text(notice, "pc_url")), _title(notice)
    number = _NUMBER_AT_END.search(url)
    if not number or not title:
        raise unexpected("Bithumb's notices with title and pc_url", describe(notice))
    raw = _text(notice, "published_at")
    published = parse_time(raw, naive_timezone=naive_timezone, now=now)
    modified = parse_time(_text(notice, "modified_at"), naive_timezone=naive_timezone, now=now)
    return DocumentItem(
        external_id=number[1],
        url=url,
        title=title,
        published_at=published,
        updated_at=max(published, modified) if published and modified else modified,
        lang="ko",
        author="빗썸",
        published_raw=raw,
    )


def _title(notice: dict[str, Any]) -> str:
    return clean_text(_text(notice, "title"), TITLE_LENGTH)


def _text(notice: dict[str, Any], name: str) -> str:
    value = notice.get(name)
    return visible(value) if isinstance(value, str) else ""


def _distinct(items: list[DocumentItem]) -> list[DocumentItem]:
    """Each notice once: a pinned one stands in the list twice."""
    return list({item.external_id: item for item in reversed(items)}.values())[::-1]
