"""Whether the files of tonight are there: one row for health and the status page.

Beat tries every hour, and whatever starts a worker tries too, so a night that is late may still come; one that is over
stays a gap of the list. What was due before the installation is nobody's debt.
"""

from datetime import datetime, timedelta

from bulk.catalogue import catalogue
from bulk.errors import BulkUnreadable
from bulk.nights import due_at, due_day
from knowledge.ingestion.health.freshness import FAIL, OK, AgeLimits, Freshness

# A million documents take minutes; two hours are two attempts, six want somebody to look.
BULK_LIMITS = AgeLimits(timedelta(hours=2), timedelta(hours=6))
UNREADABLE = "the lists of the bulk files cannot be read; mount or mend the archive's storage"


def bulk(now: datetime, installed_at: datetime) -> Freshness:
    """``age``: for how long the newest night's files have been due; zero when they are there."""
    try:
        lists = catalogue.nights().lists
    except BulkUnreadable:
        return Freshness("bulk", None, None, BULK_LIMITS, FAIL, UNREADABLE)
    day = due_day(now)
    last = max((item["writtenAt"] for night in lists.values() for item in night["items"]), default="")
    written = datetime.fromisoformat(last) if last else None
    age = timedelta() if day in lists else max(now - max(due_at(day), installed_at), timedelta())
    status = BULK_LIMITS.judge(age)
    note = (
        "" if status == OK else f"no files of {day} yet; the worker's log says why, write_bulk writes by hand"
    )
    return Freshness("bulk", written, age, BULK_LIMITS, status, note)
