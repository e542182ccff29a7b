"""What follows for stored clusters from their documents: their times, their being candidates, doubts about pairs."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.contrib.postgres.aggregates import BoolOr
from django.db.models import Count, Max, Min, Q
from django.db.models.functions import Lower, Trim

from knowledge.models import ClusterDocument, ClusterStatus, EventCluster, PossibleMerge

LEAST_OUTLETS = 2


def settle(clusters: Collection[int]) -> None:
    """Bring the times of these clusters (keys) in line with the documents that they have."""
    dated = EventCluster.objects.filter(pk__in=clusters, documents__published_at__isnull=False)
    times = dated.annotate(first=Min("documents__published_at"), last=Max("documents__published_at"))
    rows = [
        EventCluster(pk=pk, first_document_at=first, last_document_at=last)
        for pk, first, last in times.values_list("pk", "first", "last")
    ]
    EventCluster.objects.bulk_update(rows, ["first_document_at", "last_document_at"])


def promote(clusters: Collection[int]) -> None:
    """Make those of these clusters (keys) candidates that two outlets tell of, or a primary source: a regulator or an
    exchange itself.

    Only a cluster that gathers still becomes one: an editor's decision stays whatever comes.
    """
    gathering = EventCluster.objects.filter(pk__in=clusters, status=ClusterStatus.GATHERING)
    told = ClusterDocument.objects.filter(cluster__in=gathering, document__withdrawn=False).values("cluster")
    outlets = Count(Lower(Trim("document__source__name")), distinct=True)
    ready = told.annotate(outlets=outlets, primary=BoolOr("document__source__primary"))
    ready = ready.filter(Q(outlets__gte=LEAST_OUTLETS) | Q(primary=True))
    gathering.filter(pk__in=ready.values("cluster")).update(status=ClusterStatus.OPEN)


def doubt(
    pairs: Iterable[tuple[int, int]], *, noted_at: datetime, dismissed_at: datetime | None = None
) -> None:
    """Note that the two clusters (keys) of each pair may be one; a pair that is known stays as it is."""
    rows = [
        PossibleMerge(one_id=one, other_id=other, noted_at=noted_at, dismissed_at=dismissed_at)
        for one, other in sorted((min(pair), max(pair)) for pair in pairs)
    ]
    PossibleMerge.objects.bulk_create(rows, ignore_conflicts=True)
