"""The main job over the starter canon, with payloads recorded from real sources, where they are on this machine."""

import html
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db.models import Q
from django.test import Client

from knowledge.models import Document, Mention, Source, Unit
from tests.fakes.replay import Replay, replay_server
from tests.main_job import ask, at_noon, ingest, published

__all__ = ["at_noon", "replay_server"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("canon", "at_noon"), pytest.mark.slow]


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


def test_recorded_sources_are_counted_shown_and_cited(client: Client, replay: Replay, samples: Path) -> None:
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
