"""Hours of the record behind the service level."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils import timezone

from knowledge.models import SubsystemVerdict


def store_verdicts(subsystem: str, begin: datetime, statuses: Iterable[str]) -> None:
    """A verdict an hour from ``begin`` on."""
    moments = ((timezone.localtime(begin + timedelta(hours=at)), said) for at, said in enumerate(statuses))
    SubsystemVerdict.objects.bulk_create(
        SubsystemVerdict(subsystem=subsystem, day=at.date(), hour=at.hour, status=said)
        for at, said in moments
    )
