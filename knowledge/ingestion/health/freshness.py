"""How fresh the knowledge base is: one row a subsystem, read by health and by the status page."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.db import connection
from django.db.models import Max, Min

from knowledge.ingestion.health.states import SourceState, with_state
from knowledge.models import Document, OutboxEntry, Publication, SearchPassage, Source, SourceKind
from knowledge.search import morphemes

OK, WARN, FAIL = "ok", "warn", "fail"


@dataclass(frozen=True, slots=True)
class AgeLimits:
    """How old a success may grow before it is a warning, then a failure."""

    warn: timedelta
    fail: timedelta

    def judge(self, age: timedelta) -> str:
        if age >= self.fail:
            return FAIL
        return WARN if age >= self.warn else OK


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
# The lately fetched have the highest keys, so that one stretch of the passages' index says which of them are indexed.
# A look at that index for each document costs twice as much; a join without a bound would read all passages there are.
_FIRST_UNINDEXED = """
WITH lately AS MATERIALIZED ({lately})
SELECT min(fetched_at) FROM lately WHERE NOT EXISTS (
    SELECT FROM knowledge_searchpassage passage
    WHERE passage.document_id = lately.pk AND passage.document_id >= (SELECT min(pk) FROM lately)
)
"""


def sources(now: datetime, installed_at: datetime) -> list[Freshness]:
    """One row for each kind of source that has any switched on."""
    found: Any = with_state(Source.objects.filter(enabled=True), now).order_by("kind")
    by_kind = groupby(found, key=attrgetter("kind"))
    return [_kind(SourceKind(kind), list(rows), now, installed_at) for kind, rows in by_kind]


def _kind(kind: SourceKind, rows: list[Any], now: datetime, installed_at: datetime) -> Freshness:
    limits = SOURCE_LIMITS[kind]
    working = [row for row in rows if not row.needs_key]
    last = max((row.last_success_at for row in working if row.last_success_at), default=None)
    age = now - last if last else None
    if age is not None:
        status = limits.judge(age)
    else:
        # What never succeeded may take until ``limits.fail`` after the installation.
        late = working and now - installed_at >= limits.fail
        status = FAIL if late else WARN if working else OK
    return Freshness(f"sources.{kind}", last, age, limits, status, _note(rows))


def _note(rows: list[Any]) -> str:
    """Every source that is not well, by what is the matter and with the last cause."""
    found = defaultdict(list)
    for row in rows:
        found[row.state].append(row.slug if row.needs_key else f"{row.slug} ({row.last_cause})")
    return "; ".join(
        f"{words}: {', '.join(sorted(found[state]))}" for state, words in NOTED.items() if found[state]
    )


def publications(now: datetime) -> Freshness:
    """The oldest change that some publication does not show yet; age zero when all are shown."""
    built = Publication.objects.aggregate(at=Max("built_at"))["at"]
    pending = OutboxEntry.objects.aggregate(at=Min("at"))["at"]
    note = "changes wait to be published" if pending else ""
    return _backlog("publications", built, PUBLICATION_LIMITS, note, since=pending, now=now)


def search(now: datetime) -> Freshness:
    """The oldest public document that search cannot find yet; the note says which analyser reads texts."""
    lately = Document.objects.published().filter(fetched_at__gte=now - COMPARED)
    query, values = lately.values("pk", "fetched_at").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_UNINDEXED.format(lately=query), values)
        (missing,) = cursor.fetchone()
    # By key, which is the order of fetching as well: from the documents' side all are read where none has a passage.
    indexed = SearchPassage.objects.filter(document__withdrawn=False).order_by("-document")
    newest = indexed.values_list("document__fetched_at", flat=True).first()
    note = f"analyser {morphemes.ANALYZER}"
    return _backlog("search", newest, SEARCH_LIMITS, note, since=missing, now=now)


def _backlog(
    name: str, last: datetime | None, limits: AgeLimits, note: str, *, since: datetime | None, now: datetime
) -> Freshness:
    """A subsystem that is as old as what waits for it ``since`` then; None where nothing does."""
    age = max(now - since, timedelta()) if since else timedelta()
    return Freshness(name, last, age, limits, limits.judge(age), note)
