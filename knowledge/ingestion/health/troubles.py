"""Which sources are not well, for readers: by kind, with their names and the last cause."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q

from knowledge.ingestion.health.states import SourceState, with_state
from knowledge.models import FetchCause, Source

# What every source meets while this service has no network.
OF_THE_NETWORK = (FetchCause.DNS, FetchCause.TIMEOUT, FetchCause.REFUSED)
# Others are asked so rarely that they say nothing of this hour.
OFTEN_MINUTES = 60


@dataclass(frozen=True, slots=True)
class SourceTrouble:
    kind: str
    name: str
    name_en: str
    cause: FetchCause


@dataclass(frozen=True, slots=True)
class Intake:
    """``offline``: nothing outside can be reached."""

    troubles: Sequence[SourceTrouble]
    offline: bool


def intake(now: datetime) -> Intake:
    """The sources of which the last run failed, wholly or in part, by kind and name."""
    rows: Any = with_state(Source.objects.filter(enabled=True, needs_key=False), now).order_by("kind", "name")
    unwell = rows.filter(state__in=(SourceState.FAILING, SourceState.PARTLY))
    return Intake([_trouble(row) for row in unwell], is_offline())


def is_offline() -> bool:
    """Whether nothing outside can be reached: the last fetch of every source that is asked each hour ended so.

    One that never had anything to fetch, such as candles of no market, tells nothing.
    """
    often = Source.objects.filter(enabled=True, needs_key=False, interval_minutes__lte=OFTEN_MINUTES)
    working = often.exclude(consecutive_failures=0, last_success_at=None)
    lost = Q(consecutive_failures__gt=0, last_cause__in=OF_THE_NETWORK)
    found = working.aggregate(sources=Count("pk"), lost=Count("pk", filter=lost))
    return bool(0 < found["sources"] == found["lost"])


def _trouble(row: Source) -> SourceTrouble:
    return SourceTrouble(row.kind, row.name, row.name_en or row.name, FetchCause(row.last_cause))
