"""Feeds to follow: one of each unit, of each list of units, and of the pulses.

They hold what their page shows, the newest first, at most fifty entries. Of a document that is its title, its outlet
and the way to the original; of outlets that object to lists which are handed out, nothing.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

from django.conf import settings
from django.utils import timezone
from django.utils.html import format_html

from feeds.rss import Channel, Item, event_item, newest, paragraphs, post_item, pulse_item, rendered
from feeds.texts import plain
from knowledge.models import PREFIX_LABELS, Document, Unit, UnitType
from knowledge.queries.listings import latest_events, newest_posts, newest_pulses, newest_units
from knowledge.queries.units import documents_about, events_about, persona_of, posts_about, pulses_of
from knowledge.times import iso_kst

ITEMS_MAX = 50
# What tells that a unit's feed may be another.
SCOPES = frozenset({"entity", "topic", "event", "pulse", "post", "documents"})
OF_PULSES = frozenset({"pulse", "entity"})
PULSES = Channel("/pulses.xml", "/pulses", "펄스", "자산 가격과 김치 프리미엄이 갑자기 움직인 기록과 그 출처")
# Of a feed without entries: a moment that stays the same.
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def feed_of(unit: Unit) -> bytes:
    """What documents say of a public unit, its events, its pulses, and what AI personas write about it."""
    path, persona = unit.get_absolute_url(), persona_of(unit)
    about = unit.summary or unit.label
    described = f"{persona.glyph} {persona.disclosed} — {about}" if persona else about
    channel = Channel(f"{path}.xml", path, unit.label, described)
    return rendered(channel, newest(_items_of(unit), ITEMS_MAX), unit.updated_at)


def _items_of(unit: Unit) -> Iterator[Item]:
    yield from map(_document_item, _handed_out(documents_about(unit, ITEMS_MAX)))
    if unit.type == UnitType.EVENT:
        yield event_item(unit)
    else:
        yield from map(event_item, events_about(unit).latest_first()[:ITEMS_MAX])
    yield from map(pulse_item, pulses_of(unit).select_related("asset")[:ITEMS_MAX])
    yield from map(post_item, posts_about(unit)[:ITEMS_MAX])


def _handed_out(documents: list[Document]) -> Iterator[Document]:
    return (document for document in documents if document.source.in_bulk)


def _document_item(document: Document) -> Item:
    title, url = plain(document.title), plain(document.url)
    published = document.published_at
    parts = (
        document.get_kind_display(),
        document.source.name,
        *([f"{timezone.localtime(published):%Y-%m-%d %H:%M} KST"] if published else []),
    )
    said = " · ".join(map(str, parts))
    return Item(
        id=f"document:{document.pk}",
        link=url,
        title=title,
        summary=said,
        html=paragraphs(said) + format_html('<p><a href="{}">{}</a></p>', url, title),
        at=iso_kst(document.fetched_at),
        own=iso_kst(published or document.fetched_at),
        category=str(document.get_kind_display()),
    )


def feed_of_list(prefix: str) -> bytes:
    """The units under a prefix that became public last.

    Among creators stand the posts of those that are AI personas.
    """
    label = str(PREFIX_LABELS[prefix])
    channel = Channel(f"/{prefix}.xml", f"/{prefix}", label, f"{settings.SERVICE_NAME}의 새 {label}")
    return rendered(channel, newest(_items_under(prefix), ITEMS_MAX), _NEVER)


def _items_under(prefix: str) -> Iterator[Item]:
    if prefix == UnitType.EVENT:
        yield from map(event_item, latest_events(ITEMS_MAX))
        return
    yield from map(_unit_item, newest_units(prefix, ITEMS_MAX))
    if prefix == UnitType.CREATOR:
        yield from map(post_item, newest_posts(ITEMS_MAX))


def scopes_of_list(prefix: str) -> frozenset[str]:
    """What tells that the feed of a list may be another."""
    own = prefix if prefix in (UnitType.TOPIC, UnitType.EVENT) else "entity"
    return frozenset({own, "post"} if prefix == UnitType.CREATOR else {own})


def _unit_item(unit: Unit) -> Item:
    persona = persona_of(unit)
    assert unit.public_since is not None
    disclosed = (f"{persona.glyph} {persona.disclosed}",) if persona else ()
    return Item(
        id=unit.public_id,
        link=f"{settings.BASE_URL}{unit.get_absolute_url()}",
        title=f"{persona.glyph} {unit.label}" if persona else unit.label,
        summary=" — ".join((*disclosed, unit.summary or unit.label)),
        html=paragraphs(*disclosed, unit.summary or unit.label),
        at=iso_kst(unit.public_since),
        category=str(unit.get_type_display()),
    )


def feed_of_pulses() -> bytes:
    return rendered(PULSES, newest(map(pulse_item, newest_pulses(ITEMS_MAX)), ITEMS_MAX), _NEVER)
