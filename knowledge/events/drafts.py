"""What an editor is shown of a candidate: the event that it would become, proposed from its documents or announced
values (name, address, day, subjects), and the public events and pulses near it."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, QuerySet
from django.utils import timezone

from knowledge.events import announced_words
from knowledge.models import AnnouncedValue, EventCluster, Mention, Pulse, Status, Unit, UnitType

MAIN_UNITS = 6
LABEL_MAX_LENGTH = 200
BASE_MAX_LENGTH = 80  # characters of a slug, before the number that tells two of a day apart
NEAR = timedelta(days=14)
EVENTS_SHOWN = 5
MOVES_WITHIN = timedelta(hours=12)
PULSES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event to be: ``slug`` becomes its address for ever, ``units`` are what it is about."""

    label: str
    slug: str
    occurred_at: datetime
    units: tuple[Unit, ...] = ()
    summary: str = ""
    summary_en: str = ""


def draft(cluster: EventCluster) -> EventDraft:
    """As ``drafts``, for one cluster."""
    return drafts([cluster])[cluster.pk]


def drafts(clusters: Collection[EventCluster]) -> dict[int, EventDraft]:
    """What each cluster would become if it were published now, by its key. Four queries for any number.

    One whose event was made and undone before is offered as that event stands. Two never get the same address.
    """
    announced = announced_values(clusters)
    units = main_units(clusters, announced)
    drafted = Unit.objects.survivors().filter(status=Status.DRAFT)
    undone = drafted.prefetch_related("event_units__unit__merged_into").in_bulk(
        [cluster.own_event_id for cluster in clusters if cluster.own_event_id is not None]
    )
    days = "|".join({_day(cluster) for cluster in clusters})
    events = Unit.objects.filter(prefix=UnitType.EVENT, slug__regex=f"^({days})")
    taken = set(events.values_list("slug", flat=True))
    offered: dict[int, EventDraft] = {}
    for cluster in clusters:
        event = undone.get(cluster.own_event_id)
        if event is None:
            draft = _proposed(cluster, units[cluster.pk], announced[cluster.pk], taken)
        else:
            occurred_at = event.occurred_at or cluster.first_document_at
            about = tuple(link.unit.survivor for link in event.event_units.all())
            draft = EventDraft(event.label, event.slug, occurred_at, about, event.summary, event.summary_en)
        taken.add(draft.slug)
        offered[cluster.pk] = draft
    return offered


def _proposed(
    cluster: EventCluster, units: list[Unit], announced: list[AnnouncedValue], taken: Collection[str]
) -> EventDraft:
    names = [one.series.slug for one in announced[:1]] or [unit.slug for unit in units[:2]]
    return EventDraft(
        cluster.label[:LABEL_MAX_LENGTH],
        _free_slug(cluster, names, taken),
        cluster.first_document_at,
        tuple(units),
        " ".join(map(announced_words.summary_ko, announced)),
        " ".join(map(announced_words.summary_en, announced)),
    )


def announced_values(clusters: Collection[EventCluster]) -> dict[int, list[AnnouncedValue]]:
    """The values that made a cluster a candidate, if any did, oldest first, by the cluster's key."""
    rows = AnnouncedValue.objects.filter(cluster__in=[cluster.pk for cluster in clusters])
    found: dict[int, list[AnnouncedValue]] = {cluster.pk: [] for cluster in clusters}
    for row in rows.select_related("series__holder__merged_into", "source").order_by("at", "pk"):
        found[row.cluster_id].append(row)
    return found


def main_units(
    clusters: Collection[EventCluster], announced: Mapping[int, Collection[AnnouncedValue]]
) -> dict[int, list[Unit]]:
    """The public units that a candidate is about, by the cluster's key: the holders of its ``announced`` values, then
    those that most of its documents name, commonest first."""
    mentions = (
        Mention.objects.filter(document__membership__cluster__in=[cluster.pk for cluster in clusters])
        .select_related("unit__merged_into", "document__membership")
        .only("unit", "document__membership__cluster")
        .order_by("document_id", "start")
    )
    named = dict.fromkeys(
        (mention.document.membership.cluster_id, mention.document_id, mention.unit.survivor)
        for mention in mentions
    )
    counts: dict[int, Counter[Unit]] = {cluster.pk: Counter() for cluster in clusters}
    for cluster_id, _document, unit in named:
        if unit.is_public and unit.type != UnitType.EVENT:
            counts[cluster_id][unit] += 1
    return {key: _in_order(announced[key], found) for key, found in counts.items()}


def _in_order(announced: Collection[AnnouncedValue], named: Counter[Unit]) -> list[Unit]:
    holders = (one.series.holder.survivor for one in announced)
    commonest = (unit for unit, _count in named.most_common(MAIN_UNITS))
    return list(dict.fromkeys([*(unit for unit in holders if unit.is_public), *commonest]))[:MAIN_UNITS]


def _free_slug(cluster: EventCluster, names: list[str], taken: Collection[str]) -> str:
    """``2026-11-20-btc-upbit`` (the day in Korea), with a number when that is taken: an address never changes."""
    base = "-".join([_day(cluster), *names])[:BASE_MAX_LENGTH]
    candidates = [base, *(f"{base}-{number}" for number in range(2, len(taken) + 3))]
    return next(slug for slug in candidates if slug not in taken)


def _day(cluster: EventCluster) -> str:
    return f"{timezone.localtime(cluster.first_document_at):%Y-%m-%d}"


def events_near(cluster: EventCluster, units: Collection[Unit]) -> QuerySet[Unit]:
    """Public events of the weeks around about the same units: most units shared first, then the latest."""
    named = Unit.objects.families([unit.pk for unit in units])
    days = (cluster.first_document_at - NEAR, cluster.last_document_at + NEAR)
    events = Unit.objects.published().filter(type=UnitType.EVENT, occurred_at__range=days)
    shared = Count("event_units__unit", distinct=True)
    alike = events.filter(event_units__unit__in=named).annotate(shared=shared)
    return alike.order_by("-shared", "-occurred_at")[:EVENTS_SHOWN]


def pulses_near(cluster: EventCluster, units: Collection[Unit]) -> QuerySet[Pulse]:
    """Public pulses of the candidate's assets within hours of its documents, the newest first."""
    assets = Unit.objects.families([unit.pk for unit in units])
    hours = (cluster.first_document_at - MOVES_WITHIN, cluster.last_document_at + MOVES_WITHIN)
    pulses = Pulse.objects.published().filter(asset__in=assets, detected_at__range=hours)
    return pulses.select_related("asset").order_by("-detected_at")[:PULSES_SHOWN]
