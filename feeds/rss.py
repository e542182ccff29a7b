"""RSS: how one is built, what an entry says of each kind of record, and ``/rss.xml``, what is new, as a publication.

An entry is dated by when it was published here, so that a reader that sorts by date shows what is new; the record's own
date, which may lie years back, stands in its text.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple, NotRequired, TypedDict

from django.conf import settings
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from feedgen.feed import FeedGenerator

from archive.models import Snapshot
from ask.models import Answer, Mode
from ask.rendering import as_html
from feeds.status import installed_at
from feeds.texts import feed_title, plain
from knowledge.models import AI_PERSONA, PersonaPost, Pulse, Unit
from knowledge.publications import Definition, PublicationGroup
from knowledge.publications.registry import Records
from knowledge.queries.amounts import dated
from knowledge.queries.listings import latest_events, newest_posts, newest_pulses
from knowledge.times import iso_kst

ITEMS_MAX = 100
TTL_MINUTES = 15
LINK_TYPE = "application/rss+xml"
CONTENT_TYPE = f"{LINK_TYPE}; charset=utf-8"
EVENT = "사건"


class Item(TypedDict):
    """One entry. ``id`` never changes; ``link`` is absolute; ``html`` is escaped. ``at`` is when it was published here,
    ``own`` the record's own time where that is another, both in RFC 3339."""

    id: str
    link: str
    title: str
    summary: str
    html: str
    at: str
    own: NotRequired[str]
    category: str
    author: NotRequired[str]


class Channel(NamedTuple):
    """A feed: ``path`` is its own address and ``page`` that of the page which it follows, both within this site."""

    path: str
    page: str
    title: str
    description: str


MAIN = Channel(
    "/rss.xml",
    "/",
    "새 소식",
    "한국 크립토의 사건과 펄스, 출처가 달린 답변, AI 페르소나의 글, 가상 도시의 하루",
)


def items(_now: datetime) -> Records:
    """The newest entries of every kind, at most a hundred."""
    events = map(event_item, latest_events(ITEMS_MAX))
    pulses = map(pulse_item, newest_pulses(ITEMS_MAX))
    posts = map(post_item, newest_posts(ITEMS_MAX))
    return newest([*events, *pulses, *_answers(), *posts, *_days()], ITEMS_MAX)


def newest(found: Iterable[Item], most: int) -> list[Item]:
    """The newest of these entries, in an order that is always the same: of one moment the one whose own is latest."""
    by_id = sorted(found, key=lambda item: item["id"])
    return sorted(by_id, key=_moments, reverse=True)[:most]


def _moments(item: Item) -> tuple[datetime, datetime]:
    return datetime.fromisoformat(item["at"]), datetime.fromisoformat(item.get("own", item["at"]))


def event_item(event: Unit) -> Item:
    assert event.occurred_at is not None
    assert event.public_since is not None
    day, about = dated(timezone.localtime(event.occurred_at).date()), event.summary or event.label
    return Item(
        id=event.public_id,
        link=f"{settings.BASE_URL}{event.get_absolute_url()}",
        title=event.label,
        summary=f"{day} — {about}",
        html=paragraphs(day, about),
        at=iso_kst(event.public_since),
        own=iso_kst(event.occurred_at),
        category=EVENT,
    )


def pulse_item(pulse: Pulse) -> Item:
    assert pulse.asset.public_since is not None
    sign = "▲" if pulse.magnitude_pct > 0 else "▼"
    return Item(
        id=pulse.public_id,
        link=f"{settings.BASE_URL}{pulse.asset.get_absolute_url()}",
        title=f"{pulse.asset.label} {sign} {pulse.magnitude_pct:+.1f}{pulse.unit}",
        summary=pulse.summary,
        html=paragraphs(pulse.summary, pulse.summary_en),
        # Of a move in bars of an earlier time nobody could read here before its asset was public.
        at=iso_kst(max(pulse.detected_at, pulse.asset.public_since)),
        own=iso_kst(pulse.detected_at),
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


def post_item(post: PersonaPost) -> Item:
    """A persona's opinion: who wrote it stands in the title, that it is no human in every part of the entry."""
    assert post.public_since is not None
    persona, disclosure = post.persona, post.persona.disclosed
    day = dated(timezone.localtime(post.published_at).date())
    return Item(
        id=f"post:{persona.entity.slug}/{post.slug}",
        link=f"{settings.BASE_URL}{post.get_absolute_url()}",
        title=f"{persona.byline}: {post.body[:60]}",
        summary=f"{disclosure} — {day} — {post.body[:240]}",
        html=paragraphs(f"{persona.glyph} {disclosure}", day, *post.body.split("\n")),
        at=iso_kst(post.public_since),
        own=iso_kst(post.published_at),
        category=AI_PERSONA,
        author=persona.byline,
    )


def _days() -> Iterator[Item]:
    began = installed_at()
    for day in Snapshot.objects.published()[:ITEMS_MAX]:
        reflection = str(day.facts.get("reflection", "") or "") if isinstance(day.facts, dict) else ""
        rehearsal = " (예행)" if day.rehearsal else ""
        yield Item(
            id=f"city:{day.day.isoformat()}",
            link=f"{settings.CITY_URL}{day.get_absolute_url()}",
            title=f"{day.day:%Y-%m-%d} 도시의 하루{rehearsal}",
            summary=reflection or str(day.get_status_display()),
            html=paragraphs(reflection or str(day.get_status_display())),
            # A rehearsed day tells a seal of an earlier time than anybody could read it here.
            at=iso_kst(max(day.sealed_at, began) if began else day.sealed_at),
            own=iso_kst(day.sealed_at),
            category="도시",
        )


def paragraphs(*texts: str) -> str:
    return "".join(format_html("<p>{}</p>", plain(text)) for text in texts if text.strip())


def render(records: Records, built_at: datetime) -> bytes:
    return rendered(MAIN, records, built_at)


def rendered(channel: Channel, records: Iterable[Item], built_at: datetime) -> bytes:
    """RSS 2.0. The build date is the newest entry's, so that equal entries give equal bytes, or ``built_at``."""
    found = list(records)
    feed = FeedGenerator()
    rehearsed = " · 연습용 데이터" if settings.REHEARSAL else ""
    feed.title(feed_title(f"{settings.SERVICE_NAME} · {channel.title}{rehearsed}"))
    feed.description(plain(channel.description))
    feed.language("ko")
    feed.id(settings.BASE_URL)
    feed.link(href=f"{settings.BASE_URL}{channel.path}", rel="self", type=LINK_TYPE)
    # feedgen takes the last link for the channel's own.
    feed.link(href=f"{settings.BASE_URL}{channel.page}", rel="alternate")
    feed.ttl(TTL_MINUTES)
    feed.lastBuildDate(max((datetime.fromisoformat(item["at"]) for item in found), default=built_at))
    for item in found:
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
    group=PublicationGroup.CRAWLERS,
    scopes=frozenset({"event", "entity", "pulse", "answer", "post", "archive"}),
    records=items,
    body=render,
    content_type=CONTENT_TYPE,
)
