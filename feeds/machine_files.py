"""Addresses for programs: feeds and indexes from memory, Markdown twins, robots.txt, the icon, OpenAPI."""

from collections.abc import Collection
from datetime import timedelta
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from feeds import changelog, examples, followed, llms_txt, rss, sitemaps
from feeds.openapi import described
from feeds.unit_markdown import unit_markdown
from knowledge.publications import StoredBody, index_scope, keep, publication_cache, respond, revalidated
from knowledge.publications.delivery import CACHE_CONTROL
from knowledge.publications.keeping import UNTOLD_SECONDS
from knowledge.queries.numbers import numbers_of
from knowledge.queries.sheets import SCOPES, sheet_of
from knowledge.views import gone, public_unit

HOUR_CACHE = "public, max-age=3600"
DAY_CACHE = "public, max-age=86400"
WEEK_CACHE = "public, max-age=604800"
PLAIN = "text/plain; charset=utf-8"
# RFC 9116 asks for an end below a year; the day of the month keeps the file the same for a whole day.
SECURITY_LASTS = timedelta(days=180)


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    return _publication(request, sitemaps.SITEMAP.name)


@require_safe
def sitemap_part(request: HttpRequest, number: int) -> HttpResponse:
    """One of the files that the sitemap index names; none while one file holds every URL."""
    part = sitemaps.part(number)
    if part is None:
        raise Http404
    return keep(request, _file(request, part), scopes=[index_scope(sitemaps.SITEMAP.name)], variant="")


@require_safe
def rss_feed(request: HttpRequest) -> HttpResponse:
    return _publication(request, rss.RSS.name)


@require_safe
def unit_feed(request: HttpRequest, prefix: str, slug: str) -> HttpResponseBase:
    """What is new about a unit, with the 308, 404 and 410 of its page."""
    unit = public_unit(prefix, slug)
    if unit is None:
        return gone(request)
    if (unit.url_prefix, unit.slug) != (prefix, slug):
        return HttpResponsePermanentRedirect(f"{unit.get_absolute_url()}.xml", preserve_request=True)
    return _feed(request, followed.feed_of(unit), followed.SCOPES, UNTOLD_SECONDS)


@require_safe
def list_feed(request: HttpRequest, prefix: str) -> HttpResponse:
    """What is new in a list of units."""
    return _feed(request, followed.feed_of_list(prefix), followed.scopes_of_list(prefix))


@require_safe
def pulses_feed(request: HttpRequest) -> HttpResponse:
    """The newest pulses."""
    return _feed(request, followed.feed_of_pulses(), followed.OF_PULSES)


@require_safe
def changelog_feed(request: HttpRequest) -> HttpResponse:
    """The changes of the API, by version."""
    return keep(request, _file(request, changelog.ready(), cache_control=HOUR_CACHE), scopes=(), variant="")


@require_safe
def llms(request: HttpRequest) -> HttpResponse:
    return _publication(request, llms_txt.LLMS.name)


@require_safe
def llms_full(request: HttpRequest) -> HttpResponse:
    return _publication(request, llms_txt.LLMS_FULL.name)


@require_safe
def example(request: HttpRequest, name: str) -> HttpResponse:
    """A script of the documentation's."""
    try:
        text = examples.source(name)
    except KeyError as error:
        raise Http404 from error
    response = _standing(request, _text(text), HOUR_CACHE)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def unit_twin(request: HttpRequest, prefix: str, slug: str) -> HttpResponseBase:
    """A unit's page as Markdown, with the same 308, 404 and 410."""
    unit = public_unit(prefix, slug)
    if unit is None:
        return gone(request)
    if (unit.url_prefix, unit.slug) != (prefix, slug):
        return HttpResponsePermanentRedirect(f"{unit.get_absolute_url()}.md", preserve_request=True)
    text = unit_markdown(sheet_of(unit), numbers_of(unit, now=timezone.now()))
    response = _text(text, "text/markdown; charset=utf-8")
    response.headers["Link"] = f'<{settings.BASE_URL}{unit.get_absolute_url()}>; rel="canonical"'
    # The page is what search engines should keep.
    response.headers["X-Robots-Tag"] = "noindex"
    return keep(request, revalidated(request, response), scopes=SCOPES, seconds=UNTOLD_SECONDS, variant="")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Everything may be read, the admin apart; a page that is noindex has to be seen to be believed."""
    rules = f"User-agent: *\nDisallow: /admin/\n\nSitemap: {settings.BASE_URL}/sitemap.xml\n"
    return _standing(request, _text(rules), DAY_CACHE)


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """The icon where browsers and feed readers look for it without being told."""
    response = HttpResponse(_icon(), content_type="image/x-icon")
    return _standing(request, response, WEEK_CACHE)


@cache
def _icon() -> bytes:
    return (settings.BASE_DIR / "static" / "favicon.ico").read_bytes()


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """RFC 9116."""
    today = timezone.localtime(timezone.now()).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = (
        f"Contact: mailto:{settings.CONTACT_EMAIL}",
        f"Expires: {(today + SECURITY_LASTS).isoformat()}",
        "Preferred-Languages: ko, en",
        f"Canonical: {settings.BASE_URL}/.well-known/security.txt",
    )
    return _standing(request, _text("\n".join(lines) + "\n"), DAY_CACHE)


@require_safe
def openapi(request: HttpRequest) -> HttpResponseBase:
    """The description of every public endpoint, OpenAPI 3.1."""
    response = HttpResponse(described.body(), content_type="application/json")
    return _standing(request, response, "public, max-age=300")


def _publication(request: HttpRequest, name: str) -> HttpResponse:
    return keep(request, _file(request, publication_cache.get(name)), scopes=[index_scope(name)], variant="")


def _feed(
    request: HttpRequest, body: bytes, scopes: Collection[str], seconds: float | None = None
) -> HttpResponse:
    response = HttpResponse(body, content_type=rss.CONTENT_TYPE)
    found = revalidated(request, response, cache_control=CACHE_CONTROL)
    return keep(request, found, scopes=scopes, seconds=seconds, variant="")


def _standing(request: HttpRequest, response: HttpResponse, cache_control: str) -> HttpResponse:
    """What nothing changes but an upgrade, and time."""
    return keep(request, revalidated(request, response, cache_control=cache_control), scopes=(), variant="")


def _file(request: HttpRequest, ready: StoredBody, *, cache_control: str = CACHE_CONTROL) -> HttpResponse:
    return respond(request, ready, cache_control=cache_control, lenient=True)


def _text(body: str, content_type: str = PLAIN) -> HttpResponse:
    return HttpResponse(body, content_type=content_type)
