"""Which sources are not well, for readers: by kind, with their names and the last cause."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

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
    """``offline``: nothing that is asked every hour can be reached."""

    troubles: Sequence[SourceTrouble]
    offline: bool


def intake(now: datetime) -> Intake:
    """The sources of which the last run failed, wholly or in part, by kind and name."""
    rows: Any = with_state(Source.objects.filter(enabled=True, needs_key=False), now).order_by("kind", "name")
    found = list(rows)
    unwell = [row for row in found if row.state in (SourceState.FAILING, SourceState.PARTLY)]
    often = [row for row in found if row.interval_minutes <= OFTEN_MINUTES]
    lost = [row for row in often if row.state == SourceState.FAILING and row.last_cause in OF_THE_NETWORK]
    offline = bool(lost) and all(row in lost or row.state == SourceState.NEVER for row in often)
    return Intake([_trouble(row) for row in unwell], offline)


def _trouble(row: Source) -> SourceTrouble:
    return SourceTrouble(row.kind, row.name, row.name_en or row.name, FetchCause(row.last_cause))
