"""New documents → clusters → candidates, in the database. One pass at a time, and a rerun finds nothing to do."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from django.db import connection, transaction
from django.db.models import Func, Max, Prefetch, Q, QuerySet

from knowledge.events.clustering import LONGEST_GAP, EventIndex, Placement
from knowledge.events.documents import CANDIDATES_LIVE, EventDoc, NamedUnit, is_candidate
from knowledge.events.similarity import CountedDocument, TermCounts, count_terms
from knowledge.models import (
    ClusterDocument,
    ClusterStatus,
    Document,
    DocumentTerms,
    EventCluster,
    Mention,
    PossibleMerge,
    Unit,
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
        _forget_terms(now)
        earliest = documents[0].published_at
        assert earliest is not None
        _place(documents, _restored(now, joinable_since=earliest - LONGEST_GAP), done, now)
    done.expired = _expire(now)
    return done


def _sole_pass() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [ONE_PASS_AT_A_TIME])
        return bool(cursor.fetchone()[0])


def _unplaced(now: datetime) -> QuerySet[Document]:
    # A first poll's backlog raises nothing, and what is older than the longest gap has no cluster to join.
    fresh = Document.objects.published().filter(
        published_at__gt=now - LONGEST_GAP, published_at__lte=now, seen_only=False, membership__isnull=True
    )
    return fresh.order_by("published_at", "pk")


def _forget_terms(now: datetime) -> None:
    forgotten = Q(document__published_at__lte=now - MEMORY) | Q(document__published_at=None)
    DocumentTerms.objects.filter(forgotten | Q(document__withdrawn=True)).delete()


def _restored(now: datetime, *, joinable_since: datetime) -> EventIndex:
    """The documents placed lately. A cluster whose last document is older than ``joinable_since`` takes no other."""
    index = EventIndex()
    placed = Document.objects.published().filter(published_at__gt=now - MEMORY, membership__isnull=False)
    _count_terms(placed)
    clusters = placed.values("membership__cluster").annotate(last=Max("published_at")).order_by()
    joinable = set(clusters.filter(last__gte=joinable_since).values_list("membership__cluster", flat=True))
    for cluster, _pk, document in _counted(placed):
        if cluster in joinable:
            # Stored clusters are negative numbers here, so that they never meet the key of a new document.
            index.restore(document, cluster=-cluster)
        else:
            index.count(document)
    return index


def _count_terms(documents: QuerySet[Document]) -> None:
    """Read the texts of those whose terms are not stored; most are stored once and never read again."""
    mentions = Prefetch("mentions", queryset=Mention.objects.order_by("unit", "start"))
    uncounted = documents.filter(event_terms__isnull=True).select_related("source").prefetch_related(mentions)
    found = uncounted.iterator(chunk_size=BATCH)
    while rows := [_terms_of(document) for document in islice(found, BATCH)]:
        DocumentTerms.objects.bulk_create(rows, ignore_conflicts=True)


def _terms_of(document: Document) -> DocumentTerms:
    mentions = list(document.mentions.all())
    named = [NamedUnit(str(mention.unit_id), mention.start, mention.end) for mention in mentions]
    terms = count_terms(as_event_doc(document), named)
    return DocumentTerms(
        document=document,
        units=sorted({mention.unit_id for mention in mentions}),
        facets=sorted(terms.facets),
        whole=terms.whole,
        remainder=terms.remainder,
    )


def _counted(documents: QuerySet[Document]) -> Iterator[tuple[int, int, CountedDocument]]:
    """The cluster (0 without one), the key and the terms of each document, in the order of time."""
    counted = documents.filter(event_terms__isnull=False)
    units = counted.order_by().annotate(unit=Func("event_terms__units", function="unnest"))
    names = _names_of(units.values_list("unit", flat=True).distinct())
    rows = counted.order_by("published_at", "pk").values_list(
        "membership__cluster", "pk", "published_at", "lang",
        "event_terms__units", "event_terms__whole", "event_terms__remainder", "event_terms__facets",
    )  # fmt: skip
    for cluster, pk, at, lang, keys, whole, remainder, facets in rows.iterator():
        assert at is not None
        terms = TermCounts(_shared(whole), _shared(remainder), frozenset(facets))
        named = frozenset(name for key in keys for name in names.get(key, ()))
        yield cluster or 0, pk, CountedDocument(at, lang, named, terms)


def _shared(counts: Mapping[str, int]) -> dict[str, int]:
    """The same, its terms in memory once for all documents that use them."""
    return dict(zip(map(sys.intern, counts), counts.values(), strict=True))


def _names_of(units: Iterable[int]) -> dict[int, list[str]]:
    """The public ids of the survivors that each unit (its key) stands for.

    An event's name covers those of its subjects ("업비트 해킹"), so a named event stands for them as well.
    """
    links = "event_units__unit__merged_into"
    rows = Unit.objects.get_queryset().filter(pk__in=units).select_related("merged_into")
    return {
        unit.pk: [one.public_id for one in (unit.survivor, *_subjects(unit.survivor))]
        for unit in rows.prefetch_related(links, f"merged_into__{links}")
    }


def _subjects(unit: Unit) -> list[Unit]:
    return [link.unit.survivor for link in unit.event_units.all()] if unit.type == UnitType.EVENT else []


def _place(documents: Sequence[Document], index: EventIndex, done: Gathered, now: datetime) -> None:
    these = Document.objects.filter(pk__in=[document.pk for document in documents])
    _count_terms(these)
    placements = {pk: index.place(pk, document) for _cluster, pk, document in _counted(these)}
    clusters = _held(placements.values())
    clusters |= _opened([document for document in documents if _opens(document, placements)])
    # An editor joined a cluster to another during this pass: the next one places what was to go there.
    placed = [
        (document, placements[document.pk], clusters[placements[document.pk].cluster])
        for document in documents
        if document.pk in placements and placements[document.pk].cluster in clusters
    ]
    ClusterDocument.objects.bulk_create(
        ClusterDocument(cluster=cluster, document=document, score=placement.score)
        for document, placement, cluster in placed
    )
    _note_doubts(((placement, cluster) for _, placement, cluster in placed), clusters, now)
    _take_times((document, cluster) for document, _placement, cluster in placed)
    done.placed = len(placed)
    done.opened = _promote({cluster.pk for _document, _placement, cluster in placed})


def _opens(document: Document, placements: Mapping[int, Placement]) -> bool:
    return document.pk in placements and placements[document.pk].cluster == document.pk


def _held(placements: Iterable[Placement]) -> dict[int, EventCluster]:
    """The stored clusters that these meet, by their keys in the index, and theirs until this pass is over.

    Locked in key order, so that nobody deadlocks with an editor.
    """
    keys = {key for placement in placements for key in (placement.cluster, *placement.possible_merges)}
    stored = EventCluster.objects.filter(pk__in=[-key for key in keys if key < 0])
    return {-cluster.pk: cluster for cluster in stored.order_by("pk").select_for_update()}


def _opened(documents: Iterable[Document]) -> dict[int, EventCluster]:
    """A new cluster for each of these, by the document's key."""
    keys, rows = [], []
    for document in documents:
        at = document.published_at
        assert at is not None
        keys.append(document.pk)
        rows.append(EventCluster(label=document.title, first_document_at=at, last_document_at=at))
    return dict(zip(keys, EventCluster.objects.bulk_create(rows), strict=True))


def _note_doubts(
    placed: Iterable[tuple[Placement, EventCluster]], clusters: Mapping[int, EventCluster], now: datetime
) -> None:
    pairs = {
        (min(cluster.pk, clusters[key].pk), max(cluster.pk, clusters[key].pk))
        for placement, cluster in placed
        for key in placement.possible_merges
        if key in clusters
    }
    PossibleMerge.objects.bulk_create(
        (PossibleMerge(one_id=one, other_id=other, noted_at=now) for one, other in sorted(pairs)),
        ignore_conflicts=True,
    )


def _take_times(placed: Iterable[tuple[Document, EventCluster]]) -> None:
    """Bring the times of documents into their clusters, which are locked."""
    changed: dict[int, EventCluster] = {}
    for document, cluster in placed:
        at = document.published_at
        assert at is not None
        cluster.first_document_at = min(cluster.first_document_at, at)
        cluster.last_document_at = max(cluster.last_document_at, at)
        changed[cluster.pk] = cluster
    EventCluster.objects.bulk_update(changed.values(), ["first_document_at", "last_document_at"])


def _promote(clusters: Collection[int]) -> int:
    """Make those of these clusters (keys) candidates that have become ones; how many.

    Only a cluster that gathers still becomes one: an editor's decision stays whatever comes.
    """
    gathering = EventCluster.objects.filter(pk__in=clusters, status=ClusterStatus.GATHERING)
    members = ClusterDocument.objects.filter(cluster__in=gathering, document__withdrawn=False)
    told: dict[int, list[EventDoc]] = {}
    for member in members.select_related("document__source"):
        told.setdefault(member.cluster_id, []).append(as_event_doc(member.document))
    ready = [cluster for cluster, documents in told.items() if is_candidate(documents)]
    return gathering.filter(pk__in=ready).update(status=ClusterStatus.OPEN)


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
