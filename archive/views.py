"""The city's pages."""

import json
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from archive import queries
from archive.day_facts import grouped
from archive.days import parse_day
from archive.errors import DayUnreadable
from archive.metrics import SERVICES_BY_SLUG
from archive.models import Completeness
from archive.page_words import WEEKDAYS, condition_of, in_words, mood_of, status_of_district, temperature
from archive.published import SCOPES
from archive.queries import Day
from archive.skyline import skyline, skyline_halves
from knowledge.languages import ENGLISH, current_language
from knowledge.licence import LICENCE_URL
from knowledge.publications import keep, revalidated

PAGE_CACHE_CONTROL = "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400"
STATES = {"ok": _("받음"), "stale": _("전날 자료"), "missing": _("받지 못함")}


@require_safe
def city_page(request: HttpRequest) -> HttpResponse:
    """The newest day's skyline, the calendar with its gaps, sixty days of mood, economy and energy."""
    return _page(request, lambda: _city_page(request))


def _page(request: HttpRequest, make: Callable[[], HttpResponse]) -> HttpResponse:
    """The page; a 503 that leads to other days where the day's file cannot be given."""
    try:
        response = revalidated(request, make(), cache_control=PAGE_CACHE_CONTROL)
        return keep(request, response, scopes=SCOPES, variant="")
    except DayUnreadable as error:
        context = {"title": in_words(error.day), "nearest": queries.nearest(error.day)}
        response = render(request, "archive/unreadable.html", context, status=error.status_code)
        response.headers["Retry-After"] = str(error.retry_after)
        response.headers["Cache-Control"] = "no-store"
        return response


def _city_page(request: HttpRequest) -> HttpResponse:
    day = queries.latest()
    context: dict[str, Any] = {}
    if day is not None:
        context |= {
            **day_context(day, skyline_halves),
            "weekdays": WEEKDAYS,
            "months": queries.calendar_months(),
            "strips": queries.strips(day.item.day),
        }
        context["json_ld"] = json_ld(catalog())
    return render(request, "archive/city.html", context)


@require_safe
def day_page(request: HttpRequest, text: str) -> HttpResponse:
    """One day; a 404 that names the nearest days where there is no file."""
    wanted = parse_day(text)
    if wanted is None:
        raise Http404
    return _page(request, lambda: _day_page(request, wanted))


def _day_page(request: HttpRequest, wanted: date) -> HttpResponse:
    day = queries.day(wanted)
    if day is None:
        absent = {"title": in_words(wanted), "nearest": queries.nearest(wanted)}
        return render(request, "archive/no_day.html", absent, status=404)
    context: dict[str, Any] = {
        **day_context(day, skyline_halves),
        "signals": [signal_context(entry) for entry in day.document["signals"]],
        "premium": percent(day.document["context"]["kimchiPremium"]),
        "json_ld": json_ld(dataset(day)),
        # The reflection is Korean, so that search engines keep the Korean page alone.
        "hidden": current_language() == ENGLISH,
    }
    return render(request, "archive/day.html", context)


def day_context(day: Day, draw: Callable[[date, Mapping[str, Any]], str] = skyline) -> dict[str, Any]:
    """What pages show of a day. ``draw`` makes its picture."""
    city = day.state["city"]
    return {
        "day": day,
        "title": in_words(day.item.day),
        "city": city,
        "delta": day.state["delta"],
        "skyline": mark_safe(draw(day.item.day, day.state)),  # noqa: S308  it escapes what it is given
        "condition": condition_of(city["weather"]["condition"]),
        "mood": mood_of(city["mood"]["label"]),
        "temperature": temperature(city["weather"]["temperatureC"]),
        "summary": Completeness(day.item.status).label,
        "heard": sum(entry["state"] == "ok" for entry in day.document["signals"]),
        "districts": [
            {
                **district,
                "name": gettext(district["name"]),
                "in_words": status_of_district(district["status"]),
            }
            for district in day.state["districts"]
        ],
        "awake": grouped(city["population"]["awake"]),
        "residents": grouped(city["population"]["residents"]),
        "visitors": grouped(city["population"]["visitors"]),
        "reflection": day.document["reflection"],
        "notable": day.document["notable"],
        "heading": gettext("%(day)s의 도시") % {"day": in_words(day.item.day)},
        "route": f"/city/{day.item.day.isoformat()}",
    }


def percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:+.2f}"


def signal_context(entry: dict[str, Any]) -> dict[str, Any]:
    """One raw signal: its numbers by name, and its source text."""
    service = SERVICES_BY_SLUG[entry["service"]]
    raw = entry["raw"]
    metrics = raw["metrics"] if raw else {}
    numbers = [
        (gettext(metric.label), metrics[metric.name])
        for metric in service.metrics
        if raw and metric.kind != "topics"
    ]
    return {
        "name": f"{gettext(service.district)} · {gettext(service.name)}",
        "state": entry["state"],
        "state_in_words": STATES[entry["state"]],
        "numbers": numbers,
        "day": raw["day"] if raw else "",
        "source": readable(raw) if raw else "",
    }


def readable(value: Any) -> str:
    """JSON for people; what would change the direction of the text, or cannot be seen, is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return "".join(
        character
        if character == "\n" or unicodedata.category(character) not in ("Cc", "Cf", "Co")
        else f"\\u{ord(character):04x}"
        for character in text
    )


def json_ld(value: dict[str, Any]) -> str:
    """JSON for a script element: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False)
    return mark_safe(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))  # noqa: S308


def catalog() -> dict[str, Any]:
    return {
        "@context": "https://schema.org",
        "@type": "DataCatalog",
        **_catalog_name(),
        "license": LICENCE_URL,
        "inLanguage": "ko",
        "creator": {"@type": "Organization", "name": settings.SERVICE_NAME, "url": settings.BASE_URL},
    }


def _catalog_name() -> dict[str, str]:
    return {
        "name": gettext("%(service)s 도시 아카이브") % {"service": settings.SERVICE_NAME},
        "url": f"{settings.CITY_URL}/city",
    }


def dataset(day: Day) -> dict[str, Any]:
    """The day as a schema.org Dataset in the city's DataCatalog."""
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": gettext("%(day)s의 도시") % {"day": in_words(day.item.day)},
        "description": day.document["reflection"]["text"],
        "url": f"{settings.CITY_URL}/city/{day.item.day.isoformat()}",
        "identifier": f"sha256:{day.item.sha256}",
        "temporalCoverage": day.item.day.isoformat(),
        "datePublished": day.document["sealedAt"],
        "version": str(day.item.revision),
        "inLanguage": "ko",
        "isAccessibleForFree": True,
        "license": LICENCE_URL,
        "creditText": day.document["attribution"],
        "creator": {"@type": "Organization", "name": settings.SERVICE_NAME, "url": settings.BASE_URL},
        "includedInDataCatalog": {
            "@type": "DataCatalog",
            **_catalog_name(),
        },
        "distribution": {
            "@type": "DataDownload",
            "encodingFormat": "application/json",
            "contentUrl": f"{settings.CITY_URL}/api/archive?date={day.item.day.isoformat()}",
            "contentSize": f"{day.item.size} B",
        },
    }
