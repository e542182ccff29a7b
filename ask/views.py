"""The permanent pages of answers."""

from __future__ import annotations

import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from ask import queries
from ask.queries import Standing
from ask.rendering import as_html

# Short: a take-down has to reach every cache within half a minute.
PAGE_CACHE = "public, max-age=30"
NOINDEX = "noindex"


@require_safe
def answer_page(request: HttpRequest, question_hash: str) -> HttpResponseBase:
    """An answer with its sources: 404 for a question nobody asked, 410 for an answer that was taken down."""
    page = queries.answer_page(question_hash)
    if page.standing is Standing.UNKNOWN:
        raise Http404
    if page.answer is None or page.version is None:
        gone = render(request, "errors/error.html", {"status": 410}, status=410)
        gone.headers["X-Robots-Tag"] = NOINDEX
        return gone
    body = as_html(page.version.body, len(page.version.citations))
    context = {"answer": page.answer, "version": page.version, "body": body, "indexable": page.indexable}
    response = render(request, "ask/answer.html", context)
    if not page.indexable:
        response.headers["X-Robots-Tag"] = NOINDEX
    return _revalidated(request, response)


def _revalidated(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """The page with a strong ETag, or a 304 where the reader has it already."""
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = PAGE_CACHE
    conditional = get_conditional_response(request, etag=etag, response=response)
    return response if conditional is None else conditional
