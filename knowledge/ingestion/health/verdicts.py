"""The hourly record of how each subsystem was found."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from knowledge.ingestion.health.freshness import Freshness
from knowledge.models import SubsystemVerdict

VERDICTS_KEPT = timedelta(days=400)


def record(rows: Iterable[Freshness], *, now: datetime) -> None:
    """Store the verdicts of the hour of ``now``. The first look in an hour stands: whoever comes again adds nothing."""
    hour = now.replace(minute=0, second=0, microsecond=0)
    verdicts = [SubsystemVerdict(subsystem=row.name, hour=hour, status=row.status) for row in rows]
    SubsystemVerdict.objects.bulk_create(verdicts, ignore_conflicts=True)


def prune(*, now: datetime) -> int:
    """Delete what is past its keeping; how many verdicts went."""
    return SubsystemVerdict.objects.filter(hour__lt=now - VERDICTS_KEPT).delete()[0]
