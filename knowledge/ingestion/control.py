"""What editors do with a source: pause it, let it run again, have it run now, delete what it brought."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from knowledge.curation import CurationError, withdrawal
from knowledge.ingestion import runs
from knowledge.models import Source


def pause(source: Source) -> bool:
    """Fetch a source no more until it is resumed. False when it was paused already."""
    return bool(Source.objects.filter(pk=source.pk, enabled=True).update(enabled=False))


def resume(source: Source, *, now: datetime) -> bool:
    """Fetch a source again, with the next look of beat. False when it was not paused."""
    return bool(Source.objects.filter(pk=source.pk, enabled=False).update(enabled=True, next_fetch_at=now))


def run_now(source: Source, task: Any, *, now: datetime, resuming: bool = False) -> None:
    """Hand a source to the worker at once, by the lease that beat uses and the Celery task that runs one.

    ``resuming`` lets a paused source run again first. Raises CurationError where nothing was handed over: the source
    is paused, or no broker takes the task (the source is then due, and beat runs it once there is one).
    """
    if resuming:
        resume(source, now=now)
    if not Source.objects.filter(pk=source.pk, enabled=True).exists():
        raise CurationError(_("멈춘 출처는 수집하지 않습니다. 먼저 다시 켜세요."))
    lease = runs.claim_now(source, now)
    try:
        # An editor waits for the answer, so a broker that is away is not asked again.
        task.apply_async((lease.source, lease.until.isoformat()), retry=False)
    except OperationalError:
        Source.objects.filter(pk=source.pk, next_fetch_at=lease.until).update(next_fetch_at=now)
        raise CurationError(
            _("작업 대기열(브로커)에 닿지 않아 맡기지 못했습니다. 다시 닿으면 곧 수집합니다.")
        ) from None


def delete_documents(source: Source) -> int:
    """Pause a source and delete every document it brought; how many went."""
    pause(source)
    return withdrawal.delete_documents_of(source)
