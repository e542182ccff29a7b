"""The service level: on how many days every index was fresh within its limit, against what is promised.

A day of a subsystem is *met* when none of its hourly verdicts was a failure, that is, when it was never older than its
failing limit at a look; one failure makes it *missed*. A day with fewer than ``VERDICTS_MIN`` verdicts is *not
measured*, whatever they say, and counts neither way. A day of the whole is missed when any subsystem missed it, else
not measured when any that was looked at that day is, else met. Days are Seoul's; today is unfinished and counts neither
way.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone

from knowledge.ingestion.health.freshness import FAIL
from knowledge.models import SubsystemVerdict

TARGET = 0.95
DAYS_SHOWN = 90
VERDICTS_MIN = 20
SHARE_PLACES = 4
MET, MISSED, NOT_MEASURED, UNFINISHED = "met", "missed", "not_measured", "unfinished"


@dataclass(frozen=True, slots=True)
class LevelDay:
    """A day in Seoul. Of a subsystem ``verdicts`` were stored and ``failed`` of them failed.

    Of the whole, ``verdicts`` is the fewest of any subsystem and ``missed`` names those that missed the day.
    """

    day: date
    status: str
    verdicts: int = 0
    failed: int = 0
    missed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Level:
    """The days of a subsystem, or of the whole, oldest first; the last is today."""

    days: Sequence[LevelDay]

    @property
    def met(self) -> int:
        return self._count(MET)

    @property
    def missed(self) -> int:
        return self._count(MISSED)

    @property
    def measured(self) -> int:
        return self.met + self.missed

    @property
    def not_measured(self) -> int:
        return self._count(NOT_MEASURED)

    @property
    def share(self) -> float | None:
        """The share of measured days that were met, 0 to 1; None where none was measured."""
        return round(self.met / self.measured, SHARE_PLACES) if self.measured else None

    @property
    def holds(self) -> bool | None:
        """Whether the promise was kept; None where nothing is known."""
        return self.met >= TARGET * self.measured if self.measured else None

    def _count(self, status: str) -> int:
        return sum(one.status == status for one in self.days)


@dataclass(frozen=True, slots=True)
class ServiceLevel:
    """``whole`` and each subsystem by its name, over the same days."""

    whole: Level
    subsystems: Mapping[str, Level]


def service_level(now: datetime, names: Iterable[str]) -> ServiceLevel:
    """The last ninety days up to ``now``: of the subsystems ``names``, and of others that were looked at then."""
    today = timezone.localdate(now)
    days = [today - timedelta(days=back) for back in range(DAYS_SHOWN - 1, -1, -1)]
    counted = {(name, day): (verdicts, failed) for name, day, verdicts, failed in _counts(days[0], today)}
    known = dict.fromkeys([*names, *sorted({name for name, _day in counted})])
    subsystems = {name: Level([_day(day, today, counted.get((name, day))) for day in days]) for name in known}
    whole = Level([_whole(at, day, today, subsystems) for at, day in enumerate(days)])
    return ServiceLevel(whole, subsystems)


def _counts(first: date, last: date) -> Iterator[tuple[str, date, int, int]]:
    """Subsystem, day, verdicts and failures: one statement over one index, whatever else the store holds."""
    rows = (
        SubsystemVerdict.objects.filter(day__gte=first, day__lte=last)
        .values("subsystem", "day")
        .annotate(verdicts=Count("hour"), failed=Count("hour", filter=Q(status=FAIL)))
    )
    yield from rows.values_list("subsystem", "day", "verdicts", "failed")


def _day(day: date, today: date, counts: tuple[int, int] | None) -> LevelDay:
    verdicts, failed = counts or (0, 0)
    if day == today:
        status = UNFINISHED
    elif verdicts < VERDICTS_MIN:
        status = NOT_MEASURED
    else:
        status = MISSED if failed else MET
    return LevelDay(day, status, verdicts, failed)


def _whole(at: int, day: date, today: date, subsystems: Mapping[str, Level]) -> LevelDay:
    """What one day was for all. A subsystem that nobody looked at that day did not exist yet, or no more."""
    looked_at = {name: level.days[at] for name, level in subsystems.items() if level.days[at].verdicts}
    missed = tuple(name for name, one in looked_at.items() if one.status == MISSED)
    fewest = min((one.verdicts for one in looked_at.values()), default=0)
    return LevelDay(day, _whole_status(day, today, fewest, missed), fewest, missed=missed)


def _whole_status(day: date, today: date, fewest: int, missed: tuple[str, ...]) -> str:
    if day == today:
        return UNFINISHED
    if missed:
        return MISSED
    return MET if fewest >= VERDICTS_MIN else NOT_MEASURED
