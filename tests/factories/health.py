"""Hours of the record behind the service level."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from knowledge.models import SubsystemVerdict


def store_verdicts(subsystem: str, begin: datetime, statuses: Iterable[str]) -> None:
    """A verdict an hour from ``begin`` on."""
    SubsystemVerdict.objects.bulk_create(
        SubsystemVerdict(subsystem=subsystem, hour=begin + timedelta(hours=at), status=status)
        for at, status in enumerate(statuses)
    )
