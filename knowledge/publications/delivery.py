"""A ready body over HTTP: RFC 9110, 12.5.3 (Accept-Encoding), 13.1.2 (If-None-Match), 13.1.3 (If-Modified-Since)."""

import re
from datetime import timedelta
from functools import lru_cache
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from rest_framework import status

from knowledge.errors import Refusal
from knowledge.publications.bodies import CODINGS, StoredBody, ready_body

# A reader sees a change within 30 s; caches may answer for five minutes while they ask, for a day while we are down.
CACHE_CONTROL = "public, max-age=30, stale-while-revalidate=300, stale-if-error=86400"
# Of pages. Short: a retraction has to reach every cache within half a minute.
PAGE_CACHE = "public, max-age=30, stale-while-revalidate=300"

# An identity that nobody mentioned is acceptable, but anything the client did name is better.
UNMENTIONED_IDENTITY = 0.0001
ALIASES = {"x-gzip": "gzip"}
# A coding and its q, if it has parameters at all.
WISH = re.compile(
    r"\s*([^;\s]+)\s*(?:;\s*q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*(?:;.*)?)?", re.DOTALL
)
# No client sends more; a longer header is not worth a cache entry.
HEADER_MAX_LENGTH = 256


class EncodingNotAcceptable(Refusal):
    """406: the client refuses the plain body and every coding there is."""

    status_code = status.HTTP_406_NOT_ACCEPTABLE
    default_code = "encoding_not_acceptable"
    english = "Accept-Encoding refuses every coding there is. Accept identity, gzip or br."
    korean = "Accept-Encoding이 가능한 인코딩을 모두 거절합니다. identity, gzip, br 중 하나를 받아 주세요."


def respond(
    request: HttpRequest, ready: StoredBody, *, cache_control: str = CACHE_CONTROL, lenient: bool = False
) -> HttpResponse:
    """``ready`` as the answer to a GET or HEAD: 200, or 304 when the client has these bytes already.

    Raises EncodingNotAcceptable (406) unless ``lenient``: see ``chosen_coding``.
    """
    coding = chosen_coding(request, lenient=lenient)
    if coding not in ready.contents:  # what is compressed by itself is there as it is alone
        coding = "identity"
    content, etag = ready.contents[coding], ready.etags[coding]
    response = HttpResponse(b"" if request.method == "HEAD" else content, content_type=ready.content_type)
    headers = response.headers
    if coding != "identity":
        headers["Content-Encoding"] = coding
    # Also on a HEAD, which has no body to measure: it is the length a GET would have.
    headers["Content-Length"] = str(len(content))
    headers["ETag"] = etag
    headers["Last-Modified"] = ready.http_last_modified
    headers["Cache-Control"] = cache_control
    headers["Vary"] = "Accept-Encoding"
    judged = get_conditional_response(request, etag, ready.last_modified, response)
    # If-Match guards a change, and nothing is changed here, so a 412 is not passed on.
    return judged if judged and judged.status_code == HTTPStatus.NOT_MODIFIED else response


def revalidated(
    request: HttpRequest, response: HttpResponse, *, cache_control: str = PAGE_CACHE
) -> HttpResponse:
    """A response made for this request in the best encoding with a strong ETag, or a 304 where the reader has these
    bytes already. What is no success keeps its body, and caches must not repeat a failure of this service."""
    if response.status_code != HTTPStatus.OK:
        response.headers["Cache-Control"] = cache_control if response.status_code < 500 else "no-store"
        return response
    headers = dict(response.headers.items())
    ready = ready_body(
        response.content,
        content_type=headers.pop("Content-Type"),
        # A second later than now: two made within one second must not pass for the same by their date.
        built_at=timezone.now() + timedelta(seconds=1),
        codings=(chosen_coding(request, lenient=True),),
    )
    found = respond(request, ready, cache_control=cache_control, lenient=True)
    # The ETag says exactly what a date says only to the second.
    del found.headers["Last-Modified"]
    for name, value in headers.items():
        found.headers[name] = value
    return found


def chosen_coding(request: HttpRequest, *, lenient: bool = False) -> str:
    """The coding that the client likes best.

    One who refuses them all is refused (EncodingNotAcceptable, 406), or where that is ``lenient``, as for pages, gets
    the plain body: RFC 9110, 12.5.3 leaves the choice.
    """
    accepted = request.META.get("HTTP_ACCEPT_ENCODING")
    coding = "identity" if accepted is None else best_coding(accepted[:HEADER_MAX_LENGTH])
    if coding is None and not lenient:
        raise EncodingNotAcceptable
    return coding or "identity"


@lru_cache(maxsize=512)
def best_coding(accept_encoding: str) -> str | None:
    """The coding that a client with this header likes best; None when it refuses all of them."""
    wishes: dict[str, float] = {}
    for element in accept_encoding.lower().split(","):
        # One that cannot be read counts as not sent.
        if read := WISH.fullmatch(element):
            coding, weight = read.groups("1")
            wishes.setdefault(ALIASES.get(coding, coding), float(weight))
    weights = {coding: wishes.get(coding, wishes.get("*", 0.0)) for coding in CODINGS}
    if "identity" not in wishes:
        weights["identity"] = min(wishes.get("*", 1.0), UNMENTIONED_IDENTITY)
    best = max(CODINGS, key=lambda coding: weights[coding])
    return best if weights[best] > 0 else None
