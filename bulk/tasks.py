"""What beat runs for the bulk files: one domain call, safe to run twice."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.utils import timezone

from bulk import writing


# A million documents take minutes; a cut leaves nothing that a list names, and the next run begins anew.
@shared_task(soft_time_limit=3000, time_limit=3300)
def write_bulk() -> None:
    writing.write_due(now=timezone.now())


@worker_ready.connect
def write_at_start(**_options: Any) -> None:
    """The list is never empty for long: what is due is written as soon as something runs."""
    write_bulk.delay()
