"""One run of one source: claimed, fetched, stored, and written down whatever came of it.

A source is claimed by a conditional update of its next fetch, so two workers never run it at once; a worker that
dies leaves a claim that lapses by itself. Failures back off 1, 2, 4 … 60 minutes and never switch a source off.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, transaction

from knowledge.ingestion import creators, documents, numbers
from knowledge.ingestion.tally import Tally
from knowledge.models import FetchCause, FetchRun, RunOutcome, Source
from knowledge.sources import ADAPTERS
from knowledge.sources.base import Fetcher, Item
from knowledge.sources.conditional import ConditionalDoor, Validators
from knowledge.sources.errors import NeedsKey, SourceError

logger = logging.getLogger(__name__)

# Longer than the slowest run may take, so that a claim lapses only after its worker died.
CLAIM = timedelta(minutes=10)
BACKOFF_FIRST = timedelta(minutes=1)
BACKOFF_MAX = timedelta(minutes=60)
# A source without its key is asked again seldom: only an operator can change that.
KEY_RETRY = timedelta(hours=1)
DETAIL_MAX_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Yield:
    """What an adapter brought: its items, and what to remember for the next conditional request."""

    items: Sequence[Item]
    validators: Validators
    not_modified: bool
    max_age: float | None


def claim_due(now: datetime) -> list[int]:
    """Claim every source whose time has come; the keys of those that are ours now."""
    claimed = []
    for source in Source.objects.due(now).only("pk", "next_fetch_at"):
        rows = Source.objects.filter(pk=source.pk, enabled=True, next_fetch_at=source.next_fetch_at)
        if rows.update(next_fetch_at=now + CLAIM):
            claimed.append(source.pk)
    return claimed


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
        tally = _store(source, brought, now=now)
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


def _fetch(source: Source, http: Fetcher) -> Yield:
    known = Validators(source.etag, source.last_modified, source.body_sha256)
    door = ConditionalDoor(http, source.url, known)
    items = list(ADAPTERS[source.adapter].fetch(source, since=source.last_success_at, http=door))
    return Yield(items, door.validators, door.not_modified, door.max_age)


@transaction.atomic
def _store(source: Source, brought: Yield, *, now: datetime) -> Tally:
    # Runs of one source store one after the other, so that "already there" is never a guess.
    Source.objects.select_for_update().get(pk=source.pk)
    creators.prove(source, brought.items)
    return documents.store(source, brought.items, now=now) + numbers.store(source, brought.items, now=now)


def _record_success(source: Source, run: FetchRun, brought: Yield, tally: Tally, *, now: datetime) -> None:
    run.outcome = RunOutcome.UNCHANGED if brought.not_modified else RunOutcome.OK
    run.fetched, run.created = tally.fetched, tally.created
    run.updated, run.unchanged = tally.updated, tally.unchanged
    wait = max(timedelta(minutes=source.interval_minutes), timedelta(seconds=brought.max_age or 0))
    source.first_success_at = source.first_success_at or now
    source.last_success_at = now
    source.consecutive_failures = 0
    source.last_cause = FetchCause.NONE
    source.needs_key = False
    source.next_fetch_at = now + min(wait, timedelta(days=1))
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
    run.detail = error.detail[:DETAIL_MAX_LENGTH]
    source.consecutive_failures += 1
    source.last_cause = run.cause
    source.needs_key = False
    source.next_fetch_at = now + backoff(source.consecutive_failures, error.retry_after, jitter())
    _save_state(source)


def _record_waiting(source: Source, run: FetchRun, detail: str, *, now: datetime) -> None:
    run.outcome = RunOutcome.NEEDS_KEY
    run.detail = detail[:DETAIL_MAX_LENGTH]
    source.needs_key = True
    source.next_fetch_at = now + KEY_RETRY
    _save_state(source)


def backoff(failures: int, retry_after: float | None, jitter: float) -> timedelta:
    """How long to leave a source alone after its nth failure in a row; never shorter than it asked for."""
    base = min(BACKOFF_FIRST * 2 ** min(failures - 1, 10), BACKOFF_MAX)
    wait = base * (1 + 0.25 * jitter)
    return max(wait, timedelta(seconds=min(retry_after or 0, 86_400)))


def _save_state(source: Source) -> None:
    """Write the run's outcome, and only that: an operator may be editing the same row."""
    source.save(
        update_fields=[
            "first_success_at",
            "last_success_at",
            "consecutive_failures",
            "last_cause",
            "needs_key",
            "next_fetch_at",
            "etag",
            "last_modified",
            "body_sha256",
        ]
    )
