"""A draft's page before it is public, by a signed link: the same page, kept by nobody."""

from django.core.signing import SignatureExpired
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from knowledge.curation import signed_links
from knowledge.models import Status
from knowledge.views import gone, page_number, rendered


@require_safe
def preview(request: HttpRequest, token: str) -> HttpResponse:
    """The draft; once it is public, its page. 410 for a link that has expired or a unit retracted since, 404 else."""
    response = _answer(request, token)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _answer(request: HttpRequest, token: str) -> HttpResponse:
    try:
        unit = signed_links.unit_of(token)
    except SignatureExpired:
        return render(request, "feeds/preview_over.html", {"expired": True}, status=410)
    if unit is None:
        return render(request, "feeds/preview_over.html", {"expired": False}, status=404)
    if unit.survivor.is_public:
        return HttpResponseRedirect(unit.survivor.get_absolute_url())
    if Status.RETRACTED in (unit.status, unit.survivor.status):
        return gone(request)
    return rendered(request, unit, page_number(request.GET), preview=True)
