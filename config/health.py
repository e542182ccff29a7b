"""``GET /api/health``: one database check; ``detail=1`` judges the subsystems too, ``strict=1`` does so by status.

The body is contract B. Publicity counts come from memory and the database check is shared and has its own connection,
so the answer arrives within a second with the database down, and is the same however many ask.
"""

from datetime import datetime, timedelta
from difflib import get_close_matches
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import QueryDict
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ask.audit import audit_trend
from config.errors import no_defect
from feeds import sitemaps, status
from knowledge.errors import InvalidParameter
from knowledge.ingestion.health.freshness import FAIL, OK, WARN, Freshness
from knowledge.ingestion.health.service_level import TARGET, VERDICTS_MIN, Level, ServiceLevel
from knowledge.postgres.probe import probe
from knowledge.queries.parameters import switch_of

NOT_EVALUATED = "not_evaluated"
SWITCHES = ("detail", "strict")
SLIP_RATIO = 0.75  # difflib's: stirct, Strict and details are slips, t and cache are not
# No figure is made up for what cannot be read.
NOT_MEASURED: dict[str, Any] = {"latest_date": None, "latest_rate": None, "runs": []}


def worst(rows: list[Freshness] | None) -> str:
    """The verdict over all subsystems; what could not be evaluated has failed."""
    statuses = {FAIL} if rows is None else {row.status for row in rows}
    return FAIL if FAIL in statuses else (WARN if WARN in statuses else OK)


def evaluated(now: datetime, *, database: bool) -> list[Freshness] | None:
    """The state of each subsystem; None while the store cannot be asked."""
    try:
        return status.subsystems(now) if database else None
    except (OperationalError, InterfaceError):
        return None


def audit(*, readable: bool) -> dict[str, Any]:
    try:
        return dict(audit_trend()) if readable else NOT_MEASURED
    except (OperationalError, InterfaceError):
        return NOT_MEASURED


def as_json(row: Freshness) -> dict[str, Any]:
    def seconds(span: timedelta | None) -> int | None:
        return None if span is None else int(span.total_seconds())

    return {
        "status": row.status,
        "lastSuccess": timezone.localtime(row.last_success).isoformat() if row.last_success else None,
        "ageSeconds": seconds(row.age),
        "warnAfterSeconds": seconds(row.limits.warn),
        "failAfterSeconds": seconds(row.limits.fail),
        "note": row.note,
    }


def service_level(now: datetime, *, readable: bool) -> dict[str, Any] | None:
    """The last days against the promise; None while the store cannot be asked."""
    try:
        return levels_as_json(status.level(now)) if readable else None
    except (OperationalError, InterfaceError):
        return None


def levels_as_json(levels: ServiceLevel) -> dict[str, Any]:
    days = levels.whole.days
    return {
        "objective": TARGET,
        "minVerdicts": VERDICTS_MIN,
        "timeZone": settings.TIME_ZONE,
        "from": days[0].day.isoformat(),
        "to": days[-1].day.isoformat(),
        **level_as_json(levels.whole),
        "subsystems": {name: level_as_json(level) for name, level in levels.subsystems.items()},
    }


def level_as_json(level: Level) -> dict[str, Any]:
    return {
        "share": level.share,
        "holds": level.holds,
        "daysMet": level.met,
        "daysMeasured": level.measured,
        "days": [{"date": one.day.isoformat(), "status": one.status} for one in level.days],
    }


def asked_of(parameters: QueryDict) -> tuple[bool, bool]:
    """Whether ``detail`` and ``strict`` are asked for. Raises InvalidParameter (400).

    Monitors append what they like so that no cache answers them, and the plain request is 200 for ever: an unknown
    name is let pass. One that was meant to be ``strict`` would leave its monitor blind, so it is refused.
    """
    for name in parameters:
        if name not in SWITCHES and (meant := get_close_matches(name.lower(), SWITCHES, 1, SLIP_RATIO)):
            raise InvalidParameter(
                name[:40],
                f"{name[:40]} is unknown here; {meant[0]} may be meant. The parameters are {' and '.join(SWITCHES)}.",
                f"{name[:40]}은(는) 없는 매개변수입니다. {meant[0]}을(를) 뜻했나요? 쓸 수 있는 것은"
                f" {', '.join(SWITCHES)}입니다.",
            )
    detail, strict = (switch_of(parameters, name) for name in SWITCHES)
    return detail, strict


class HealthView(APIView):
    """The state of the service. Always 200, except 503 for ``strict`` when something failed, 400 for a bad request."""

    def get(self, request: Request) -> Response:
        now = timezone.now()
        detail, strict = asked_of(request.GET)
        database = probe.answers()
        rows = evaluated(now, database=database) if detail or strict else None
        verdict = worst(rows) if detail or strict else NOT_EVALUATED
        body: dict[str, Any] = {
            "status": OK if database else "degraded",
            "service": settings.SERVICE_SLUG,
            "db": OK if database else FAIL,
            "seo_pages": sitemaps.page_count(),
            "ts": timezone.localtime(now).isoformat(),
            "worst_status": verdict,
        }
        if detail:
            body["subsystems"] = {row.name: as_json(row) for row in rows or ()}
            body["audit"] = audit(readable=rows is not None)
            body["serviceLevel"] = service_level(now, readable=rows is not None)
        failed = strict and verdict == FAIL
        response = Response(body, status=503 if failed else 200, headers={"Cache-Control": "no-store"})
        no_defect(response)
        return response
