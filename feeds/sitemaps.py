"""The sitemap: every indexable page and nothing else, as a publication."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from django.conf import settings
from django.utils import timezone

from archive.models import Snapshot
from ask.models import Answer
from knowledge.languages import english_path
from knowledge.models import PREFIXES, Series, Unit
from knowledge.publications import Definition, PublicationGroup, StoredBody, publication_cache
from knowledge.publications.bodies import ready_body
from knowledge.publications.registry import Records

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
CONTENT_TYPE = "application/xml"
URLS_MAX = 50_000  # the protocol's own limit of one file
COUNTED = ("entities", "topics", "events")  # the indexes whose units pages count
STANDING_PAGES = ("/", "/ask", "/numbers", "/pulses", "/about", "/terms", "/docs", "/status")


def pages(_now: datetime) -> list[tuple[str, str]]:
    """``(address, lastmod)`` of every indexable page; an empty lastmod where nothing says when it changed.

    An address is site-relative.
    """
    standing = [*STANDING_PAGES, *(f"/{prefix}" for prefix in PREFIXES)]
    in_both = (each for path in standing for each in _in_both_languages(path))
    return [*in_both, *_units(), *_numbers(), *_answers(), *_days()]


def _in_both_languages(path: str, lastmod: str = "") -> Iterator[tuple[str, str]]:
    yield path, lastmod
    yield english_path(path), lastmod


def _units() -> Iterator[tuple[str, str]]:
    """Each, and the English page of those that have an English title."""
    # All pages of a kind have a twin, and each look at the URL conf takes a tenth of a millisecond.
    twins = {prefix: english_path(f"/{prefix}/any").removesuffix("any") for prefix in PREFIXES}
    rows = Unit.objects.published().order_by("prefix", "slug")
    for prefix, slug, title, updated_at in rows.values_list("prefix", "slug", "label_en", "updated_at"):
        lastmod = _lastmod(updated_at)
        yield f"/{prefix}/{slug}", lastmod
        if title:
            yield f"{twins[prefix]}{slug}", lastmod


def _numbers() -> Iterator[tuple[str, str]]:
    """Their values change by the minute, so no lastmod says what a crawler should act on."""
    for slug in Series.objects.public().order_by("slug").values_list("slug", flat=True):
        yield from _in_both_languages(f"/number/{slug}")


def _answers() -> Iterator[tuple[str, str]]:
    for answer in Answer.objects.indexable().select_related("current").order_by("pk"):
        if answer.current is not None:
            yield answer.get_absolute_url(), _lastmod(answer.current.generated_at)


def _days() -> Iterator[tuple[str, str]]:
    """The city's pages, where they are of this host: a sitemap may not speak for another."""
    if settings.CITY_URL != settings.BASE_URL:
        return
    days = list(Snapshot.objects.published().defer("facts"))
    yield from _in_both_languages("/city", _lastmod(days[0].sealed_at) if days else "")
    # A day's English page keeps the Korean reflection, and is kept out of search engines.
    for day in days:
        yield day.get_absolute_url(), _lastmod(day.sealed_at)


def _lastmod(moment: datetime) -> str:
    return timezone.localtime(moment).isoformat(timespec="seconds")


def render(records: Records, _built_at: datetime) -> bytes:
    """One ``urlset``; beyond its limit an index of the files that ``part`` gives."""
    if len(records) <= URLS_MAX:
        return urlset(records)
    root = Element("sitemapindex", xmlns=NAMESPACE)
    for number in range(1, -(-len(records) // URLS_MAX) + 1):
        SubElement(SubElement(root, "sitemap"), "loc").text = f"{settings.BASE_URL}/sitemap-{number}.xml"
    return _document(root)


def urlset(records: Sequence[tuple[str, str]]) -> bytes:
    root = Element("urlset", xmlns=NAMESPACE)
    for path, lastmod in records:
        url = SubElement(root, "url")
        SubElement(url, "loc").text = f"{settings.BASE_URL}{path}"
        if lastmod:
            SubElement(url, "lastmod").text = lastmod
    return _document(root)


def _document(root: Element) -> bytes:
    body: Any = tostring(root, encoding="utf-8", xml_declaration=True)
    return bytes(body)


SITEMAP = Definition(
    name="sitemap",
    group=PublicationGroup.CRAWLERS,
    scopes=frozenset({"entity", "topic", "event", "held_series", "answer", "archive"}),
    records=pages,
    body=render,
    content_type=CONTENT_TYPE,
)
_parts: dict[int, tuple[StoredBody, StoredBody]] = {}


def part(number: int) -> StoredBody | None:
    """The ``number``-th file (from 1) of a sitemap that needs several; None where there is no such file.

    Made on the first request after a change and kept until the next one.
    """
    whole = publication_cache.get(SITEMAP.name)
    if whole.count <= URLS_MAX or not 1 <= number <= -(-whole.count // URLS_MAX):
        return None
    kept = _parts.get(number)
    if kept is None or kept[0] is not whole:
        rows = pages(whole.built_at)[(number - 1) * URLS_MAX : number * URLS_MAX]
        kept = _parts[number] = (
            whole,
            ready_body(urlset(rows), content_type=CONTENT_TYPE, built_at=whole.built_at),
        )
    return kept[1]


def page_count() -> int:
    """How many URLs the sitemap has; 0 while this process has no copy. Never waits for the database."""
    return publication_cache.get(SITEMAP.name).count if SITEMAP.name in publication_cache else 0


def unit_counts() -> dict[str, int]:
    """Published units by index, from memory."""
    return {name: publication_cache.get(name).count for name in COUNTED}
