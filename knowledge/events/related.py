"""What is shown beside a candidate: public events it may belong to, and pulses of the same assets."""

from collections.abc import Collection
from datetime import timedelta

from django.db.models import Count, F, QuerySet

from knowledge.models import EventCluster, Pulse, Unit, UnitType

NEAR = timedelta(days=14)
EVENTS_SHOWN = 5
MOVES_WITHIN = timedelta(hours=12)
PULSES_SHOWN = 6


def events_near(cluster: EventCluster, units: Collection[Unit]) -> QuerySet[Unit]:
    """Public events of the weeks around about the same units: most units shared first, then the latest."""
    named = Unit.objects.families([unit.pk for unit in units])
    days = (cluster.first_document_at - NEAR, cluster.last_document_at + NEAR)
    events = Unit.objects.published().filter(
        event_units__unit__in=named, type=UnitType.EVENT, occurred_at__range=days
    )
    shared = Count("event_units__unit", distinct=True)
    return events.annotate(shared=shared).order_by(F("shared").desc(), "-occurred_at")[:EVENTS_SHOWN]


def pulses_near(cluster: EventCluster, units: Collection[Unit]) -> QuerySet[Pulse]:
    """Public pulses of the candidate's assets within hours of its documents, the newest first."""
    assets = Unit.objects.families([unit.pk for unit in units])
    hours = (cluster.first_document_at - MOVES_WITHIN, cluster.last_document_at + MOVES_WITHIN)
    pulses = (
        Pulse.objects.published().filter(asset__in=assets, detected_at__range=hours).select_related("asset")
    )
    return pulses.order_by("-detected_at")[:PULSES_SHOWN]
