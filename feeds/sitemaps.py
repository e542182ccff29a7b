"""The sitemap: every indexable page and nothing else, as a publication."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from django.conf import settings
from django.utils import timezone

from ask.models import Answer
from knowledge.models import Unit
from knowledge.publications import Definition, shelf
from knowledge.publications.registry import Records

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def pages(now: datetime) -> list[tuple[str, str]]:
    """``(path, lastmod)`` of every indexable page; an empty lastmod where nothing says when it changed."""
    return [("/", ""), *_units(), *_answers()]


def _units() -> Iterator[tuple[str, str]]:
    rows = Unit.objects.published().order_by("prefix", "slug").values_list("prefix", "slug", "updated_at")
    for prefix, slug, updated_at in rows:
        yield f"/{prefix}/{slug}", _lastmod(updated_at)


def _answers() -> Iterator[tuple[str, str]]:
    for answer in Answer.objects.indexable().select_related("current").order_by("pk"):
        if answer.current is not None:
            yield answer.get_absolute_url(), _lastmod(answer.current.generated_at)


def _lastmod(moment: datetime) -> str:
    return timezone.localtime(moment).isoformat(timespec="seconds")


def render(records: Records, built_at: datetime) -> bytes:
    """One ``urlset``."""
    root = Element("urlset", xmlns=NAMESPACE)
    for path, lastmod in records:
        url = SubElement(root, "url")
        SubElement(url, "loc").text = f"{settings.BASE_URL}{path}"
        if lastmod:
            SubElement(url, "lastmod").text = lastmod
    body: Any = tostring(root, encoding="utf-8", xml_declaration=True)
    return bytes(body)


SITEMAP = Definition(
    name="sitemap",
    scopes=frozenset({"entity", "topic", "event", "answer"}),
    records=pages,
    body=render,
    content_type="application/xml",
)


def page_count() -> int:
    """How many URLs the sitemap has; 0 while this process has no copy. Never waits for the database."""
    return shelf.get(SITEMAP.name).count if SITEMAP.name in shelf else 0


def unit_counts() -> dict[str, int]:
    """Published units by index, from memory."""
    return {name: shelf.get(name).count for name in ("entities", "topics", "events")}
