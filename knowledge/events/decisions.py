"""What an editor decides about a candidate: publish it, add it to an event, reject it, join or split it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Min, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from knowledge.counting import recount
from knowledge.curation import CurationError
from knowledge.models import (
    ClusterDocument,
    ClusterStatus,
    Document,
    EventCluster,
    EventUnit,
    Mention,
    PossibleMerge,
    Status,
    Unit,
    UnitType,
)
from knowledge.signals import unit_published

MAIN_UNITS = 6


@transaction.atomic
def publish(cluster: EventCluster, *, now: datetime, event: Unit | None = None) -> Unit:
    """Make a candidate an event, or part of ``event``; counts follow. Raises CurationError unless it waits."""
    cluster = _waiting(cluster)
    if event is None:
        event = _new_event(cluster)
        unit_published.send(Unit, unit=event)
    elif event.type != UnitType.EVENT or not event.is_public:
        raise CurationError(_("공개된 사건에만 더할 수 있습니다."))
    cluster.status, cluster.event, cluster.decided_at = ClusterStatus.PUBLISHED, event, now
    cluster.save(update_fields=["status", "event", "decided_at"])
    recount([event.pk])
    return event


@transaction.atomic
def reject(cluster: EventCluster, *, reason: str, now: datetime) -> None:
    """Close a candidate for a stated reason; later documents of the same story join it unseen."""
    if not reason.strip():
        raise CurationError(_("기각에는 이유가 필요합니다."))
    cluster = _waiting(cluster)
    cluster.status, cluster.reason, cluster.decided_at = ClusterStatus.REJECTED, reason.strip(), now
    cluster.save(update_fields=["status", "reason", "decided_at"])


@transaction.atomic
def join(one: EventCluster, other: EventCluster) -> EventCluster:
    """Put two waiting clusters together; the older one stays."""
    if one.pk == other.pk:
        raise CurationError(_("한 후보를 자기 자신과 합칠 수 없습니다."))
    # Always in key order, so that two editors who join the same pair wait rather than deadlock.
    older, younger = (_waiting(cluster) for cluster in sorted((one, other), key=lambda row: row.pk))
    ClusterDocument.objects.filter(cluster=younger).update(cluster=older)
    older.first_document_at = min(older.first_document_at, younger.first_document_at)
    older.last_document_at = max(older.last_document_at, younger.last_document_at)
    older.status = ClusterStatus.OPEN
    older.save(update_fields=["first_document_at", "last_document_at", "status"])
    _take_doubts(older, younger)
    younger.delete()
    return older


def _take_doubts(older: EventCluster, younger: EventCluster) -> None:
    """What the younger one was possibly the same as, the older one is now."""
    for pair in PossibleMerge.objects.filter(Q(one=younger) | Q(other=younger)):
        third = pair.other_id if pair.one_id == younger.pk else pair.one_id
        if third != older.pk:
            one, other = sorted((older.pk, third))
            PossibleMerge.objects.get_or_create(
                one_id=one,
                other_id=other,
                defaults={"noted_at": pair.noted_at, "dismissed_at": pair.dismissed_at},
            )


def dismiss(pair: PossibleMerge, *, now: datetime) -> None:
    """Say that two clusters are two things."""
    PossibleMerge.objects.filter(pk=pair.pk, dismissed_at=None).update(dismissed_at=now)


@transaction.atomic
def split(cluster: EventCluster, documents: Iterable[int]) -> EventCluster:
    """Move the given documents into a cluster of their own; the larger part keeps the old one and its event."""
    cluster = EventCluster.objects.select_for_update().get(pk=cluster.pk)
    members = set(cluster.members.values_list("document_id", flat=True))
    leaving = set(documents) & members
    if not leaving or leaving == members:
        raise CurationError(_("나눌 문서를 일부만 고르세요."))
    if len(leaving) > len(members) / 2:
        leaving = members - leaving
    moved = list(Document.objects.filter(pk__in=leaving).order_by("published_at", "pk"))
    times = [document.published_at for document in moved if document.published_at is not None]
    fresh = EventCluster.objects.create(
        status=ClusterStatus.OPEN,
        label=moved[0].title,
        first_document_at=times[0],
        last_document_at=times[-1],
    )
    ClusterDocument.objects.filter(cluster=cluster, document_id__in=leaving).update(cluster=fresh)
    _bound(cluster)
    if cluster.event_id is not None:
        recount([cluster.event_id])
    return fresh


def _bound(cluster: EventCluster) -> None:
    """Bring a cluster's times in line with the documents it has left."""
    times = cluster.members.aggregate(first=Min("document__published_at"), last=Max("document__published_at"))
    cluster.first_document_at, cluster.last_document_at = times["first"], times["last"]
    cluster.save(update_fields=["first_document_at", "last_document_at"])


def _waiting(cluster: EventCluster) -> EventCluster:
    cluster = EventCluster.objects.select_for_update().get(pk=cluster.pk)
    if cluster.status not in (ClusterStatus.OPEN, ClusterStatus.GATHERING):
        raise CurationError(_("이미 결정된 후보입니다."))
    return cluster


def _new_event(cluster: EventCluster) -> Unit:
    units = main_units(cluster)
    event = Unit.objects.create(
        type=UnitType.EVENT,
        slug=_free_slug(cluster, units),
        label=cluster.label[:200],
        status=Status.PUBLISHED,
        occurred_at=cluster.first_document_at,
    )
    EventUnit.objects.bulk_create([EventUnit(event=event, unit=unit) for unit in units])
    return event


def main_units(cluster: EventCluster) -> list[Unit]:
    """The public units that most of the cluster's documents name, commonest first."""
    mentions = Mention.objects.filter(document__membership__cluster=cluster).select_related(
        "unit__merged_into"
    )
    pairs = {(mention.document_id, mention.unit.survivor) for mention in mentions}
    counts = Counter(unit for _document, unit in pairs if unit.is_public and unit.type != UnitType.EVENT)
    return [unit for unit, _count in counts.most_common(MAIN_UNITS)]


def _free_slug(cluster: EventCluster, units: list[Unit]) -> str:
    """``2026-11-20-btc-upbit`` (the day in Korea), with a number when that is taken: an address never changes."""
    day = timezone.localtime(cluster.first_document_at)
    base = "-".join([f"{day:%Y-%m-%d}", *(unit.slug for unit in units[:2])])[:80]
    taken = set(Unit.objects.filter(prefix="event", slug__startswith=base).values_list("slug", flat=True))
    candidates = [base, *(f"{base}-{number}" for number in range(2, len(taken) + 3))]
    return next(slug for slug in candidates if slug not in taken)
