"""Hostile texts on every surface: shown as what they are, and nothing more (R20 at the level of formats)."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from feeds.linked_data import script
from feeds.texts import link_name, markdown, plain
from knowledge.models import Mention, UnitType
from tests.browser.world import World
from tests.factories.knowledge import make_document, make_source, make_unit
from tests.feeds.surfaces import rebuild, text_of

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    "<svg/onload=alert(1)>",
    "{{ 7*7 }}{% debug %}",
    "[눌러](javascript:alert(1))",
    "![x](http://evil.example/x.png)",
    "</title><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    "<!--<script>alert(1)</script>-->",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\u202e\u2066뒤집힘\u2069",
    "\u200b보이지\ufeff않음",
    "# 제목\n\n- 목록\n> 인용",
    "\x01\x08\x0b제어\x1f",
    "javascript:alert(1)",
    "`코드` *강조* **굵게** ~~취소~~ | 표 |",
    "\u2028줄\u2029단락",
    "𝕊 \ufdd0\uffff 👩‍👩‍👧",
]


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


@pytest.mark.django_db
def test_hostile_texts_do_nothing_on_any_surface(client: Client, world: World) -> None:
    source = make_source("hostile", name=HOSTILE[2], url="https://hostile.example/rss")
    for number, text in enumerate(HOSTILE):
        kind = (UnitType.ASSET, UnitType.TOPIC, UnitType.EVENT)[number % 3]
        at = timezone.now() if kind == UnitType.EVENT else None
        unit = make_unit(
            f"hostile-{number}",
            text,
            type=kind,
            summary=f"{text} 요약 {text}",
            summary_en=text,
            occurred_at=at,
            symbol=text[:20],
        )
        document = make_document(
            source,
            str(number),
            title=text,
            summary=text,
            content_sha256=f"h{number}",
            url=f"https://hostile.example/{number}?a=\"'<>",
        )
        Mention.objects.create(document=document, unit=unit, start=0, end=1, surface="x")
    rebuild()
    for number, text in enumerate(HOSTILE):
        prefix = ("asset", "topic", "event")[number % 3]
        check_page(text_of(client, f"/{prefix}/hostile-{number}"))
        rendered = MarkdownIt("commonmark").render(text_of(client, f"/{prefix}/hostile-{number}.md"))
        check_page(rendered)
        check_page(client.get("/search", {"q": text or "x"}).content.decode())
        check_page(client.get(f"/asset/{text.replace('/', '')}").content.decode())
    for path in ("/", "/asset", "/topic", "/event"):
        check_page(text_of(client, path))
    for path in ("/rss.xml", "/sitemap.xml"):
        ElementTree.fromstring(client.get(path).content)
    for path in ("/api/canonical/entities.json", "/api/canonical/topics.json", "/api/canonical/events.json"):
        json.loads(client.get(path).content)
    check_page(MarkdownIt("commonmark").render(text_of(client, "/llms-full.txt")))


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
