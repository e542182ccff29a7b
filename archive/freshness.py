"""How fresh the archive is: one row for health and the status page.

Both are public, so a note says what kind of thing failed and what to do; the log and the desk have the error itself.
"""

from datetime import date, datetime, timedelta

from archive import storage
from archive.days import end_of, yesterday
from archive.inspection import SealedFile, inspector
from archive.models import FailureKind, Sealing, Snapshot
from knowledge.ingestion.health.freshness import FAIL, OK, AgeLimits, Freshness

# Beat tries for half an hour; after six hours somebody must look.
ARCHIVE_LIMITS = AgeLimits(timedelta(minutes=30), timedelta(hours=6))
NAMED_FILES = 5
REMEDIES: dict[str, str] = {
    FailureKind.STORAGE: "its file could not be kept; make room or mend the archive's storage, then run seal_day",
    FailureKind.DATABASE: "the database refused or broke off; it is tried again within the hour",
    FailureKind.DEFECT: "an error of the program; the worker's log and the desk have it",
    "": "the worker's log and the desk say why",
}
NO_FOLDER = "the folder of the day files is missing; mount it, or correct ARCHIVE_ROOT"


def city(now: datetime, installed_at: datetime) -> Freshness:
    """``age``: for how long yesterday's file has been due; zero when it is there.

    A seal that failed, on a full disk or a read-only one, is a failure at once, and so is a file that is not what was
    sealed. What was over before the installation is nobody's debt.
    """
    day = yesterday(now)
    newest = Snapshot.objects.order_by("-sealed_at").first()
    sealed_at = newest.sealed_at if newest else None
    is_there = Snapshot.objects.filter(day=day).exists()
    failure = _damage() or ("" if is_there else _failure(day))
    owed = not is_there and (failure != "" or end_of(day) > installed_at)
    age = now - max(end_of(day), installed_at) if owed else timedelta()
    if failure:
        return Freshness("archive", sealed_at, age, ARCHIVE_LIMITS, FAIL, failure)
    status = ARCHIVE_LIMITS.judge(age)
    note = "" if status == OK else f"no file of {day} yet"
    return Freshness("archive", sealed_at, age, ARCHIVE_LIMITS, status, note)


def _failure(day: date) -> str:
    """What is said of the seal of a day that failed; empty when none did."""
    failed = Sealing.objects.filter(day=day).exclude(failure="").first()
    return f"sealing {day} failed: {REMEDIES[failed.failure_kind]}" if failed else ""


def _damage() -> str:
    """What is said of files that are not what was sealed; empty when all are."""
    rows = list(Snapshot.objects.defer("facts"))
    if rows and storage.folder_is_missing():
        return NO_FOLDER
    damaged = inspector.damaged(rows)
    if not damaged:
        return ""
    names = ", ".join(_name(file) for file in damaged[:NAMED_FILES]) + ", …" * (len(damaged) > NAMED_FILES)
    return (
        f"missing or damaged day files: {len(damaged)} ({names}); run verify_archive, restore from the backup"
    )


def _name(file: SealedFile) -> str:
    return file.day.isoformat() if file.revision == 1 else f"{file.day} r{file.revision}"
