"""How much of each kind is public and when the last of it came in: what an empty list says of itself."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Max, QuerySet

from knowledge.models import (
    ENTITY_PREFIXES,
    DetectorRun,
    Document,
    Event,
    PassageKind,
    PersonaPost,
    Pulse,
    Unit,
    UnitType,
)

PULSE = "pulse"
DOCUMENT_KINDS = (PassageKind.NEWS, PassageKind.VIDEO, PassageKind.NOTICE)


class Holding(NamedTuple):
    """``newest`` is when the last of them came in; None where there are none."""

    kind: str
    number: int
    newest: datetime | None


def holdings(kinds: Collection[str]) -> list[Holding]:
    """What is held of these SEARCH_KINDS and of pulses, in their order. A query for all documents, one for each other
    kind."""
    documents = _documents() if any(kind in DOCUMENT_KINDS for kind in kinds) else {}
    return [
        documents.get(kind, Holding(kind, 0, None)) if kind in DOCUMENT_KINDS else _counted(kind)
        for kind in kinds
    ]


def last_detection() -> DetectorRun | None:
    """When markets were last looked at for sudden moves; None where they never were."""
    return DetectorRun.objects.first()


def _documents() -> dict[str, Holding]:
    rows = Document.objects.published().order_by().values_list("kind")
    counted = rows.annotate(Count("pk"), Max("fetched_at"))
    return {kind: Holding(kind, count, newest) for kind, count, newest in counted}


def _counted(kind: str) -> Holding:
    rows, column = _rows_of(kind)
    found: dict[str, Any] = rows.aggregate(count=Count("pk"), newest=Max(column))
    return Holding(kind, found["count"], found["newest"])


def _rows_of(kind: str) -> tuple[QuerySet[Any], str]:
    """The public rows of a kind, and the column that says when each came in."""
    if kind == PULSE:
        return Pulse.objects.published(), "detected_at"
    if kind == PassageKind.POST:
        return PersonaPost.objects.published(), "published_at"
    if kind == PassageKind.EVENT:
        return Event.objects.published(), "created_at"
    units = Unit.objects.published()
    if kind == PassageKind.ENTITY:
        return units.exclude(type__in=(UnitType.TOPIC, UnitType.EVENT)), "created_at"
    return units.filter(prefix=kind if kind in ENTITY_PREFIXES else PassageKind.TOPIC), "created_at"
