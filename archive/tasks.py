"""What beat runs for the city. Each task is one domain call, safe to run twice."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.utils import timezone

from archive import nightly


@shared_task
def pull_signals() -> None:
    nightly.pull_today(now=timezone.now())


@shared_task
def seal_yesterday() -> None:
    nightly.seal_yesterday(now=timezone.now())


@shared_task
def catch_up() -> None:
    nightly.catch_up(now=timezone.now())


@worker_ready.connect
def catch_up_at_start(**_options: Any) -> None:
    """What was missed while nothing ran is sealed as soon as something runs."""
    catch_up.delay()
