"""``POST /api/mcp``: Streamable HTTP with plain JSON answers, no stream, no session, no key."""

from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from knowledge.publications.bodies import encoded
from knowledge.publications.delivery import chosen_coding
from knowledge.publications.keeping import have_front_wait
from mcpserver.eras import era_of
from mcpserver.protocol import (
    BODY_MAX_BYTES,
    INVALID_PARAMS,
    PARSE_ERROR,
    STATELESS,
    RpcError,
    decode,
    drop,
    encode_error,
    encode_result,
    invalid_request,
    message_of,
    valid_id,
)
from mcpserver.tool import Caller

ALLOWED = "POST, OPTIONS"
CONTENT_TYPE = "application/json"
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")
PREFLIGHT = {
    "Access-Control-Allow-Methods": ALLOWED,
    "Access-Control-Allow-Headers": "Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, "
    "Last-Event-ID",
    "Access-Control-Max-Age": "86400",
}
EXPOSED = "MCP-Protocol-Version, Retry-After"
COMPRESSED_MIN_BYTES = 1_000  # a shorter body fits one packet as it is


@csrf_exempt
def endpoint(request: HttpRequest) -> HttpResponse:
    """One JSON-RPC message in, one out; 202 without a body for what needs no answer."""
    try:
        require_origin(request)
        response = preflight() if request.method == "OPTIONS" else post(request)
    except RpcError as error:
        response = refusal(error)
    response.headers["Cache-Control"] = "no-store"
    return compressed(request, shared_with_origin(request, response))


def post(request: HttpRequest) -> HttpResponse:
    require_json(request)
    value = decode(body_of(request))
    version = request.headers.get("MCP-Protocol-Version", "")
    try:
        message = message_of(value)
    except RpcError as error:
        if version == STATELESS and error.code == INVALID_PARAMS:
            error.status = 400
        return refusal(error, value)
    if message is None:
        return HttpResponse(status=202)
    era = era_of(message, request.headers)
    caller = Caller(request, timezone.now())
    try:
        result = era.respond(message, request.headers, caller)
    except RpcError as error:
        response = refusal(error, value)
    else:
        response = HttpResponse(encode_result(message.id, result), content_type=CONTENT_TYPE)
    for refused in caller.refusals:
        have_front_wait(response, refused)
    if era.version:
        response.headers["MCP-Protocol-Version"] = era.version
    return response


def refusal(error: RpcError, value: object = None) -> HttpResponse:
    """A JSON-RPC error, under the id of the message it answers where that could be read."""
    return HttpResponse(
        encode_error(valid_id(value), error),
        status=error.status,
        content_type=CONTENT_TYPE,
        headers=error.headers,
    )


def require_origin(request: HttpRequest) -> None:
    """Browsers name the page that calls; only known ones may, lest any site drive a server on its visitor's machine."""
    origin = request.headers.get("Origin")
    if origin is not None and not is_allowed(origin):
        raise invalid_request(
            "This Origin may not call. Call from a server or desktop client, or have it added to MCP_ALLOWED_ORIGINS.",
            status=403,
        )


def is_allowed(origin: str) -> bool:
    """Whether an origin is listed; a listed loopback host stands for all its ports."""
    allowed: list[str] = settings.MCP_ALLOWED_ORIGINS
    if origin in allowed:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    bare = f"{parts.scheme}://{f'[{parts.hostname}]' if ':' in (parts.hostname or '') else parts.hostname}"
    return parts.hostname in LOOPBACK_HOSTS and bare in allowed and origin.startswith(bare)


def require_json(request: HttpRequest) -> None:
    if request.method != "POST":
        raise invalid_request(
            "Send one JSON-RPC message by POST; this server has no stream and no session.",
            status=405,
            Allow=ALLOWED,
        )
    if request.content_type != CONTENT_TYPE:
        raise invalid_request("Send the message with Content-Type: application/json.", status=415)
    if not accepts_json(request.headers):
        raise invalid_request("Answers are application/json: let Accept include it.", status=406)


def accepts_json(headers: Mapping[str, str]) -> bool:
    """Whether Accept leaves room for JSON: absent, or a range that covers it with a quality above 0."""
    ranges = [one.split(";") for one in headers.get("Accept", "*/*").lower().split(",")]
    found = {kind.strip(): not any(_is_zero(part) for part in rest) for kind, *rest in ranges}
    for kind in (CONTENT_TYPE, "application/*", "*/*"):
        if kind in found:
            return found[kind]
    return not any(found)


def _is_zero(parameter: str) -> bool:
    name, _equals, value = parameter.strip().partition("=")
    return name == "q" and value.strip().strip("0.") == "" and value.strip() != ""


def body_of(request: HttpRequest) -> bytes:
    """At most 256 KiB, whole: a longer body is refused by its stated length, one that was cut off as unreadable."""
    stated = request.META.get("CONTENT_LENGTH") or "0"
    if not stated.isdecimal() or int(stated) > BODY_MAX_BYTES:
        with suppress(UnreadablePostError):
            drop(request)
        raise invalid_request(f"The body may have at most {BODY_MAX_BYTES} bytes.", status=413)
    try:
        return request.read()
    except UnreadablePostError as error:
        raise RpcError(
            PARSE_ERROR,
            "The body ended early or its chunks are broken. Send one whole JSON-RPC message.",
            status=400,
        ) from error


def preflight() -> HttpResponse:
    return HttpResponse(status=204, headers={"Allow": ALLOWED, "Link": '</openapi.json>; rel="service-desc"'})


def shared_with_origin(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let the page that called read the answer, if it is one that may."""
    if response.status_code in (202, 204):
        # Without a body there is no type to state.
        response.headers.pop("Content-Type", None)
    origin = request.headers.get("Origin")
    response.headers["Vary"] = "Origin, Accept-Encoding"
    if origin is None or response.status_code == 403:
        return response
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = EXPOSED
    if request.method == "OPTIONS":
        for name, value in PREFLIGHT.items():
            response.headers[name] = value
    return response


def compressed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The response in the coding that the client likes best; who refuses all gets it plain."""
    coding = chosen_coding(request, lenient=True)
    if coding != "identity" and len(response.content) >= COMPRESSED_MIN_BYTES:
        response.content = encoded(response.content, coding)
        response.headers["Content-Encoding"] = coding
    return response
