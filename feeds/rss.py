"""``/rss.xml``: what is new, newest first, as a publication."""

from collections.abc import Iterator
from datetime import datetime
from typing import NotRequired, TypedDict

from django.conf import settings
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from feedgen.feed import FeedGenerator

from archive.models import Snapshot
from ask.models import Answer, Mode
from ask.rendering import as_html
from feeds.texts import feed_title, plain
from knowledge.models import AI_PERSONA
from knowledge.publications import Definition
from knowledge.publications.registry import Records
from knowledge.queries.listings import newest_events, newest_posts, newest_pulses
from knowledge.queries.records import ai_disclosure
from knowledge.times import iso_kst

ITEMS_MAX = 100
TTL_MINUTES = 15


class Item(TypedDict):
    """One entry. ``id`` never changes; ``link`` is absolute; ``html`` is escaped; ``at`` is RFC 3339."""

    id: str
    link: str
    title: str
    summary: str
    html: str
    at: str
    category: str
    author: NotRequired[str]


def items(_now: datetime) -> Records:
    """The newest entries of every kind, at most a hundred."""
    found = [*_events(), *_pulses(), *_answers(), *_posts(), *_days()]
    found.sort(key=lambda item: item["id"])
    found.sort(key=lambda item: datetime.fromisoformat(item["at"]), reverse=True)
    return found[:ITEMS_MAX]


def _events() -> Iterator[Item]:
    for event in newest_events(ITEMS_MAX):
        assert event.occurred_at is not None
        yield Item(
            id=event.public_id,
            link=f"{settings.BASE_URL}{event.get_absolute_url()}",
            title=event.label,
            summary=event.summary,
            html=_paragraphs(event.summary or event.label),
            # What is announced for a later day is news of the day on which it was written down.
            at=iso_kst(min(event.occurred_at, event.created_at)),
            category="사건",
        )


def _pulses() -> Iterator[Item]:
    for pulse in newest_pulses(ITEMS_MAX):
        sign = "▲" if pulse.magnitude_pct > 0 else "▼"
        yield Item(
            id=pulse.public_id,
            link=f"{settings.BASE_URL}{pulse.asset.get_absolute_url()}",
            title=f"{pulse.asset.label} {sign} {pulse.magnitude_pct:+.1f}{pulse.unit}",
            summary=pulse.summary,
            html=_paragraphs(pulse.summary, pulse.summary_en),
            at=iso_kst(pulse.detected_at),
            category="펄스",
        )


def _answers() -> Iterator[Item]:
    answers = Answer.objects.indexable().select_related("current").order_by("-current__generated_at", "pk")
    for answer in answers[:ITEMS_MAX]:
        version = answer.current
        assert version is not None
        link = f"{settings.BASE_URL}{answer.get_absolute_url()}"
        quoted = version.mode != Mode.LLM
        yield Item(
            id=f"answer:{answer.pk}",
            link=link,
            title=answer.question,
            summary=version.body[:300],
            html=as_html(version.body, len(version.citations), quoted=quoted, page=link),
            at=iso_kst(version.generated_at),
            category="답변",
        )


def _posts() -> Iterator[Item]:
    for post in newest_posts(ITEMS_MAX):
        persona = post.persona
        disclosure = ai_disclosure(persona.disclosure)
        yield Item(
            id=f"post:{persona.entity.slug}/{post.slug}",
            link=f"{settings.BASE_URL}{persona.entity.get_absolute_url()}#post-{post.slug}",
            title=f"{persona.byline}: {post.body[:60]}",
            summary=f"{disclosure} — {post.body[:240]}",
            html=_paragraphs(f"{persona.glyph} {disclosure}", *post.body.split("\n")),
            at=iso_kst(post.published_at),
            category=AI_PERSONA,
            author=persona.byline,
        )


def _days() -> Iterator[Item]:
    for day in Snapshot.objects.published()[:ITEMS_MAX]:
        reflection = str(day.facts.get("reflection", "") or "") if isinstance(day.facts, dict) else ""
        rehearsal = " (예행)" if day.rehearsal else ""
        yield Item(
            id=f"city:{day.day.isoformat()}",
            link=f"{settings.CITY_URL}{day.get_absolute_url()}",
            title=f"{day.day:%Y-%m-%d} 도시의 하루{rehearsal}",
            summary=reflection or str(day.get_status_display()),
            html=_paragraphs(reflection or str(day.get_status_display())),
            at=iso_kst(day.sealed_at),
            category="도시",
        )


def _paragraphs(*texts: str) -> str:
    return "".join(format_html("<p>{}</p>", plain(text)) for text in texts if text.strip())


def render(records: Records, built_at: datetime) -> bytes:
    """RSS 2.0. The build date is the newest entry's, so that equal entries give equal bytes."""
    feed = FeedGenerator()
    feed.title(feed_title(f"{settings.SERVICE_NAME} · 새 소식"))
    feed.description("한국 크립토의 사건과 펄스, 출처가 달린 답변, AI 페르소나의 글, 가상 도시의 하루")
    feed.language("ko")
    feed.id(settings.BASE_URL)
    feed.link(href=f"{settings.BASE_URL}/rss.xml", rel="self", type="application/rss+xml")
    # feedgen takes the last link for the channel's own.
    feed.link(href=f"{settings.BASE_URL}/", rel="alternate")
    feed.ttl(TTL_MINUTES)
    feed.lastBuildDate(max((datetime.fromisoformat(item["at"]) for item in records), default=built_at))
    for item in records:
        _add(feed, item)
    body: bytes = feed.rss_str()
    return body


def _add(feed: FeedGenerator, item: Item) -> None:
    entry = feed.add_entry(order="append")
    entry.guid(f"{settings.SERVICE_SLUG}:{item['id']}", permalink=False)
    entry.title(feed_title(item["title"]))
    entry.link(href=item["link"])
    # Readers take a description for HTML.
    entry.description(str(escape(plain(item["summary"] or item["title"]))))
    entry.content(str(SafeString(item["html"])), type="html")
    entry.pubDate(datetime.fromisoformat(item["at"]))
    entry.category(term=item["category"])
    if "author" in item:
        # RSS's own author is a mail address, which a persona has not.
        entry.load_extension("dc")
        entry.dc.dc_creator(plain(item["author"]))


RSS = Definition(
    name="rss",
    for_crawlers=True,
    scopes=frozenset({"event", "entity", "pulse", "answer", "post", "archive"}),
    records=items,
    body=render,
    content_type="application/rss+xml; charset=utf-8",
)
