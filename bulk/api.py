"""``GET /api/bulk`` and the files that it lists."""

import logging
from collections.abc import Iterator
from datetime import date, datetime
from http import HTTPStatus

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
    StreamingHttpResponse,
)
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from rest_framework.request import Request
from rest_framework.response import Response

from archive.days import parse_day
from bulk import shelf
from bulk.catalogue import LOOK_EVERY_SECONDS, catalogue
from bulk.errors import BulkUnreadable, NoSuchBulkFile, RangeNotSatisfiable
from bulk.nights import KEPT_DAYS
from bulk.ranges import part_of
from bulk.serializers import BulkListSerializer
from knowledge.api.indexes import ReadyView
from knowledge.publications import keep, respond

logger = logging.getLogger(__name__)

# What is promised are bytes, by their sha256 and by ranges: a browser that unpacks `application/gzip` by itself would
# break that, and generators of clients take no other type for bytes.
CONTENT_TYPE = "application/octet-stream"
CACHE_CONTROL = f"public, max-age={KEPT_DAYS * 86_400}, immutable"
CHUNK_BYTES = 64 * 1024
NEAREST = 3


class BulkListView(ReadyView):
    """Every file that is kept, newest first, and what is in none."""

    serializer_class = BulkListSerializer

    def get(self, request: Request) -> HttpResponse:
        plain = request._request
        response = respond(plain, catalogue.body(timezone.now()))
        return keep(plain, response, scopes=(), seconds=LOOK_EVERY_SECONDS, variant="")

    head = get


class BulkFileView(ReadyView):
    """One file, or a range of its bytes: it never changes, and its ETag is its sha256."""

    def get(self, request: Request, day: str, name: str) -> HttpResponseBase:  # type: ignore[override]
        return answer(request._request, _found(day, name))

    head = get  # type: ignore[assignment]

    def handle_exception(self, error: Exception) -> Response:
        response = super().handle_exception(error)
        if isinstance(error, RangeNotSatisfiable):
            response.headers["Content-Range"] = f"bytes */{error.size}"
        return response


def _found(text: str, name: str) -> shelf.BulkItem:
    """The file in the list; raises NoSuchBulkFile."""
    nights, day = catalogue.nights(), parse_day(text)
    item = nights.item(day, name) if day else None
    if item is None:
        days = sorted(nights.lists, key=lambda known: abs(known - day)) if day else list(nights.lists)
        raise NoSuchBulkFile(text, name, [known.isoformat() for known in days[:NEAREST]])
    return item


def answer(request: HttpRequest, item: shelf.BulkItem) -> HttpResponseBase:
    """200, 206 or 304; raises RangeNotSatisfiable (416) and BulkUnreadable (503)."""
    etag, written = f'"{item["sha256"]}"', int(datetime.fromisoformat(item["writtenAt"]).timestamp())
    judged = get_conditional_response(request, etag, written, HttpResponse())
    same = judged is not None and judged.status_code == HTTPStatus.NOT_MODIFIED
    response = (
        HttpResponseNotModified() if same else _content(request, item, part_of(request, item["bytes"], etag))
    )
    response.headers["ETag"] = etag
    response.headers["Last-Modified"] = http_date(written)
    response.headers["Cache-Control"] = CACHE_CONTROL
    response.headers["Accept-Ranges"] = "bytes"
    return response


def _content(request: HttpRequest, item: shelf.BulkItem, part: tuple[int, int] | None) -> HttpResponseBase:
    """The file, or a part of it; of a HEAD only what is said of it."""
    first, stop = part or (0, item["bytes"])
    response: HttpResponseBase
    if request.method == "HEAD":
        response = HttpResponse(content_type=CONTENT_TYPE)
    else:
        response = StreamingHttpResponse(_pieces(item, first, stop), content_type=CONTENT_TYPE)
    response.headers["Content-Length"] = str(stop - first)
    if part is not None:
        response.status_code = HTTPStatus.PARTIAL_CONTENT
        response.headers["Content-Range"] = f"bytes {first}-{stop - 1}/{item['bytes']}"
    return response


def _pieces(item: shelf.BulkItem, first: int, stop: int) -> Iterator[bytes]:
    try:
        return shelf.pieces(date.fromisoformat(item["date"]), item["name"], first, stop, CHUNK_BYTES)
    except OSError as error:
        logger.error("%s cannot be given: %s", item["url"], error)
        raise BulkUnreadable from error
