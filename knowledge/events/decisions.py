"""What an editor decides about candidates: publish, add to an event, reject, join, split or remove, and undo it."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from knowledge import curation
from knowledge.curation.decisions import CurationError, locked
from knowledge.events import drafts
from knowledge.events.clusters import doubt, promote, settle
from knowledge.events.drafts import EventDraft
from knowledge.models import (
    AnnouncedValue,
    ClusterDocument,
    ClusterStatus,
    Document,
    EventCluster,
    EventUnit,
    PossibleMerge,
    Status,
    Unit,
    UnitType,
)
from knowledge.signals import unit_published


@transaction.atomic
def publish(
    cluster: EventCluster, *, now: datetime, event: Unit | None = None, draft: EventDraft | None = None
) -> Unit:
    """Make a candidate an event, or part of ``event``; counts follow.

    ``draft`` is the event as an editor wants it; without one it is as ``drafts.draft`` offers it. Raises
    CurationError unless the candidate waits, and for an address that another event has.
    """
    cluster = _waiting(cluster)
    if event is None:
        event = _event_of(cluster, draft or drafts.draft(cluster))
        cluster.own_event = event
        unit_published.send(Unit, unit=event)
    else:
        # Held until the end, so that it cannot be retracted or merged away under the new membership.
        event = locked(event)
        if event.type != UnitType.EVENT or not event.is_public:
            raise CurationError(_("공개된 사건에만 더할 수 있습니다."))
    cluster.status, cluster.event, cluster.decided_at = ClusterStatus.PUBLISHED, event, now
    cluster.save(update_fields=["status", "event", "own_event", "decided_at"])
    return event


@transaction.atomic
def undo(cluster: EventCluster) -> None:
    """Take a decision back: the candidate waits again, and an event that was made of it alone is a draft again.

    Raises CurationError when there is no decision of an editor to take back.
    """
    cluster = locked(cluster)
    if cluster.status not in (ClusterStatus.PUBLISHED, ClusterStatus.REJECTED):
        raise CurationError(_("되돌릴 결정이 없습니다."))
    event = cluster.event
    cluster.status, cluster.event, cluster.decided_at, cluster.reason = ClusterStatus.OPEN, None, None, ""
    cluster.save(update_fields=["status", "event", "decided_at", "reason"])
    if event and event.pk == cluster.own_event_id and not event.clusters.exists() and event.is_public:
        curation.set_status(event, Status.DRAFT)


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
    AnnouncedValue.objects.filter(cluster=younger).update(cluster=older)
    EventCluster.objects.filter(pk=older.pk).update(status=ClusterStatus.OPEN)
    settle([older.pk])
    for pair in PossibleMerge.objects.filter(Q(one=younger) | Q(other=younger)):
        third = pair.other_id if pair.one_id == younger.pk else pair.one_id
        if third != older.pk:
            doubt([(older.pk, third)], noted_at=pair.noted_at, dismissed_at=pair.dismissed_at)
    younger.delete()
    older.refresh_from_db()
    return older


@transaction.atomic
def join_pair(pair: PossibleMerge) -> EventCluster:
    """Put the two clusters of a pair together. Raises CurationError when an earlier join took one of them away."""
    pair_now = PossibleMerge.objects.select_related("one", "other").filter(pk=pair.pk).first()
    if pair_now is None:
        raise CurationError(_("앞에서 합친 쌍과 겹칩니다. 한 쌍씩 결정하세요."))
    return join(pair_now.one, pair_now.other)


def dismiss(pair: PossibleMerge, *, now: datetime) -> None:
    """Record that the two clusters of a pair are different events."""
    PossibleMerge.objects.filter(pk=pair.pk, dismissed_at=None).update(dismissed_at=now)


def recall(pair: PossibleMerge) -> None:
    """Undo a dismissal: the pair waits again."""
    PossibleMerge.objects.filter(pk=pair.pk).update(dismissed_at=None)


@transaction.atomic
def split(cluster: EventCluster, documents: Iterable[int]) -> EventCluster:
    """Move the given documents into a cluster of their own; the larger part keeps the old one and its event."""
    members, leaving = _parted(cluster, documents)
    if len(leaving) > len(members) / 2:
        leaving = members - leaving
    return _moved(cluster, leaving, ClusterStatus.OPEN)


@transaction.atomic
def split_all(leaving: Mapping[int, Iterable[int]]) -> dict[EventCluster, EventCluster]:
    """Split several clusters (by key, the documents that leave each), all or none. Returns the new one of each."""
    clusters = EventCluster.objects.filter(pk__in=leaving).order_by("pk")
    return {cluster: split(cluster, leaving[cluster.pk]) for cluster in clusters}


@transaction.atomic
def remove(cluster: EventCluster, documents: Iterable[int]) -> int:
    """Take documents out that do not belong; the cluster keeps its name and event. Returns how many left.

    Each stands alone then, as a lone new document does, and may gather others; left without a cluster it would be
    placed again where it came from.
    """
    _members, leaving = _parted(cluster, documents)
    alone = [_moved(cluster, {document}, ClusterStatus.GATHERING).pk for document in sorted(leaving)]
    promote(alone)
    return len(leaving)


def _parted(cluster: EventCluster, documents: Iterable[int]) -> tuple[set[int], set[int]]:
    """All that a cluster has, locked with it, and which of the documents are its own.

    Raises CurationError unless some leave and some stay.
    """
    locked(cluster)
    members = set(cluster.members.values_list("document_id", flat=True))
    leaving = set(documents) & members
    if not leaving or leaving == members:
        raise CurationError(_("나눌 문서를 일부만 고르세요."))
    return members, leaving


def _moved(cluster: EventCluster, leaving: set[int], status: ClusterStatus) -> EventCluster:
    """A new cluster of documents that leave another, named after the first of them."""
    first = Document.objects.filter(pk__in=leaving).order_by("published_at", "pk")[0]
    fresh = EventCluster.objects.create(
        status=status,
        label=first.title,
        first_document_at=cluster.first_document_at,
        last_document_at=cluster.last_document_at,
    )
    ClusterDocument.objects.filter(cluster=cluster, document__in=leaving).update(cluster=fresh)
    settle([cluster.pk, fresh.pk])
    fresh.refresh_from_db()
    return fresh


def _waiting(cluster: EventCluster) -> EventCluster:
    cluster = locked(cluster)
    if not cluster.is_waiting:
        raise CurationError(_("이미 결정된 후보입니다."))
    return cluster


def _event_of(cluster: EventCluster, draft: EventDraft) -> Unit:
    """The public event that a draft tells of; one that was made of this cluster and undone is taken up again."""
    if not draft.label.strip():
        raise CurationError(_("사건에는 이름이 있어야 합니다."))
    there = Unit.objects.filter(prefix=UnitType.EVENT, slug=draft.slug)
    taken = there.select_for_update(no_key=True).first()
    undone = taken and taken.pk == cluster.own_event_id and taken.status == Status.DRAFT
    if taken and (not undone or taken.merged_into_id is not None):
        raise CurationError(_("이 주소는 다른 사건의 것입니다: %(slug)s") % {"slug": draft.slug})
    event = taken or Unit(type=UnitType.EVENT, slug=draft.slug)
    event.label, event.occurred_at, event.status = draft.label.strip(), draft.occurred_at, Status.PUBLISHED
    event.summary, event.summary_en = draft.summary, draft.summary_en
    event.save()
    EventUnit.objects.filter(event=event).delete()
    EventUnit.objects.bulk_create(EventUnit(event=event, unit=unit) for unit in dict.fromkeys(draft.units))
    return event
