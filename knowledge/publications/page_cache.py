"""Pages as bytes: rendered once for each version of the public content, then handed out like a publication.

The content version is that of all publications in this process's memory, which follow every public change within a
second or two. Documents and quotes change pages without changing it, so pages are kept for 15 seconds at most, and not
at all in a process without a listener. Whatever must take effect at once (a retraction, a take-down) is asked of the
database by the view and stands in ``vary_on``.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from knowledge.publications import StoredBody, publication_cache, respond
from knowledge.publications.bodies import CODINGS, ready_body
from knowledge.publications.delivery import chosen_coding

KEPT_SECONDS = 15.0
KEPT_BYTES = 16 * 1024 * 1024
# The listener looks once a second; one that was silent for longer may have missed something.
CHECKED_SECONDS = 3.0
# Short: a retraction has to reach every cache within half a minute.
PAGE_CACHE = "public, max-age=30, stale-while-revalidate=300"
Key = tuple[str, Hashable, Hashable]


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page in each encoding, with the headers of its own."""

    ready: StoredBody
    headers: Mapping[str, str]
    made_at: float  # monotonic


class PageCache:
    """The pages asked for last, within a budget of bytes."""

    def __init__(self, budget: int = KEPT_BYTES, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._pages: OrderedDict[Key, RenderedPage] = OrderedDict()
        self._budget = budget
        self._held = 0
        self._clock = clock
        self._lock = threading.Lock()

    def get(self, key: Key) -> RenderedPage | None:
        with self._lock:
            found = self._pages.get(key)
            if found is not None and self._clock() - found.made_at > KEPT_SECONDS:
                self._drop(key)
                return None
            if found is not None:
                self._pages.move_to_end(key)
            return found

    def keep(self, key: Key, page: RenderedPage) -> None:
        if page.ready.weight > self._budget // 4:
            return
        with self._lock:
            self._drop(key)
            self._pages[key] = page
            self._held += page.ready.weight
            while self._held > self._budget:
                self._drop(next(iter(self._pages)))

    def clear(self) -> None:
        with self._lock:
            self._pages.clear()
            self._held = 0

    def __len__(self) -> int:
        return len(self._pages)

    def _drop(self, key: Key) -> None:
        dropped = self._pages.pop(key, None)
        self._held -= dropped.ready.weight if dropped else 0


page_cache = PageCache()


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
    page = page_cache.get(key) if current is not None else None
    if page is None:
        response = make()
        if response.status_code != 200:
            return _not_kept(response, cache_control)
        page = _rendered(response)
        if current is not None:
            page_cache.keep(key, page)
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


def _rendered(response: HttpResponse, codings: Sequence[str] = CODINGS) -> RenderedPage:
    # A second later than now: two pages made within one second must not pass for the same by their date.
    dated = timezone.now() + timedelta(seconds=1)
    content_type = response.headers["Content-Type"]
    ready = ready_body(response.content, content_type=content_type, built_at=dated, codings=codings)
    own = {name: value for name, value in response.headers.items() if name != "Content-Type"}
    return RenderedPage(ready, own, time.monotonic())


def _handed_out(request: HttpRequest, page: RenderedPage, cache_control: str) -> HttpResponse:
    response = respond(request, page.ready, cache_control=cache_control, lenient=True)
    # Its ETag says exactly what a date says only to the second.
    del response.headers["Last-Modified"]
    for name, value in page.headers.items():
        response.headers[name] = value
    return response
