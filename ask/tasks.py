"""What beat runs. Each task is one domain call, safe to run twice."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from ask import renewal


@shared_task
def answer_seed_questions() -> None:
    renewal.answer_seeds(now=timezone.now())


@shared_task
def renew_answers() -> None:
    renewal.renew(now=timezone.now())
