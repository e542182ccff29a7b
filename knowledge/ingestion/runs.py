"""One run of one source: claimed, fetched, stored, and written down whatever came of it.

A source is claimed by a conditional update of its next fetch, so two workers never run it at once; a worker that
dies leaves a claim that lapses by itself. Failures back off 1, 2, 4 … 60 minutes and never switch a source off.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, transaction

from knowledge.ingestion import creators, documents, numbers
from knowledge.ingestion.tally import Tally
from knowledge.models import FetchCause, FetchRun, RunOutcome, Source
from knowledge.redaction import redacted
from knowledge.sources import ADAPTERS
from knowledge.sources.base import Fetcher, Item
from knowledge.sources.conditional import ConditionalDoor, Validators
from knowledge.sources.errors import NeedsKey, SourceError

logger = logging.getLogger(__name__)

# Longer than the slowest run may take, so that a claim lapses only after its worker died.
CLAIM = timedelta(minutes=10)
# Every request has its own deadline; a source of many requests has this one as well (the task's own is 240 s).
RUN_SECONDS = 200.0
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
class Claim:
    """The right to run a source (its key) until a moment, which is also what tells this claim from later ones."""

    source: int
    until: datetime


@dataclass(frozen=True, slots=True)
class Brought:
    """What an adapter brought: its items, and what to remember for the next conditional request."""

    items: Sequence[Item]
    validators: Validators
    not_modified: bool
    max_age: float | None


def claim_due(now: datetime) -> list[Claim]:
    """Claim every source whose time has come; the claims that are ours now."""
    due = Source.objects.due(now).values_list("pk", "next_fetch_at")
    claims = (_claim(pk, seen, now) for pk, seen in list(due))
    return [claim for claim in claims if claim is not None]


def claim_now(source: Source, now: datetime) -> Claim:
    """Claim a source that is not due, as when an operator names it."""
    Source.objects.filter(pk=source.pk).update(next_fetch_at=now + CLAIM)
    return Claim(source.pk, now + CLAIM)


def _claim(pk: int, seen: datetime | None, now: datetime) -> Claim | None:
    # Each claim ends at another moment, since that is all by which one is told from the next.
    until = max(now + CLAIM, seen + timedelta(microseconds=1)) if seen else now + CLAIM
    unclaimed = Source.objects.filter(pk=pk, enabled=True, next_fetch_at=seen)
    return Claim(pk, until) if unclaimed.update(next_fetch_at=until) else None


def ingest_claimed(claim: Claim, *, now: datetime, http: Fetcher) -> FetchRun | None:
    """Run a source as claimed; None when the claim is no longer ours.

    A queue may deliver a claim late or twice. Taking it up renews it, so only the first delivery runs.
    """
    if _claim(claim.source, claim.until, now) is None:
        return None
    return ingest(Source.objects.select_related("creator").get(pk=claim.source), now=now, http=http)


def ingest(
    source: Source, *, now: datetime, http: Fetcher, jitter: Callable[[], float] = random.random
) -> FetchRun:
    """Run one source once and store what is new.

    Never raises for what the source does: an answer that cannot be read is a failed run with its cause. ``jitter``
    gives 0..1 and spreads the retries of sources that failed together.
    """
    began = time.monotonic()
    run = FetchRun(source=source, started_at=now)
    try:
        brought = _fetch(source, http)
        tally = _store(source, run, brought, now=now)
    except NeedsKey as error:
        _record_waiting(source, run, str(error), now=now)
    except SourceError as error:
        _record_failure(source, run, error, now=now, jitter=jitter)
    except (OperationalError, InterfaceError):
        # The store is away: that says nothing about the source, and the claim lapses by itself.
        raise
    except Exception as error:
        # A hostile body found a hole in an adapter: that is this source's failure and nobody else's.
        logger.exception("source %s failed unexpectedly", source.slug)
        broken = SourceError("parse", f"unexpected {type(error).__name__}")
        _record_failure(source, run, broken, now=now, jitter=jitter, cause=FetchCause.INTERNAL)
    else:
        _record_success(source, run, brought, tally, now=now)
    run.milliseconds = int((time.monotonic() - began) * 1000)
    run.save()
    return run


def _fetch(source: Source, http: Fetcher) -> Brought:
    known = Validators(source.etag, source.last_modified, source.body_sha256)
    door = ConditionalDoor(http, source.url, known)
    items = ADAPTERS[source.adapter].fetch(source, since=source.last_success_at, http=door)
    return Brought(list(_in_time(items)), door.validators, door.not_modified, door.max_age)


def _in_time(items: Iterator[Item]) -> Iterator[Item]:
    """The items, unless they take longer than a run may; adapters ask for the next page only when it is needed."""
    began = time.monotonic()
    for item in items:
        if time.monotonic() - began > RUN_SECONDS:
            raise SourceError("timeout", f"the whole run took more than {RUN_SECONDS:.0f} s")
        yield item


@transaction.atomic
def _store(source: Source, run: FetchRun, brought: Brought, *, now: datetime) -> Tally:
    # Runs of one source store one after the other, so that "already there" is never a guess.
    Source.objects.select_for_update().get(pk=source.pk)
    run.detail = printable(creators.prove(source, brought.items))
    return documents.store(source, brought.items, now=now) + numbers.store(source, brought.items, now=now)


def _record_success(source: Source, run: FetchRun, brought: Brought, tally: Tally, *, now: datetime) -> None:
    run.outcome = RunOutcome.UNCHANGED if brought.not_modified else RunOutcome.OK
    run.fetched, run.created = tally.fetched, tally.created
    run.updated, run.unchanged = tally.updated, tally.unchanged
    fresh_for = timedelta(seconds=min(brought.max_age or 0, SILENCE_MAX.total_seconds()))
    source.first_success_at = source.first_success_at or now
    source.last_success_at = now
    source.consecutive_failures = 0
    source.last_cause = FetchCause.NONE
    source.needs_key = False
    source.next_fetch_at = now + max(timedelta(minutes=source.interval_minutes), fresh_for)
    source.etag = brought.validators.etag
    source.last_modified = brought.validators.last_modified
    source.body_sha256 = brought.validators.body_sha256
    _save_state(source)


def _record_failure(
    source: Source,
    run: FetchRun,
    error: SourceError,
    *,
    now: datetime,
    jitter: Callable[[], float],
    cause: FetchCause | None = None,
) -> None:
    run.outcome = RunOutcome.FAILED
    run.cause = cause or FetchCause(error.cause)
    run.detail = printable(error.detail)
    source.consecutive_failures += 1
    source.last_cause = run.cause
    source.needs_key = False
    source.next_fetch_at = now + backoff(source.consecutive_failures, error.retry_after, jitter())
    _save_state(source)


def _record_waiting(source: Source, run: FetchRun, detail: str, *, now: datetime) -> None:
    run.outcome = RunOutcome.NEEDS_KEY
    run.detail = printable(detail)
    source.needs_key = True
    source.next_fetch_at = now + KEY_RETRY
    _save_state(source)


def backoff(failures: int, retry_after: float | None, jitter: float) -> timedelta:
    """How long to leave a source alone after its nth failure in a row; never shorter than it asked for."""
    base: timedelta = min(BACKOFF_FIRST * 2.0 ** min(failures - 1, 10), BACKOFF_MAX)
    asked_for = timedelta(seconds=min(retry_after or 0, SILENCE_MAX.total_seconds()))
    return max(base * (1 + JITTER * jitter), asked_for)


def printable(detail: str) -> str:
    """A detail as a row can hold it: it may quote a hostile body, and Postgres stores no NUL."""
    return "".join(char for char in redacted(detail) if char.isprintable())[:DETAIL_MAX_LENGTH]


def _save_state(source: Source) -> None:
    """Write the run's outcome, and only that: an operator may be editing the same row."""
    source.save(update_fields=_STATE)
