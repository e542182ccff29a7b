"""What other sites show of a number: a page for their frames, and oEmbed, which tells them of it."""

from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.translation import override
from django.views.decorators.http import require_safe
from rest_framework import status

from feeds.number_code import EMBED_HEIGHT, EMBED_WIDTH, embed_code
from feeds.numbers import answered, public
from knowledge.errors import InvalidParameter, Refusal
from knowledge.languages import ENGLISH, KOREAN, language_of_path
from knowledge.publications import keep, revalidated
from knowledge.publications.delivery import CACHE_CONTROL
from knowledge.publications.keeping import variant_of
from knowledge.queries import series as queries
from knowledge.queries.numbers import SCOPES, ShownNumber
from knowledge.series.values import Figures

# Any site may frame it, so there is nothing in it to be tricked into: no form, no script, no cookie.
EMBED_CSP = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors *"
)
VERSION = "1.0"
CACHE_SECONDS = 3600
SIDE_MAX_DIGITS = 5
NUMBER_VIEW = "number"


class NothingToEmbed(Refusal):
    """404: the address is none of a public number here."""

    status_code = status.HTTP_404_NOT_FOUND
    default_code = "nothing_to_embed"
    english = "url must be the address of a number's page on this site, such as /number/usd-krw."
    korean = "url은 /number/usd-krw처럼 이 사이트의 숫자 페이지 주소여야 합니다."


class OtherFormat(Refusal):
    """501: oEmbed's word for a format that is not given."""

    status_code = status.HTTP_501_NOT_IMPLEMENTED
    default_code = "format_not_given"
    english = "Only format=json is given."
    korean = "format=json만 제공합니다."


@require_safe
def embed(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One number in a frame of another site: its value, chart, source and the way to its page.

    Frames of English pages say ``?lang=en``: the codes that other sites have hold for ever.
    """
    lang = ENGLISH if request.GET.get("lang") == ENGLISH else KOREAN
    with override(lang):
        response = answered(request, slug, lambda: _embed(request, slug), variant_of(lang=lang))
    if response.status_code in (200, 304):
        response.headers["Content-Security-Policy"] = EMBED_CSP
        response.headers["X-Robots-Tag"] = "noindex"
        response.xframe_options_exempt = True
    return response


def _embed(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "knowledge/number_embed.html", {"number": public(slug)})


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """https://oembed.com: how to show the number at ``url``, within ``maxwidth`` and ``maxheight``."""
    if request.GET.get("format", "json") != "json":
        raise OtherFormat
    width, height = _side(request, "maxwidth", EMBED_WIDTH), _side(request, "maxheight", EMBED_HEIGHT)
    number = _number_at(request.GET.get("url", ""))
    body: dict[str, Any] = {
        "version": VERSION,
        "type": "rich",
        "title": number.label,
        "provider_name": settings.SERVICE_NAME,
        "provider_url": settings.BASE_URL,
        "cache_age": CACHE_SECONDS,
        "html": embed_code(number, width, height),
        "width": width,
        "height": height,
    }
    response = revalidated(request, JsonResponse(body), cache_control=CACHE_CONTROL)
    return keep(request, response, scopes=SCOPES, variant=None)


def _number_at(url: str) -> ShownNumber:
    """The public number that has its page at an address, without its values: of them oEmbed says nothing."""
    try:
        asked, own = urlsplit(url), urlsplit(settings.BASE_URL)
        found = resolve(asked.path)
    except (ValueError, Resolver404):
        raise NothingToEmbed from None
    if (
        asked.scheme not in ("http", "https")
        or asked.netloc.lower() != own.netloc.lower()
        or found.url_name != NUMBER_VIEW
    ):
        raise NothingToEmbed
    series = queries.named(str(found.kwargs["slug"]))
    if series is None or series.public_status is not HTTPStatus.OK:
        raise NothingToEmbed
    return ShownNumber(Figures(series), timezone.now(), language_of_path(asked.path))


def _side(request: HttpRequest, name: str, own: int) -> int:
    """The side of the frame in pixels: as wide or as high as it would be, or as the asker has room for."""
    asked = request.GET.get(name, "")
    if not asked:
        return own
    if not (asked.isascii() and asked.isdigit()) or len(asked) > SIDE_MAX_DIGITS or int(asked) == 0:
        raise InvalidParameter(
            name,
            f"{name} must be a number of pixels, such as 480.",
            f"{name}은 480 같은 픽셀 수여야 합니다.",
        )
    return min(own, int(asked))
