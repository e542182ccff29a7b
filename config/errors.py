"""One error body for everything under /api/: RFC 9457 ``application/problem+json``. It only renders.

Shape: ``{type, title, status, detail, instance, code}`` plus ``retryAfter`` (seconds) and ``errors`` where they
apply. ``detail`` names the fix, in Korean when ``Accept-Language`` prefers it.
"""

import logging
import sys
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header
from psycopg_pool import PoolTimeout
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledge.errors import Refusal
from knowledge.publications.keeping import have_front_wait
from mcpserver.protocol import INTERNAL_ERROR, INVALID_REQUEST, RpcError, encode_error

logger = logging.getLogger(__name__)

# status -> (code, English, Korean): what is said when the raiser gave no words of its own.
GENERIC: dict[int, tuple[str, str, str]] = {
    400: (
        "bad_request",
        "The request could not be read. Check its syntax and its parameters, and percent-encode the address as in "
        "/api/search?q=%EA%B9%80%EC%B9%98.",
        "요청을 읽을 수 없습니다. 문법과 매개변수를 확인하고, 주소는 /api/search?q=%EA%B9%80%EC%B9%98 처럼 퍼센트 "
        "인코딩하세요.",
    ),
    403: (
        "forbidden",
        "This request is not allowed from where it came.",
        "이 출처에서는 허용되지 않는 요청입니다.",
    ),
    404: (
        "not_found",
        "Nothing lives at this address. GET / lists the public addresses.",
        "이 주소에는 아무것도 없습니다. GET / 에 공개 주소가 있습니다.",
    ),
    405: (
        "method_not_allowed",
        "This address does not take that method. See the Allow header.",
        "이 주소는 그 메서드를 받지 않습니다. Allow 헤더를 보세요.",
    ),
    406: (
        "not_acceptable",
        "This address answers application/json only.",
        "이 주소는 application/json으로만 답합니다.",
    ),
    413: ("payload_too_large", "The request body is too large for this address.", "요청 본문이 너무 큽니다."),
    415: (
        "unsupported_media_type",
        "Send the body as application/json.",
        "본문을 application/json 형식으로 보내세요.",
    ),
    414: (
        "uri_too_long",
        "The address is too long. Shorten its query; long questions go into the body of POST /api/ask.",
        "주소가 너무 깁니다. 질의를 줄이세요. 긴 질문은 POST /api/ask 본문에 넣으세요.",
    ),
    417: (
        "expectation_failed",
        "The Expect header may only say 100-continue. Leave it out.",
        "Expect 헤더에는 100-continue만 쓸 수 있습니다. 빼고 다시 보내세요.",
    ),
    431: (
        "headers_too_large",
        "The headers are too large. Send fewer or shorter ones, such as without cookies.",
        "헤더가 너무 큽니다. 쿠키를 빼는 등 줄여서 다시 보내세요.",
    ),
    500: (
        "internal_error",
        "Something failed on our side. The request was not at fault; try again later.",
        "서버에서 오류가 났습니다. 요청의 잘못이 아니니 나중에 다시 시도하세요.",
    ),
    501: (
        "not_implemented",
        "This transfer coding is not known here. Send the body with a Content-Length, or chunked.",
        "모르는 전송 부호화입니다. Content-Length를 쓰거나 chunked로 보내세요.",
    ),
    503: (
        "unavailable",
        "The store cannot be reached at the moment. Try again in a few seconds.",
        "지금은 저장소에 연결할 수 없습니다. 몇 초 뒤에 다시 시도하세요.",
    ),
}
STORE_RETRY_SECONDS = 5


def prefers_korean(request: HttpRequest) -> bool:
    """True when Accept-Language ranks Korean above English; English is the default for programs."""
    for tag, quality in parse_accept_lang_header(request.headers.get("Accept-Language", "").lower()):
        if quality > 0 and tag.split("-")[0] in ("ko", "en"):
            return tag.startswith("ko")
    return False


def problem(
    request: HttpRequest, status: int, *, refusal: Refusal | None = None, retry_after: int | None = None
) -> dict[str, Any]:
    """The problem body for ``status``, in the words of ``refusal`` when there is one."""
    code, english, korean = GENERIC.get(status, GENERIC[400])
    if refusal is not None:
        code, english, korean = refusal.default_code, refusal.english, refusal.korean
        retry_after = refusal.retry_after if refusal.retry_after is not None else retry_after
    body: dict[str, Any] = {
        "type": f"{settings.BASE_URL}/docs#problem-{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": korean if prefers_korean(request) else english,
        "instance": request.path,
        "code": code,
    }
    if retry_after is not None:
        body["retryAfter"] = retry_after
    if refusal is not None and refusal.errors:
        body["errors"] = refusal.errors
    return body


def problem_headers(response: HttpResponse, retry_after: int | None) -> None:
    response.headers["Content-Type"] = "application/problem+json"
    response.headers.setdefault("Cache-Control", "no-store")
    patch_vary_headers(response, ("Accept-Language",))
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)


def problem_response(
    request: HttpRequest, status: int, *, refusal: Refusal | None = None, retry_after: int | None = None
) -> JsonResponse:
    """A problem outside DRF: unknown paths, unreadable requests, crashes."""
    response = JsonResponse(
        problem(request, status, refusal=refusal, retry_after=retry_after),
        status=status,
        json_dumps_params={"ensure_ascii": False},
    )
    problem_headers(response, retry_after)
    return response


def status_of(error: Exception) -> int | None:
    """The HTTP status an exception stands for; None when it is a defect of ours."""
    match error:
        case exceptions.APIException():
            return error.status_code
        case Http404():
            return 404
        case PermissionDenied():
            return 403
        case RequestDataTooBig():
            return 413
        case SuspiciousOperation() | UnreadablePostError():
            return 400
        case OperationalError() | InterfaceError() | PoolTimeout():
            return 503
    return None


def retry_seconds(status: int, refusal: Refusal | None) -> int | None:
    """When to come back, where that is known."""
    if refusal is not None:
        return refusal.retry_after
    return STORE_RETRY_SECONDS if status == 503 else None


def no_defect(response: HttpResponse) -> None:
    """Spare the log the error that Django writes for each answer of the 500 class."""
    response._has_been_logged = True  # type: ignore[attr-defined]


def note_lost_store(response: HttpResponse, error: Exception | None) -> None:
    """One line for each request that an outage costs, and none for what is refused on purpose."""
    if response.status_code != 503:
        return
    no_defect(response)
    if not isinstance(error, Refusal):
        logger.warning("store unreachable: %s", type(error).__name__)


def problem_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler. None lets Django treat the error as the defect it is (and ``server_error`` render)."""
    status = status_of(error)
    if status is None:
        return None
    view: APIView = context["view"]
    request: HttpRequest = context["request"]._request
    refusal = error if isinstance(error, Refusal) else None
    retry_after = retry_seconds(status, refusal)
    response = Response(problem(request, status, refusal=refusal, retry_after=retry_after), status=status)
    response.content_type = "application/problem+json"
    if status == 405:
        response.headers["Allow"] = ", ".join(view.allowed_methods)
    problem_headers(response, retry_after)
    have_front_wait(response, refusal)
    note_lost_store(response, error)
    return response


# Speaks JSON-RPC, so its errors are its own.
MCP_PATHS = ("/api/mcp", "/api/mcp/")


# Programs alone ask for it, outside /api/ as its specification suggests.
OEMBED_PATH = "/oembed"


def speaks_problems(request: HttpRequest) -> bool:
    path = request.path_info
    return path == OEMBED_PATH or (path.startswith("/api/") and path not in MCP_PATHS)


def rpc_error(status: int) -> HttpResponse:
    """What Django refuses before the MCP view sees it, such as a host that is not ours, as JSON-RPC."""
    said = GENERIC.get(status, GENERIC[400])[1]
    error = RpcError(INTERNAL_ERROR if status >= 500 else INVALID_REQUEST, said, status=status)
    response = HttpResponse(encode_error(None, error), status=status, content_type="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


# The error page has words of its own for the others, which readers meet more often.
WORDED = frozenset({400, 405, 413, 414, 417, 431, 501, 503})


def words(status: int, refusal: Refusal | None) -> tuple[str, str, str] | None:
    """What the error page says, as a row of ``GENERIC``; None where it has words of its own."""
    if refusal is not None:
        return refusal.default_code, refusal.english, refusal.korean
    return GENERIC[status] if status in WORDED else None


def page(request: HttpRequest, status: int, error: Exception | None = None) -> HttpResponse:
    """What is refused outside DRF, in the form of its address: a problem for programs, a page that helps for people."""
    refusal = error if isinstance(error, Refusal) else None
    retry_after = retry_seconds(status, refusal)
    response: HttpResponse
    if speaks_problems(request):
        response = problem_response(request, status, refusal=refusal, retry_after=retry_after)
    elif request.path_info in MCP_PATHS:
        response = rpc_error(status)
    else:
        context = {"status": status, "said": words(status, refusal)}
        response = render(request, "errors/error.html", context, status=status)
    if status >= 500:
        response.headers["Cache-Control"] = "no-store"
    if retry_after is not None:
        response.headers["Retry-After"] = str(retry_after)
    have_front_wait(response, refusal)
    note_lost_store(response, error)
    return response


def unknown(request: HttpRequest) -> HttpResponse:
    """What no other pattern takes: a view, because DEBUG has a page of its own for addresses without one."""
    return page(request, 404)


# Django asks for these four by name.
def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return page(request, 403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return page(request, status_of(exception) or 400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Also called for what a middleware raised, such as a session that a lost store cannot keep."""
    match sys.exception():
        case Exception() as error if status_of(error) == 503:
            return page(request, 503, error)
    return page(request, 500)
