"""The feed, as feed readers and the W3C's rules see it."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from xml.etree import ElementTree

import feedparser
import pytest
from django.test import Client
from django.utils import timezone

from archive.models import Snapshot
from feeds import rss
from feeds.status import installed_at
from knowledge import curation
from knowledge.models import PersonaPost, Pulse, Status, Unit, UnitType
from knowledge.times import iso_kst
from tests.factories.knowledge import make_unit
from tests.factories.world import World
from tests.feeds.surfaces import rebuild

pytestmark = pytest.mark.django_db


def test_the_feed_is_well_formed_rss_in_korean(client: Client, world: World) -> None:
    response = client.get("/rss.xml")
    feed = feedparser.parse(response.content)
    assert response["Content-Type"].startswith("application/rss+xml")
    assert not feed.bozo
    assert (feed.version, feed.feed.language) == ("rss20", "ko")
    assert feed.feed.link == "http://localhost:8000/"
    assert any(link.rel == "self" and link.href.endswith("/rss.xml") for link in feed.feed.links)


def test_entries_come_newest_first_with_aware_dates_and_lasting_ids(client: Client, world: World) -> None:
    feed = feedparser.parse(client.get("/rss.xml").content)
    moments = [entry.published_parsed for entry in feed.entries]
    assert moments == sorted(moments, reverse=True)
    assert all(entry.published.endswith("+0900") for entry in feed.entries)
    ids = [entry.id for entry in feed.entries]
    assert len(set(ids)) == len(ids) >= 6
    assert f"madang:{world.event.public_id}" in ids
    assert {tag.term for entry in feed.entries for tag in entry.tags} == {
        "사건",
        "펄스",
        "답변",
        "AI persona",
    }


def test_an_old_event_is_news_of_the_day_it_was_published_here_and_tells_its_own(
    client: Client, world: World
) -> None:
    genesis = make_unit(
        "genesis", "첫 블록", type=UnitType.EVENT, occurred_at=datetime(2009, 1, 3, 18, 15, tzinfo=UTC)
    )
    opinion = PersonaPost.objects.get()
    PersonaPost.objects.update(published_at=opinion.published_at - timedelta(days=900))
    rebuild()
    for path in ("/rss.xml", "/event.xml", "/creator.xml", f"{world.asset.get_absolute_url()}.xml"):
        entries = feedparser.parse(client.get(path).content).entries
        kept = [entry for entry in entries if entry.id.split(":")[1] in ("event", "post", "pulse")]
        assert kept, path
        oldest = min(parsedate_to_datetime(entry.published) for entry in kept)
        assert oldest >= Unit.objects.earliest("public_since").public_since.replace(microsecond=0), path
    entries = feedparser.parse(client.get("/event.xml").content).entries
    told = next(entry for entry in entries if entry.id == f"madang:{genesis.public_id}")
    assert "2009년 1월 4일" in told.summary
    assert "2009년 1월 4일" in told.content[0].value


def test_an_event_is_dated_by_its_first_publication_whatever_becomes_of_it(world: World) -> None:
    draft = make_unit(*("leak", "유출"), type=UnitType.EVENT, occurred_at=timezone.now(), status=Status.DRAFT)
    assert draft.public_id not in {item["id"] for item in rss.items(timezone.now())}
    curation.set_status(draft, Status.PUBLISHED)
    first = Unit.objects.get(pk=draft.pk).public_since
    Unit.objects.filter(pk=draft.pk).update(public_since=first - timedelta(days=9))
    curation.set_status(draft, Status.RETRACTED)
    curation.set_status(draft, Status.PUBLISHED)
    [told] = [item for item in rss.items(timezone.now()) if item["id"] == draft.public_id]
    assert told["at"] == iso_kst(first)


def test_a_rehearsed_day_is_no_older_than_the_service(world: World) -> None:
    earlier = timezone.now() - timedelta(days=30)
    Snapshot.objects.create(
        day=earlier.date(), status="complete", late=False, rehearsal=True, size=1, sha256="0" * 64,
        sealed_at=earlier, facts={"reflection": "조용했다."},
    )  # fmt: skip
    [told] = [item for item in rss.items(timezone.now()) if item["id"].startswith("city:")]
    began = installed_at()
    assert began is not None
    assert told["at"] == iso_kst(began)


def test_the_build_date_is_the_newest_entry_and_equal_entries_are_equal_bytes(world: World) -> None:
    now = timezone.now()
    records = rss.items(now)
    first = rss.render(records, now)
    assert first == rss.render(records, now + timedelta(hours=1))
    built = ElementTree.fromstring(first).findtext("channel/lastBuildDate")
    newest = datetime.fromisoformat(records[0]["at"])
    assert built == newest.strftime("%a, %d %b %Y %H:%M:%S %z")


def test_a_dirty_headline_is_no_server_error(client: Client, world: World) -> None:
    make_unit(
        "dirty",
        "이벤트\x01\x0b <b>굵게</b> ]]> \u202e뒤집힘\ufffe",
        type=UnitType.EVENT,
        occurred_at=timezone.now(),
        summary="<script>alert(1)</script>\x08\uffff",
    )
    rebuild()
    feed = feedparser.parse(client.get("/rss.xml").content)
    entry = next(entry for entry in feed.entries if entry.id.endswith("event:dirty"))
    assert not feed.bozo
    assert "\u202e" not in entry.title
    assert "<script" not in entry.summary + entry.content[0].value
    assert "‹b›" in entry.title


def test_the_feed_holds_a_hundred_entries_at_most(world: World) -> None:
    now = timezone.now()
    Pulse.objects.bulk_create(
        Pulse(
            key=f"more{number}",
            asset=world.asset,
            direction="up",
            magnitude_pct=5.0,
            started_at=now,
            detected_at=now - timedelta(minutes=number),
            horizon_hours=4,
            confidence=0.5,
            summary="움직였다.",
        )
        for number in range(150)
    )
    assert len(rss.items(now)) == rss.ITEMS_MAX == 100
