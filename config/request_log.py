"""One log line a request, under an id that the response, its tasks and every other line carry too.

A line says ``{request, method, view, path, status, ms, bytes}``. It never holds an address, a query string, a body or
a path that no route knows: any of them may be somebody's words. A link that is a secret is told by its route.
"""

import logging
import os
import re
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config import metrics
from config.log_lines import Work, current
from config.log_paths import shown_path
from config.request_bodies import UNREADABLE

GetResponse = Callable[[HttpRequest], HttpResponseBase]
logger = logging.getLogger("requests")

HEADER = "X-Request-Id"
# What proxies make: uuids, hexadecimal, ULIDs.
GIVEN = re.compile(r"[A-Za-z0-9-]{8,64}")
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT"})
# Where people write what they want to know.
PRIVATE = ("/api/ask", "/ask", "/api/search", "/search", "/api/resolve", "/api/mcp")


class RequestLog:
    """The outermost middleware: it sees what the client gets, and how long that took up to its first byte."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        number = request_id(request)
        token = current.set(Work(request=number, private=request.path_info.startswith(PRIVATE)))
        try:
            response = self.get_response(request)
            response.headers[HEADER] = number
            note(request, response, time.perf_counter() - began)
        finally:
            current.reset(token)
        return response


def request_id(request: HttpRequest) -> str:
    """A new id; the proxy's own where one is believed."""
    given = request.META.get("HTTP_X_REQUEST_ID", "") if settings.TRUSTED_PROXY_COUNT else ""
    return given if GIVEN.fullmatch(given) else os.urandom(8).hex()


def note(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    """Write the line, and count the request."""
    match = request.resolver_match
    view = match.view_name if match is not None and match.url_name else ""
    method = request.method if request.method in METHODS else "OTHER"
    # Nobody waits for the answer to a request that was broken off.
    broken_off = response.status_code == 400 and UNREADABLE in request.META
    level = logging.DEBUG if broken_off else logging.INFO
    if logger.isEnabledFor(level):
        fields = {
            "method": method,
            "view": view,
            "path": shown_path(request),
            "status": response.status_code,
            "ms": round(seconds * 1000, 2),
            "bytes": length_of(response),
        }
        logger.log(level, "request", extra={"fields": fields})
    metrics.count_request(view, str(method), response.status_code, seconds)


def length_of(response: HttpResponseBase) -> int | None:
    """The body's length; None for what is streamed and states none."""
    stated = response.headers.get("Content-Length", "")
    if stated.isdecimal():
        return int(stated)
    return None if response.streaming else len(getattr(response, "content", b""))
