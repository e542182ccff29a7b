"""RSS, Atom and RDF become documents."""

from collections.abc import Callable
from datetime import datetime

import pytest

from knowledge.sources.base import DocumentItem
from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient
from tests.fakes.replay import Replay
from tests.knowledge.sources.reading import parsed, read, unsaved

Recorded = Callable[[str], bytes]


def by_id(items: list[DocumentItem]) -> dict[str, DocumentItem]:
    return {item.external_id: item for item in items}


@pytest.fixture
def wordpress(recorded: Recorded, now: datetime) -> dict[str, DocumentItem]:
    items = parsed(
        "rss",
        recorded("rss/wordpress.xml"),
        now=now,
        url="https://news.madang.example/feed",
        naive_timezone="Asia/Seoul",
    )
    return by_id(items)


def test_the_guid_is_the_identity_and_the_link_has_no_trackers(wordpress: dict[str, DocumentItem]) -> None:
    item = wordpress["https://news.madang.example/?p=501"]
    assert item.as_json() == {
        "external_id": "https://news.madang.example/?p=501",
        "url": "https://news.madang.example/archives/501",
        "title": "[시황] 비트코인, 가상의 고점을 새로 쓰다",
        "summary": "지어낸 시장에서 비트코인이 올랐다. 거래량도 함께 늘었다고 한다.",
        "published_at": "2026-09-01T09:12:00Z",  # pubDate, not pubDate2
        "updated_at": None,
        "lang": "ko",
        "author": "홍길동 기자",
    }


def test_double_escapes_are_undone_and_markup_goes(wordpress: dict[str, DocumentItem]) -> None:
    item = wordpress["https://news.madang.example/?p=500"]
    assert item.title == '"규제는 천천히" 가상의 위원장 발언'
    assert item.summary == "위원장은 “서두르지 않겠다”고 말했다. 자세한 내용은 추후 공개된다."
    assert item.as_json()["published_at"] == "2026-09-01T08:00:00Z"


def test_a_time_without_a_zone_follows_the_rule_of_the_source_only(
    wordpress: dict[str, DocumentItem], recorded: Recorded, now: datetime
) -> None:
    ruled = wordpress["https://news.madang.example/?p=499"]
    assert ruled.as_json()["published_at"] == "2026-09-01T07:30:00Z"
    unruled = by_id(parsed("rss", recorded("rss/wordpress.xml"), now=now))[
        "https://news.madang.example/?p=499"
    ]
    assert (unruled.published_at, unruled.published_raw) == (None, "2026-09-01 16:30:00")


def test_a_time_in_the_future_is_clamped_to_now(wordpress: dict[str, DocumentItem], now: datetime) -> None:
    item = wordpress["https://news.madang.example/archives/498"]
    assert item.published_at == now
    assert item.published_raw == "Wed, 02 Sep 2026 12:00:00 +0900"


def test_a_missing_time_is_unknown_and_never_now(wordpress: dict[str, DocumentItem]) -> None:
    item = wordpress["https://news.madang.example/archives/497?page=2"]
    assert item.published_at is None
    assert item.summary == ""


def test_an_atom_feed_of_a_regulator_is_read(recorded: Recorded, now: datetime) -> None:
    [item] = parsed("rss", recorded("rss/regulator_atom.xml"), now=now)
    assert item.external_id == "tag:authority.madang.example,2026:17"
    assert item.title == "Authority opens a consultation on custody"
    assert item.as_json()["published_at"] == "2026-08-31T19:30:00Z"
    assert item.as_json()["updated_at"] == "2026-08-31T20:00:00Z"
    assert (item.lang, item.author) == ("en", "Press Office")


def test_an_rdf_feed_is_read(recorded: Recorded, now: datetime) -> None:
    [item] = parsed("rss", recorded("rss/rdf.xml"), now=now)
    assert item.external_id == "https://bank.madang.example/press/9"
    assert item.as_json()["published_at"] == "2026-08-27T01:00:00Z"


@pytest.mark.parametrize("declared", ["euc-kr", ""])
@pytest.mark.parametrize("header", ["text/xml; charset=euc-kr", "text/xml", ""])
def test_an_euc_kr_feed_is_read_by_declaration_by_header_and_by_neither(
    declared: str, header: str, now: datetime
) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    body = f"{head}<rss><channel><item><title>가상 화폐 뉴스</title><link>https://n.example/1</link></item></channel></rss>"
    [item] = parsed("rss", body.encode("euc_kr"), now=now, content_type=header)
    assert item.title == "가상 화폐 뉴스"


def test_an_item_without_an_address_is_cited_by_where_it_was_read(now: datetime) -> None:
    item_text = "<item><title>주소 없음</title><description>본문</description></item>"
    body = f"<rss><channel>{item_text}</channel></rss>".encode()
    [item] = parsed("rss", body, now=now, url="https://n.example/feed?utm_source=x")
    [again] = parsed("rss", body, now=now, url="https://n.example/feed")
    assert item.url == "https://n.example/feed"
    assert item.external_id == again.external_id
    with pytest.raises(SourceError, match="parse"):
        parsed("rss", body, now=now)


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "https://u:p@n.example/"])
def test_a_hostile_link_is_never_given_out(link: str, now: datetime) -> None:
    body = (
        f"<rss><channel><link>https://n.example/</link><item><title>t</title><link>{link}</link>"
        f"<guid>{link}</guid></item></channel></rss>"
    )
    [item] = parsed("rss", body.encode(), now=now)
    assert item.url == "https://n.example/"


def test_an_item_without_a_title_takes_the_beginning_of_its_text(now: datetime) -> None:
    body = (
        "<rss><channel><item><link>https://n.example/1</link><description>짧은 소식</description></item>"
        "<item><link>https://n.example/2</link></item></channel></rss>"
    )
    [item] = parsed("rss", body.encode(), now=now)
    assert (item.title, item.summary) == ("짧은 소식", "")


def test_an_item_that_stands_twice_is_one_document(now: datetime) -> None:
    twice = "<item><title>t</title><guid>g</guid><link>https://n.example/1</link></item>" * 2
    assert len(parsed("rss", f"<rss><channel>{twice}</channel></rss>".encode(), now=now)) == 1


def test_a_source_is_read_through_the_door(
    replay: Replay, make_http: Callable[..., HttpClient], recorded: Recorded
) -> None:
    url = replay.serve("/feed", recorded("rss/wordpress.xml"), etag='"1"')
    source = unsaved("rss", url, naive_timezone="Asia/Seoul", lang="ko")
    items = read(source, make_http())
    assert len(items) == 5
    assert items[3].url == replay.url("/archives/498")
    assert "application/rss+xml" in replay.last("/feed").headers["accept"]


def test_a_page_instead_of_a_feed_is_an_error(replay: Replay, make_http: Callable[..., HttpClient]) -> None:
    url = replay.serve("/feed", b"<!DOCTYPE html><title>Login</title>", content_type="text/html")
    with pytest.raises(SourceError, match="parse: expected a feed, found an HTML page"):
        read(unsaved("rss", url), make_http())
