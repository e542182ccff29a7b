"""``/card/<page>.png``: the picture of a page, as public as the page is."""

from http import HTTPStatus

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponsePermanentRedirect,
    HttpResponseRedirect,
)
from django.http.response import HttpResponseBase
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from feeds.cards.shelf import GENERAL, address_of, page_of
from feeds.cards.subjects import met_at
from feeds.models import ShareCard
from knowledge.publications import StoredBody, keep, respond
from knowledge.publications.delivery import PAGE_CACHE
from knowledge.publications.keeping import UNTOLD_SECONDS
from knowledge.views import gone


@require_safe
def card(request: HttpRequest, name: str) -> HttpResponseBase:
    """The card of a page: 308 to that of the survivor, 410 when retracted or hidden, 404 where no page has one.

    While it is not drawn yet this is a redirect to the general picture, which nobody keeps.
    """
    page = page_of(name)
    met = met_at(page)
    if met is None or met.status is HTTPStatus.NOT_FOUND:
        raise Http404
    if met.status is HTTPStatus.GONE:
        return gone(request)
    if met.path:
        return HttpResponsePermanentRedirect(address_of(met.path), preserve_request=True)
    found = ShareCard.objects.filter(page=page).exclude(etag="").first()
    if found is None or found.drawn_at is None:
        return _not_yet()
    # A PNG is compressed already.
    ready = StoredBody("image/png", found.etag, found.drawn_at, {"identity": bytes(found.picture)})
    response = respond(request, ready, cache_control=PAGE_CACHE, lenient=True)
    return keep(request, response, scopes=met.scopes, seconds=UNTOLD_SECONDS, variant="")


def _not_yet() -> HttpResponse:
    response = HttpResponseRedirect(static(GENERAL))
    response.headers["Cache-Control"] = "no-store"
    return response
