"""One source for each fact: a unit says the same in JSON, on its page, in Markdown, in linked data and in the feed."""

import html
import json
import re
from datetime import date
from typing import Any

import feedparser
import pytest
from django.conf import settings
from django.test import Client

from feeds.texts import markdown
from knowledge.models import Unit
from knowledge.queries.amounts import dated
from tests.factories.world import World
from tests.feeds.surfaces import text_of
from tests.mcpserver import wire

LINKED_DATA = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
INDEXES = {"topic": "topics", "event": "events"}
FIVE = ["asset", "topic", "event", "person", "persona"]


def record_of(client: Client, unit: Unit) -> dict[str, Any]:
    name = INDEXES.get(unit.url_prefix, "entities")
    records = json.loads(text_of(client, f"/api/canonical/{name}.json"))[name]
    return next(record for record in records if record["id"] == unit.public_id)


def nodes_of(page: str) -> list[dict[str, Any]]:
    graph: list[dict[str, Any]] = json.loads(LINKED_DATA.findall(page)[0])["@graph"]
    return graph


@pytest.mark.parametrize("name", FIVE)
def test_a_unit_says_the_same_on_every_surface(client: Client, world: World, name: str) -> None:
    unit: Unit = getattr(world, name)
    record = record_of(client, unit)
    page = text_of(client, record["url"])
    twin = text_of(client, record["url"] + ".md")
    about = next(node for node in nodes_of(page) if node.get("identifier") == record["id"])
    for fact in ("label", "summary", "id", "updatedAt"):
        assert html.escape(str(record[fact])) in page, fact
    assert markdown(record["label"]) in twin
    assert markdown(record["summary"]) in twin
    for name_of_fact in ("id", "documentCount", "videoCount", "updatedAt"):
        assert re.search(rf"^- {name_of_fact}: `?{re.escape(str(record[name_of_fact]))}`?$", twin, re.M)
    assert all(alias in page and markdown(alias) in twin for alias in record["aliases"])
    assert about["name"] == record["label"]
    assert about["description"] == record["summary"]
    assert about.get("alternateName", []) == record["aliases"]
    assert about["url"] == settings.BASE_URL + record["url"]
    assert (
        next(node for node in nodes_of(page) if node["@type"] == "WebPage")["dateModified"]
        == record["updatedAt"]
    )
    cited = next(node for node in nodes_of(page) if node["@type"] == "WebPage").get("citation", [])
    assert [one["url"] for one in cited] == record["sourceUrls"] == unit.source_urls
    assert all(
        f'href="{url}" rel="noopener nofollow"' in page and f"- <{url}>" in twin for url in unit.source_urls
    )
    check_tool(wire.record("fetch", id=record["id"]), record)


def check_tool(told: dict[str, Any], record: dict[str, Any]) -> None:
    """What the MCP tool ``fetch`` says of a unit, against its public record."""
    said = json.dumps(told, ensure_ascii=False)
    for fact in ("id", "label", "summary", "updatedAt"):
        assert json.dumps(record[fact], ensure_ascii=False)[1:-1] in said, fact
    assert settings.BASE_URL + record["url"] in said


def test_an_event_has_one_date_and_one_set_of_subjects(client: Client, world: World) -> None:
    record = record_of(client, world.event)
    page, twin = text_of(client, record["url"]), text_of(client, record["url"] + ".md")
    about = next(node for node in nodes_of(page) if node.get("identifier") == record["id"])
    assert about["startDate"] == record["occurredAt"]
    assert f"- occurredAt: {record['occurredAt']}" in twin
    assert f'datetime="{record["occurredAt"]}"' in page
    subjects = {
        settings.BASE_URL + "/" + subject.replace(":", "/")
        for subject in record["entities"] + record["topics"]
    }
    assert {subject["@id"] for subject in about["about"]} == subjects
    assert all(subject in twin for subject in subjects)
    feed = feedparser.parse(text_of(client, "/rss.xml"))
    entry = next(entry for entry in feed.entries if entry.link.endswith(record["url"]))
    day = dated(date.fromisoformat(record["occurredAt"][:10]))
    assert (entry.title, entry.summary) == (record["label"], f"{day} — {record['summary']}")


def test_a_search_finds_the_same_in_the_same_order_on_every_face(client: Client, world: World) -> None:
    for query in ("marux", "새벽거래소 상장", "장부"):
        items = json.loads(text_of(client, f"/api/search?q={query}"))["items"]
        told = wire.record("search", query=query)["items"]
        assert [item["id"] for item in told] == [item["id"] for item in items]
        page = text_of(client, f"/search?q={query}")
        rows = re.findall(r'<li><a class="name" href="([^"]+)"', page)
        assert rows == [html.escape(item.get("originalUrl") or item["url"]) for item in items]


def test_a_persona_is_disclosed_wherever_it_appears(client: Client, world: World) -> None:
    record = record_of(client, world.persona)
    assert record["isAiPersona"]
    places = [
        record["url"],
        record["url"] + ".md",
        world.asset.get_absolute_url(),
        "/rss.xml",
        "/llms-full.txt",
    ]
    for place in places:
        said = html.unescape(text_of(client, place))
        assert record["glyph"] in said, place
        assert "AI persona" in said, place
        assert "AI 페르소나의 의견입니다" in said, place
    assert "AI persona" in text_of(client, "/creator")


def test_the_pulses_page_shows_what_the_list_says(client: Client, world: World) -> None:
    pulses = json.loads(text_of(client, "/api/pulse/active.json?hours=168"))["pulses"]
    page = text_of(client, "/pulses")
    assert len(pulses) == 2
    for pulse in pulses:
        assert html.escape(pulse["summary"]) in page
        assert f'datetime="{pulse["detectedAt"]}"' in page
        assert f"{abs(pulse['magnitudePct']):.1f}%" in page


def test_a_page_names_the_hosts_that_its_facts_come_from_and_a_unit_without_any_says_nothing(
    client: Client, world: World
) -> None:
    law = "law.example/법령/maru"
    for lead, title, shown in (("", "근거 자료", law), ("/en", "Sources", f'<span lang="ko">{law}</span>')):
        page = text_of(client, lead + world.asset.get_absolute_url())
        assert f'<h2 id="sources">{title}</h2>' in page
        assert ">maru.example/whitepaper.pdf</a>" in page
        assert f">{shown}</a>" in page
        assert 'id="sources"' not in text_of(client, lead + world.person.get_absolute_url())
    whole = json.loads(text_of(client, f"/api/units/{world.asset.public_id}.json"))
    assert whole["sourceUrls"] == world.asset.source_urls
    assert json.loads(text_of(client, f"/api/units/{world.person.public_id}.json"))["sourceUrls"] == []
