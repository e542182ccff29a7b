"""Handing out a ready body over HTTP: the encoding, the validators, nothing computed twice.

RFC 9110 throughout: 12.5.3 (Accept-Encoding), 13.1.2 (If-None-Match, weak comparison), 13.1.3
(If-Modified-Since).
"""

from __future__ import annotations

import re
from functools import lru_cache

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_http_date_safe
from rest_framework import status

from knowledge.errors import Refusal
from knowledge.publications.bodies import CODINGS, ReadyBody, Variant

# A reader sees a change within 30 s; caches may answer for five minutes while they ask, for a day while we
# are down.
CACHE_CONTROL = "public, max-age=30, stale-while-revalidate=300, stale-if-error=86400"

# An identity that nobody mentioned is acceptable, but anything the client did name is better.
UNMENTIONED_IDENTITY = 0.0001
ALIASES = {"x-gzip": "gzip"}
QVALUE = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")
ENTITY_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')
# No client sends more; a longer header is not worth a cache entry.
HEADER_MAX_LENGTH = 256


class EncodingNotAcceptable(Refusal):
    """406: the client refuses the plain body and every coding there is."""

    status_code = status.HTTP_406_NOT_ACCEPTABLE
    default_code = "encoding_not_acceptable"
    english = "Accept-Encoding refuses every coding there is. Accept identity, gzip or br."
    korean = "Accept-Encoding이 가능한 인코딩을 모두 거절합니다. identity, gzip, br 중 하나를 받아 주세요."


def respond(request: HttpRequest, ready: ReadyBody, *, cache_control: str = CACHE_CONTROL) -> HttpResponse:
    """``ready`` as the answer to a GET or HEAD: 200, or 304 when the client has these bytes already.

    Raises EncodingNotAcceptable (406).
    """
    variant = ready.variants[chosen_coding(request)]
    if _unchanged(request, ready, variant):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(
            b"" if request.method == "HEAD" else variant.content, content_type=ready.content_type
        )
        if variant.coding != "identity":
            response.headers["Content-Encoding"] = variant.coding
        # Also on a HEAD, which has no body to measure: it is the length a GET would have.
        response.headers["Content-Length"] = str(len(variant.content))
    headers = response.headers
    headers["ETag"] = variant.etag
    headers["Last-Modified"] = ready.http_last_modified
    headers["Cache-Control"] = cache_control
    headers["Vary"] = "Accept-Encoding"
    return response


def chosen_coding(request: HttpRequest) -> str:
    """The coding that the client likes best; raises EncodingNotAcceptable (406)."""
    accepted = request.META.get("HTTP_ACCEPT_ENCODING")
    coding = "identity" if accepted is None else best_coding(accepted[:HEADER_MAX_LENGTH])
    if coding is None:
        raise EncodingNotAcceptable
    return coding


def coding_for_page(request: HttpRequest) -> str:
    """The coding that a reader likes best, plain for one who refuses them all: RFC 9110, 12.5.3 leaves the choice."""
    try:
        return chosen_coding(request)
    except EncodingNotAcceptable:
        del request.META["HTTP_ACCEPT_ENCODING"]
        return "identity"


@lru_cache(maxsize=512)
def best_coding(accept_encoding: str) -> str | None:
    """The coding that a client with this header likes best; None when it refuses all of them."""
    wishes = _wishes(accept_encoding)
    rest = wishes.get("*")
    weights = {coding: wishes.get(coding, rest if rest is not None else 0.0) for coding in CODINGS}
    if "identity" not in wishes and rest != 0.0:
        weights["identity"] = UNMENTIONED_IDENTITY if rest is None else min(rest, UNMENTIONED_IDENTITY)
    best = max(CODINGS, key=lambda coding: weights[coding])
    return best if weights[best] > 0 else None


def _wishes(accept_encoding: str) -> dict[str, float]:
    """Each named coding with its q; an element that cannot be read counts as not sent."""
    wishes: dict[str, float] = {}
    for element in accept_encoding.lower().split(","):
        coding, *parameters = (part.strip() for part in element.split(";"))
        weight = _weight(parameters)
        if coding and weight is not None:
            wishes.setdefault(ALIASES.get(coding, coding), weight)
    return wishes


def _weight(parameters: list[str]) -> float | None:
    if not parameters:
        return 1.0
    name, _sign, value = parameters[0].partition("=")
    return float(value) if name.strip() == "q" and QVALUE.fullmatch(value.strip()) else None


def _unchanged(request: HttpRequest, ready: ReadyBody, variant: Variant) -> bool:
    """Whether the client's copy is these very bytes. If-None-Match, where sent, decides alone."""
    tags = request.META.get("HTTP_IF_NONE_MATCH")
    if tags is not None:
        return tags.strip() == "*" or variant.etag in ENTITY_TAG.findall(tags)
    since = request.META.get("HTTP_IF_MODIFIED_SINCE")
    if since is None:
        return False
    seconds = parse_http_date_safe(since)
    return seconds is not None and ready.last_modified <= seconds
