"""``GET /api/archive``: the manifest, one day, or the newest days."""

import re
from datetime import date

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
    QueryDict,
    StreamingHttpResponse,
)
from rest_framework.request import Request

from archive import bodies, serializers
from archive.bodies import DaysBody
from archive.days import parse_day
from archive.errors import NoSuchDay, NoSuchRevision
from archive.published import ARCHIVE, DAYS_MAX, SCOPES, calendars
from knowledge.api.indexes import ReadyView
from knowledge.errors import InvalidParameter
from knowledge.publications import StoredBody, keep, publication_cache, respond
from knowledge.publications.keeping import variant_of

# A sealed day stays as it is but for a rare revision, which every cache has seen within the hour.
DAY_CACHE_CONTROL = "public, max-age=3600, stale-while-revalidate=86400, stale-if-error=604800"
WHOLE_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)


class ArchiveView(ReadyView):
    """Without parameters the manifest; ``date`` (and ``revision``) one day's file; ``days`` the newest 1 to 60."""

    serializer_class = serializers.ManifestSerializer

    def get(self, request: Request) -> HttpResponseBase:  # type: ignore[override]  # a stream is no HttpResponse
        return answer(request._request)

    head = get  # type: ignore[assignment]


def answer(request: HttpRequest) -> HttpResponseBase:
    """Raises InvalidParameter (400), NoSuchDay and NoSuchRevision (404), DayUnreadable (503)."""
    asked_day, asked_days, asked_revision = (_one(request.GET, name) for name in ("date", "days", "revision"))
    if asked_day is not None and asked_days is not None:
        raise InvalidParameter(
            "days", "Give either date or days, not both.", "date와 days 가운데 하나만 주어야 합니다."
        )
    if asked_revision is not None and asked_day is None:
        raise InvalidParameter(
            "revision", "revision needs a date beside it.", "revision은 date와 함께 주어야 합니다."
        )
    if asked_day is not None:
        day, revision = day_of(asked_day), None if asked_revision is None else revision_of(asked_revision)
        response = respond(request, day_body(day, revision), cache_control=DAY_CACHE_CONTROL)
        return keep(request, response, scopes=SCOPES, variant=variant_of(date=day, revision=revision))
    if asked_days is not None:
        return bulk_response(request, days_of(asked_days))
    return keep(request, respond(request, publication_cache.get(ARCHIVE.name)), scopes=SCOPES, variant="")


def _one(parameters: QueryDict, name: str) -> str | None:
    values = parameters.getlist(name)
    if len(values) > 1:
        raise InvalidParameter(name, f"Give {name} once.", f"{name}는 한 번만 주어야 합니다.")
    return values[0] if values else None


def day_of(text: str) -> date:
    day = parse_day(text)
    if day is None:
        raise InvalidParameter(
            "date",
            "date must be a day of the calendar written YYYY-MM-DD, as in ?date=2026-01-31.",
            "date는 실제로 있는 날을 YYYY-MM-DD로 적어야 합니다. 예: ?date=2026-01-31",
        )
    return day


def days_of(text: str) -> int:
    days = int(text) if WHOLE_NUMBER.fullmatch(text) else 0
    if not 1 <= days <= DAYS_MAX:
        raise InvalidParameter(
            "days",
            f"days must be one whole number, 1 to {DAYS_MAX}, as in ?days=14.",
            f"days는 1부터 {DAYS_MAX}까지의 정수여야 합니다. 예: ?days=14",
        )
    return days


def revision_of(text: str) -> int:
    revision = int(text) if WHOLE_NUMBER.fullmatch(text) else 0
    if revision < 1:
        raise InvalidParameter(
            "revision",
            "revision must be a whole number from 1, as in &revision=1.",
            "revision은 1 이상의 정수여야 합니다. 예: &revision=1",
        )
    return revision


def day_body(day: date, revision: int | None) -> StoredBody:
    """The newest revision of a day, or the one asked for."""
    calendar = calendars.get()
    item = calendar.by_day.get(day)
    if item is None:
        raise NoSuchDay(day, calendar.nearest(day))
    if revision is None:
        return bodies.day_body(item)
    if revision > item.revision:
        raise NoSuchRevision(day, item.revision)
    return bodies.revision_body(item, revision)


def bulk_response(request: HttpRequest, days: int) -> HttpResponseBase:
    """The newest days: small ones like any ready body; large ones as a stream of known length, uncompressed."""
    bulk = DaysBody(calendars.get(), days)
    if bulk.is_small:
        variant = variant_of(days=days)
        return keep(request, respond(request, bulk.ready()), scopes=SCOPES, variant=variant)
    bulk.require_whole()
    etag = f'"{bulk.etag}"'
    fresh = request.headers.get("If-None-Match", "")
    response: HttpResponseBase
    if fresh.strip() == "*" or etag in fresh:
        response = HttpResponseNotModified()
    elif request.method == "HEAD":
        response = HttpResponse(content_type=bodies.CONTENT_TYPE)
    else:
        response = StreamingHttpResponse(bulk.pieces(), content_type=bodies.CONTENT_TYPE)
    if response.status_code == 200:
        response.headers["Content-Length"] = str(bulk.size)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "public, max-age=30, stale-while-revalidate=300, stale-if-error=86400"
    response.headers["Vary"] = "Accept-Encoding"
    return response
