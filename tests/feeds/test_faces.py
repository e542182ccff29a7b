"""Merges, merges of merges, retractions and drafts: every face knows the same of a unit, in the same order."""

import html
import json
import re
from datetime import timedelta
from typing import Any, NamedTuple

import feedparser
import pytest
from django.conf import settings
from django.test import Client

from feeds.texts import markdown
from knowledge import curation
from knowledge.linking.store import link_documents
from knowledge.models import EventUnit, PersonaPost, Status, Unit, UnitType
from tests.ask.records import index
from tests.factories.knowledge import (
    NOON,
    make_document,
    make_event,
    make_persona,
    make_pulse,
    make_source,
    make_unit,
)
from tests.feeds.surfaces import rebuild, text_of
from tests.feeds.test_facts import nodes_of, record_of
from tests.mcpserver import wire

HIDDEN = ("숨은코인", "거둔이름", "거둔별칭", "초안사건", "거둔사건", "거둔글")
EVENTS = ["event:reopened", "event:same-b", "event:same-a", "event:crash"]
ADDRESS = re.compile(r'href="(/[a-z]+/[a-z0-9-]+)"')


class Told(NamedTuple):
    """What one face says of a unit: names, events, subjects (ids) and documents (addresses), each in its order."""

    aliases: list[str]
    events: list[str]
    subjects: set[str]
    documents: list[str]


@pytest.fixture
def survivor(db: None) -> Unit:
    """``first`` was merged into ``second`` and that into ``maru``, as was ``withdrawn``, which is retracted since."""
    maru = make_unit(
        "maru", "마루코인", symbol="MARU", summary="마루코인은 결제용이다.", aliases=["Marucoin"]
    )
    first, second = make_unit("first", "하나코인", aliases=["Hanacoin"]), make_unit("second", "두리코인")
    withdrawn = make_unit("withdrawn", "거둔이름", aliases=["거둔별칭"])
    exchange = make_unit("nara", "나라거래소", type=UnitType.COMPANY)
    make_unit("hidden", "숨은코인", status=Status.DRAFT)
    link_events(maru, first, second, exchange)
    documents = [
        make_document(make_source(f"paper-{number}"), str(number), title=title, content_sha256=str(number))
        for number, title in enumerate(["마루코인이 오르다", "하나코인과 나라거래소", "두리코인 소식"])
    ]
    link_documents(documents)
    say_something(maru)
    curation.merge(first, second, now=NOON)
    curation.merge(second, maru, now=NOON)
    curation.merge(withdrawn, maru, now=NOON)
    curation.set_status(withdrawn, Status.RETRACTED)
    crash, former = Unit.objects.get(slug="crash"), Unit.objects.get(slug="collapse")
    curation.merge(former, crash, now=NOON)
    index()
    rebuild()
    maru.refresh_from_db()
    return maru


def link_events(maru: Unit, first: Unit, second: Unit, exchange: Unit) -> None:
    make_event("crash", 50, exchange)
    make_event("collapse", 50, first)
    make_event("same-a", 20, maru, exchange)
    make_event("same-b", 20, second)
    make_event("reopened", 10, second, exchange)
    for slug, label, status in (("draft", "초안사건", "draft"), ("undone", "거둔사건", "retracted")):
        event = make_unit(slug, label, type=UnitType.EVENT, status=status, occurred_at=NOON)
        EventUnit.objects.create(event=event, unit=maru)


def say_something(maru: Unit) -> None:
    for key, status in (
        ("new", Status.PUBLISHED),
        ("old", Status.PUBLISHED),
        ("retracted", Status.RETRACTED),
    ):
        detected_at = NOON - timedelta(hours={"new": 1}.get(key, 2))
        make_pulse(maru, key, detected_at, status=status, summary=f"펄스 {key}")
    creator = make_unit("sage", "현자", type=UnitType.CREATOR)
    persona = make_persona(creator)
    for slug, body, status in (("one", "마루를 본다", "published"), ("two", "거둔글", "retracted")):
        post = persona.posts.create(slug=slug, body=body, status=status, published_at=NOON)
        post.units.add(maru)
    assert PersonaPost.objects.published().count() == 1


def ids(paths: list[str]) -> list[str]:
    return [path.removeprefix(settings.BASE_URL).strip("/").replace("/", ":") for path in paths]


def part(text: str, head: str, end: str) -> str:
    """What stands between a head and the next end; empty without the head."""
    _before, _head, rest = text.partition(head)
    return rest.partition(end)[0]


def on_the_page(client: Client, record: dict[str, Any]) -> Told:
    page = text_of(client, record["url"])
    aliases = part(page, "<dt>다른 이름</dt><dd>", "</dd>")
    return Told(
        html.unescape(aliases).split(", ") if aliases else [],
        ids(ADDRESS.findall(part(page, '<h2 id="events">', "</section>"))),
        set(ids(ADDRESS.findall(part(page, '<h2 id="subjects">', "</section>")))),
        re.findall(r'href="(https:[^"]+)" rel="noopener nofollow"', page),
    )


def in_markdown(client: Client, record: dict[str, Any]) -> Told:
    twin = text_of(client, record["url"] + ".md")
    aliases = part(twin, "\n- aliases: ", "\n")
    return Told(
        aliases.split(", ") if aliases else [],
        re.findall(r"\(`([^`]+)`\)", part(twin, "## 사건 (events)", "\n## ")),
        set(re.findall(r"\(`([^`]+)`\)", part(twin, "## 관련된 것 (about)", "\n## "))),
        re.findall(r"\]\((https:[^)]+)\): ", part(twin, "## 기록 (documents)", "\n## ")),
    )


def by_tool(record: dict[str, Any]) -> Told:
    unit = record["id"]
    if unit.startswith("event:"):
        told = wire.record("get_event", id=unit, response_format="detailed")
        subjects = {one["id"] for one in told["entities"] + told["topics"]}
        return Told(told["aliases"], [], subjects, [one["url"] for one in told["sources"]][::-1])
    told = wire.record("get_entity", id=unit, response_format="detailed")
    listed = wire.record("list_events", entity_id=unit, limit=20)
    events = [one["id"] for one in told["events"]]
    assert [one["id"] for one in listed["items"]] == events
    return Told(told["aliases"], events, set(), [one["url"] for one in told["documents"]])


def test_every_face_knows_the_same_of_a_unit_in_the_same_order(client: Client, survivor: Unit) -> None:
    for unit in Unit.objects.published().filter(type__in=[UnitType.ASSET, UnitType.COMPANY, UnitType.EVENT]):
        record = record_of(client, unit)
        told = by_tool(record)
        assert (
            told.aliases == record["aliases"] == wire.record("fetch", id=record["id"])["metadata"]["aliases"]
        )
        assert told.subjects == {*record.get("entities", ()), *record.get("topics", ())}
        assert on_the_page(client, record) == told
        assert in_markdown(client, record) == told._replace(aliases=[markdown(one) for one in told.aliases])
        node = next(
            one for one in nodes_of(text_of(client, record["url"])) if one.get("identifier") == record["id"]
        )
        assert node.get("alternateName", []) == told.aliases
        assert set(ids([one["@id"] for one in node.get("about", ())])) == told.subjects
    maru = by_tool(record_of(client, survivor))
    assert maru.aliases == ["Marucoin", "하나코인", "Hanacoin", "두리코인"]
    assert maru.events == EVENTS
    assert len(maru.documents) == 3
    assert by_tool({"id": "event:crash"}).subjects == {"asset:maru", "entity:nara"}


def test_lists_and_the_feed_have_the_events_in_the_same_order(client: Client, survivor: Unit) -> None:
    listed = ids(re.findall(r'class="name" href="(/event/[^"]+)"', text_of(client, "/event")))
    told = [one["id"] for one in wire.record("list_events", limit=20)["items"]]
    entries = feedparser.parse(text_of(client, "/rss.xml")).entries
    fed = ids([one.link for one in entries if "/event/" in one.link])
    assert listed == told == EVENTS
    # Entries of one moment stand by their ids.
    assert fed == ["event:reopened", "event:same-a", "event:same-b", "event:crash"]
    moves = [
        one["id"] for one in wire.record("get_entity", id="asset:maru", response_format="detailed")["pulses"]
    ]
    assert moves == ["pulse:new", "pulse:old"]


def test_search_has_the_same_records_in_the_same_order(client: Client, survivor: Unit) -> None:
    for query in ("하나코인", "Hanacoin", "마루코인", "마루코잉", "사건 crash", "거둔이름"):
        body = json.loads(text_of(client, f"/api/search?q={query}"))
        items, told = body["items"], wire.record("search", query=query)
        assert [one["id"] for one in told["items"]] == [one["id"] for one in items], query
        page = html.unescape(text_of(client, f"/search?q={query}"))
        # A title leads to the document itself, where it is one.
        addresses = [one.get("originalUrl") or one["url"] for one in items]
        assert re.findall(r'<li><a class="name" href="([^"]+)"', page) == addresses, query
        if query not in ("사건 crash", "거둔이름"):
            assert items[0]["id"] == "asset:maru", query
        # Which name was taken for a mistyped one is said on each, or on none.
        taken = [{"written": "마루코잉", "taken": "마루코인"}] if query == "마루코잉" else []
        assert body["mended"] == told["mended"] == taken, query
        assert ("'마루코잉' 대신 '마루코인'으로 검색한 결과입니다." in page) == bool(taken), query
        assert ('혹시 <a href="/asset/maru">' in page) >= bool(taken), query


def test_a_search_that_finds_nothing_finds_nothing_on_each(client: Client, survivor: Unit) -> None:
    for query, held in (("없는말쿄쿄", ""), ("존재않는뷁뷁 사건", "사건")):
        body = json.loads(text_of(client, f"/api/search?q={query}"))
        told, page = wire.record("search", query=query), text_of(client, f"/search?q={query}")
        assert body["items"] == told["items"] == re.findall(r'class="name"', page) == [], query
        assert body["heldWords"] == ([held] if held else [])
        assert (f"by one word alone: {held}." in told["hint"]) == (f">{held}</a>" in page) == bool(held)


def test_former_ids_lead_to_the_survivor_and_nothing_hidden_shows(client: Client, survivor: Unit) -> None:
    for former in ("first", "second", "withdrawn"):
        for ending in ("", ".md"):
            moved = client.get(f"/asset/{former}{ending}")
            assert (moved.status_code, moved["Location"]) == (308, f"/asset/maru{ending}")
        assert wire.record("get_entity", id=f"asset:{former}")["merged_from"] == f"asset:{former}"
    assert "withdrawn" in wire.lesson("get_event", id="event:undone")
    undone = client.get("/event/undone")
    # A cache lets it take the place of the page that it has.
    assert (undone.status_code, undone.headers["Cache-Control"]) == (410, "public, max-age=30")
    assert client.get("/event/draft").status_code == 404
    indexes = [f"/api/canonical/{name}.json" for name in ("entities", "topics", "events")]
    shown = [
        text_of(client, path) for path in (*indexes, "/rss.xml", "/asset/maru", "/asset/maru.md", "/event")
    ]
    told = [
        wire.record("get_entity", id="asset:maru", response_format="detailed"),
        wire.record("search", query="코인"),
    ]
    for hidden in HIDDEN:
        assert not [text for text in (*shown, json.dumps(told, ensure_ascii=False)) if hidden in text], hidden
