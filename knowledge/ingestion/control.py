"""What editors do with a source: switch it off and on, and have it run now."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError

from knowledge.curation import CurationError
from knowledge.ingestion import runs
from knowledge.models import Source


def switch(source: Source, *, on: bool, now: datetime) -> bool:
    """Fetch a source from the next look of beat on, or no more until then. False when it was so already."""
    return bool(Source.objects.filter(pk=source.pk, enabled=not on).update(enabled=on, next_fetch_at=now))


def run_now(source: Source, task: Any, *, now: datetime) -> None:
    """Hand a source to the worker at once, by the lease that beat uses and the Celery task that runs one.

    Raises CurationError where nothing was handed over: the source is paused, or no broker takes the task (the source is
    then due, and beat runs it once there is one).
    """
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
