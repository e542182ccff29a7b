"""What the status page reports: freshness, money, sealed days, citation checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min

from archive import freshness as city_freshness
from archive.days import yesterday
from archive.models import Snapshot
from archive.models import Status as DayStatus
from ask import budget, spending
from ask.audit import AuditTrend, audit_trend, wilson
from feeds.templatetags.plots import Cell
from knowledge import freshness
from knowledge.freshness import Freshness

DAYS_SHOWN = 90
STATES = {DayStatus.COMPLETE.value: "ok", DayStatus.PARTIAL.value: "warn", DayStatus.NO_SIGNAL.value: "warn"}
NAMES = {
    "sources.video": "영상",
    "sources.news": "뉴스",
    "sources.notice": "거래소와 기관의 공지",
    "sources.macro": "거시 지표",
    "sources.price": "가격",
    "sources.onchain": "온체인",
    "publications": "공개 색인",
    "search": "검색",
    "model": "언어 모델",
    "archive": "도시 기록",
}
# Each gives rows for the moment asked and the moment of installation.
SUBSYSTEMS: tuple[Callable[[datetime, datetime], list[Freshness]], ...] = (
    freshness.sources,
    lambda now, _installed_at: [freshness.publications(now)],
    lambda now, _installed_at: [freshness.search(now)],
    spending.model_freshness,
    lambda now, installed_at: [city_freshness.city(now, installed_at)],
)


@dataclass(frozen=True, slots=True)
class Row:
    """A subsystem as readers see it."""

    name: str
    freshness: Freshness

    @property
    def verdict(self) -> str:
        return {"ok": "정상", "warn": "늦음", "fail": "멈춤"}[self.freshness.status]


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
    rows: list[Row]
    money: Money
    days: list[Cell]
    sealed: int
    audit: Audit

    @property
    def troubled(self) -> list[Row]:
        return [row for row in self.rows if row.freshness.status != freshness.OK]


def report(now: datetime) -> Report:
    """Everything the status page shows at ``now``."""
    days = sealed_days(yesterday(now))
    return Report(
        now=now,
        rows=[Row(NAMES.get(row.name, row.name), row) for row in subsystems(now)],
        money=_money(now),
        days=days,
        sealed=sum(cell.state in ("ok", "warn") for cell in days),
        audit=_audit(),
    )


def subsystems(now: datetime) -> list[Freshness]:
    installed = installed_at() or now
    return [row for subsystem in SUBSYSTEMS for row in subsystem(now, installed)]


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
        return Cell(day.isoformat(), "empty" if before else "fail", "시작 전" if before else "파일 없음")
    label = str(row.get_status_display())
    notes = [label, "늦은 봉인" if row.late else "", "예행" if row.rehearsal else ""]
    return Cell(day.isoformat(), STATES[row.status], ", ".join(note for note in notes if note))


def _money(now: datetime) -> Money:
    today = spending.day_spend(budget.spend_day(now))
    return Money(spending.usd(today.spent + today.reserved), spending.usd(today.cap))


def _audit() -> Audit:
    trend = audit_trend()
    latest = trend["runs"][0] if trend["runs"] else None
    low, high = wilson(latest["cited"], latest["queries"]) if latest else (0.0, 1.0)
    return Audit(trend, round(low * 100), round(high * 100))
