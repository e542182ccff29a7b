"""What beat runs. Each task is one domain call, safe to run twice."""

from celery import shared_task
from django.utils import timezone

from ask import audit, leftovers, renewal


@shared_task
def answer_seed_questions() -> None:
    renewal.answer_seeds(now=timezone.now())


@shared_task
def renew_answers() -> None:
    renewal.renew(now=timezone.now())


@shared_task
def sweep_reservations() -> None:
    leftovers.sweep(now=timezone.now())


# Three calls a seed with a web search each: the longest job there is, and it stops at its share of the cap.
@shared_task(soft_time_limit=3000, time_limit=3300)
def audit_citations() -> None:
    audit.run(now=timezone.now())
