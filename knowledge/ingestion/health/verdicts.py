"""The hourly record of how each subsystem was found."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils import timezone

from knowledge.ingestion.health.freshness import Freshness
from knowledge.models import SubsystemVerdict

VERDICTS_KEPT = timedelta(days=400)


def record(rows: Iterable[Freshness], *, now: datetime) -> None:
    """Store the verdicts of the hour of ``now``. The first look in an hour stands: whoever comes again adds nothing."""
    local = timezone.localtime(now)
    verdicts = [
        SubsystemVerdict(subsystem=row.name, day=local.date(), hour=local.hour, status=row.status)
        for row in rows
    ]
    SubsystemVerdict.objects.bulk_create(verdicts, ignore_conflicts=True)


def prune(*, now: datetime) -> int:
    """Delete what is past its keeping; how many verdicts went."""
    return SubsystemVerdict.objects.filter(day__lt=timezone.localdate(now) - VERDICTS_KEPT).delete()[0]
