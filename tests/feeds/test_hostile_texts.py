"""Hostile texts on every surface: shown as what they are, and nothing more (R20 at the level of formats)."""

import json
import re
from contextlib import suppress
from html import unescape
from html.parser import HTMLParser
from urllib.parse import quote
from xml.etree import ElementTree

import feedparser
import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from django.utils.encoding import iri_to_uri
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from feeds.linked_data import script
from feeds.texts import link_name, markdown, plain
from knowledge.models import Unit, UnitType
from tests.factories.knowledge import make_unit
from tests.factories.world import World
from tests.feeds.hostile import HOSTILE, PAYLOADS, addresses, hostile_world
from tests.feeds.surfaces import rebuild, text_of
from tests.mcpserver import wire


class Elements(HTMLParser):
    """What a page would run or fetch: elements with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def check_page(page: str) -> None:
    parser = Elements()
    parser.feed(page)
    for tag, attributes in parser.found:
        assert not any(name.startswith("on") or name == "style" for name in attributes), (tag, attributes)
        assert tag not in ("img", "iframe", "object", "embed", "base"), attributes
        if tag == "script":
            assert attributes == {"type": "application/ld+json"}
        for name in ("href", "src", "action"):
            assert not (attributes.get(name) or "").strip().lower().startswith(("javascript:", "data:")), (
                attributes
            )
    for block in re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.S):
        json.loads(block)


# Each frame in turn; `make soak` looks for all of them.
@pytest.mark.parametrize("every", [11, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.django_db
def test_two_hundred_hostile_texts_do_nothing_on_any_surface(
    client: Client, world: World, every: int
) -> None:
    units = hostile_world(timezone.now())
    rebuild()
    for path in addresses(units):
        check_page(text_of(client, path))
    for unit in units:
        check_page(MarkdownIt("commonmark").render(text_of(client, f"{unit.get_absolute_url()}.md")))
    for text in PAYLOADS[::every]:
        check_page(client.get("/search", {"q": text or "x"}).content.decode())
        check_page(client.get(f"/asset/{quote(text.replace('/', ''))}").content.decode())
    for path in ("/", "/asset", "/topic", "/event", "/entity", "/creator", "/pulses"):
        check_page(text_of(client, path))
    for name in ("llms.txt", "llms-full.txt"):
        check_page(MarkdownIt("commonmark").render(text_of(client, f"/{name}")))
    ElementTree.fromstring(client.get("/sitemap.xml").content)
    check_feed(client.get("/rss.xml").content)


def check_feed(body: bytes) -> None:
    """Readers render titles, descriptions and contents as HTML."""
    ElementTree.fromstring(body)
    for entry in feedparser.parse(body, sanitize_html=False).entries:
        for html in (entry.title, entry.summary, *(content.value for content in entry.content)):
            check_page(html)


@pytest.mark.django_db
def test_json_and_the_tools_say_hostile_texts_as_they_are(client: Client, world: World) -> None:
    units = hostile_world(timezone.now())
    rebuild()
    indexes = ("entities", "topics", "events")
    records = {
        record["id"]: record
        for name in indexes
        for record in json.loads(text_of(client, f"/api/canonical/{name}.json"))[name]
    }
    for unit in units:
        unit.refresh_from_db()
        record = records[unit.public_id]
        assert (record["label"], record["summary"]) == (unit.label, unit.summary)
        assert record["aliases"] == list(unit.aliases.values_list("surface", flat=True))
        told = json.dumps(wire.record("fetch", id=unit.public_id), ensure_ascii=False)
        assert json.dumps(unit.label, ensure_ascii=False)[1:-1] in told


@pytest.mark.django_db
def test_hostile_texts_do_nothing_in_the_admin(admin_client: Client, world: World) -> None:
    units = hostile_world(timezone.now())
    for model in ("entity", "topic", "event", "document"):
        page = admin_client.get(f"/admin/knowledge/{model}/")
        assert page.status_code == 200, model
        check_admin(page.content.decode())
    answer = admin_client.get("/admin/ask/answer/")
    check_admin(answer.content.decode())
    for unit in units[:5]:
        kind = unit.type if unit.type in (UnitType.TOPIC, UnitType.EVENT) else "entity"
        page = admin_client.get(f"/admin/knowledge/{kind}/{unit.pk}/change/")
        assert page.status_code == 200, kind
        check_admin(page.content.decode())


def check_admin(page: str) -> None:
    """The desk has scripts and images of its own; what a text brings has neither an address nor a handler."""
    parser = Elements()
    parser.feed(page)
    for tag, attributes in parser.found:
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)
        if tag == "script":
            assert (attributes.get("src") or "/static/").startswith(("/static/", "/admin/jsi18n/")), (
                attributes
            )
            assert "src" in attributes or attributes.get("type") == "application/json", attributes
        assert tag not in ("iframe", "object", "embed", "base", "math"), attributes
        for name in ("href", "src", "action"):
            value = (attributes.get(name) or "").strip().lower()
            assert not value.startswith(("javascript:", "http://evil", "data:text")), attributes


@given(st.text(max_size=200))
def test_escaped_markdown_shows_exactly_the_text(text: str) -> None:
    rendered = MarkdownIt("commonmark").render(markdown(text))
    shown = HTMLText.of(rendered)
    assert shown.split() == plain(text).split()


@given(st.text(max_size=100), st.sampled_from(HOSTILE))
def test_linked_data_is_json_that_no_text_can_leave(text: str, hostile: str) -> None:
    block = script({"name": plain(text) + hostile})
    inner = block.removeprefix('<script type="application/ld+json">').removesuffix("</script>")
    assert "<" not in inner
    assert json.loads(inner)["@graph"] == [{"name": plain(text) + hostile}]


@given(st.text(max_size=100))
def test_a_link_name_never_ends_early(text: str) -> None:
    assert not set("[]<>\n\\") & set(link_name(text))


class HTMLText(HTMLParser):
    """The characters that a reader sees; anything but text is a failure."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag == "p", f"<{tag}> came out of plain text"

    @classmethod
    def of(cls, markup: str) -> str:
        parser = cls()
        parser.feed(markup)
        parser.close()
        return parser.text


@pytest.mark.parametrize(
    ("website", "shown"),
    [
        ("https://x.example/a>b <script>", "<https://x.example/a%3Eb%20%3Cscript%3E>"),
        ("https://x.example/\u202e\n# 제목", "<https://x.example/%E2%80%AE%0A#%20%EC%A0%9C%EB%AA%A9>"),
        ("javascript:alert(1)", ""),
    ],
)
@pytest.mark.django_db
def test_no_website_leaves_its_place_in_the_markdown_twin(website: str, shown: str, client: Client) -> None:
    unit = make_unit(website=website)
    lines = text_of(client, f"{unit.get_absolute_url()}.md").splitlines()
    assert [line for line in lines if "website" in line] == ([f"- website: {shown}"] if shown else [])
    assert not any(line.startswith("# 제목") for line in lines)


@pytest.mark.parametrize(
    "url",
    [
        "https://x.example/'onclick='alert(1)",
        "https://x.example/](javascript:alert(1))[`*_",
        "https://x.example/%E2%80%AE%3Cscript%3E",
        "https://x.example/</script&amp;lt;",
    ],
)
@pytest.mark.django_db
def test_no_source_address_leaves_its_place_on_the_page_and_in_the_twin(url: str, client: Client) -> None:
    unit = make_unit()
    with suppress(IntegrityError), transaction.atomic():  # what the database itself refuses stands nowhere
        Unit.objects.filter(pk=unit.pk).update(source_urls=[url])
    stored = Unit.objects.get(pk=unit.pk).source_urls
    path = unit.get_absolute_url()
    section = re.search(r'<section aria-labelledby="sources">.*?</section>', text_of(client, path), re.DOTALL)
    shown = re.findall(
        r'<a href="([^"]*)" rel="noopener nofollow">([^<]*)</a>', section[0] if section else ""
    )
    assert [unescape(href) for href, _text in shown] == stored
    assert "\u202e" not in str(section)
    lines = [line for line in text_of(client, f"{path}.md").splitlines() if "x.example" in line]
    assert lines == [f"- <{iri_to_uri(one)}>" for one in stored]
    check_page(text_of(client, path))
    (data,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', text_of(client, path), re.S)
    said = [one["url"] for one in json.loads(data)["@graph"][0].get("citation", ())]
    assert said == stored
