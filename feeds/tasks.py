"""What beat runs. Each task is one domain call, safe to run twice."""

from celery import shared_task
from django.utils import timezone

from feeds import status
from feeds.cards import shelf


@shared_task
def record_verdicts() -> None:
    status.record_verdicts(now=timezone.now())


@shared_task
def draw_cards() -> None:
    shelf.draw_due(now=timezone.now())
