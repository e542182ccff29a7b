"""The main job, end to end: what sources publish is read, linked, counted, published and cited.

The first world is invented. The second one, where it is on this machine, is recorded from real sources.
"""

import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.core.management import call_command
from django.db.models import Q
from django.test import Client

from knowledge import publications
from knowledge.models import Document, Mention, Source, Unit
from knowledge.tasks import fold_counts
from rehearsal.bodies import channel, news
from tests.factories.knowledge import NOON, make_source, make_unit
from tests.fakes.replay import Replay, replay_server

__all__ = ["replay_server"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_noon")]

HOUR = timedelta(hours=1)


@pytest.fixture
def at_noon(settings: Any) -> Iterator[None]:
    settings.FETCH_ALLOW_PRIVATE = True
    settings.ANTHROPIC_API_KEY = ""
    with time_machine.travel(NOON, tick=True):
        yield


def ingest(*sources: str) -> None:
    out = StringIO()
    try:
        call_command("ingest", *sources, stdout=out)
    except SystemExit as end:
        pytest.fail(f"ingest ended with {end.code}:\n{out.getvalue()}")
    fold_counts()


def published(client: Client, index: str = "entities") -> dict[str, dict[str, Any]]:
    """The records of a public index by id."""
    publications.build(now=NOON)
    response = client.get(f"/api/canonical/{index}.json")
    assert response.status_code == 200
    return {record["id"]: record for record in response.json()[index]}


def ask(client: Client, question: str) -> dict[str, Any]:
    response = client.post("/api/ask", {"question": question}, content_type="application/json")
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


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


# Recorded from real sources


def written_items(body: bytes) -> list[dict[str, str]]:
    """What a feed says, read in another way than the service reads it: (guid, link, pubDate) of each item."""
    text = body.decode()
    found = []
    for item in re.findall(r"<item>(.*?)</item>", text, re.DOTALL):
        parts = {
            name: re.search(rf"<{name}\b[^>]*>(.*?)</{name}>", item, re.DOTALL)
            for name in ("guid", "link", "pubDate")
        }
        found.append({name: html.unescape(part[1].strip()) for name, part in parts.items() if part})
    return found


def written_videos(body: bytes) -> dict[str, datetime]:
    """When each video of a channel's feed was published, by id."""
    entries = re.findall(r"<entry>(.*?)</entry>", body.decode(), re.DOTALL)
    pairs = (
        re.search(r"<yt:videoId>(.*?)</yt:videoId>.*?<published>(.*?)</published>", entry, re.DOTALL)
        for entry in entries
    )
    return {pair[1]: datetime.fromisoformat(pair[2]) for pair in pairs if pair}


def serve_sample(replay: Replay, slug: str, file: Path) -> None:
    """Point a source of the starter canon at a recorded file."""
    url = replay.serve_file(f"/{slug}", file)
    Source.objects.filter(slug=slug).update(url=url, enabled=True, next_fetch_at=None)


def speaking_of(unit: Unit) -> int:
    spoken = Q(mentions__unit=unit) | Q(mentions__unit__merged_into=unit) | Q(source__creator=unit)
    return Document.objects.filter(spoken).distinct().count()


@pytest.mark.slow
def test_recorded_sources_are_counted_shown_and_cited(client: Client, replay: Replay, samples: Path) -> None:
    call_command("load_canon", stdout=StringIO())
    Source.objects.update(enabled=False)
    paper = samples / "news_rss/blockmedia_2026-08-21_public.xml"
    videos = samples / "youtube_rss/kurzgesagt_2025.xml"
    serve_sample(replay, "blockmedia", paper)
    serve_sample(replay, "youtube-bitshua", videos)

    ingest("blockmedia", "youtube-bitshua")

    stored = {row.external_id: row for row in Document.objects.filter(source__slug="blockmedia")}
    written = written_items(paper.read_bytes())
    assert len(stored) == len({item["guid"] for item in written}) > 0
    for item in written:
        document = stored[item["guid"]]
        assert document.published_at == parsedate_to_datetime(item["pubDate"]).astimezone(UTC)
        asked_for, kept = urlsplit(item["link"]), urlsplit(document.url)
        assert (kept.hostname, kept.path) == (asked_for.hostname, asked_for.path)
        assert "utm_" not in document.url
        assert re.search(r"<[a-z]|&(?:amp|quot|#\d+);", document.title + document.summary) is None
        assert len(document.summary) <= 300
    stored_videos = Document.objects.filter(source__slug="youtube-bitshua")
    assert dict(stored_videos.values_list("external_id", "published_at")) == written_videos(
        videos.read_bytes()
    )
    assert not Unit.objects.published().filter(slug="bitshua").exists(), (
        "another channel's feed proves nobody"
    )

    for mention in Mention.objects.select_related("document"):
        assert mention.document.text[mention.start : mention.end] == mention.surface
    records = published(client)
    named = Unit.objects.published().filter(mentions__isnull=False, type="asset").distinct()
    assert named
    for unit in named:
        assert records[unit.public_id]["documentCount"] == speaking_of(unit)

    chosen = max(named, key=speaking_of)
    article = Document.objects.filter(mentions__unit=chosen, source__slug="blockmedia").first()
    assert article is not None
    answer = ask(client, article.title[:300])
    assert answer["citations"], answer
    pages = {unit.get_absolute_url() for unit in Unit.objects.published().filter(mentions__document=article)}
    assert pages & {citation["url"] for citation in answer["citations"]}
