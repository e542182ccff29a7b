"""The pages of canonical units: one for each, and a listing for each kind of address."""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from http import HTTPStatus
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from knowledge.languages import ENGLISH, current_language, localised
from knowledge.models import CATEGORIES_OF, COUNTRIES, PREFIX_LABELS, Category, Unit, UnitType
from knowledge.publications import keep, revalidated
from knowledge.publications.keeping import UNTOLD_SECONDS, variant_of
from knowledge.queries import charts
from knowledge.queries.listings import counted, listed, scopes_of
from knowledge.queries.numbers import RANGE_DEFAULT, RANGES, numbers_of
from knowledge.queries.sheets import SCOPES, sheet_of

# A page of a unit shows starter questions beside the sheet (``answers_about``).
PAGE_SCOPES = SCOPES | {"answer"}
GONE_CACHE = "public, max-age=30"
PAGE_NUMBER = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)

# What a listing says of itself, and the index that holds all of it as JSON.
LISTINGS = {
    "asset": (_("가상자산을 뉴스와 영상이 많은 순으로 보여 줍니다."), "entities"),
    "entity": (_("기업, 기관, 인물, 제품을 뉴스와 영상이 많은 순으로 보여 줍니다."), "entities"),
    "creator": (_("한국 크립토 채널의 운영자와, AI임을 밝힌 AI 페르소나입니다."), "entities"),
    "topic": (_("자주 다루어지는 주제를 뉴스와 영상이 많은 순으로 보여 줍니다."), "topics"),
    "event": (_("날짜가 확인된 사건을 최근 순으로 보여 줍니다."), "events"),
}
# The types that share /entity/, which a reader may want apart.
SHARED_TYPES = (UnitType.COMPANY, UnitType.ORGANISATION, UnitType.PERSON, UnitType.PRODUCT)


@require_safe
def unit_page(request: HttpRequest, prefix: str, slug: str) -> HttpResponseBase:
    """A unit with what is known of it: 308 to its survivor when merged, 410 when retracted, 404 when not public."""
    found = public_unit(prefix, slug)
    if found is None:
        return gone(request)
    if (found.url_prefix, found.slug) != (prefix, slug):
        return HttpResponsePermanentRedirect(localised(found.get_absolute_url()), preserve_request=True)
    page, span = page_number(request.GET), range_of(request.GET)
    response = revalidated(request, rendered(request, found, page, span))
    variant = variant_of(page=page, range=span)
    return keep(request, response, scopes=PAGE_SCOPES, seconds=UNTOLD_SECONDS, variant=variant)


def rendered(
    request: HttpRequest, unit: Unit, page: int, span: str = RANGE_DEFAULT, *, preview: bool = False
) -> HttpResponse:
    """The page of a unit: what the public gets, and what editors see of a draft beforehand. ``span`` is the range of
    its chart."""
    now = timezone.now()
    sheet = sheet_of(unit, page=page)
    if sheet.page > 1 and not sheet.documents:
        raise Http404
    numbers = numbers_of(unit, now=now, span=span)
    headline = next((one for one in numbers[:1] if one.value), None)
    premium = next((one for one in numbers[1:] if one.is_premium), None) if headline else None
    drawn = headline is not None and len(headline.readings) >= charts.POINTS_MIN
    is_asset = unit.type == UnitType.ASSET
    context = {
        "sheet": sheet,
        "unit": unit,
        "record": sheet.record,
        "numbers": numbers,
        "headline": headline,
        "premium": premium,
        "others": [one for one in numbers if one.value and one not in (headline, premium)],
        "span": span,
        "by_week": charts.documents_by_week(unit, now=now),
        # Older stores have bars and premiums without the values of a series.
        "premiums": charts.premiums_of(unit, now=now) if is_asset and premium is None else (),
        "closes": charts.closes_of(unit, now=now) if is_asset and not drawn else (),
        "preview": preview,
        # Search engines keep the first page of everything; the rest leads them to it all the same. They get no English
        # page of what is called by its Korean name there.
        "hidden": preview
        or page > 1
        or span != RANGE_DEFAULT
        or (current_language() == ENGLISH and not unit.label_en),
    }
    return render(request, "knowledge/unit.html", context)


@require_safe
def listing(request: HttpRequest, prefix: str) -> HttpResponseBase:
    """The public units under one prefix, a page at a time; those of ``/entity`` also by ``?type=``, all entities by
    ``?category=`` and ``?country=``; an unknown value of these is 400 with the known ones."""
    page, kind = page_number(request.GET), request.GET.get("type", "")
    if kind and prefix != "entity":
        raise Http404
    narrowed = _narrowed(request.GET, prefix)
    if unknown := _unknown(prefix, {"type": kind, **narrowed} if kind else narrowed):
        return _listing(request, prefix, 1, "", {}, unknown)
    response = revalidated(request, _listing(request, prefix, page, kind, narrowed))
    variant = variant_of(page=page, type=kind, **narrowed)
    return keep(request, response, scopes=scopes_of(prefix), variant=variant)


def _narrowed(parameters: QueryDict, prefix: str) -> dict[str, str]:
    """The category and the country that a reader wants, as they are written; only entities have any."""
    if prefix in (UnitType.TOPIC, UnitType.EVENT):
        return {}
    asked = {"category": parameters.get("category", ""), "country": parameters.get("country", "").upper()}
    return {name: value for name, value in asked.items() if value}


def _unknown(prefix: str, asked: Mapping[str, str]) -> list[tuple[str, str]]:
    """Each of the values that is none of its vocabulary, with what is; empty where all are known."""
    types = SHARED_TYPES if prefix == "entity" else (UnitType(prefix),) if prefix in UnitType.values else ()
    categories = [one for one in Category if any(one in CATEGORIES_OF.get(kind, ()) for kind in types)]
    known: dict[str, tuple[Container[str], str]] = {
        "type": (SHARED_TYPES, ", ".join(SHARED_TYPES)),
        "category": (Category.values, ", ".join(categories)),
        "country": (COUNTRIES, gettext("ISO 3166-1의 두 글자 코드 (KR, US, JP …)")),
    }
    return [
        (f"{name}={value[:40]}", known[name][1])
        for name, value in asked.items()
        if value not in known[name][0]
    ]


def _listing(
    request: HttpRequest,
    prefix: str,
    page: int,
    kind: str,
    narrowed: Mapping[str, str],
    unknown: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """With the ways to narrow it; of ``unknown`` values these alone, with status 400."""
    units, has_more = ([], False) if unknown else listed(prefix, page=page, kind=kind, **narrowed)
    if page > 1 and not units:
        raise Http404
    query = variant_of(type=kind, **narrowed)
    intro, index = LISTINGS[prefix]
    context = {
        "title": str(PREFIX_LABELS[prefix]),
        "intro": str(intro),
        "index_url": f"/api/canonical/{index}.json",
        "prefix": prefix,
        "address": f"/{prefix}",
        "units": units,
        "page": page,
        "has_more": has_more,
        "kind": kind,
        "kinds": SHARED_TYPES if prefix == "entity" else (),
        "query": f"{query}&" if query else "",
        "twin_query": query,
        "unknown": unknown,
        "facets": _facets(prefix, kind, narrowed),
        "narrowed": bool(narrowed),
        # Search engines keep the first page of everything; the rest leads them to the units all the same.
        "hidden": page > 1 or bool(query or unknown),
    }
    status = HTTPStatus.BAD_REQUEST if unknown else HTTPStatus.OK
    return render(request, "knowledge/listing.html", context, status=status)


class NarrowedListing(NamedTuple):
    """One way to narrow a listing: the query that does, what it is called, how many units it leaves."""

    query: str
    label: str
    units: int
    chosen: bool


def _facets(
    prefix: str, kind: str, narrowed: Mapping[str, str]
) -> list[tuple[str, str, list[NarrowedListing]]]:
    """By category and by country: the heading, the query that takes the choice back, and the choices."""
    if prefix in (UnitType.TOPIC, UnitType.EVENT):
        return []
    names: dict[str, tuple[str, Callable[[str], str]]] = {
        "category": (gettext("분류"), lambda value: str(Category(value).label)),
        "country": (gettext("나라"), lambda value: COUNTRIES[value].shown),
    }
    found = []
    for column, (heading, named) in names.items():
        others = {name: value for name, value in narrowed.items() if name != column}
        units = counted(prefix, column, kind=kind, **others)
        choices = [
            NarrowedListing(
                variant_of(type=kind, **(others | {column: value})),
                named(value),
                count,
                narrowed.get(column) == value,
            )
            for value, count in units.items()
        ]
        if len(choices) > 1 or column in narrowed:
            found.append((heading, variant_of(type=kind, **others), choices))
    return found


def public_unit(prefix: str, slug: str) -> Unit | None:
    """The published unit that answers at an address, its survivor where it was merged; None when retracted.

    Raises Http404 for what never was public.
    """
    unit = Unit.objects.find(f"{prefix}:{slug}")
    if unit is None or unit.public_status is HTTPStatus.NOT_FOUND:
        raise Http404
    return None if unit.public_status is HTTPStatus.GONE else unit.survivor


def page_number(parameters: QueryDict) -> int:
    """``page`` of a query string, from 1; anything else is an address that does not exist."""
    asked = parameters.get("page", "1")
    if PAGE_NUMBER.fullmatch(asked) is None:
        raise Http404
    return int(asked)


def range_of(parameters: QueryDict) -> str:
    """The range of a chart, ``range`` of a query string; any other word is an address that does not exist."""
    asked = parameters.get("range", RANGE_DEFAULT)
    if asked not in RANGES:
        raise Http404
    return asked


def gone(request: HttpRequest) -> HttpResponse:
    """The page of something that was withdrawn for good."""
    response = render(request, "errors/error.html", {"status": 410}, status=410)
    response.headers["X-Robots-Tag"] = "noindex"
    # Said, so that caches let it take the place of the page that they have.
    response.headers["Cache-Control"] = GONE_CACHE
    return response
