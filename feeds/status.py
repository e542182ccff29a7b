"""What the status page reports: freshness, money, sealed days, citation checks."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Generic, TypeVar

from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext as _

from archive import freshness as city_freshness
from archive.days import yesterday
from archive.models import Completeness, Snapshot
from ask import budget, spending
from ask.audit import AuditTrend, audit_trend, wilson
from bulk import freshness as bulk_freshness
from feeds.status_words import Standing, name_of, standing
from feeds.templatetags.plots import Cell
from knowledge.ingestion.health import freshness, verdicts
from knowledge.ingestion.health.freshness import Freshness
from knowledge.ingestion.health.service_level import MISSED, TARGET, Level, ServiceLevel, service_level
from knowledge.ingestion.health.troubles import intake

T = TypeVar("T")
DAYS_SHOWN = 90
SHARED_SECONDS = 2.0
LAST_SECONDS = 60.0
FIRST_SECONDS = 5.0
STATES = {
    Completeness.COMPLETE.value: "ok",
    Completeness.PARTIAL.value: "warn",
    Completeness.NO_SIGNAL.value: "warn",
}
# Each gives rows for the moment asked and the moment of installation.
SUBSYSTEMS: tuple[Callable[[datetime, datetime], list[Freshness]], ...] = (
    freshness.sources,
    lambda now, _installed_at: [freshness.publications(now)],
    lambda now, _installed_at: [freshness.search(now)],
    spending.model_freshness,
    lambda now, installed_at: [city_freshness.city(now, installed_at)],
    lambda now, installed_at: [bulk_freshness.bulk(now, installed_at)],
)


@dataclass(frozen=True, slots=True)
class LevelRow:
    """The service level of a subsystem, or of the whole, as readers see it."""

    name: str
    level: Level


@dataclass(frozen=True, slots=True)
class Money:
    """Today's spend on the model, in dollars."""

    spent: str
    cap: str


@dataclass(frozen=True, slots=True)
class Audit:
    """The trend of the citation checks; ``low`` and ``high`` bound the latest rate, in per cent."""

    trend: AuditTrend
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Report:
    now: datetime
    standing: Standing
    money: Money
    days: list[Cell]
    sealed: int
    audit: Audit
    levels: list[LevelRow]

    @property
    def level(self) -> Level:
        """Of the whole."""
        return self.levels[0].level

    @property
    def missed(self) -> list[tuple[date, str]]:
        """The days that were missed, newest first, and the subsystems that did."""
        days = (one for one in reversed(self.level.days) if one.status == MISSED)
        return [(one.day, ", ".join(name_of(name) for name in one.missed)) for one in days]

    @property
    def target(self) -> int:
        """In per cent."""
        return round(TARGET * 100)


def report(now: datetime) -> Report:
    """Everything the status page shows at ``now``."""
    days = sealed_days(yesterday(now))
    return Report(
        now=now,
        standing=standing(subsystems(now), intake(now)),
        money=_money(now),
        days=days,
        sealed=sum(cell.state in ("ok", "warn") for cell in days),
        audit=_audit(),
        levels=_level_rows(level(now)),
    )


def _level_rows(found: ServiceLevel) -> list[LevelRow]:
    parts = [LevelRow(name_of(name), one) for name, one in found.subsystems.items()]
    return [LevelRow(_("전체"), found.whole), *parts]


class Evaluation(Generic[T]):
    """What ``work`` says of a moment, worked out by one caller at a time and shared with the others for some seconds.

    Health is open to everybody and often asked. Whoever comes while another works it out gets the last state, and so
    does who cannot read the store for the moment, up to a minute long.
    """

    def __init__(
        self,
        work: Callable[[datetime], T],
        clock: Callable[[], float] = time.monotonic,
        *,
        shared_seconds: float = SHARED_SECONDS,
    ) -> None:
        self._work = work
        self._clock = clock
        self._shared_seconds = shared_seconds
        self._working = threading.Lock()
        self._last: tuple[float, T] | None = None

    def at(self, now: datetime) -> T:
        """Raises OperationalError where there is no last state and the store is away."""
        known = self._within(self._shared_seconds)
        if known is not None:
            return known
        last = self._within(LAST_SECONDS)
        if not self._working.acquire(timeout=FIRST_SECONDS if last is None else 0):
            if last is None:
                raise OperationalError("the state of the subsystems could not be worked out in time")
            return last
        try:
            known = self._within(self._shared_seconds)
            return self._anew(now) if known is None else known
        except OperationalError:
            if last is None:
                raise
            return last
        finally:
            self._working.release()

    def clear(self) -> None:
        self._last = None

    def _within(self, seconds: float) -> T | None:
        last = self._last
        return last[1] if last and self._clock() - last[0] <= seconds else None

    def _anew(self, now: datetime) -> T:
        found = self._work(now)
        self._last = (self._clock(), found)
        return found


def _evaluated(now: datetime) -> list[Freshness]:
    installed = installed_at() or now
    return [row for subsystem in SUBSYSTEMS for row in subsystem(now, installed)]


def _levels(now: datetime) -> ServiceLevel:
    return service_level(now, [row.name for row in subsystems(now)])


evaluation = Evaluation(_evaluated)
# Within a day it changes by a subsystem that is new, and by nothing else: today is unfinished and counts neither way.
levels = Evaluation(_levels, shared_seconds=LAST_SECONDS)


def subsystems(now: datetime) -> list[Freshness]:
    """A row for each subsystem, at most two seconds old unless the store is away. Raises OperationalError."""
    return evaluation.at(now)


def level(now: datetime) -> ServiceLevel:
    """How well the promise was kept on the last days: at most a minute old, and of today. Raises OperationalError."""
    found = levels.at(now)
    if found.whole.days[-1].day != timezone.localdate(now):
        levels.clear()
        found = levels.at(now)
    return found


def record_verdicts(*, now: datetime) -> None:
    """Store how each subsystem is at ``now``, for the service level."""
    verdicts.record(subsystems(now), now=now)


def installed_at() -> datetime | None:
    """When the first migration ran here: before that moment nothing could have succeeded."""
    first: datetime | None = MigrationRecorder.Migration.objects.aggregate(at=Min("applied"))["at"]
    return first


def sealed_days(last: date) -> list[Cell]:
    """The last days as cells, oldest first; days before the archive began are not counted against it."""
    sealed = {row.day: row for row in Snapshot.objects.published().defer("facts")}
    began = min(sealed, default=None)
    days = (last - timedelta(days=back) for back in range(DAYS_SHOWN - 1, -1, -1))
    return [_cell(day, sealed.get(day), began) for day in days] if began else []


def _cell(day: date, row: Snapshot | None, began: date) -> Cell:
    if row is None:
        before = day < began
        return Cell(
            day.isoformat(), "empty" if before else "fail", _("시작 전") if before else _("파일 없음")
        )
    label = str(row.get_status_display())
    notes = [label, _("늦게 봉인됨") if row.late else "", _("예행") if row.rehearsal else ""]
    return Cell(day.isoformat(), STATES[row.status], ", ".join(note for note in notes if note))


def _money(now: datetime) -> Money:
    today = spending.day_spend(budget.spend_day(now))
    return Money(spending.usd(today.spent + today.reserved), spending.usd(today.cap))


def _audit() -> Audit:
    trend = audit_trend()
    latest = trend["runs"][0] if trend["runs"] else None
    low, high = wilson(latest["cited"], latest["queries"]) if latest else (0.0, 1.0)
    return Audit(trend, round(low * 100), round(high * 100))
