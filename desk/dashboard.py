"""The first page of the desk: what needs a decision, what is out of order, and what the day has cost.

Every part asks a fixed number of questions, whatever is stored, and is there only for those who may see its rows.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import attrgetter
from typing import Any

from django.db.models import Case, IntegerField, Value, When
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from archive import freshness as city_freshness
from archive.days import days_between, yesterday
from archive.models import Sealing, Snapshot
from ask import budget, model_calls, spending
from ask.audit import AuditTrend, audit_trend
from ask.ledger import ModelCall, Outcome, Purpose, SpendDay
from desk import plots
from desk.queues import Queue, queues
from feeds.status import installed_at
from knowledge.admin.run_history_svg import day_squares_svg, run_history_svg
from knowledge.admin.sources import state_mark
from knowledge.ingestion.health import history
from knowledge.ingestion.health.freshness import Freshness
from knowledge.ingestion.health.states import SourceState, with_state
from knowledge.ingestion.health.troubles import is_offline
from knowledge.models import FetchRun, RunOutcome, Source

SOURCES_SHOWN = 80
# A source of which a part fails stays so until somebody looks: its other parts hide the hole.
TROUBLED = (SourceState.FAILING, SourceState.PARTLY)
FAILURES_SHOWN = 8
FAILURES_SINCE = timedelta(days=3)
DAYS_SHOWN = 14
CITY_DAYS_SHOWN = 28
GAPS_SHOWN = 6


@dataclass(frozen=True, slots=True)
class SourceRow:
    source: Source
    mark: SafeString
    strip: SafeString


@dataclass(frozen=True, slots=True)
class Intake:
    """The sources, worst first; ``troubled`` are those that fail now, ``offline`` if all do."""

    troubled: list[SourceRow]
    rows: list[SourceRow]
    counts: list[tuple[str, str, int]]  # state, its label, how many
    offline: bool


@dataclass(frozen=True, slots=True)
class Money:
    """Today's ledger in dollars, and what it is for."""

    today: spending.DaySpend
    days: SafeString
    has_key: bool

    @property
    def committed(self) -> str:
        return spending.usd(self.today.spent + self.today.reserved)

    @property
    def cap(self) -> str:
        return spending.usd(self.today.cap)

    @property
    def share(self) -> int:
        """Per cent of the cap that is committed."""
        return (
            round((self.today.spent + self.today.reserved) / self.today.cap * 100) if self.today.cap else 100
        )

    @property
    def renewal_share(self) -> int:
        """Per cent of what renewals may cost a day that they have committed."""
        renewal = next(one for one in self.today.purposes if one.purpose == Purpose.RENEWAL)
        return round((renewal.spent + renewal.reserved) / renewal.maximum * 100) if renewal.maximum else 100


@dataclass(frozen=True, slots=True)
class City:
    last: Snapshot | None
    due: Freshness
    gaps: list[date]
    more_gaps: int
    days: SafeString


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that went wrong: when, what, why, and where it is written down."""

    at: datetime
    what: str
    why: str
    url: str


@dataclass(frozen=True, slots=True)
class Dashboard:
    """Everything the first page shows; a part is None where the reader may not see its rows."""

    now: datetime
    queues: list[Queue]
    intake: Intake | None
    money: Money | None
    audit: AuditTrend | None
    city: City | None
    failures: list[Failure] | None

    @property
    def waiting(self) -> int:
        return sum(queue.count for queue in self.queues)


def dashboard(request: HttpRequest, *, now: datetime) -> Dashboard:
    """What the signed-in editor sees of the desk at ``now``."""
    may = request.user.has_perm
    watched = may("knowledge.view_fetchrun") or may("ask.view_modelcall") or may("archive.view_sealing")
    return Dashboard(
        now=now,
        queues=queues(request.user, now=now),
        intake=intake(now) if may("knowledge.view_source") else None,
        money=money(now) if may("ask.view_spendday") else None,
        audit=audit_trend() if may("ask.view_citationaudit") else None,
        city=city(now) if may("archive.view_snapshot") else None,
        failures=failures(request.user, now) if watched else None,
    )


def intake(now: datetime) -> Intake:
    """Every source with its last days; four queries."""
    place = Case(
        *(When(state=state.value, then=Value(place)) for place, state in enumerate(SourceState)),
        output_field=IntegerField(),
    )
    found = with_state(Source.objects.all(), now).alias(place=place).order_by("place", "name")
    sources = list(found[:SOURCES_SHOWN])
    days = history.days_of([source.pk for source in sources], now=now)
    rows = [SourceRow(source, state_mark(source), run_history_svg(days[source.pk])) for source in sources]
    counts = Counter(with_state(Source.objects.all(), now).values_list("state", flat=True))
    return Intake(
        troubled=[row for row in rows if row.source.state in TROUBLED],  # type: ignore[attr-defined]
        rows=rows,
        counts=[(state.value, str(state.label), counts[state]) for state in SourceState if counts[state]],
        offline=is_offline(),
    )


def money(now: datetime) -> Money:
    today = budget.spend_day(now)
    booked = {
        row.day: row.committed for row in SpendDay.objects.filter(day__gt=today - timedelta(days=DAYS_SHOWN))
    }
    days = [today - timedelta(days=back) for back in range(DAYS_SHOWN - 1, -1, -1)]
    values = [(f"{day:%m-%d}: ${spending.usd(booked.get(day, 0))}", booked.get(day, 0)) for day in days]
    label = _("%(days)d일 동안 쓴 돈: %(total)s달러, 하루 한도 %(cap)s달러") % {
        "days": DAYS_SHOWN,
        "total": spending.usd(sum(booked.values())),
        "cap": spending.usd(budget.cap()),
    }
    return Money(
        spending.day_spend(today), plots.bars(values, label, limit=budget.cap()), model_calls.is_configured()
    )


def city(now: datetime) -> City:
    """The last seal, and the days since the first that have no file."""
    sealed = dict(Snapshot.objects.published().values_list("day", "status"))
    until = yesterday(now)
    missing = sorted(set(days_between(min(sealed), until)) - set(sealed), reverse=True) if sealed else []
    shown = days_between(until - timedelta(days=CITY_DAYS_SHOWN - 1), until)
    cells = [_city_day(day, sealed) for day in shown]
    empty = sum(state == "fail" for state, _words in cells)
    label = _("도시 기록 %(days)d일: 파일 없는 날 %(empty)d일") % {"days": CITY_DAYS_SHOWN, "empty": empty}
    return City(
        last=Snapshot.objects.defer("facts").order_by("-sealed_at").first(),
        due=city_freshness.city(now, installed_at() or now),
        gaps=missing[:GAPS_SHOWN],
        more_gaps=max(0, len(missing) - GAPS_SHOWN),
        days=day_squares_svg(cells, label),
    )


def _city_day(day: date, sealed: dict[date, str]) -> tuple[str, str]:
    if day in sealed:
        complete = sealed[day] == "complete"
        words = _("여섯 신호 모두") if complete else _("일부 신호만")
        return "ok" if complete else "warn", f"{day:%m-%d}: {words}"
    before = not sealed or day < min(sealed)
    # Not within the f-string: gettext does not look there.
    words = _("시작 전") if before else _("파일 없음")
    return "empty" if before else "fail", f"{day:%m-%d}: {words}"


def failures(user: Any, now: datetime) -> list[Failure]:
    """The newest of what went wrong in the last days, of the kinds that ``user`` may see."""
    since = now - FAILURES_SINCE
    found: list[Failure] = []
    if user.has_perm("knowledge.view_fetchrun"):
        found += _failed_runs(since)
    if user.has_perm("ask.view_modelcall"):
        found += _failed_calls(since)
    if user.has_perm("archive.view_sealing"):
        found += _failed_seals(since)
    return sorted(found, key=attrgetter("at"), reverse=True)[:FAILURES_SHOWN]


def _failed_runs(since: datetime) -> Iterable[Failure]:
    runs = FetchRun.objects.filter(started_at__gte=since, outcome=RunOutcome.FAILED)
    for run in runs.select_related("source").order_by("-started_at")[:FAILURES_SHOWN]:
        why = f"{run.get_cause_display()}: {run.detail}" if run.detail else str(run.get_cause_display())
        url = reverse("admin:knowledge_source_change", args=[run.source_id])
        yield Failure(run.started_at, _("수집 · %(source)s") % {"source": run.source.name}, why, url)


def _failed_calls(since: datetime) -> Iterable[Failure]:
    calls = ModelCall.objects.filter(started_at__gte=since).exclude(outcome=Outcome.ANSWERED)
    for call in calls.order_by("-started_at")[:FAILURES_SHOWN]:
        what = _("모델 호출 · %(purpose)s") % {"purpose": call.get_purpose_display()}
        status = f" (HTTP {call.status})" if call.status else ""
        url = reverse("admin:ask_modelcall_change", args=[call.pk])
        yield Failure(call.started_at, what, f"{call.get_outcome_display()}{status}", url)


def _failed_seals(since: datetime) -> Iterable[Failure]:
    for seal in Sealing.objects.filter(failed_at__gte=since).order_by("-failed_at")[:FAILURES_SHOWN]:
        url = reverse("admin:archive_sealing_change", args=[seal.pk])
        assert seal.failed_at is not None  # filtered above
        yield Failure(seal.failed_at, _("봉인 · %(day)s") % {"day": seal.day}, seal.failure, url)
