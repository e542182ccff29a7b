"""Pages that belong to no single app."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ask import limits
from ask.limits import WindowCount
from feeds import problem_codes, sitemaps, status
from feeds.best_known import names_offered
from feeds.examples import examples
from feeds.openapi import described
from feeds.openapi.operations import operations
from feeds.pulse_list import days_of_pulses, pulse_records
from knowledge.errors import Busy, Refusal
from knowledge.models import ENTITY_PREFIXES, PREFIX_LABELS, WINDOW_HOURS_MAX, Category, PassageKind
from knowledge.publications import index_scope, keep, revalidated
from knowledge.publications.hearing import DOCUMENTS
from knowledge.publications.indexes import PULSES
from knowledge.publications.keeping import UNTOLD_SECONDS, variant_of
from knowledge.queries.cursors import CursorError
from knowledge.queries.parameters import QUERY_MAX_LENGTH, kinds_of, query_of
from knowledge.queries.search import found_stories

RESULTS_SHOWN = 10
STATUS_SECONDS = 2.0  # as long as the state of the subsystems is shared
OF_COUNTS = frozenset(map(index_scope, sitemaps.COUNTED))


@require_safe
def search(request: HttpRequest) -> HttpResponseBase:
    """Search as ``/api/search`` answers it, for readers. Its results are kept out of search engines."""
    asked = request.GET.get("q", "").strip()
    context: dict[str, Any] = {
        "asked": asked,
        "kinds": _kind_choices(request.GET),
        "limit": QUERY_MAX_LENGTH,
        "twin_query": variant_of(q=asked),
        "names": names_offered(),
    }
    code = 200
    if asked:
        try:
            context |= _results(request.GET)
        except Refusal as refusal:
            code = refusal.status_code
            context["refusal"] = refusal
        except CursorError:
            code = 400
            context["refusal"] = Refusal(
                "This page of results is gone.", "이 결과 페이지는 없습니다. 처음부터 찾아 주세요."
            )
    response = render(request, "feeds/search.html", context, status=code)
    if asked:
        response.headers["X-Robots-Tag"] = "noindex"
    if code == Busy.status_code:
        response.headers["Retry-After"] = "1"
    return revalidated(request, response)


def _results(parameters: QueryDict) -> dict[str, Any]:
    kinds = kinds_of(parameters)
    found = found_stories(
        query_of(parameters),
        now=timezone.now(),
        kinds=kinds,
        limit=RESULTS_SHOWN,
        cursor=parameters.get("cursor", ""),
    )
    following = QueryDict(mutable=True)
    following["q"] = parameters.get("q", "")
    following.setlist("kind", kinds or [])
    following["cursor"] = found.next_cursor
    return {
        "items": found.rows,
        "mended": found.mended,
        "meant": found.meant,
        "held_words": found.held_words,
        "narrowed": kinds is not None,
        "following": following.urlencode() if found.next_cursor else "",
    }


def _kind_choices(parameters: QueryDict) -> list[tuple[str, str, bool]]:
    chosen = parameters.getlist("kind")
    names = {"entity": _("자산·인물·기관")} | {
        one: PREFIX_LABELS[one] for one in (*ENTITY_PREFIXES, "topic", "event")
    }
    names |= {kind.value: kind.label for kind in PassageKind if kind.value not in names}
    return [(kind, str(name), kind in chosen) for kind, name in names.items()]


@require_safe
def pulses(request: HttpRequest) -> HttpResponseBase:
    """The pulses of the last week, from the bytes that ``/api/pulse/active.json`` hands out."""
    response = revalidated(request, _pulses(request, timezone.now()))
    # Names of outlets are told as documents, English titles of assets as entities.
    scopes = [index_scope(PULSES.name), DOCUMENTS, "entity"]
    return keep(request, response, scopes=scopes, seconds=UNTOLD_SECONDS, variant="")


def _pulses(request: HttpRequest, now: datetime) -> HttpResponse:
    context = {"days": days_of_pulses(pulse_records(WINDOW_HOURS_MAX, now)), "hours": WINDOW_HOURS_MAX}
    return render(request, "feeds/pulses.html", context)


@require_safe
def about(request: HttpRequest) -> HttpResponseBase:
    """What this is, who may use it how, and whom to write to."""
    made = render(request, "feeds/about.html", {"counts": sitemaps.unit_counts()})
    return keep(request, revalidated(request, made), scopes=OF_COUNTS, variant="")


@require_safe
def terms(request: HttpRequest) -> HttpResponseBase:
    """What may be quoted, copied, translated and sold, how to name the source, and whose each thing is."""
    return keep(request, revalidated(request, render(request, "feeds/terms.html")), scopes=(), variant="")


@require_safe
def docs(request: HttpRequest) -> HttpResponseBase:
    """How to use the service from a program: the OpenAPI description for readers, and what surrounds it."""
    response = revalidated(request, _docs(request))
    return keep(request, response, scopes=[index_scope(sitemaps.SITEMAP.name)], variant="")


def _docs(request: HttpRequest) -> HttpResponse:
    shortest, *_others = asked = limits.parse("ASK_LIMITS", settings.ASK_LIMITS)
    context = {
        "operations": operations(described.document()),
        "examples": examples(),
        "categories": Category.choices,
        "problems": problem_codes.all_codes(),
        "page_count": sitemaps.page_count(),
        "ask_limits": settings.ASK_LIMITS,
        "mcp_ask_limits": settings.MCP_ASK_LIMITS,
        "rate_limit_policy": ", ".join(limit.policy for limit in asked),
        # After the first question, in the middle of the window.
        "rate_limit": WindowCount(shortest, 1, shortest.seconds // 2).header,
    }
    return render(request, "feeds/docs.html", context)


@require_safe
def status_page(request: HttpRequest) -> HttpResponseBase:
    """How fresh everything is, what today has cost, and how reliably days were sealed."""
    response = revalidated(request, _status(request, timezone.now()))
    return keep(request, response, scopes=(), seconds=STATUS_SECONDS, variant="")


def _status(request: HttpRequest, now: datetime) -> HttpResponse:
    return render(request, "feeds/status.html", {"report": status.report(now)})
