"""The pages of canonical units."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from knowledge import queries
from knowledge.models import Status, Unit

PERMANENT_REDIRECT = 308


@require_safe
def unit_page(request: HttpRequest, prefix: str, slug: str) -> HttpResponse:
    """A unit with what is known of it: 308 to its survivor when merged, 410 when retracted, 404 when not public."""
    unit = Unit.objects.filter(prefix=prefix, slug=slug).select_related("merged_into").first()
    if unit is None:
        raise Http404
    answering = unit.survivor
    if answering.status == Status.RETRACTED:
        return render(request, "errors/error.html", {"status": 410}, status=410)
    if not answering.is_public:
        raise Http404
    if answering is not unit:
        return HttpResponsePermanentRedirect(answering.get_absolute_url(), status=PERMANENT_REDIRECT)
    context = {
        "unit": unit,
        "aliases": unit.aliases.filter(active=True).exclude(surface=unit.label).order_by("lang", "surface"),
        "related": queries.related_units(unit),
        "documents": queries.documents_about(unit),
        "posts": queries.posts_about(unit),
    }
    return render(request, "knowledge/unit.html", context)
