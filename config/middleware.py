"""Headers that every response carries, said once."""

from collections.abc import Callable
from typing import cast

from axes.middleware import AxesMiddleware
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.translation import override
from django_otp.middleware import OTPMiddleware
from simple_history.middleware import HistoryRequestMiddleware

from config.errors import (
    MCP_PATHS,
    bad_request,
    not_found,
    page,
    problem_response,
    rpc_error,
    speaks_problems,
)
from config.rehearsal import RehearsalLabels
from config.request_bodies import UNREADABLE
from knowledge.languages import language_of_path

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
EXPOSED_HEADERS = "ETag, Link, Retry-After, RateLimit, RateLimit-Policy, Content-Range, Accept-Ranges"
ADMIN_PATH = "/admin/"


class PublicHeaders:
    """Security headers on all responses, and free reading from other origins on the public ones."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = RehearsalLabels(get_response) if settings.REHEARSAL else get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        admin = is_admin(request)
        shared = not admin and request.path_info not in MCP_PATHS
        response = preflight() if shared and is_preflight(request) else self.get_response(request)
        headers = response.headers
        headers.setdefault("Content-Security-Policy", ADMIN_CSP if admin else PUBLIC_CSP)
        headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        if shared:
            headers["Access-Control-Allow-Origin"] = "*"
            headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        return measured(request, response)


def measured(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The response with its body's length: 204 and 304 have none, and a HEAD states what it does not bring.

    Old parsers wait for the length that a 304 states; gunicorn complains of every byte that a HEAD brings.
    """
    if response.status_code in (204, 304):
        del response.headers["Content-Length"], response.headers["Content-Type"]
    elif not response.streaming:
        response.headers.setdefault("Content-Length", str(len(response.content)))
        if request.method == "HEAD":
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


class PublicMethods:
    """What a public address answers to a method that its view does not take: the view's own 405 says which it takes.

    Nobody is signed in outside the admin, so that no forged post could do anything there that its sender may not: the
    check against forgery, which would answer first, is the admin's alone.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or is_admin(request) or request.path_info in MCP_PATHS:
            return response
        response.headers["Allow"] = with_options(response.headers["Allow"])
        if request.method == "OPTIONS":
            return with_headers(options(request), response)
        # Django's 405 is empty; readers get the page that helps.
        empty = response.streaming or not response.content
        return with_headers(page(request, 405), response) if empty else response

    def process_view(self, request: HttpRequest, *_: object) -> None:
        if not is_admin(request):
            # What CsrfViewMiddleware notes when it has checked a request.
            request.csrf_processing_done = True  # type: ignore[attr-defined]


def with_options(allowed: str) -> str:
    return allowed if "OPTIONS" in allowed else f"{allowed}, OPTIONS"


def options(request: HttpRequest) -> HttpResponse:
    """Under /api/ it says where all of it is described."""
    response = HttpResponse(status=204)
    if request.path_info.startswith("/api/"):
        response.headers["Link"] = '</openapi.json>; rel="service-desc"'
    return response


def with_headers(response: HttpResponse, replaced: HttpResponse) -> HttpResponse:
    """The response in the place of another, with all that its headers say but of its body."""
    del replaced.headers["Content-Type"], replaced.headers["Content-Length"]
    for name, value in replaced.headers.items():
        response.headers.setdefault(name, value)
    return response


def is_admin(request: HttpRequest) -> bool:
    return request.path_info.startswith(ADMIN_PATH)


class ProblemBodies:
    """Django's debug pages where programs ask wear the problem shape too, so that DEBUG answers as production does.

    They are the only text/html there: production's handlers speak problems by themselves.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 403 and UNREADABLE in request.META:
            # The check against forgery found no token in a body that was cut off.
            return page(request, 400)
        plain = response.headers.get("Content-Type", "").startswith("text/html")
        if response.status_code < 400 or not plain:
            return response
        if request.path_info in MCP_PATHS:
            return rpc_error(response.status_code)
        if not speaks_problems(request):
            return response
        replacement = problem_response(request, response.status_code)
        if "Allow" in response.headers:
            replacement.headers["Allow"] = response.headers["Allow"]
        return replacement

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A body that cannot be read is its sender's fault. DEBUG's own page for a view that finds nothing is left to
        the admin: readers get the one that helps."""
        if isinstance(exception, UnreadablePostError):
            return bad_request(request, exception)
        if isinstance(exception, Http404) and not is_admin(request):
            return not_found(request, exception)
        return None


class Languages(LocaleMiddleware):
    """Languages by address for readers, and by Accept-Language for editors only.

    Public responses do not vary, so that one copy of each address serves every reader. A thread serves them all: it
    begins each request with the language of its address, and keeps none.
    """

    async_capable = False

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with override(language_of_path(request.path_info), deactivate=True):
            return cast("HttpResponseBase", super().__call__(request))

    def process_request(self, request: HttpRequest) -> None:
        if is_admin(request):
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        return super().process_response(request, response) if is_admin(request) else response


class EditorsOnly:
    """Lockouts, the second factor and who changed what: for editors only.

    Three middlewares of three packages, each of which would wrap every request; a public read passes all of them
    by one comparison.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.public = get_response
        self.admin: GetResponse = AxesMiddleware(OTPMiddleware(HistoryRequestMiddleware(get_response)))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return (self.admin if is_admin(request) else self.public)(request)
