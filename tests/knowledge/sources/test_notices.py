"""Notices of Korean exchanges."""

from collections.abc import Callable
from datetime import datetime

import pytest

from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient
from tests.fakes.replay import Replay
from tests.knowledge.sources.reading import parsed, read, unsaved

Recorded = Callable[[str], bytes]


def test_a_notice_listed_again_keeps_its_first_time(recorded: Recorded, now: datetime) -> None:
    relisted, _other = parsed("upbit_notices", recorded("upbit_notices/announcements.json"), now=now)
    assert relisted.as_json() == {
        "external_id": "9003",
        "url": "https://upbit.com/service_center/notice?id=9003",
        "title": "마당코인(MDG) 신규 거래지원 안내 (시점 변경)",
        "summary": "",
        "published_at": "2026-08-10T10:19:25Z",
        "updated_at": "2026-08-31T12:50:05Z",
        "lang": "ko",
        "author": "업비트",
    }


def test_a_pinned_notice_stands_once(recorded: Recorded, now: datetime) -> None:
    notices = parsed("upbit_notices", recorded("upbit_notices/announcements.json"), now=now)
    assert [notice.external_id for notice in notices] == ["9003", "9002"]


@pytest.mark.parametrize("name", ["failure.json", "challenge.html"])
def test_a_failure_or_a_challenge_with_status_200_is_an_error(
    name: str, replay: Replay, make_http: Callable[..., HttpClient], recorded: Recorded
) -> None:
    url = replay.serve("/announcements", recorded(f"upbit_notices/{name}"))
    with pytest.raises(SourceError) as caught:
        read(unsaved("upbit_notices", url), make_http())
    assert caught.value.cause == "parse"


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"null",
        b'{"success": true}',
        b'{"success": true, "data": []}',
        b'{"success": true, "data": {"notices": {}}}',
        b'{"success": true, "data": {"notices": [1]}}',
        b'{"success": true, "data": {"notices": [{"id": "x", "title": "y"}]}}',
        b'{"success": true, "data": {"notices": [{"id": 1, "title": ""}]}}',
        b'{"success": true, "data": {"notices": [{"id": 1, "title": 7}]}}',
    ],
)
def test_an_answer_of_another_shape_is_an_error(body: bytes, now: datetime) -> None:
    with pytest.raises(SourceError, match="parse"):
        parsed("upbit_notices", body, now=now)


def test_an_empty_page_of_notices_is_no_error(now: datetime) -> None:
    assert parsed("upbit_notices", b'{"success": true, "data": {"notices": []}}', now=now) == []
    assert parsed("bithumb_notices", b"[]", now=now) == []


def test_bithumb_writes_korean_time_and_plans_ahead(recorded: Recorded, now: datetime) -> None:
    planned, changed = parsed("bithumb_notices", recorded("bithumb_notices/notices.json"), now=now)
    assert planned.as_json() == {
        "external_id": "700002",
        "url": "https://feed.bithumb.com/notice/700002",
        "title": "마당코인(MDG) 입출금 일시 중지 안내",
        "summary": "",
        "published_at": "2026-08-31T09:40:00Z",
        "updated_at": "2026-08-31T09:40:00Z",  # "modified" lies before published
        "lang": "ko",
        "author": "빗썸",
    }
    assert changed.as_json()["updated_at"] == "2026-08-30T02:00:00Z"


@pytest.mark.parametrize(
    "body",
    [
        b'{"notices": []}',
        b'[{"title": "x", "pc_url": "https://feed.bithumb.com/notice/"}]',
        b'[{"title": "x", "pc_url": "javascript:/1"}]',
        b'[{"pc_url": "https://feed.bithumb.com/notice/1"}]',
        b'["x"]',
    ],
)
def test_a_bithumb_answer_of_another_shape_is_an_error(body: bytes, now: datetime) -> None:
    with pytest.raises(SourceError, match="parse"):
        parsed("bithumb_notices", body, now=now)


def test_both_exchanges_are_read_through_the_door(
    replay: Replay, make_http: Callable[..., HttpClient], recorded: Recorded
) -> None:
    upbit = replay.serve("/api/v1/announcements", recorded("upbit_notices/announcements.json"))
    bithumb = replay.serve("/v1/notices", recorded("bithumb_notices/notices.json"))
    http = make_http()
    assert len(read(unsaved("upbit_notices", f"{upbit}?page=1"), http)) == 2
    assert len(read(unsaved("bithumb_notices", bithumb), http)) == 2


def test_a_hostile_notice_holds_nothing_that_cannot_be_stored(now: datetime) -> None:
    """JSON may spell NUL, which Postgres refuses: one notice would fail every run until it leaves the page."""
    upbit = (
        rb'{"success": true, "data": {"notices": '
        rb'[{"id": 1, "title": "\u0000A", "listed_at": "\u00002026-09-01"}]}}'
    )
    bithumb = (
        rb'[{"title": "\u202eA", "pc_url": "https://x.example/notice/7", '
        rb'"published_at": "2026\u0000\u200b-09-01"}]'
    )
    (one,), (other,) = parsed("upbit_notices", upbit, now=now), parsed("bithumb_notices", bithumb, now=now)
    assert (one.title, one.published_raw) == ("A", "2026-09-01")
    assert (other.title, other.published_raw) == ("A", "2026-09-01")
