"""The pages of numbers: all of them, one of them, and each as Markdown."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from feeds.number_markdown import list_markdown, number_markdown
from knowledge.languages import current_language, localised
from knowledge.publications import keep, revalidated
from knowledge.publications.keeping import UNTOLD_SECONDS, variant_of
from knowledge.queries import series as queries
from knowledge.queries.number_words import WORDS
from knowledge.queries.numbers import (
    GROUPS,
    RANGE_DEFAULT,
    SCOPES,
    ShownNumber,
    listed_groups,
    number_of,
)
from knowledge.views import gone, page_number, range_of

MARKDOWN = "text/markdown; charset=utf-8"


@require_safe
def numbers(request: HttpRequest) -> HttpResponseBase:
    """All public series by groups, or those of ``?group=`` a page at a time."""
    group, page = request.GET.get("group", ""), page_number(request.GET)
    if group not in ("", *(each.key for each in GROUPS)) or (page > 1 and not group):
        raise Http404
    return _kept(request, _numbers(request, group, page), variant_of(group=group, page=page))


def _numbers(request: HttpRequest, group: str, page: int) -> HttpResponse:
    groups = listed_groups(now=timezone.now(), group=group, page=page)
    if page > 1 and not (groups and groups[0].numbers):
        raise Http404
    context = {
        "say": WORDS[current_language()],
        "groups": groups,
        "group": group,
        "page": page,
        "has_more": bool(group and groups and groups[0].has_more),
        "query": f"group={group}&" if group else "",
        "twin_query": variant_of(group=group),
        # Search engines keep the first page; the rest leads them to the numbers all the same.
        "hidden": bool(group),
    }
    return render(request, "knowledge/numbers.html", context)


@require_safe
def number(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One series: 410 when its holder is retracted, 404 with what is near when nobody knows it."""
    span = range_of(request.GET)
    return answered(request, slug, lambda: _number(request, slug, span), variant_of(range=span))


def _number(request: HttpRequest, slug: str, span: str) -> HttpResponse:
    context = {"number": public(slug, span), "span": span, "hidden": span != RANGE_DEFAULT}
    context["twin_query"] = variant_of(range=span) if span != RANGE_DEFAULT else ""
    return render(request, "knowledge/number.html", context)


@require_safe
def number_twin(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One series as Markdown, with the same 404 and 410."""
    return answered(request, slug, lambda: _markdown(number_markdown(public(slug)), f"/number/{slug}"))


@require_safe
def numbers_twin(request: HttpRequest) -> HttpResponseBase:
    """All public series as Markdown."""
    return _kept(request, _markdown(list_markdown(timezone.now()), "/numbers"))


def answered(
    request: HttpRequest, slug: str, make: Callable[[], HttpResponse], variant: str = ""
) -> HttpResponse:
    """The page of a series where it is public."""
    series = queries.named(slug)
    status = series.public_status if series else HTTPStatus.NOT_FOUND
    if status is HTTPStatus.GONE:
        return gone(request)
    if status is not HTTPStatus.OK:
        near = [(localised(f"/number/{one}"), one) for one in queries.nearest(slug)]
        return render(request, "errors/error.html", {"status": 404, "numbers": near}, status=404)
    return _kept(request, make(), variant)


def _kept(request: HttpRequest, response: HttpResponse, variant: str = "") -> HttpResponse:
    """A page of numbers. Time alone makes a value overdue, and of that no scope tells."""
    found = revalidated(request, response)
    return keep(request, found, scopes=SCOPES, seconds=UNTOLD_SECONDS, variant=variant)


def public(slug: str, span: str = RANGE_DEFAULT) -> ShownNumber:
    """The series as it is shown now; Http404 where it went a moment ago."""
    found = number_of(slug, now=timezone.now(), span=span)
    if found is None:
        raise Http404
    return found


def _markdown(text: str, path: str) -> HttpResponse:
    response = HttpResponse(text, content_type=MARKDOWN)
    response.headers["Link"] = f'<{settings.BASE_URL}{path}>; rel="canonical"'
    # The page is what search engines should keep.
    response.headers["X-Robots-Tag"] = "noindex"
    return response
