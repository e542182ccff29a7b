"""What sources brought: the runs of the last days, a day of Seoul at a time, and documents."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Count, Q
from django.db.models.functions import TruncDate
from django.utils import timezone

from knowledge.models import Document, FetchRun, RunOutcome

DAYS_SHOWN = 14
# A run of which a part failed is both.
_GOOD = Q(outcome__in=(RunOutcome.OK, RunOutcome.UNCHANGED, RunOutcome.PARTLY))
_FAILED = Q(outcome__in=(RunOutcome.FAILED, RunOutcome.PARTLY))


@dataclass(frozen=True, slots=True)
class DayRuns:
    """The runs of a source on one day: a run may be good in part, and one that waited for a key is neither."""

    day: date
    good: int = 0
    failed: int = 0

    @property
    def state(self) -> str:
        """ok, warn (some failed), fail (all failed) or empty."""
        if self.failed:
            return "warn" if self.good else "fail"
        return "ok" if self.good else "empty"


def days_of(sources: Iterable[int], *, now: datetime) -> dict[int, list[DayRuns]]:
    """The last days of each source (keys), oldest first and today last; one query for all."""
    keys, today = list(sources), timezone.localtime(now).date()
    days = [today - timedelta(days=back) for back in range(DAYS_SHOWN - 1, -1, -1)]
    begin = timezone.make_aware(datetime.combine(days[0], time.min))
    rows = (
        FetchRun.objects.filter(source__in=keys, started_at__gte=begin)
        .values_list("source_id", TruncDate("started_at"))
        .annotate(good=Count("pk", filter=_GOOD), failed=Count("pk", filter=_FAILED))
    )
    found = {(source, day): DayRuns(day, good, failed) for source, day, good, failed in rows}
    return {key: [found.get((key, day), DayRuns(day)) for day in days] for key in keys}


def documents_of(sources: Iterable[int]) -> Counter[int]:
    """How many documents each source (keys) brought; one query for all."""
    rows = Document.objects.filter(source__in=list(sources)).order_by()
    return Counter(dict(rows.values_list("source").annotate(count=Count("pk"))))
