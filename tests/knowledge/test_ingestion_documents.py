"""Documents: stored once, with the times, ids, links, mentions and counts that readers will see."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge.counting import fold
from knowledge.ingestion import documents
from knowledge.ingestion.runs import ingest
from knowledge.linking import store as linking
from knowledge.linking.gazetteer import newest_gazetteer
from knowledge.models import Document, Mention, SearchPassage, SearchTerm, Source, Status, Unit, UnitType
from knowledge.models.search import SearchCorpus
from knowledge.search import indexing
from knowledge.search.statistics import rebuild_statistics
from knowledge.sources.base import DocumentItem
from knowledge.sources.http.client import HttpClient
from rehearsal.bodies import channel, news, upbit_notices
from tests.factories.knowledge import NOON, make_source, make_unit
from tests.fakes.replay import Replay

pytestmark = pytest.mark.django_db

RECORDED = Path(__file__).parents[1] / "recorded"
HOUR = timedelta(hours=1)


def run(source: Source, http: HttpClient, now: datetime = NOON) -> tuple[int, int, int, int]:
    """(fetched, created, updated, unchanged) of one run of a source as it stands in the database."""
    source.refresh_from_db()
    row = ingest(source, now=now, http=http)
    assert row.cause == "", f"{row.cause}: {row.detail}"
    return row.fetched, row.created, row.updated, row.unchanged


def test_a_recorded_newspaper_becomes_documents(replay: Replay, http: HttpClient) -> None:
    make_unit("btc", "비트코인")
    url = replay.serve_file("/rss", RECORDED / "rss/wordpress.xml")
    source = make_source(url=url, lang="", naive_timezone="")
    assert run(source, http) == (5, 5, 0, 0)
    rows = {row.title: row for row in Document.objects.all()}
    first, naive = rows["[시황] 비트코인, 가상의 고점을 새로 쓰다"], rows["시간대 없는 기사"]
    assert first.external_id == "https://news.madang.example/?p=501"
    assert first.url == "https://news.madang.example/archives/501"
    assert first.published_at == datetime(2026, 9, 1, 9, 12, tzinfo=UTC)
    assert (first.lang, first.author, first.kind, first.fetched_at) == ("ko", "홍길동 기자", "news", NOON)
    assert (naive.published_at, naive.published_raw) == (None, "2026-09-01 16:30:00")
    assert '"규제는 천천히" 가상의 위원장 발언' in rows
    undated = rows["날짜 없는 기사"]
    assert (undated.published_at, undated.external_id) == (
        None,
        "https://news.madang.example/archives/497?page=2",
    )


def test_mentions_and_counts_follow_the_documents(replay: Replay, http: HttpClient) -> None:
    bitcoin, ether = make_unit("btc", "비트코인"), make_unit("eth", "이더리움")
    replay.serve("/rss", news(("1", "비트코인과 이더리움", NOON), ("2", "비트코인 상승", NOON)))
    replay.serve("/tv", channel("마당TV", ("abcdefg1", "비트코인 전망", NOON)))
    run(make_source(url=replay.url("/rss")), http)
    run(make_source("tv", kind="video", adapter="youtube_rss", url=replay.url("/tv")), http)
    fold()
    bitcoin.refresh_from_db()
    ether.refresh_from_db()
    assert (bitcoin.document_count, bitcoin.video_count) == (3, 1)
    assert (ether.document_count, ether.video_count) == (1, 0)
    mention = Mention.objects.get(unit=ether)
    assert mention.document.text[mention.start : mention.end] == mention.surface == "이더리움"
    assert SearchPassage.objects.filter(document__isnull=False).count() == 3


def test_the_same_feed_again_changes_nothing(replay: Replay, http: HttpClient) -> None:
    make_unit("btc", "비트코인")
    replay.serve("/rss", news(("1", "비트코인 상승", NOON)))
    source = make_source(url=replay.url("/rss"))
    run(source, http)
    before = list(Document.objects.values()), list(Mention.objects.values())
    Source.objects.update(body_sha256="")
    assert run(source, http, NOON + HOUR) == (1, 0, 0, 1)
    assert (list(Document.objects.values()), list(Mention.objects.values())) == before


def test_a_changed_headline_is_read_again(replay: Replay, http: HttpClient) -> None:
    bitcoin, ether = make_unit("btc", "비트코인"), make_unit("eth", "이더리움")
    replay.serve("/rss", news(("1", "비트코인 상승", NOON)))
    source = make_source(url=replay.url("/rss"))
    run(source, http)
    replay.serve("/rss", news(("1", "이더리움 상승", None)))
    assert run(source, http) == (1, 0, 1, 0)
    fold()
    bitcoin.refresh_from_db()
    ether.refresh_from_db()
    assert (bitcoin.document_count, ether.document_count) == (0, 1)
    document = Document.objects.get()
    assert document.title == "이더리움 상승"
    assert document.published_at == NOON, "a body that lost its date does not make it unknown"
    assert "이더리움" in SearchPassage.objects.get(document=document).title


def test_view_counts_that_move_a_videos_date_change_nothing(replay: Replay, http: HttpClient) -> None:
    body = (RECORDED / "youtube_rss/channel.xml").read_bytes()
    source = make_source(kind="video", adapter="youtube_rss", url=replay.serve("/tv", body))
    assert run(source, http) == (2, 2, 0, 0)
    replay.serve("/tv", body.replace(b"2026-08-31T22:14:41", b"2026-09-01T22:14:41"))
    assert run(source, http) == (2, 0, 0, 2)
    short = Document.objects.get(external_id="shortVid001")
    assert short.url == "https://www.youtube.com/watch?v=shortVid001"


def test_a_notice_that_is_listed_again_keeps_its_first_date(replay: Replay, http: HttpClient) -> None:
    replay.serve_file(
        "/notices", RECORDED / "upbit_notices/announcements.json", content_type="application/json"
    )
    source = make_source(kind="notice", adapter="upbit_notices", url=replay.url("/notices"))
    assert run(source, http) == (2, 2, 0, 0)
    assert Document.objects.get(external_id="9003").published_at == datetime(
        2026, 8, 10, 10, 19, 25, tzinfo=UTC
    )


def test_a_first_polls_backlog_is_stored_as_seen(replay: Replay, http: HttpClient) -> None:
    replay.serve(
        "/rss",
        news(("new", "새 글", NOON - HOUR), ("old", "옛 글", NOON - 13 * HOUR), ("undated", "글", None)),
    )
    source = make_source(url=replay.url("/rss"))
    run(source, http)
    assert dict(Document.objects.values_list("external_id", "seen_only")) == {
        "new": False,
        "old": True,
        "undated": True,
    }
    replay.serve("/rss", news(("older", "더 옛 글", NOON - 20 * HOUR)))
    run(source, http)
    assert not Document.objects.get(external_id="older").seen_only, "after the first poll nothing is backlog"


def test_a_general_paper_is_kept_only_where_it_speaks_of_a_unit(replay: Replay, http: HttpClient) -> None:
    make_unit("btc", "비트코인")
    replay.serve("/rss", news(("1", "비트코인 상승", NOON), ("2", "오늘의 날씨", NOON)))
    assert run(make_source(url=replay.url("/rss"), requires_unit=True, crypto=False), http) == (2, 1, 0, 0)
    assert Document.objects.get().external_id == "1"


def test_a_withdrawn_document_is_not_brought_back(replay: Replay, http: HttpClient) -> None:
    replay.serve("/rss", news(("1", "비트코인 상승", NOON)))
    source = make_source(url=replay.url("/rss"))
    run(source, http)
    Document.objects.update(withdrawn=True)
    replay.serve("/rss", news(("1", "다른 제목", NOON)))
    assert run(source, http) == (1, 0, 0, 1)
    assert Document.objects.get().title == "비트코인 상승"


def test_two_sources_may_use_the_same_ids(replay: Replay, http: HttpClient) -> None:
    url = replay.serve("/rss", news(("1", "비트코인", NOON)))
    run(make_source("one", url=url), http)
    run(make_source("two", url=url), http)
    assert Document.objects.count() == 2


def test_the_number_of_queries_does_not_grow_with_the_feed(replay: Replay, http: HttpClient) -> None:
    make_unit("btc", "비트코인")

    def queries(count: int) -> int:
        items = [(f"{count}-{number}", f"비트코인 소식 {number}", NOON) for number in range(count)]
        replay.serve("/rss", news(*items))
        source = Source.objects.get()
        with CaptureQueriesContext(connection) as captured:
            assert ingest(source, now=NOON, http=http).created == count
        return len(captured)

    make_source(url=replay.url("/rss"))
    queries(1)
    assert queries(100) <= queries(5) + 2


def index_of(document: Document) -> list[tuple[Any, ...]]:
    own = SearchPassage.objects.filter(document=document).order_by("ordinal")
    return list(own.values_list("title", "text", "kind", "lang", "published_at", "revision", "dl", "tsv"))


def test_a_new_document_is_linked_and_indexed_as_if_it_were_read_again(
    replay: Replay, http: HttpClient
) -> None:
    survivor = make_unit("sol", "솔라나")
    make_unit("old", "옛솔라나", merged_into=survivor)
    make_unit("btc", "비트코인")
    title = "옛솔라나와 비트코인, 다시 비트코인과 솔라나"
    replay.serve("/rss", news(("1", title, NOON), ("2", "아무도 아닌 소식", NOON)))
    run(make_source(url=replay.url("/rss")), http)
    document = Document.objects.get(title=title)
    first, mentions = index_of(document), list(Mention.objects.order_by("pk").values())
    assert (len(first), len(mentions)) == (1, 4)
    assert linking.link_documents(Document.objects.all()) == []
    assert indexing.index_documents([document.pk]) == 1
    assert (index_of(document), list(Mention.objects.order_by("pk").values())) == (first, mentions)


def test_search_counts_what_comes_and_what_changes_in_one_poll(replay: Replay, http: HttpClient) -> None:
    make_unit("btc", "비트코인")
    replay.serve("/rss", news(("1", "비트코인 상승", NOON)))
    source = make_source(url=replay.url("/rss"))
    run(source, http)
    replay.serve(
        "/rss", news(("1", "비트코인 급락", NOON), ("2", "비트코인 반등", NOON), ("3", "날씨", NOON))
    )
    assert run(source, http) == (3, 2, 1, 0)
    kept = (
        SearchCorpus.objects.values().get(),
        set(SearchTerm.objects.filter(df__gt=0).values_list("term", "df")),
    )
    assert (kept[0]["passages"], ("비트코인", 2) in kept[1], ("급락", 1) in kept[1]) == (3, True, True)
    rebuild_statistics()
    assert (SearchCorpus.objects.values().get(), set(SearchTerm.objects.values_list("term", "df"))) == kept


def test_a_unit_that_the_names_still_have_and_the_database_has_not_is_not_mentioned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_unit("eth", "이더리움")
    gone = make_unit("btc", "비트코인")
    names = newest_gazetteer()
    gone.delete()
    monkeypatch.setattr(linking, "current_gazetteer", lambda text=None: names)
    item = DocumentItem(external_id="1", url="https://paper.example/1", title="비트코인과 이더리움")
    documents.store(make_source(), [item], now=NOON)
    assert list(Mention.objects.values_list("surface", flat=True)) == ["이더리움"]
    assert "§asset:btc" not in SearchPassage.objects.get(document__isnull=False).tsv


# Creators


def creators_feed(replay: Replay, name: str, *, creator: Unit) -> Source:
    replay.serve("/tv", channel(name, ("abcdefg1", "비트코인 전망", NOON)))
    return make_source(kind="video", adapter="youtube_rss", url=replay.url("/tv"), creator=creator)


def test_a_creator_stays_a_draft_until_its_own_feed_names_it(replay: Replay, http: HttpClient) -> None:
    creator = make_unit("tv", "마당 TV", type=UnitType.CREATOR, status=Status.DRAFT)
    source = creators_feed(replay, "남의 채널", creator=creator)
    source.refresh_from_db()
    row = ingest(source, now=NOON, http=http)
    assert row.detail == "the feed is by 남의 채널, so creator:tv stays a draft"
    creator.refresh_from_db()
    assert creator.status == Status.DRAFT
    creators_feed_body = channel("마당tv", ("abcdefg1", "비트코인 전망", NOON))
    replay.serve("/tv", creators_feed_body)
    run(source, http)
    fold()
    creator.refresh_from_db()
    assert (creator.status, creator.video_count) == (Status.PUBLISHED, 1)


def test_an_alias_proves_a_creator_as_well(replay: Replay, http: HttpClient) -> None:
    creator = make_unit("tv", "마당 TV", type=UnitType.CREATOR, status=Status.DRAFT, aliases=["Madang"])
    run(creators_feed(replay, "MADANG", creator=creator), http)
    creator.refresh_from_db()
    assert creator.status == Status.PUBLISHED


def test_a_creator_whom_an_editor_retracted_stays_retracted(replay: Replay, http: HttpClient) -> None:
    creator = make_unit("tv", "마당 TV", type=UnitType.CREATOR, status=Status.RETRACTED)
    run(creators_feed(replay, "마당 TV", creator=creator), http)
    creator.refresh_from_db()
    assert creator.status == Status.RETRACTED


def test_exchange_notices_speak_of_the_asset_in_brackets(replay: Replay, http: HttpClient) -> None:
    coin = make_unit("mdg", "마당코인", symbol="MDG", aliases=["MDG"])
    replay.serve(
        "/n", upbit_notices((1, "마당코인(MDG) 신규 거래지원 안내", NOON)), content_type="application/json"
    )
    run(make_source(kind="notice", adapter="upbit_notices", url=replay.url("/n")), http)
    fold()
    coin.refresh_from_db()
    assert coin.document_count == 1
