"""How fresh the knowledge base is: one row a subsystem, read by health and by the status page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Min, OuterRef, Subquery

from knowledge.ingestion.health.states import SourceState, with_state
from knowledge.models import Document, OutboxEntry, Publication, SearchPassage, Source, SourceKind
from knowledge.search import morphemes

OK, WARN, FAIL = "ok", "warn", "fail"


@dataclass(frozen=True, slots=True)
class AgeLimits:
    """How old a success may grow before it is a warning, then a failure."""

    warn: timedelta
    fail: timedelta


@dataclass(frozen=True, slots=True)
class Freshness:
    """One subsystem at one moment; ``last_success`` is None when it never succeeded."""

    name: str
    last_success: datetime | None
    age: timedelta | None
    limits: AgeLimits
    status: str
    note: str = ""


# What health says of sources that are not well, in this order.
NOTED = {
    SourceState.KEY: "needs a key",
    SourceState.FAILING: "failing",
    SourceState.PARTLY: "partly failing",
    SourceState.TRANSIENT: "away for now",
}
# YouTube's feeds answer 404 for hours on most days, so a day without any is not yet a failure.
SOURCE_LIMITS = {
    SourceKind.VIDEO: AgeLimits(timedelta(hours=24), timedelta(hours=72)),
    SourceKind.NEWS: AgeLimits(timedelta(hours=1), timedelta(hours=6)),
    SourceKind.NOTICE: AgeLimits(timedelta(hours=1), timedelta(hours=6)),
    SourceKind.MACRO: AgeLimits(timedelta(days=2), timedelta(days=5)),
    SourceKind.PRICE: AgeLimits(timedelta(hours=2), timedelta(hours=6)),
    SourceKind.ONCHAIN: AgeLimits(timedelta(hours=2), timedelta(hours=12)),
}
# A committed change is in every process within seconds; minutes mean that nobody builds.
PUBLICATION_LIMITS = AgeLimits(timedelta(minutes=2), timedelta(minutes=15))
# New documents are indexed with their run; what waits longer was missed by the minutely refresh as well.
SEARCH_LIMITS = AgeLimits(timedelta(minutes=10), timedelta(hours=6))
# Health is asked every few seconds, so that only what the nightly look at everything has not seen yet is compared.
COMPARED = timedelta(days=2)


def judge(age: timedelta | None, limits: AgeLimits, *, since_installation: timedelta) -> str:
    """The status of an age. What never succeeded may take until ``limits.fail`` after the installation."""
    if age is None:
        return WARN if since_installation < limits.fail else FAIL
    if age >= limits.fail:
        return FAIL
    return WARN if age >= limits.warn else OK


def sources(now: datetime, installed_at: datetime) -> list[Freshness]:
    """One row for each kind of source that has any switched on."""
    by_kind: dict[str, list[Any]] = {}
    for source in with_state(Source.objects.filter(enabled=True), now):
        by_kind.setdefault(source.kind, []).append(source)
    return [_kind(SourceKind(kind), rows, now, installed_at) for kind, rows in sorted(by_kind.items())]


def _kind(kind: SourceKind, rows: list[Any], now: datetime, installed_at: datetime) -> Freshness:
    limits = SOURCE_LIMITS[kind]
    working = [row for row in rows if not row.needs_key]
    note = _note(rows)
    if not working:
        return Freshness(f"sources.{kind}", None, None, limits, OK, note)
    last = max((row.last_success_at for row in working if row.last_success_at), default=None)
    age = now - last if last else None
    status = judge(age, limits, since_installation=now - installed_at)
    return Freshness(f"sources.{kind}", last, age, limits, status, note)


def _note(rows: list[Any]) -> str:
    """Every source that is not well, by what is the matter and with the last cause."""
    groups = (
        f"{words}: {', '.join(sorted(_named(row, state) for row in rows if row.state == state))}"
        for state, words in NOTED.items()
        if any(row.state == state for row in rows)
    )
    return "; ".join(groups)


def _named(source: Source, state: SourceState) -> str:
    return source.slug if state == SourceState.KEY else f"{source.slug} ({source.last_cause})"


def publications(now: datetime) -> Freshness:
    """The oldest change that no publication shows yet; age zero when all are shown."""
    built = Publication.objects.aggregate(at=Max("built_at"))["at"]
    pending = OutboxEntry.objects.aggregate(at=Min("at"))["at"]
    age = max(now - pending, timedelta()) if pending else timedelta()
    status = judge(age, PUBLICATION_LIMITS, since_installation=age)
    note = "changes wait to be published" if pending else ""
    return Freshness("publications", built, age, PUBLICATION_LIMITS, status, note)


def search(now: datetime) -> Freshness:
    """The oldest public document that search cannot find yet; the note says which analyser reads texts."""
    # A passage looked up by index for each document; a join would read all passages there are.
    passage = SearchPassage.objects.filter(document=OuterRef("pk")).values("pk")[:1]
    lately = Document.objects.published().filter(fetched_at__gte=now - COMPARED)
    unindexed = lately.annotate(passage=Subquery(passage)).filter(passage__isnull=True)
    missing = unindexed.aggregate(at=Min("fetched_at"))["at"]
    # By key, which is the order of fetching as well: from the documents' side all are read where none has a passage.
    indexed = SearchPassage.objects.filter(document__withdrawn=False).order_by("-document")
    newest = indexed.values_list("document__fetched_at", flat=True).first()
    age = max(now - missing, timedelta()) if missing else timedelta()
    status = judge(age, SEARCH_LIMITS, since_installation=age)
    return Freshness("search", newest, age, SEARCH_LIMITS, status, f"analyser {morphemes.ANALYZER}")
