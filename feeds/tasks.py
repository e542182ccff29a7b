"""What beat runs. Each task is one domain call, safe to run twice."""

from celery import shared_task
from django.utils import timezone

from feeds import status


@shared_task
def record_verdicts() -> None:
    status.record_verdicts(now=timezone.now())
