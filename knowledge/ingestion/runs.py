"""One run of one source: claimed, fetched, stored, and written down whatever came of it.

A source is claimed by a conditional update of its next fetch, so two workers never run it at once; a worker that
dies leaves a lease that lapses by itself. Failures back off 1, 2, 4 … 60 minutes and never switch a source off.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError, transaction

from knowledge.ingestion import creators, documents, series
from knowledge.ingestion.counts import ItemCounts
from knowledge.ingestion.parts import Part, PartFailure, in_words, known_until, parts_of
from knowledge.models import FetchCause, FetchRun, RunOutcome, Source
from knowledge.sources.adapters import ADAPTERS
from knowledge.sources.base import DocumentItem, SourceItem
from knowledge.sources.errors import NeedsKey, SourceError
from knowledge.sources.http.client import Fetched, HttpClient, Validators
from knowledge.sources.http.redaction import redacted

logger = logging.getLogger(__name__)

# Longer than the slowest run may take, so that a lease lapses only after its worker died.
LEASE = timedelta(minutes=10)
# Every request has its own deadline; a source of many requests has this one as well (the task's own is 240 s).
RUN_SECONDS = 200.0
# Parts in a row that met nobody; each may wait 20 s, and the others would do the same.
UNREACHED_AT_MOST = 2
BACKOFF_FIRST = timedelta(minutes=1)
BACKOFF_MAX = timedelta(minutes=60)
JITTER = 0.25  # of the wait, so that what failed together does not come back together
# Even a source that asks for more is looked at once a day.
SILENCE_MAX = timedelta(days=1)
# A source without its key is asked again seldom: only an operator can change that.
KEY_RETRY = timedelta(hours=1)
DETAIL_MAX_LENGTH = 300
_STATE = (
    "first_success_at",
    "last_success_at",
    "consecutive_failures",
    "last_cause",
    "needs_key",
    "next_fetch_at",
    "etag",
    "last_modified",
    "body_sha256",
)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to run a source (its key) until a moment, which is also what tells this lease from later ones."""

    source: int
    until: datetime


@dataclass(slots=True)
class RunProgress:
    """How far a run is: the items that are stored, the parts that came and those that did not, in order."""

    parts: int
    answer: Fetched | None = None  # of the source's own address
    counts: ItemCounts = field(default_factory=ItemCounts)
    came: int = 0
    failures: list[PartFailure] = field(default_factory=list)
    unreached: int = 0  # in a row

    @property
    def retry_after(self) -> float:
        """The longest silence that was asked for, in seconds."""
        return max((failure.retry_after or 0.0 for failure in self.failures), default=0.0)

    @property
    def host_is_away(self) -> bool:
        """Whether asking for the rest is useless or unwelcome."""
        return self.retry_after > 0 or self.unreached >= UNREACHED_AT_MOST

    def succeeded(self, counts: ItemCounts) -> None:
        self.counts += counts
        self.came += 1
        self.unreached = 0

    def failed(self, failure: PartFailure) -> None:
        self.failures.append(failure)
        self.unreached = self.unreached + 1 if failure.unreached else 0


def claim_due(now: datetime) -> list[Lease]:
    """Claim every source whose time has come; the leases that are ours now."""
    due = Source.objects.due(now).values_list("pk", "next_fetch_at")
    leases = (_claim(pk, seen, now) for pk, seen in list(due))
    return [lease for lease in leases if lease is not None]


def claim_now(source: Source, now: datetime) -> Lease:
    """Claim a source that is not due, as when an operator names it."""
    Source.objects.filter(pk=source.pk).update(next_fetch_at=now + LEASE)
    return Lease(source.pk, now + LEASE)


def _claim(pk: int, seen: datetime | None, now: datetime) -> Lease | None:
    # Each lease ends at another moment, since that is all by which one is told from the next.
    until = max(now + LEASE, seen + timedelta(microseconds=1)) if seen else now + LEASE
    unclaimed = Source.objects.filter(pk=pk, enabled=True, next_fetch_at=seen)
    return Lease(pk, until) if unclaimed.update(next_fetch_at=until) else None


def ingest_claimed(lease: Lease, *, now: datetime, http: HttpClient) -> FetchRun | None:
    """Run a source as claimed; None when the lease is no longer ours.

    A queue may deliver a lease late or twice. Taking it up renews it, so only the first delivery runs.
    """
    if _claim(lease.source, lease.until, now) is None:
        return None
    return ingest(Source.objects.select_related("creator").get(pk=lease.source), now=now, http=http)


def ingest(
    source: Source, *, now: datetime, http: HttpClient, jitter: Callable[[], float] = random.random
) -> FetchRun:
    """Run one source once and store what is new, each part of it by itself.

    Never raises for what the source does: an answer that cannot be read is a failure with its cause, of its part where
    others came. ``jitter`` gives 0..1 and spreads the retries of sources that failed together.
    """
    began = time.monotonic()
    run = FetchRun(source=source, started_at=now)
    try:
        progress = _read(source, run, http, now=now)
    except NeedsKey as error:
        _record_waiting(source, run, str(error), now=now)
    else:
        if progress.came:
            _record_success(source, run, progress, now=now)
        else:
            _record_failure(source, run, progress, now=now, jitter=jitter)
    run.milliseconds = int((time.monotonic() - began) * 1000)
    run.save()
    return run


def _read(source: Source, run: FetchRun, http: HttpClient, *, now: datetime) -> RunProgress:
    """Fetch and store every part; what fails of one says nothing of the others, unless the host is away."""
    parts, ends = parts_of(source), time.monotonic() + RUN_SECONDS
    progress = RunProgress(len(parts))
    for part in parts:
        try:
            progress.answer, items = _fetch(source, part, http, ends)
            progress.succeeded(_store(source, run, items, now=now))
        except SourceError as error:
            progress.failed(PartFailure(part.name, FetchCause(error.cause), error.detail, error.retry_after))
        except (NeedsKey, OperationalError, InterfaceError):
            # The key is one for all parts; and that the store is away says nothing about the source, whose lease
            # lapses by itself.
            raise
        except Exception as error:
            # A hostile body found a hole in an adapter: that is this part's failure and nobody else's.
            logger.exception("source %s failed unexpectedly", source.slug)
            progress.failed(PartFailure(part.name, FetchCause.INTERNAL, f"unexpected {type(error).__name__}"))
            if isinstance(error, SoftTimeLimitExceeded):
                break
        if progress.host_is_away:
            break
    return progress


def _fetch(
    source: Source, part: Part, http: HttpClient, ends: float
) -> tuple[Fetched | None, list[SourceItem]]:
    """All items of a part: half of one would pass for the whole when the newest stored point is looked up."""
    adapter = ADAPTERS[source.adapter]
    _refuse_after(ends)
    if part.entry is None or adapter.fetch is None:
        return adapter.read(source, http, Validators(source.etag, source.last_modified, source.body_sha256))
    return None, list(_in_time(adapter.fetch(source, part.entry, known_until(source, part), http), ends))


def _in_time(items: Iterable[SourceItem], ends: float) -> Iterator[SourceItem]:
    """The items, unless the run takes too long; adapters ask for the next page only when it is needed."""
    for item in items:
        _refuse_after(ends)
        yield item


def _refuse_after(ends: float) -> None:
    if time.monotonic() > ends:
        raise SourceError("timeout", f"the whole run took more than {RUN_SECONDS:.0f} s")


@transaction.atomic
def _store(source: Source, run: FetchRun, items: Sequence[SourceItem], *, now: datetime) -> ItemCounts:
    # Runs of one source store one after the other, so that "already there" is never a guess.
    Source.objects.select_for_update().get(pk=source.pk)
    found = [item for item in items if isinstance(item, DocumentItem)]
    if not found:
        return series.store(source, items, now=now)
    run.detail = printable(creators.publish_if_verified(source, found))
    return documents.store(source, found, now=now)


def _record_success(source: Source, run: FetchRun, progress: RunProgress, *, now: datetime) -> None:
    """What came is a success; a part that did not is said on the run, and its cause on the source."""
    answer, counts = progress.answer, progress.counts
    run.outcome = RunOutcome.UNCHANGED if answer and answer.not_modified else RunOutcome.OK
    if progress.failures:
        run.outcome = RunOutcome.PARTLY
        _note_failures(run, progress)
    run.fetched, run.created = counts.fetched, counts.created
    run.updated, run.unchanged = counts.updated, counts.unchanged
    source.first_success_at = source.first_success_at or now
    source.last_success_at = now
    source.consecutive_failures = 0
    source.last_cause = run.cause
    source.needs_key = False
    fresh_for = _silence(answer.max_age if answer else None)
    interval = timedelta(minutes=source.interval_minutes)
    source.next_fetch_at = now + max(interval, fresh_for, _silence(progress.retry_after))
    if answer:
        source.etag = answer.validators.etag
        source.last_modified = answer.validators.last_modified
        source.body_sha256 = answer.validators.body_sha256
    _save_state(source)


def _record_failure(
    source: Source, run: FetchRun, progress: RunProgress, *, now: datetime, jitter: Callable[[], float]
) -> None:
    run.outcome = RunOutcome.FAILED
    _note_failures(run, progress)
    source.consecutive_failures += 1
    source.last_cause = run.cause
    source.needs_key = False
    source.next_fetch_at = now + backoff(source.consecutive_failures, progress.retry_after, jitter())
    _save_state(source)


def _note_failures(run: FetchRun, progress: RunProgress) -> None:
    run.cause = progress.failures[0].cause
    tried = progress.came + len(progress.failures)
    run.detail = printable(in_words(progress.failures, parts=progress.parts, tried=tried))


def _record_waiting(source: Source, run: FetchRun, detail: str, *, now: datetime) -> None:
    run.outcome = RunOutcome.NEEDS_KEY
    run.detail = printable(detail)
    source.needs_key = True
    source.next_fetch_at = now + KEY_RETRY
    _save_state(source)


def backoff(failures: int, retry_after: float | None, jitter: float) -> timedelta:
    """How long to leave a source alone after its nth failure in a row; never shorter than it asked for."""
    base: timedelta = min(BACKOFF_FIRST * 2.0 ** min(failures - 1, 10), BACKOFF_MAX)
    return max(base * (1 + JITTER * jitter), _silence(retry_after))


def _silence(seconds: float | None) -> timedelta:
    """For how long the other side wants to be left alone, a day at most."""
    return timedelta(seconds=min(seconds or 0, SILENCE_MAX.total_seconds()))


def printable(detail: str) -> str:
    """A detail as a row can hold it: it may quote a hostile body, and Postgres stores no NUL."""
    return "".join(char for char in redacted(detail) if char.isprintable())[:DETAIL_MAX_LENGTH]


def _save_state(source: Source) -> None:
    """Write the run's outcome, and only that: an operator may be editing the same row."""
    source.save(update_fields=_STATE)
