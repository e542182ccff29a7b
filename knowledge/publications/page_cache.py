"""Pages as bytes: rendered once for each version of the public content, then handed out like a publication.

The content version is that of all publications in this process's memory, which follow every public change within a
second or two. Documents and quotes change pages without changing it, so pages are kept for 15 seconds at most, and not
at all in a process without a listener. Whatever must take effect at once (a retraction, a take-down) is asked of the
database by the view and stands in ``vary_on``.
"""

import threading
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from cachetools import TTLCache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from knowledge.publications import StoredBody, publication_cache, respond
from knowledge.publications.bodies import CODINGS, ready_body, weight_within
from knowledge.publications.delivery import chosen_coding

KEPT_SECONDS = 15.0
KEPT_BYTES = 16 * 1024 * 1024
# The listener looks once a second; one that was silent for longer may have missed something.
CHECKED_SECONDS = 3.0
# Short: a retraction has to reach every cache within half a minute.
PAGE_CACHE = "public, max-age=30, stale-while-revalidate=300"

# What a page shows is decided by its path, by ``vary_on`` and by the content version.
page_cache: TTLCache[tuple[str, Hashable, Hashable], StoredBody] = TTLCache(
    KEPT_BYTES, KEPT_SECONDS, getsizeof=weight_within(KEPT_BYTES)
)
_lock = threading.Lock()


def content_version() -> Hashable:
    """The versions of all publications in memory; None where they may not be the newest."""
    if not publication_cache.checked_within(CHECKED_SECONDS):
        return None
    return tuple(publication_cache.versions().items())


def cached_page(
    request: HttpRequest,
    make: Callable[[], HttpResponse],
    *,
    vary_on: Hashable = (),
    cache_control: str = PAGE_CACHE,
) -> HttpResponse:
    """The page at this path, from memory where it is current, else from ``make()``; only a 200 is kept.

    ``vary_on`` is all that decides, beside path and canon, what the page shows: a page number, a row's version.
    """
    # Known before the rows are read: a change in between makes the copy too old, never too new.
    current = content_version()
    key = (request.path_info, vary_on, current)
    with _lock:
        page = page_cache.get(key)
    if page is None:
        response = make()
        if response.status_code != 200:
            return _not_kept(response, cache_control)
        page = _rendered(response)
        if current is not None:
            with _lock, suppress(ValueError):  # it is too large to be kept
                page_cache[key] = page
    return _handed_out(request, page, cache_control)


def revalidated(
    request: HttpRequest, response: HttpResponse, *, cache_control: str = PAGE_CACHE
) -> HttpResponse:
    """The response in the best encoding with a strong ETag, or a 304 where the reader has these bytes already."""
    if response.status_code != 200:
        return _not_kept(response, cache_control)
    # Nobody else gets these bytes, so one coding of them is enough.
    page = _rendered(response, codings=(chosen_coding(request, lenient=True),))
    return _handed_out(request, page, cache_control)


def _not_kept(response: HttpResponse, cache_control: str) -> HttpResponse:
    """A response that is no page; caches must not repeat a failure of this service."""
    response.headers["Cache-Control"] = cache_control if response.status_code < 500 else "no-store"
    return response


def _rendered(response: HttpResponse, codings: Sequence[str] = CODINGS) -> StoredBody:
    # A second later than now: two pages made within one second must not pass for the same by their date.
    dated = timezone.now() + timedelta(seconds=1)
    headers = dict(response.headers.items())
    content_type = headers.pop("Content-Type")
    ready = ready_body(response.content, content_type=content_type, built_at=dated, codings=codings)
    return replace(ready, headers=headers)


def _handed_out(request: HttpRequest, page: StoredBody, cache_control: str) -> HttpResponse:
    response = respond(request, page, cache_control=cache_control, lenient=True)
    # Its ETag says exactly what a date says only to the second.
    del response.headers["Last-Modified"]
    for name, value in page.headers.items():
        response.headers[name] = value
    return response
