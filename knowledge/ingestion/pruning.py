"""What is not kept. Documents, observations, candles and pulses are; the log of fetches is not."""

from __future__ import annotations

from datetime import datetime, timedelta

from knowledge.models import FetchRun

# A quarter shows every seasonal trouble of a source; beyond that the rows only slow the desk down.
FETCH_RUNS_KEPT = timedelta(days=90)


def prune(*, now: datetime) -> int:
    """Delete what is past its keeping; how many rows went."""
    deleted, _by_model = FetchRun.objects.filter(started_at__lt=now - FETCH_RUNS_KEPT).delete()
    return deleted
