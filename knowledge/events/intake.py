"""New documents → clusters → candidates, in the database. One pass at a time, and a rerun finds nothing to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Prefetch, Q, QuerySet, Value
from django.db.models.functions import Greatest, Least

from knowledge.events.clustering import LONGEST_GAP, EventIndex, Placement
from knowledge.events.documents import CANDIDATES_LIVE, EventDoc, NamedUnit, is_candidate
from knowledge.models import (
    ClusterDocument,
    ClusterStatus,
    Document,
    EventCluster,
    Mention,
    PossibleMerge,
    UnitType,
)

# Word weights look back this far, so that many documents are read again before a pass.
MEMORY = timedelta(days=14)
# Documents placed in one pass; the rest wait for the next minute.
BATCH = 500
ONE_PASS_AT_A_TIME = 0x6D61_6461_6E67_0001


@dataclass(slots=True)
class Gathered:
    """What one pass did."""

    placed: int = 0
    opened: int = 0
    expired: int = 0


@transaction.atomic
def gather(*, now: datetime) -> Gathered:
    """Place every new document, show what became a candidate, and let old candidates expire."""
    if not _sole_pass():
        return Gathered()
    done = Gathered()
    documents = list(_unplaced(now)[:BATCH])
    if documents:
        _place(documents, _restored(now), done, now)
    done.expired = _expire(now)
    return done


def _sole_pass() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [ONE_PASS_AT_A_TIME])
        return bool(cursor.fetchone()[0])


def _readable(documents: QuerySet[Document]) -> QuerySet[Document]:
    units = Mention.objects.select_related("unit__merged_into").prefetch_related(
        "unit__event_units__unit__merged_into"
    )
    mentions = Prefetch("mentions", queryset=units)
    return documents.select_related("source", "membership").prefetch_related(mentions)


def _unplaced(now: datetime) -> QuerySet[Document]:
    # A first poll's backlog raises nothing, and what is older than the longest gap has no cluster to join.
    fresh = Q(
        published_at__gt=now - LONGEST_GAP, published_at__lte=now, seen_only=False, membership__isnull=True
    )
    return _readable(Document.objects.published().filter(fresh)).order_by("published_at", "pk")


def _restored(now: datetime) -> EventIndex:
    index = EventIndex()
    placed = Document.objects.published().filter(published_at__gt=now - MEMORY, membership__isnull=False)
    for document in _readable(placed).order_by("published_at", "pk"):
        # Stored clusters are negative numbers here, so that they never meet the key of a new document.
        index.restore(as_event_doc(document), named_units(document), cluster=-document.membership.cluster_id)
    return index


def _place(documents: Iterable[Document], index: EventIndex, done: Gathered, now: datetime) -> None:
    opened: dict[int, EventCluster] = {}
    for document in documents:
        placement = index.add(document.pk, as_event_doc(document), named_units(document))
        cluster = _cluster_of(placement.cluster, document, opened)
        if cluster is None:
            continue
        ClusterDocument.objects.create(cluster=cluster, document=document, score=placement.score)
        _note_doubts(placement, cluster, opened, now)
        done.placed += 1
        done.opened += _promote(cluster, document)


def _cluster_of(key: int, document: Document, opened: dict[int, EventCluster]) -> EventCluster | None:
    """The cluster with this key, as editors left it, and theirs again once this pass is over.

    None for one that an editor joined to another during this pass: the next one places the document.
    """
    if key < 0:
        return _held(-key)
    if key not in opened:
        at = document.published_at
        assert at is not None
        opened[key] = EventCluster.objects.create(
            label=document.title, first_document_at=at, last_document_at=at
        )
    return opened[key]


def _held(pk: int) -> EventCluster | None:
    return EventCluster.objects.select_for_update().filter(pk=pk).first()


def _note_doubts(
    placement: Placement, cluster: EventCluster, opened: dict[int, EventCluster], now: datetime
) -> None:
    for key in placement.possible_merges:
        other = _held(-key) if key < 0 else opened[key]
        if other is None:
            continue
        one, two = sorted((cluster.pk, other.pk))
        PossibleMerge.objects.get_or_create(one_id=one, other_id=two, defaults={"noted_at": now})


def _promote(cluster: EventCluster, document: Document) -> bool:
    """Take the document's time into the cluster; True when it is a candidate from now on.

    Only a cluster that gathers still becomes one: an editor's decision stays whatever comes.
    """
    row, at = EventCluster.objects.filter(pk=cluster.pk), document.published_at
    row.update(
        first_document_at=Least("first_document_at", Value(at)),
        last_document_at=Greatest("last_document_at", Value(at)),
    )
    members = Document.objects.published().filter(membership__cluster=cluster).select_related("source")
    gathering = row.filter(status=ClusterStatus.GATHERING)
    if not (gathering.exists() and is_candidate(map(as_event_doc, members))):
        return False
    return bool(gathering.update(status=ClusterStatus.OPEN))


def _expire(now: datetime) -> int:
    waiting = EventCluster.objects.filter(status__in=[ClusterStatus.GATHERING, ClusterStatus.OPEN])
    old = waiting.filter(last_document_at__lt=now - CANDIDATES_LIVE)
    return old.update(status=ClusterStatus.EXPIRED, decided_at=now)


def as_event_doc(document: Document) -> EventDoc:
    return EventDoc(
        title=document.title,
        lead=document.summary,
        outlet=document.source.name,
        at=document.published_at,
        lang=document.lang,
        url=document.url,
        primary=document.source.primary,
    )


def named_units(document: Document) -> list[NamedUnit]:
    """The survivors that a document names, where it names them.

    An event's name covers those of its subjects ("업비트 해킹"), so a named event stands for them as well.
    """
    named = []
    for mention in document.mentions.all():
        unit = mention.unit.survivor
        subjects = (
            [link.unit.survivor for link in unit.event_units.all()] if unit.type == UnitType.EVENT else []
        )
        named += [NamedUnit(one.public_id, mention.start, mention.end) for one in (unit, *subjects)]
    return named
