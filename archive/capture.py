"""Sealing a day: signals, state, reflection, file, row; in that order, once.

The file comes before the row: a crash between them leaves a file that the next run takes over as it is. Paid texts
are written down as soon as they come, so that no crash pays for them twice.
"""

import logging
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Any

import psycopg
from django.db import DatabaseError, InterfaceError
from django.db.models import Max
from django.utils import timezone

from archive import storage
from archive.canonical import canonical_bytes
from archive.city import derive
from archive.city_inputs import Inputs, Reading, Yesterday, numbers_of, yesterday_of
from archive.context import context_of
from archive.day_facts import DayFacts
from archive.day_file import DayParts, Previous, document_of, row_of
from archive.days import ONE_DAY, end_of, is_over, yesterday
from archive.lock import SealBusy, sealing_alone
from archive.metrics import SLUGS
from archive.models import Completeness, FailureKind, Sealing, Signal, Snapshot
from archive.norms import NORM_DAYS, norms_of
from archive.notable import notable
from archive.reflection import FORMER_DAYS, Compose, reflect
from archive.signals import final_signals, raw_of
from ask.model_calls import Completion
from knowledge.sources.http.redaction import redacted

__all__ = ["SealBusy", "SealFailed", "catch_up", "revise", "seal"]

logger = logging.getLogger(__name__)

# Beat tries until half past midnight; what is sealed after that was missed.
LATE_AFTER = timedelta(minutes=35)
CARRIED_DAYS = 2
CATCH_UP_DAYS = 14
FAILURE_LENGTH = 300


class SealFailed(Exception):  # noqa: N818 - what happened to the day
    """The day could not be sealed; nothing half-made is visible, and a later run finishes it."""


@dataclass(frozen=True, slots=True)
class Task:
    """One file to be made."""

    day: date
    now: datetime
    rehearsal: bool = False
    revision: int = 1
    reason: str = ""


def seal(day: date, *, now: datetime, compose: Compose | None, rehearsal: bool = False) -> Snapshot:
    """Seal ``day`` and give its row; a day that is sealed already stays as it is.

    Raises ValueError for a day that is not over, SealBusy when another process holds the lock too long, and
    SealFailed when the file cannot be written.
    """
    if not is_over(day, now):
        raise ValueError(f"{day} is not over in Seoul; it can be sealed from {end_of(day).isoformat()} on")
    with sealing_alone():
        first = Snapshot.objects.filter(day=day, revision=1).first()
        return first or _finished(Task(day, now, rehearsal), compose)


def revise(day: date, *, now: datetime, compose: Compose | None, reason: str) -> Snapshot:
    """Make a further revision of a sealed day from all signals that have come by now; the first stays readable.

    Raises Snapshot.DoesNotExist for a day that was never sealed, and what ``seal`` raises.
    """
    with sealing_alone():
        first = Snapshot.objects.get(day=day, revision=1)
        newest = Snapshot.objects.filter(day=day).aggregate(newest=Max("revision"))["newest"]
        return _finished(Task(day, now, first.rehearsal, newest + 1, reason), compose)


def catch_up(*, now: datetime, compose: Compose | None) -> list[Snapshot]:
    """Seal what was missed, oldest first: yesterday in any case, earlier days if a service spoke of them.

    A day on which nothing ran and of which nothing was stored stays a gap. Looks back fourteen days.
    """
    last = yesterday(now)
    spoken = Signal.objects.filter(
        day__range=(last - CATCH_UP_DAYS * ONE_DAY, last), rehearsal=False
    ).values_list("day", flat=True)
    missed = {last, *spoken} - set(Snapshot.objects.filter(revision=1).values_list("day", flat=True))
    return [seal(day, now=now, compose=compose) for day in sorted(missed)]


def _finished(task: Task, compose: Compose | None) -> Snapshot:
    """Make the file if need be, then its row; a failure is written down before it is raised."""
    sealing, _created = Sealing.objects.get_or_create(
        day=task.day, revision=task.revision, defaults={"began_at": task.now}
    )
    try:
        if not storage.exists(task.day, task.revision):
            content = canonical_bytes(document_of(_parts(task, _Remembered(sealing, compose))))
            _write(task, content)
        row = _record(task)
    except Exception as error:
        _note_failure(sealing, error)
        raise SealFailed(f"{task.day} r{task.revision}: {type(error).__name__}: {error}") from error
    sealing.delete()
    logger.info("sealed %s r%d: %s, %d bytes", task.day, task.revision, row.status, row.size)
    return row


def _write(task: Task, content: bytes) -> None:
    try:
        storage.write(task.day, task.revision, content)
    except FileExistsError:
        # Somebody without our lock was faster; the file that is there is the day.
        logger.warning("%s r%d was written by another process", task.day, task.revision)


def _record(task: Task) -> Snapshot:
    """The row of the file that is there, whoever wrote it."""
    fields = row_of(storage.read(task.day, task.revision))
    row, _created = Snapshot.objects.get_or_create(day=task.day, revision=task.revision, defaults=fields)
    return row


def _note_failure(sealing: Sealing, error: Exception) -> None:
    cause = redacted(f"{type(error).__name__}: {error}")
    logger.error("sealing %s failed: %s", sealing.day, cause)
    sealing.failed_at, sealing.failure_kind = timezone.now(), _kind_of(error)
    sealing.failure = cause[:FAILURE_LENGTH]
    try:
        sealing.save(update_fields=["failed_at", "failure", "failure_kind"])
    except DatabaseError:
        logger.exception("and the failure could not be written down")


def _kind_of(error: Exception) -> FailureKind:
    match error:
        case OSError():
            return FailureKind.STORAGE
        case DatabaseError() | InterfaceError() | psycopg.Error():
            return FailureKind.DATABASE
    return FailureKind.DEFECT


def _parts(task: Task, compose: Compose | None) -> DayParts:
    signals = _signals(task)
    inputs = Inputs(
        date=task.day.isoformat(),
        readings={
            entry["service"]: Reading(entry["state"], numbers_of(entry["service"], entry["raw"]))
            for entry in signals
        },
        norms=norms_of(row.facts["heard"] for row in _before(task)[:NORM_DAYS]),
        yesterday=_yesterday(task),
    )
    state = derive(inputs)
    context = context_of(task.day)
    heard = sum(entry["state"] == "ok" for entry in signals)
    facts = DayFacts(task.day, _status(heard), state, heard, context)
    reflection = reflect(facts, compose=compose, former=_former(task), highlights=_highlights(signals))
    return DayParts(
        day=task.day,
        sealed_at=task.now,
        status=facts.status,
        late=task.now > end_of(task.day) + LATE_AFTER,
        rehearsal=task.rehearsal,
        signals=signals,
        inputs=inputs,
        context=context,
        state=state,
        notable=notable(state, signals, context),
        reflection=reflection,
        previous=_previous(task.day),
        revision=task.revision,
        supersedes=_superseded(task),
    )


def _status(heard: int) -> str:
    if heard == len(SLUGS):
        return Completeness.COMPLETE.value
    return Completeness.PARTIAL.value if heard else Completeness.NO_SIGNAL.value


def _signals(task: Task) -> list[dict[str, Any]]:
    """One entry for each of the six services: its own signal, or one of the two days before, or none."""
    found: dict[str, tuple[str, Signal]] = {}
    for back in range(CARRIED_DAYS + 1):
        rows = final_signals(task.day - back * ONE_DAY, rehearsal=task.rehearsal, received_by=task.now)
        for slug, row in rows.items():
            found.setdefault(slug, ("stale" if back else "ok", row))
    return [_entry(slug, *found.get(slug, ("missing", None))) for slug in SLUGS]


def _entry(slug: str, state: str, signal: Signal | None) -> dict[str, Any]:
    return {
        "service": slug,
        "state": state,
        "revision": signal.revision if signal else None,
        "sha256": signal.sha256 if signal else None,
        "raw": raw_of(signal) if signal else None,
    }


def _highlights(signals: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"service": entry["service"], **{key: item[key] for key in ("label", "value")}}
        for entry in signals
        if entry["state"] == "ok"
        for item in entry["raw"].get("highlights", [])
    ]


def _before(task: Task) -> Any:
    """The days sealed before this one, newest first. Rehearsal and real days never mix."""
    # A revision must not change what later days were measured against, so the first ones count.
    return Snapshot.objects.filter(day__lt=task.day, rehearsal=task.rehearsal, revision=1).order_by("-day")


def _yesterday(task: Task) -> Yesterday | None:
    row = _before(task).filter(day=task.day - ONE_DAY).first()
    return yesterday_of(row.facts["state"]) if row else None


def _former(task: Task) -> list[str]:
    return [row.facts["reflection"] for row in _before(task)[:FORMER_DAYS]]


def _previous(day: date) -> Previous | None:
    row = Snapshot.objects.filter(day__lt=day, revision=1).order_by("-day").first()
    return Previous(row.day, row.sha256) if row else None


def _superseded(task: Task) -> dict[str, Any] | None:
    if task.revision == 1:
        return None
    former = Snapshot.objects.get(day=task.day, revision=task.revision - 1)
    return {"revision": former.revision, "sha256": former.sha256, "reason": task.reason}


class _Remembered:
    """A ``Compose`` whose every call is written down before it is made and again when it came back.

    A later run of the same seal replays them: a call that came back is not paid again, and one that was begun and
    never came back is taken for lost.
    """

    def __init__(self, sealing: Sealing, compose: Compose | None) -> None:
        self._sealing = sealing
        self._compose = compose
        self._next = 0

    def __call__(self, system: str, content: str) -> Completion | None:
        at, self._next = self._next, self._next + 1
        calls: list[dict[str, Any]] = self._sealing.calls
        if at < len(calls):
            return Completion(**calls[at]) if calls[at] else None
        if self._compose is None:
            return None
        calls.append({})
        self._sealing.save(update_fields=["calls"])
        composed = self._compose(system, content)
        if composed is not None:
            calls[at] = asdict(composed)
            self._sealing.save(update_fields=["calls"])
        return composed
