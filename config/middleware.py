"""Headers that every response carries, said once."""

from __future__ import annotations

from collections.abc import Callable

from axes.middleware import AxesMiddleware
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django_otp.middleware import OTPMiddleware
from simple_history.middleware import HistoryRequestMiddleware

from config.errors import MCP_PATHS, not_found, problem_response, rpc_error

GetResponse = Callable[[HttpRequest], HttpResponse]

# No script anywhere on the public pages; the admin needs its own scripts and inline images of its widgets.
PUBLIC_CSP = (
    "default-src 'none'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
ADMIN_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), interest-cohort=()"
EXPOSED_HEADERS = "ETag, Retry-After, RateLimit, RateLimit-Policy"
ADMIN_PATH = "/admin/"


class PublicHeaders:
    """Security headers on all responses, and free reading from other origins on the public ones."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        admin = request.path.startswith(ADMIN_PATH)
        shared = not admin and request.path not in MCP_PATHS
        response = preflight() if shared and is_preflight(request) else self.get_response(request)
        headers = response.headers
        headers.setdefault("Content-Security-Policy", ADMIN_CSP if admin else PUBLIC_CSP)
        headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        if shared:
            headers["Access-Control-Allow-Origin"] = "*"
            headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        return without_body(response) if request.method == "HEAD" else response


def without_body(response: HttpResponse) -> HttpResponse:
    """The headers of a GET without its body: gunicorn complains of every byte that a HEAD brings."""
    if not response.streaming and response.content:
        response.headers["Content-Length"] = str(len(response.content))
        response.content = b""
    return response


def is_preflight(request: HttpRequest) -> bool:
    return request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers


def preflight() -> HttpResponse:
    """The answer to a browser that asks before it posts a question."""
    response = HttpResponse(status=204)
    response.headers["Access-Control-Allow-Methods"] = "GET, HEAD, POST, OPTIONS"
    response.headers["Access-Control-Allow-Headers"] = "Content-Type, Accept, Accept-Language, If-None-Match"
    response.headers["Access-Control-Max-Age"] = "86400"
    return response


class ProblemBodies:
    """Django's debug pages under /api/ wear the problem shape too, so that DEBUG answers as production does.

    They are the only text/html there: production's handlers speak problems by themselves.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        plain = response.headers.get("Content-Type", "").startswith("text/html")
        if response.status_code < 400 or not plain or not request.path.startswith("/api/"):
            return response
        if request.path in MCP_PATHS:
            return rpc_error(response.status_code)
        replacement = problem_response(request, response.status_code)
        if "Allow" in response.headers:
            replacement.headers["Allow"] = response.headers["Allow"]
        return replacement

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """DEBUG's own page for a view that finds nothing is left to the admin: readers get the one that helps."""
        if isinstance(exception, Http404) and not request.path.startswith(ADMIN_PATH):
            return not_found(request, exception)
        return None


class AdminLocale(LocaleMiddleware):
    """Languages by Accept-Language for editors only.

    Public responses have Korean with English beside it and do not vary, so that one copy serves every reader.
    """

    def process_request(self, request: HttpRequest) -> None:
        if request.path.startswith(ADMIN_PATH):
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.path.startswith(ADMIN_PATH):
            return super().process_response(request, response)
        return response


class EditorsOnly:
    """Lockouts, the second factor and who changed what: for editors only.

    Three middlewares of three packages, each of which would wrap every request; a public read passes all of them
    by one comparison.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.public = get_response
        self.admin: GetResponse = AxesMiddleware(OTPMiddleware(HistoryRequestMiddleware(get_response)))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return (self.admin if request.path.startswith(ADMIN_PATH) else self.public)(request)
