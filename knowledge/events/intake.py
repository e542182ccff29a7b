"""New documents → clusters → candidates, in the database. One pass at a time, and a rerun finds nothing to do."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import accumulate, islice

from django.db import connection, transaction
from django.db.models import F, Func, Prefetch, Q, QuerySet

from knowledge.events.clustering import LONGEST_GAP, WINDOW, EventIndex, Placement
from knowledge.events.clusters import doubt, promote, settle
from knowledge.events.features import BODIES, EventDoc, Features, NamedUnit, counted
from knowledge.models import (
    Alias,
    ClusterDocument,
    ClusterStatus,
    Document,
    DocumentTerms,
    EventCluster,
    Mention,
    Source,
    Unit,
    UnitType,
)

CANDIDATES_LIVE = timedelta(days=14)
# Documents placed in one pass; the rest wait for the next minute.
BATCH = 500
ONE_PASS_AT_A_TIME = 0x6D61_6461_6E67_0001


@transaction.atomic
def cluster_new_documents(*, now: datetime) -> int:
    """Place every new document, show what became a candidate, and let old candidates expire; how many were placed."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [ONE_PASS_AT_A_TIME])
        if not cursor.fetchone()[0]:
            return 0
    placed = 0
    # A first poll's backlog raises nothing, and what is older than the longest gap has no cluster to join.
    unplaced = Document.objects.published().filter(
        published_at__gt=now - LONGEST_GAP, published_at__lte=now, seen_only=False, membership__isnull=True
    )
    documents = list(unplaced.order_by("published_at", "pk")[:BATCH])
    if documents:
        forgotten = Q(document__published_at__lte=now - WINDOW) | Q(document__published_at=None)
        DocumentTerms.objects.filter(forgotten | Q(document__withdrawn=True)).delete()
        earliest = documents[0].published_at
        assert earliest is not None
        placed = _place(documents, _restored(now, joinable_since=earliest - LONGEST_GAP), now)
    waiting = EventCluster.objects.filter(status__in=[ClusterStatus.GATHERING, ClusterStatus.OPEN])
    old = waiting.filter(last_document_at__lt=now - CANDIDATES_LIVE)
    old.update(status=ClusterStatus.EXPIRED, decided_at=now)
    return placed


def _restored(now: datetime, *, joinable_since: datetime) -> EventIndex:
    """The documents placed lately. A cluster whose last document is older than ``joinable_since`` takes no other."""
    index = EventIndex()
    placed = Document.objects.published().filter(published_at__gt=now - WINDOW, membership__isnull=False)
    _count_terms(placed)
    lately = placed.filter(published_at__gte=joinable_since).order_by()
    joinable = set(lately.values_list("membership__cluster", flat=True).distinct())
    for cluster, _pk, document in _counted(placed):
        if cluster in joinable:
            # Stored clusters are negative numbers here, so that they never meet the key of a new document.
            index.restore(document, cluster=-cluster)
        else:
            index.use.count(document)
    return index


def _count_terms(documents: QuerySet[Document]) -> None:
    """Read the texts of those whose terms are not stored; most are stored once and never read again."""
    mentions = Prefetch("mentions", queryset=Mention.objects.select_related("unit").order_by("unit", "start"))
    uncounted = documents.filter(event_terms__isnull=True).select_related("source").prefetch_related(mentions)
    found = uncounted.iterator(chunk_size=BATCH)
    authors = _authors() if uncounted.exists() else {}
    while rows := [_terms_of(document, authors) for document in islice(found, BATCH)]:
        DocumentTerms.objects.bulk_create(rows, ignore_conflicts=True)


def _authors() -> dict[int, Unit]:
    """Who speaks for himself in each primary source (its key): the unit by whose name the source's begins, as
    "업비트 공지" does."""
    sources = Source.objects.filter(primary=True).values_list("pk", "name")
    beginnings = {pk: list(accumulate(name.split(), "{} {}".format)) for pk, name in sources}
    surfaces = {name for names in beginnings.values() for name in names}
    kinds = [UnitType.COMPANY, UnitType.ORGANISATION]
    named = Alias.names.linked().filter(surface__in=surfaces, unit_type__in=kinds)
    units = {alias.surface: alias.unit for alias in named.select_related("unit")}
    return {pk: units[name] for pk, names in beginnings.items() for name in names if name in units}


def _terms_of(document: Document, authors: Mapping[int, Unit]) -> DocumentTerms:
    at = document.published_at
    assert at is not None
    told = EventDoc(document.title, document.summary, document.source.name, at, document.lang)
    mentions = document.mentions.all()
    units = {mention.unit.public_id: mention.unit_id for mention in mentions}
    named = [NamedUnit(mention.unit.public_id, mention.start, mention.end) for mention in mentions]
    if author := authors.get(document.source_id):
        units[author.public_id] = author.pk
        named.append(NamedUnit(author.public_id, 0, 0))
    terms = counted(told, at, named)
    return DocumentTerms(
        document=document,
        units=sorted(units.values()),
        headline_units=sorted(units[unit] for unit in terms.headline_units if unit in units),
        facets=sorted(terms.facets),
        denies=terms.denies,
        is_column=terms.is_column,
        parties=sorted(terms.parties),
        figures=sorted(terms.figures),
        sounds=sorted(terms.sounds),
        heard=sorted(terms.heard),
        subjects=sorted(terms.subjects),
        meanings=terms.meanings,
        whole=terms.whole,
    )


def _counted(documents: QuerySet[Document]) -> Iterator[tuple[int, int, Features]]:
    """The cluster (0 without one), the key and the terms of each document, in the order of time."""
    stored = documents.filter(event_terms__isnull=False)
    units = stored.order_by().annotate(unit=Func("event_terms__units", function="unnest"))
    names = _names_of(units.values_list("unit", flat=True).distinct())
    rows = stored.order_by("published_at", "pk").select_related("event_terms")
    rows = rows.annotate(cluster=F("membership__cluster")).only("published_at", "lang", "event_terms")
    for document in rows.iterator(chunk_size=BATCH):
        at, terms = document.published_at, document.event_terms
        assert at is not None
        yield (
            document.cluster or 0,
            document.pk,
            Features(
                at=at,
                lang=document.lang,
                units=frozenset(name for key in terms.units for name in names.get(key, ())),
                headline_units=frozenset(name for key in terms.headline_units for name in names.get(key, ())),
                facets=frozenset(terms.facets),
                denies=terms.denies,
                is_column=terms.is_column,
                parties=_shared(terms.parties),
                figures=_shared(terms.figures),
                sounds=_shared(terms.sounds),
                heard=_shared(terms.heard),
                subjects=_shared(terms.subjects),
                meanings={sys.intern(meaning): share for meaning, share in terms.meanings.items()},
                whole={sys.intern(term): count for term, count in terms.whole.items()},
            ),
        )


def _shared(terms: Iterable[str]) -> frozenset[str]:
    """A term is in memory once for all documents that use it."""
    return frozenset(map(sys.intern, terms))


def _names_of(units: Iterable[int]) -> dict[int, list[str]]:
    """The public ids of the survivors that each unit (its key) stands for.

    An event's name covers those of its subjects ("업비트 해킹"), so a named event stands for them as well.
    """
    links = "event_units__unit__merged_into"
    rows = Unit.objects.get_queryset().filter(pk__in=units).select_related("merged_into")
    names = {}
    for unit in rows.prefetch_related(links, f"merged_into__{links}"):
        subjects = (link.unit.survivor for link in unit.survivor.event_units.all())
        named = [one.public_id for one in (unit.survivor, *subjects)]
        names[unit.pk] = [*named, *(BODIES[name] for name in named if name in BODIES)]
    return names


def _place(documents: Iterable[Document], index: EventIndex, now: datetime) -> int:
    these = Document.objects.filter(pk__in=[document.pk for document in documents])
    _count_terms(these)
    placements = {pk: index.place(pk, document) for _cluster, pk, document in _counted(these)}
    clusters = _held(placements.values())
    keys = {placement.cluster for placement in placements.values()}
    # Their documents bring the times.
    opened = {
        document.pk: EventCluster(label=document.title, first_document_at=now, last_document_at=now)
        for document in documents
        if document.pk in keys
    }
    EventCluster.objects.bulk_create(opened.values())
    clusters |= {key: cluster.pk for key, cluster in opened.items()}
    # An editor joined a cluster to another during this pass: the next one places what was to go there.
    placed = {pk: placement for pk, placement in placements.items() if placement.cluster in clusters}
    members = [
        ClusterDocument(cluster_id=clusters[placement.cluster], document_id=pk, score=placement.score)
        for pk, placement in placed.items()
    ]
    ClusterDocument.objects.bulk_create(members)
    pairs = [
        (clusters[placement.cluster], clusters[other])
        for placement in placed.values()
        for other in placement.possible_merges
        if other in clusters
    ]
    doubt(pairs, noted_at=now)
    changed = {member.cluster_id for member in members}
    settle(changed)
    promote(changed)
    return len(members)


def _held(placements: Iterable[Placement]) -> dict[int, int]:
    """The keys of the stored clusters that these meet by their keys in the index; theirs until this pass is over.

    Locked in key order, so that nobody deadlocks with an editor.
    """
    keys = {key for placement in placements for key in (placement.cluster, *placement.possible_merges)}
    stored = EventCluster.objects.filter(pk__in=[-key for key in keys if key < 0])
    locked = stored.order_by("pk").select_for_update().values_list("pk", flat=True)
    return {-pk: pk for pk in locked}
