"""One run of one source: claimed, fetched, stored, and written down whatever came of it.

A source is claimed by a conditional update of its next fetch, so two workers never run it at once; a worker that
dies leaves a lease that lapses by itself. Failures back off 1, 2, 4 … 60 minutes and never switch a source off.
"""

import logging
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError, transaction
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError as BrokerError

from knowledge.curation import CurationError
from knowledge.ingestion import documents, series
from knowledge.invisible import visible
from knowledge.models import FetchCause, FetchRun, RunOutcome, Source
from knowledge.series import bars
from knowledge.sources.adapters import ADAPTERS, Adapter
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
# What says more of the host than of the part that met it.
_UNREACHED = frozenset({FetchCause.TIMEOUT, FetchCause.DNS, FetchCause.TLS, FetchCause.REFUSED})
# A quarter shows every seasonal trouble of a source; beyond that the rows only slow the desk down.
FETCH_RUNS_KEPT = timedelta(days=90)


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
    counts: Counter[str] = field(default_factory=Counter)
    came: int = 0
    failures: list[tuple[str, FetchCause, str]] = field(default_factory=list)  # part, cause and detail
    retry_after: float = 0.0  # the longest silence that was asked for, in seconds
    unreached: int = 0  # in a row

    def failed(self, part: str, cause: FetchCause, detail: str, retry_after: float | None = None) -> None:
        self.failures.append((part, cause, detail))
        self.retry_after = max(self.retry_after, retry_after or 0.0)
        self.unreached = self.unreached + 1 if cause in _UNREACHED else 0

    def failures_in_words(self) -> str:
        """What failed and why: every name with its cause, then the detail of the first."""
        first, _cause, detail = self.failures[0]
        if not first:
            return detail
        left = self.parts - self.came - len(self.failures)
        names = ", ".join(f"{part} ({cause})" for part, cause, _detail in self.failures)
        not_asked = f", {left} not asked" if left else ""
        return f"{len(self.failures)} of {self.parts} failed{not_asked}: {names}: {detail}"


def claim_due(now: datetime) -> list[Lease]:
    """Claim every source whose time has come; the leases that are ours now."""
    due = list(Source.objects.due(now).values_list("pk", "next_fetch_at"))
    return [lease for pk, seen in due if (lease := _claim(pk, seen, now))]


def claim_now(source: Source, now: datetime) -> Lease:
    """Claim a source that is not due, as when an operator names it."""
    Source.objects.filter(pk=source.pk).update(next_fetch_at=now + LEASE)
    return Lease(source.pk, now + LEASE)


def run_now(source: Source, task: Any, *, now: datetime) -> None:
    """Hand a source to the worker at once, by the lease that beat uses and the Celery task that runs one.

    Raises CurationError where nothing was handed over: the source is paused, or no broker takes the task (the source is
    then due, and beat runs it once there is one).
    """
    if not Source.objects.filter(pk=source.pk, enabled=True).exists():
        raise CurationError(_("멈춘 출처는 수집하지 않습니다. 먼저 다시 켜세요."))
    lease = claim_now(source, now)
    try:
        # An editor waits for the answer, so a broker that is away is not asked again.
        task.apply_async((lease.source, lease.until.isoformat()), retry=False)
    except BrokerError:
        Source.objects.filter(pk=source.pk, next_fetch_at=lease.until).update(next_fetch_at=now)
        raise CurationError(
            _("작업 대기열(브로커)에 닿지 않아 맡기지 못했습니다. 다시 닿으면 곧 수집합니다.")
        ) from None


def switch(source: Source, *, on: bool, now: datetime) -> bool:
    """Fetch a source from the next look of beat on, or no more until then. False when it was so already."""
    return bool(Source.objects.filter(pk=source.pk, enabled=not on).update(enabled=on, next_fetch_at=now))


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
    parts = parts_of(source, now)
    try:
        progress = _read(source, run, parts, http, now=now)
    except NeedsKey as error:
        run.outcome, run.detail = RunOutcome.NEEDS_KEY, str(error)
        state: dict[str, Any] = {"needs_key": True, "next_fetch_at": now + KEY_RETRY}
    else:
        state = _outcome(run, progress, now=now, jitter=jitter)
    for name, value in state.items():
        setattr(source, name, value)
    # The run's outcome, and only that: an operator may be editing the same row.
    source.save(update_fields=state)
    # It may quote a hostile body, and Postgres stores no NUL.
    run.detail = visible(redacted(run.detail))[:DETAIL_MAX_LENGTH]
    run.milliseconds = int((time.monotonic() - began) * 1000)
    run.save()
    return run


def _read(
    source: Source, run: FetchRun, parts: Mapping[str, Any], http: HttpClient, *, now: datetime
) -> RunProgress:
    """Fetch and store every part; what fails of one says nothing of the others, unless the host is away."""
    ends = time.monotonic() + RUN_SECONDS
    progress = RunProgress(len(parts))
    for part, entry in parts.items():
        try:
            progress.answer, items = _fetch(source, part, entry, http, ends)
            progress.counts += _store(source, run, items, now=now)
            progress.came, progress.unreached = progress.came + 1, 0
        except SourceError as error:
            progress.failed(part, FetchCause(error.cause), error.detail, error.retry_after)
        except (NeedsKey, OperationalError, InterfaceError):
            # The key is one for all parts; and that the store is away says nothing about the source, whose lease
            # lapses by itself.
            raise
        except Exception as error:
            # A hostile body found a hole in an adapter: that is this part's failure and nobody else's.
            logger.exception("source %s failed unexpectedly", source.slug)
            progress.failed(part, FetchCause.INTERNAL, f"unexpected {type(error).__name__}")
            if isinstance(error, SoftTimeLimitExceeded):
                break
        if progress.retry_after or progress.unreached >= UNREACHED_AT_MOST:
            break  # the host is away: asking for the rest is useless or unwelcome
        if bars.chooses_markets(source) and not progress.unreached:
            bars.note_asked(source, part, now=now)
    return progress


def parts_of(source: Source, now: datetime) -> dict[str, Any]:
    """What the adapter reads at a time: the markets, series or paths of the settings, by what they are stored under.

    Bars are asked for of the markets that wait for theirs. Another source without a list is a single part, its own
    address: ``{"": None}``.
    """
    if bars.chooses_markets(source):
        return {symbol: symbol for symbol in bars.symbols_to_ask(source, now=now)}
    adapter = ADAPTERS.get(source.adapter)
    if adapter is None or not isinstance(source.settings, dict):
        return {"": None}  # it cannot be read, and reading it says so
    entries = source.settings.get(adapter.parts)
    if not entries or not isinstance(entries, list):
        return {"": None}
    return {_part_name(adapter, entry): entry for entry in entries}


def _part_name(adapter: Adapter, entry: object) -> str:
    try:
        return str(adapter.part_name(entry))
    except (KeyError, TypeError):
        # An entry of another form fails in its turn, and that needs a name too.
        return str(entry)[:40]


def _fetch(
    source: Source, part: str, entry: Any, http: HttpClient, ends: float
) -> tuple[Fetched | None, list[SourceItem]]:
    """All items of a part: half of one would pass for the whole when the newest stored point is looked up."""
    adapter = ADAPTERS[source.adapter]
    _refuse_after(ends)
    if entry is None:
        return adapter.read(source, http, Validators(source.etag, source.last_modified, source.body_sha256))
    items = []
    # Adapters ask for the next page only when it is needed.
    for item in adapter.fetch(source, entry, series.known_until(source, part), http):
        _refuse_after(ends)
        items.append(item)
    return None, items


def _refuse_after(ends: float) -> None:
    if time.monotonic() > ends:
        raise SourceError("timeout", f"the whole run took more than {RUN_SECONDS:.0f} s")


@transaction.atomic
def _store(source: Source, run: FetchRun, items: Sequence[SourceItem], *, now: datetime) -> Counter[str]:
    # Runs of one source store one after the other, so that "already there" is never a guess.
    Source.objects.select_for_update().get(pk=source.pk)
    found = [item for item in items if isinstance(item, DocumentItem)]
    if not found:
        stored = series.store(source, items, now=now)
        run.detail = stored.said
        return stored.counts
    run.detail = documents.publish_creator_if_verified(source, found)
    return documents.store(source, found, now=now)


def _outcome(
    run: FetchRun, progress: RunProgress, *, now: datetime, jitter: Callable[[], float]
) -> dict[str, Any]:
    """Write down on the run what came of it; returns the fields of the source that change by it.

    What came is a success; of a part that did not the run tells.
    """
    source, answer = run.source, progress.answer
    if progress.failures:
        run.cause, run.detail = progress.failures[0][1], progress.failures_in_words()
    state: dict[str, Any] = {"needs_key": False, "last_cause": run.cause}
    if not progress.parts:
        run.outcome, run.detail = RunOutcome.UNCHANGED, "no market waits for bars"
        return state | {"next_fetch_at": bars.next_look(source, failed=False, now=now)}
    if not progress.came:
        run.outcome = RunOutcome.FAILED
        failures = source.consecutive_failures + 1
        wait = backoff(failures, progress.retry_after, jitter())
        return state | {"consecutive_failures": failures, "next_fetch_at": now + wait}
    run.outcome = RunOutcome.UNCHANGED if answer and answer.not_modified else RunOutcome.OK
    if progress.failures:
        run.outcome = RunOutcome.PARTLY
    for name, number in progress.counts.items():
        setattr(run, name, number)
    state["first_success_at"] = source.first_success_at or now
    state["last_success_at"] = now
    state["consecutive_failures"] = 0
    fresh_for = _silence(answer.max_age if answer else None)
    interval = timedelta(minutes=source.interval_minutes)
    if bars.chooses_markets(source):
        interval = bars.next_look(source, failed=bool(progress.failures), now=now) - now
    state["next_fetch_at"] = now + max(interval, fresh_for, _silence(progress.retry_after))
    return state | (asdict(answer.validators) if answer else {})


def backoff(failures: int, retry_after: float | None, jitter: float) -> timedelta:
    """How long to leave a source alone after its nth failure in a row; never shorter than it asked for."""
    base: timedelta = min(BACKOFF_FIRST * 2.0 ** min(failures - 1, 10), BACKOFF_MAX)
    return max(base * (1 + JITTER * jitter), _silence(retry_after))


def _silence(seconds: float | None) -> timedelta:
    """For how long the other side wants to be left alone, a day at most."""
    return timedelta(seconds=min(seconds or 0, SILENCE_MAX.total_seconds()))


def prune(*, now: datetime) -> int:
    """Delete the runs that are past their keeping; how many went. What was fetched is kept for good."""
    return FetchRun.objects.filter(started_at__lt=now - FETCH_RUNS_KEPT).delete()[0]
