"""How a source stands at a moment: said once, for lists, filters, the dashboard and health."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, CharField, Q, QuerySet, TextChoices, Value, When
from django.utils.translation import gettext_lazy as _

from knowledge.models import FetchCause, Source


class SourceState(TextChoices):
    """The words of the desk, in the order in which lists show them: what needs an editor first."""

    FAILING = "failing", _("실패 중")
    NEVER = "never", _("아직 없음")
    PARTLY = "partly", _("일부 실패")  # the last run brought some of its markets or series, and not all
    TRANSIENT = "transient", _("잠시 끊김")  # an address that is often away, within its usual bad day
    KEY = "key", _("API 키 대기")
    OK = "ok", _("정상")
    PAUSED = "paused", _("멈춤")


def with_state(sources: QuerySet[Source], now: datetime) -> QuerySet[Any]:
    """The sources with ``state``, a value of SourceState; the first that holds, in this order."""
    failing = Q(consecutive_failures__gt=0)
    # YouTube's feeds answer 404 for hours on most days: only their age says when that is more than a bad day.
    lately = Q(last_success_at__gt=now - timedelta(hours=72))
    bad_day = failing & lately & Q(adapter="youtube_rss", last_cause=FetchCause.STATUS)
    return sources.annotate(
        state=Case(
            When(enabled=False, then=Value(SourceState.PAUSED.value)),
            When(needs_key=True, then=Value(SourceState.KEY.value)),
            When(bad_day, then=Value(SourceState.TRANSIENT.value)),
            When(failing, then=Value(SourceState.FAILING.value)),
            When(last_success_at__isnull=True, then=Value(SourceState.NEVER.value)),
            When(~Q(last_cause=FetchCause.NONE), then=Value(SourceState.PARTLY.value)),
            default=Value(SourceState.OK.value),
            output_field=CharField(),
        )
    )
