"""Lists in pages. What is published between two of them neither repeats a record nor hides one."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from knowledge.models import (
    DocumentUnit,
    Event,
    EventUnit,
    Narrowing,
    PersonaPost,
    Pulse,
    Topic,
    Unit,
    UnitQuerySet,
    UnitType,
    survivor_key,
)
from knowledge.queries.cursors import Page, Pagination, page
from knowledge.queries.units import events_about

TOPIC_ORDERS = ("trending", "newest", "alphabetical")
EVENT_ORDERS = {"newest": ("-occurred_at", "-pk"), "oldest": ("occurred_at", "pk")}
UNITS_LISTED = 60


@dataclass(frozen=True, slots=True)
class CountedPage(Page[Unit]):
    """A page of units, and how many all its pages hold."""

    total: int = 0


def units_narrowed(to: Narrowing, *, english: bool = False, limit: int = 10, cursor: str = "") -> CountedPage:
    """The public units that are asked for, by their titles in a language, ``limit`` at a time. Raises CursorError."""
    column = "label_en" if english else "label"
    pagination = Pagination("units", (to, column))
    units = Unit.objects.published().narrowed(to)
    shown = pagination.page(units, (column, "pk"), limit, cursor)
    return CountedPage(shown.rows, shown.next_cursor, units.count())


def units_changed(
    to: Narrowing,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int = 10,
    cursor: str = "",
) -> CountedPage:
    """The public units that are asked for whose records last changed from ``since`` to before ``until``, the newest
    change first, ``limit`` at a time. Raises CursorError."""
    pagination = Pagination("units changed", (to, since, until))
    units = Unit.objects.published().narrowed(to)
    if since is not None:
        units = units.filter(updated_at__gte=since)
    if until is not None:
        units = units.filter(updated_at__lt=until)
    shown = pagination.page(units, ("-updated_at", "-pk"), limit, cursor)
    return CountedPage(shown.rows, shown.next_cursor, units.count())


def topics(
    *,
    order: str,
    now: datetime,
    window: timedelta = timedelta(days=7),
    about: Unit | None = None,
    limit: int = 10,
    cursor: str = "",
) -> Page[Unit]:
    """Public topics, ``limit`` at a time. Raises CursorError.

    ``trending``: by the number of documents published within ``window`` that name the topic (``recent_documents``
    on each row); ``newest``: last added first; ``alphabetical``: by label. ``about`` keeps topics that documents or
    events name together with a unit.
    """
    pagination = Pagination("topics", (order, window, about.pk if about else ""))
    rows: QuerySet[Unit] = Topic.objects.published()
    if about is not None:
        rows = rows.filter(_named_with(about))
    if order == "trending":
        return _trending(rows, pagination, window, now, limit, cursor)
    columns = ("-created_at", "-pk") if order == "newest" else ("label", "pk")
    return pagination.page(rows, columns, limit, cursor)


def _trending(
    rows: QuerySet[Unit], pagination: Pagination, window: timedelta, now: datetime, limit: int, cursor: str
) -> Page[Unit]:
    """The first page's time travels in the cursor: later documents count only for whoever starts anew."""
    key = pagination.key(cursor)
    asked_at = min(datetime.fromisoformat(key[0]), now) if key else now
    counted = (
        DocumentUnit.objects.filter(unit__type=UnitType.TOPIC, document__fetched_at__lte=asked_at)
        .filter(published_at__gt=asked_at - window, published_at__lte=asked_at)
        .values_list(survivor_key("unit"))
        .annotate(documents=Count("document", distinct=True))
    )
    recent = dict(counted.order_by())
    ranked = sorted((-recent.get(topic, 0), topic) for topic in rows.values_list("pk", flat=True))
    if key:
        ranked = [rank for rank in ranked if rank > (-key[1], key[2])]
    found = Topic.objects.in_bulk([topic for _documents, topic in ranked[: limit + 1]])
    shown: list[Any] = [found[topic] for _documents, topic in ranked[: limit + 1]]
    for topic in shown:
        topic.recent_documents = recent.get(topic.pk, 0)
    return page(shown, limit, lambda last: pagination.after(asked_at, last.recent_documents, last.pk))


def _named_with(unit: Unit) -> Q:
    """Units that documents or events name together with this one, themselves or by one merged into them."""
    members = Unit.objects.family(unit).values("pk")
    both = DocumentUnit.objects.filter(document=OuterRef("document"), unit__in=members)
    beside = DocumentUnit.objects.filter(Exists(both))
    shared = EventUnit.objects.filter(event__in=EventUnit.objects.filter(unit__in=members).values("event"))
    own, merged = beside.filter(unit=OuterRef("pk")), beside.filter(unit__merged_into=OuterRef("pk"))
    linked = Q(pk__in=shared.values_list(survivor_key("unit")))
    return (Exists(own) | Exists(merged) | linked) & ~Q(pk=unit.pk)


def events(
    *,
    order: str = "newest",
    entity: Unit | None = None,
    topic: Unit | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int = 10,
    cursor: str = "",
) -> Page[Unit]:
    """Public events by the time they happened, ``limit`` at a time. Raises CursorError.

    ``since`` is included, ``until`` is not. ``entity`` and ``topic`` keep events that speak of them.
    """
    subjects = [unit for unit in (entity, topic) if unit is not None]
    pagination = Pagination("events", (order, since, until, *(unit.pk for unit in subjects)))
    rows = Event.objects.published()
    for unit in subjects:
        rows = rows.filter(pk__in=events_about(unit).values("pk"))
    if since is not None:
        rows = rows.filter(occurred_at__gte=since)
    if until is not None:
        rows = rows.filter(occurred_at__lt=until)
    return pagination.page(rows, EVENT_ORDERS[order], limit, cursor)


def pulses(
    *,
    hours: int,
    now: datetime,
    asset: Unit | None = None,
    direction: str = "",
    min_confidence: float = 0.0,
    limit: int = 10,
    cursor: str = "",
) -> Page[Pulse]:
    """Public pulses of the last ``hours`` (1 to 168), newest first. Raises CursorError."""
    pagination = Pagination("pulses", (hours, asset.pk if asset else "", direction, min_confidence))
    window = Q(detected_at__gt=now - timedelta(hours=hours), detected_at__lte=now)
    rows = Pulse.objects.published().filter(window, confidence__gte=min_confidence)
    if asset is not None:
        rows = rows.filter(asset=asset)
    if direction:
        rows = rows.filter(direction=direction)
    return pagination.page(rows.select_related("asset"), ("-detected_at", "key"), limit, cursor)


def _under(prefix: str, kind: str, category: str, country: str) -> UnitQuerySet:
    to = Narrowing((kind,) if kind else (), (category,) if category else (), country)
    return Unit.objects.published().filter(prefix=prefix).narrowed(to)


def counted(
    prefix: str, column: str, *, kind: str = "", category: str = "", country: str = ""
) -> dict[str, int]:
    """How many public units under a prefix, so narrowed, have each value of ``category`` or ``country``; most first."""
    rows = _under(prefix, kind, category, country).exclude(**{column: ""}).values_list(column)
    return dict(rows.annotate(units=Count("pk")).order_by("-units", column))


def listed(
    prefix: str, *, page: int, kind: str = "", category: str = "", country: str = ""
) -> tuple[list[Unit], bool]:
    """One page of the public units under a prefix, of a type, a category and a country where these are told, and
    whether there is another.

    Events come newest first, all else by how much is written about it.
    """
    units = _under(prefix, kind, category, country)
    if prefix == UnitType.EVENT:
        ordered = units.newest_first()
    else:
        # Before the first documents come, how many events are about a unit says what readers look for.
        about = units.annotate(events=Count("unit_events"))
        ordered = about.order_by("-document_count", "-video_count", "-events", "label", "pk")
    start = (page - 1) * UNITS_LISTED
    found = list(ordered.select_related("persona")[start : start + UNITS_LISTED + 1])
    return found[:UNITS_LISTED], len(found) > UNITS_LISTED


def scopes_of(prefix: str) -> frozenset[str]:
    """What tells that the list under a prefix may be another: its units, and how many events are about each."""
    return frozenset({prefix if prefix in (UnitType.TOPIC, UnitType.EVENT) else "entity", "event"})


def latest_events(limit: int) -> UnitQuerySet:
    """The events that became public last."""
    return Event.objects.published().latest_first()[:limit]


def newest_events(limit: int, *, until: datetime | None = None) -> UnitQuerySet:
    """The newest public events; with ``until`` those that have happened by then."""
    events = Event.objects.published().newest_first()
    return (events if until is None else events.filter(occurred_at__lte=until))[:limit]


def best_known(limit: int) -> UnitQuerySet:
    """The public units that most is written about, events aside; those of the canon first that nobody wrote about."""
    units = Unit.objects.published().exclude(type=UnitType.EVENT)
    return units.order_by("-document_count", "-video_count", "pk")[:limit]


def newest_units(prefix: str, limit: int) -> UnitQuerySet:
    """The public units under a prefix that became public last."""
    units = Unit.objects.published().filter(prefix=prefix).select_related("persona")
    return units.latest_first()[:limit]


def newest_posts(limit: int) -> QuerySet[PersonaPost]:
    posts = PersonaPost.objects.published().select_related("persona__entity").prefetch_related("units")
    return posts.order_by("-public_since", "-published_at", "pk")[:limit]


def newest_pulses(limit: int) -> QuerySet[Pulse]:
    return Pulse.objects.published().select_related("asset").order_by("-detected_at", "key")[:limit]
