"""What outside validators would say, in words of our own: the sitemap's schema, the W3C's feed rules, schema.org."""

import io
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from email.utils import parsedate_to_datetime
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
import xmlschema
from django.conf import settings
from django.test import Client
from django.utils import timezone

from archive.days import yesterday
from archive.rehearsal import rehearse
from feeds import sitemaps
from tests.factories.world import World
from tests.feeds.surfaces import rebuild, text_of

pytestmark = pytest.mark.django_db

# The protocol of sitemaps.org, as a schema: which elements in which order, how many, and what each may hold.
SITEMAP_SCHEMA = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
  targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <xs:simpleType name="address">
    <xs:restriction base="xs:anyURI">
      <xs:minLength value="12"/><xs:maxLength value="2048"/><xs:pattern value="https?://.*"/>
    </xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="moment"><xs:union memberTypes="xs:date xs:dateTime"/></xs:simpleType>
  <xs:simpleType name="frequency">
    <xs:restriction base="xs:string">
      <xs:enumeration value="always"/><xs:enumeration value="hourly"/><xs:enumeration value="daily"/>
      <xs:enumeration value="weekly"/><xs:enumeration value="monthly"/><xs:enumeration value="yearly"/>
      <xs:enumeration value="never"/>
    </xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="weight">
    <xs:restriction base="xs:decimal"><xs:minInclusive value="0"/><xs:maxInclusive value="1"/></xs:restriction>
  </xs:simpleType>
  <xs:element name="urlset"><xs:complexType><xs:sequence>
    <xs:element name="url" maxOccurs="50000"><xs:complexType><xs:sequence>
      <xs:element name="loc" type="address"/>
      <xs:element name="lastmod" type="moment" minOccurs="0"/>
      <xs:element name="changefreq" type="frequency" minOccurs="0"/>
      <xs:element name="priority" type="weight" minOccurs="0"/>
    </xs:sequence></xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>
  <xs:element name="sitemapindex"><xs:complexType><xs:sequence>
    <xs:element name="sitemap" maxOccurs="50000"><xs:complexType><xs:sequence>
      <xs:element name="loc" type="address"/>
      <xs:element name="lastmod" type="moment" minOccurs="0"/>
    </xs:sequence></xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>"""


@pytest.fixture
def city(stopped_clock: object, world: World) -> World:
    """The world with three days of the city, so that every kind of entry is there."""
    list(rehearse(3, until=yesterday(timezone.now())))
    rebuild()
    return world


def test_the_sitemap_keeps_to_its_schema_alone_and_in_parts(
    client: Client, city: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = xmlschema.XMLSchema(SITEMAP_SCHEMA)
    whole = client.get("/sitemap.xml").content
    schema.validate(io.BytesIO(whole))
    assert len(whole) < 50 * 1024 * 1024
    for wrong in (
        whole.replace(b"<lastmod>", b"<lastmod>yesterday ", 1),
        whole.replace(b"<loc>http", b"<loc>gopher", 1),
    ):
        assert not schema.is_valid(io.BytesIO(wrong)), "a schema that takes everything proves nothing"
    monkeypatch.setattr(sitemaps, "URLS_MAX", 10)
    rebuild()
    schema.validate(io.BytesIO(client.get("/sitemap.xml").content))
    schema.validate(io.BytesIO(client.get("/sitemap-1.xml").content))


CHANNEL = {"title", "link", "description", "language", "lastBuildDate", "ttl", "docs", "generator", "item"}
ITEM = {"title", "link", "description", "guid", "pubDate", "category"}
ATOM, CONTENT, DUBLIN_CORE = (
    "{http://www.w3.org/2005/Atom}",
    "{http://purl.org/rss/1.0/modules/content/}",
    "{http://purl.org/dc/elements/1.1/}",
)


def test_the_feed_keeps_the_rules_of_the_w3cs_validator(client: Client, city: World) -> None:
    response = client.get("/rss.xml")
    assert response.content.startswith(b"<?xml version='1.0' encoding='UTF-8'?>")
    root = ElementTree.fromstring(response.content)
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    (channel,) = root
    assert {child.tag for child in channel} <= CHANNEL | {f"{ATOM}link"}
    for name in CHANNEL - {"item"}:
        assert len(channel.findall(name)) == 1, name
    (self_link,) = channel.findall(f"{ATOM}link[@rel='self']")
    assert self_link.get("href") == f"{settings.BASE_URL}/rss.xml"
    assert self_link.get("type") == response.headers["Content-Type"].partition(";")[0]
    assert int(channel.findtext("ttl") or 0) > 0
    check_date(channel.findtext("lastBuildDate") or "")
    items = channel.findall("item")
    guids = [item.findtext("guid") for item in items]
    assert len(items) == len(set(guids)) >= 9
    for item in items:
        check_item(item)


def check_item(item: ElementTree.Element) -> None:
    tags = [child.tag for child in item]
    assert set(tags) <= ITEM | {f"{CONTENT}encoded", f"{DUBLIN_CORE}creator"}
    assert len(tags) == len(set(tags)), "each at most once"
    title, link, guid = (item.findtext(name) or "" for name in ("title", "link", "guid"))
    assert title
    assert not re.search(r"[<>]|&\w+;", title), "titles are text"
    assert urlsplit(link).scheme in ("http", "https")
    assert urlsplit(link).netloc
    assert guid
    assert item.find("guid").get("isPermaLink") == "false"  # type: ignore[union-attr]
    check_date(item.findtext("pubDate") or "")
    check_html(item.findtext("description") or "")
    check_html(item.findtext(f"{CONTENT}encoded") or "")


def check_date(text: str) -> None:
    """RFC 822 with a four-digit year and the right weekday, and not in the future."""
    assert re.fullmatch(
        r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}", text
    )
    moment = parsedate_to_datetime(text)
    assert moment.strftime("%a") == text[:3]
    assert moment < timezone.now() + timedelta(minutes=5)


class Elements(HTMLParser):
    """Balanced, harmless HTML whose addresses are absolute, as readers ask for."""

    OPEN_ENDED = frozenset({"br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ("p", "a", "sup", "ul", "ol", "li", "strong", "em", "code", "br", "blockquote", "h3"), (
            tag
        )
        for name, value in attrs:
            assert name in ("href", "title", "id", "rel", "lang", "class"), name
            assert name != "href" or (value or "").startswith(("http://", "https://")), value
        if tag not in self.OPEN_ENDED:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_html(text: str) -> None:
    assert text.strip()
    parser = Elements()
    parser.feed(text)
    parser.close()
    assert parser.open == []


def test_the_feed_does_not_change_while_nothing_does(client: Client, city: World) -> None:
    first = client.get("/rss.xml")
    rebuild()
    again = client.get("/rss.xml")
    assert again.content == first.content
    assert again.headers["ETag"] == first.headers["ETag"]


THING = {
    "name",
    "url",
    "description",
    "identifier",
    "alternateName",
    "sameAs",
    "disambiguatingDescription",
    "mainEntity",
    "subjectOf",
}
WORK = THING | {
    "inLanguage",
    "publisher",
    "dateModified",
    "dateCreated",
    "datePublished",
    "author",
    "about",
    "text",
    "citation",
    "license",
    "creditText",
    "creator",
    "isAccessibleForFree",
    "isBasedOn",
    "isPartOf",
    "hasPart",
    "temporalCoverage",
    "keywords",
    "version",
}
# What schema.org defines for each type that may stand on a page here, with what it inherits.
VOCABULARY = {
    "WebSite": WORK | {"potentialAction"},
    "WebPage": WORK | {"breadcrumb"},
    "CreativeWork": WORK,
    "CollectionPage": WORK | {"breadcrumb"},
    "Question": WORK | {"answerCount", "acceptedAnswer", "suggestedAnswer"},
    "Answer": WORK,
    "Dataset": WORK | {"distribution", "includedInDataCatalog", "variableMeasured"},
    "PropertyValue": THING | {"value", "unitText"},
    "DataCatalog": WORK | {"dataset"},
    "DataDownload": WORK | {"contentUrl", "encodingFormat", "contentSize", "sha256"},
    "BreadcrumbList": THING | {"itemListElement", "numberOfItems", "itemListOrder"},
    "ItemList": THING | {"itemListElement", "numberOfItems", "itemListOrder"},
    "ListItem": THING | {"position", "item"},
    "SearchAction": THING | {"target", "query", "query-input"},
    "EntryPoint": THING | {"urlTemplate"},
    "Organization": THING | {"email", "contactPoint", "logo"},
    "Person": THING | {"jobTitle"},
    "Event": THING | {"startDate", "endDate", "about", "location", "organizer"},
    "DefinedTerm": THING | {"inDefinedTermSet", "termCode"},
    "DefinedTermSet": WORK | {"hasDefinedTerm"},
    "Place": THING,
}
REQUIRED = {
    "ListItem": {"position"},
    "Question": {"name"},
    "Answer": {"text"},
    "Dataset": {"name", "description"},
}
LINKED_DATA = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object with a type, wherever it stands."""
    if isinstance(value, list):
        for each in value:
            yield from nodes(each)
    elif isinstance(value, dict):
        if "@type" in value:
            yield value
        for each in value.values():
            yield from nodes(each)


def test_linked_data_uses_only_what_schema_org_defines(client: Client, city: World) -> None:
    units = (city.asset, city.topic, city.event, city.person, city.persona)
    day = f"/city/{yesterday(timezone.now())}"
    found: set[str] = set()
    for path in ("/", "/asset", "/city", day, city.answer, *(unit.get_absolute_url() for unit in units)):
        blocks = LINKED_DATA.findall(text_of(client, path))
        assert blocks, path
        for block in blocks:
            said = json.loads(block)
            assert said["@context"] == "https://schema.org"
            for node in nodes(said):
                kind = node["@type"]
                found.add(kind)
                assert node.keys() - {"@type", "@id", "@context"} <= VOCABULARY[kind], (path, kind)
                assert node.keys() >= REQUIRED.get(kind, set()), (path, kind)
                for name in ("url", "@id", "sameAs", "contentUrl", "license"):
                    assert str(node.get(name, "https://")).startswith(("http://", "https://")), (path, name)
    assert found >= {"WebSite", "WebPage", "Question", "Answer", "Dataset", "DefinedTerm", "Event", "Person"}
