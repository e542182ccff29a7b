"""The main job, end to end: what sources publish is read, linked, counted, published and cited.

The world is invented.
"""

from datetime import timedelta

import pytest
from django.test import Client

from knowledge.models import Document
from rehearsal.bodies import channel, news
from tests.factories.knowledge import NOON, make_source, make_unit
from tests.fakes.replay import Replay, replay_server
from tests.main_job import ask, at_noon, ingest, published

__all__ = ["at_noon", "replay_server"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_noon")]

HOUR = timedelta(hours=1)


def test_what_sources_publish_is_counted_shown_and_cited(client: Client, replay: Replay) -> None:
    make_unit("marucoin", "마루코인", summary="마루코인은 지어낸 결제용 가상자산이다.", aliases=["MARUX"])
    make_unit("hanbit", "한빛거래소", type="company", summary="한빛거래소는 지어낸 거래소이다.")
    articles = [
        ("11", "마루코인, 한빛거래소에 9월 상장", NOON - 2 * HOUR),
        ("12", "오늘의 날씨는 맑음", NOON - HOUR),
    ]
    replay.serve("/rss", news(*articles, summary="거래는 9월 14일 오후에 시작된다."))
    replay.serve("/tv", channel("마당TV", ("maruVideo01", "마루코인 상장 총정리", NOON - 3 * HOUR)))
    make_source("paper", url=replay.url("/rss"), name="새벽경제")
    make_source("tv", kind="video", adapter="youtube_rss", url=replay.url("/tv"))

    ingest()

    article = Document.objects.get(external_id="11")
    assert (article.published_at, article.url) == (NOON - 2 * HOUR, "https://paper.example/11")
    video = Document.objects.get(external_id="maruVideo01")
    assert video.url == "https://www.youtube.com/watch?v=maruVideo01"
    assert sorted(article.units.values_list("slug", flat=True)) == ["hanbit", "marucoin"]
    records = published(client)
    coin = records["asset:marucoin"]
    assert (coin["documentCount"], coin["videoCount"]) == (2, 1)
    assert records["entity:hanbit"]["documentCount"] == 1

    answer = ask(client, "마루코인은 언제 한빛거래소에 상장되나?")
    assert "9월 14일" in answer["answer"] or "9월 상장" in answer["answer"]
    cited = {citation["url"] for citation in answer["citations"]}
    assert cited
    assert cited <= {"/asset/marucoin", "/entity/hanbit"}, "only canonical pages are cited"

    ingest("paper", "tv")
    assert published(client) == records, "a rerun changes nothing that anybody sees"
