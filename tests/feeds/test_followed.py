"""The feeds of units, of lists and of pulses, as feed readers see them."""

import re
from datetime import timedelta
from typing import Any

import feedparser
import pytest
from django.test import Client
from django.utils import timezone

from feeds.followed import ITEMS_MAX
from knowledge import curation
from knowledge.models import Document, Source, Status, Unit
from tests.factories.knowledge import make_document, make_pulse, make_source, make_unit
from tests.factories.world import World

pytestmark = pytest.mark.django_db
LISTS = ("/asset", "/entity", "/creator", "/topic", "/event", "/pulses")


def feed_at(client: Client, path: str) -> Any:
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "application/rss+xml; charset=utf-8"), (
        path
    )
    feed = feedparser.parse(response.content)
    assert not feed.bozo, path
    return feed


def test_every_unit_and_every_list_names_its_own_feed(client: Client, world: World) -> None:
    units = (world.asset, world.topic, world.event, world.person, world.persona)
    for page in (*LISTS, *(unit.get_absolute_url() for unit in units)):
        head = client.get(page).content.decode().partition("</head>")[0]
        named = re.findall(
            r'<link rel="alternate" type="application/rss\+xml" title="[^"]+" href="([^"]+)">', head
        )
        assert named == [f"{page}.xml", "/rss.xml"], page
        feed = feed_at(client, named[0])
        assert (feed.feed.link, feed.feed.language) == (f"http://localhost:8000{page}", "ko")
        assert any(link.rel == "self" and link.href.endswith(f"{page}.xml") for link in feed.feed.links)


def test_the_feed_of_a_unit_tells_what_its_page_shows_newest_first(client: Client, world: World) -> None:
    feed = feed_at(client, "/asset/marucoin.xml")
    kinds = [entry.id.split(":")[1] for entry in feed.entries]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "document": 26,
        "event": 2,
        "pulse": 2,
        "post": 1,
    }
    moments = [entry.published_parsed for entry in feed.entries]
    assert moments == sorted(moments, reverse=True)
    told = next(entry for entry in feed.entries if ":document:" in entry.id)
    assert told.link.startswith("https://maru-tv.example/")
    assert "마루방송" in told.summary
    assert "짚었다" not in told.summary + told.content[0].value, "of a document no more than where it is"
    assert len({entry.id for entry in feed.entries}) == len(feed.entries)


def test_posts_of_ai_personas_say_so_in_every_feed(client: Client, world: World) -> None:
    for path in ("/asset/marucoin.xml", "/creator/maru-ledger.xml", "/creator.xml"):
        [post] = [entry for entry in feed_at(client, path).entries if ":post:" in entry.id]
        assert post.author == "◈ 마루 장부 · AI persona", path
        assert [tag.term for tag in post.tags] == ["AI persona"], path
        assert all("AI persona" in said for said in (post.title, post.summary, post.content[0].value)), path
    assert "◈ AI persona" in feed_at(client, "/creator/maru-ledger.xml").feed.subtitle
    [persona] = [entry for entry in feed_at(client, "/creator.xml").entries if ":creator:" in entry.id]
    assert "◈ AI persona" in persona.summary


def test_a_feed_holds_fifty_entries_at_most_and_no_dirt(client: Client, world: World) -> None:
    now = timezone.now()
    for number in range(60):
        make_pulse(world.asset, f"{number:031x}x", now - timedelta(minutes=number))
    dirty = make_document(
        make_source("dirt", name="먼지\x01신문"), "dirt", title="값 <b>급등</b>\x01 ]]> \u202e뒤집힘",
        url="https://dirt.example/?a=1&b=\x022", published_at=now + timedelta(days=9), fetched_at=now,
    )  # fmt: skip
    dirty.mentions.create(unit=world.asset, start=0, end=1, surface="값")
    feed = feed_at(client, "/asset/marucoin.xml")
    assert len(feed.entries) == len(feed_at(client, "/pulses.xml").entries) == ITEMS_MAX == 50
    first = feed.entries[0]
    assert first.id == f"madang:document:{dirty.pk}"
    assert (first.title, first.link) == ("값 ‹b›급등‹/b› ]]› 뒤집힘", "https://dirt.example/?a=1&b= 2")
    assert first.published_parsed <= now.utctimetuple(), "what an outlet dates ahead is not news of then"


def test_an_outlet_that_objects_is_in_no_feed(client: Client, world: World) -> None:
    Source.objects.filter(slug="dawn").update(in_bulk=False)
    links = [entry.link for entry in feed_at(client, "/asset/marucoin.xml").entries]
    assert any("tv.example" in link for link in links)
    assert not any("dawn.example" in link for link in links)
    assert Document.objects.filter(source__slug="dawn").exists()


def test_a_feed_goes_where_its_page_goes(client: Client, world: World) -> None:
    fresh = client.get("/asset/marucoin.xml")
    again = client.get("/asset/marucoin.xml", headers={"if-none-match": fresh["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    survivor = make_unit("newcoin", "새 코인")
    curation.merge(Unit.objects.get(slug="marucoin"), survivor, now=timezone.now())
    moved = client.get("/asset/marucoin.xml")
    assert (moved.status_code, moved["Location"]) == (308, "/asset/newcoin.xml")
    assert len(feed_at(client, "/asset/newcoin.xml").entries) == 29, "a pulse stays with what moved"
    Unit.objects.filter(pk=survivor.pk).update(status=Status.RETRACTED)
    assert [client.get(f"/asset/{slug}.xml").status_code for slug in ("marucoin", "newcoin", "none")] == [
        410,
        410,
        404,
    ]
