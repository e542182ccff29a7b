"""How fresh the archive is: one row for health and the status page."""

from __future__ import annotations

from datetime import datetime, timedelta

from archive.days import end_of, yesterday
from archive.models import Sealing, Snapshot
from knowledge.freshness import FAIL, OK, WARN, Freshness, Limits

# Beat tries for half an hour; after six hours somebody must look.
ARCHIVE_LIMITS = Limits(timedelta(minutes=30), timedelta(hours=6))


def city(now: datetime, installed_at: datetime) -> Freshness:
    """``age``: for how long yesterday's file has been due; zero when it is there.

    A seal that failed, on a full disk or a read-only one, is a failure at once. What was over before the
    installation is nobody's debt.
    """
    day = yesterday(now)
    newest = Snapshot.objects.order_by("-sealed_at").first()
    sealed_at = newest.sealed_at if newest else None
    if Snapshot.objects.filter(day=day).exists() or end_of(day) <= installed_at:
        return Freshness("archive", sealed_at, timedelta(), ARCHIVE_LIMITS, OK)
    age = now - max(end_of(day), installed_at)
    failure = Sealing.objects.filter(day=day).exclude(failure="").first()
    if failure is not None:
        note = f"sealing {day} failed: {failure.failure}"
        return Freshness("archive", sealed_at, age, ARCHIVE_LIMITS, FAIL, note)
    status = FAIL if age >= ARCHIVE_LIMITS.fail else (WARN if age >= ARCHIVE_LIMITS.warn else OK)
    note = "" if status == OK else f"no file of {day} yet"
    return Freshness("archive", sealed_at, age, ARCHIVE_LIMITS, status, note)
