"""What a response says to the front door (``config.front``): how long it may be kept, and what it was made from.

Django stores nothing of it. The front reads these headers and takes them off; no client sees them.
"""

import json
import re
from collections.abc import Iterable
from http import HTTPStatus
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse

from knowledge.errors import Refusal

# In JSON such as {"seconds": 15, "scopes": ["documents", "entity"], "variant": "page=2", "view": "asset-page"}.
KEEP_HEADER = "Front-Keep"
# A scope such as "answer:<hash>": the front asks again once it was told (see ``knowledge.publications.hearing``).
WAIT_HEADER = "Front-Wait"
# What shows documents, or anything of which no scope tells, is made anew as often.
UNTOLD_SECONDS = 15.0
_MAX_AGE = re.compile(r"max-age=([0-9]+)")


def keep(
    request: HttpRequest,
    response: HttpResponse,
    *,
    scopes: Iterable[str],
    seconds: float | None = None,
    variant: str | None = None,
) -> HttpResponse:
    """The response, which the front may give out again for ``seconds``, unless one of ``scopes`` is told before.

    That is never longer than its max-age, which holds unless fewer are told. ``variant`` is the canonical form of the
    query parameters that the view reads (``variant_of``; "" when it reads none), by which requests share one entry;
    None keeps each raw query apart. Nothing is said of what is neither a 200 nor a 304.
    """
    if response.status_code not in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
        return response
    longest, match = _max_age(response), request.resolver_match
    said = {
        "seconds": longest if seconds is None else min(seconds, longest),
        "scopes": sorted(set(scopes)),
        "variant": variant,
        "view": match.view_name if match else "",
    }
    response.headers[KEEP_HEADER] = json.dumps(said)
    return response


def have_front_wait(response: HttpResponse, refusal: Refusal | None) -> None:
    """Have the front ask again where a refusal is over once its scope was told. No log gets an error for it."""
    if refusal is not None and refusal.waits_for is not None:
        response.headers[WAIT_HEADER] = refusal.waits_for
        response._has_been_logged = True  # type: ignore[attr-defined]  # else Django logs each 503 as an error


def variant_of(**parameters: object) -> str:
    """The canonical form of these parameters of a query: those that are neither empty nor None, by name."""
    return urlencode(sorted((name, value) for name, value in parameters.items() if value not in ("", None)))


def _max_age(response: HttpResponse) -> int:
    stated = _MAX_AGE.search(response.headers.get("Cache-Control", ""))
    return int(stated[1]) if stated else 0
