"""``GET /api/health``: one database check, always 200; ``detail=1`` adds freshness, ``strict=1`` judges it.

The body is contract B. Publicity counts come from memory and the database check has its own short-lived
connection, so the answer arrives within a second with the database down.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ask.audit import audit_trend
from feeds import sitemaps, status
from knowledge.freshness import FAIL, OK, WARN, Freshness

NOT_EVALUATED = "not_evaluated"
# No figure is made up for what cannot be read.
NOT_MEASURED: dict[str, Any] = {"latest_date": None, "latest_rate": None, "runs": []}
# The pool waits 5 s for a connection; health must have spoken by then.
DATABASE_CHECK_SECONDS = 0.7
_checks = ThreadPoolExecutor(max_workers=2, thread_name_prefix="health")


def database_answers() -> bool:
    """Whether Postgres runs a statement within the time health has."""
    try:
        _checks.submit(_ping).result(timeout=DATABASE_CHECK_SECONDS)
    except (psycopg.Error, TimeoutError):
        return False
    return True


def _ping() -> None:
    parameters = connection.get_connection_params()
    wanted = {
        key: parameters[key] for key in ("host", "port", "user", "password", "dbname") if parameters.get(key)
    }
    with psycopg.connect(**wanted, connect_timeout=2) as probe:
        probe.execute("SELECT 1")


def worst(rows: list[Freshness], *, database: bool) -> str:
    statuses = {row.status for row in rows}
    if not database or FAIL in statuses:
        return FAIL
    return WARN if WARN in statuses else OK


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


class HealthView(APIView):
    """The state of the service. Always 200, except 503 for ``strict=1`` when something failed."""

    def get(self, request: Request) -> Response:
        now = timezone.now()
        detail, strict = (request.query_params.get(name) == "1" for name in ("detail", "strict"))
        database = database_answers()
        rows: list[Freshness] = []
        if database and (detail or strict):
            rows = status.subsystems(now)
        verdict = worst(rows, database=database) if strict else NOT_EVALUATED
        body: dict[str, Any] = {
            "status": OK if database else "degraded",
            "service": settings.SERVICE_SLUG,
            "db": OK if database else FAIL,
            "seo_pages": sitemaps.page_count(),
            "ts": timezone.localtime(now).isoformat(),
            "worst_status": verdict,
        }
        if detail:
            body["subsystems"] = {row.name: as_json(row) for row in rows}
            body["audit"] = audit_trend() if database else NOT_MEASURED
        return Response(body, status=503 if verdict == FAIL else 200, headers={"Cache-Control": "no-store"})
