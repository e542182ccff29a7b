"""Pages that belong to no single app."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ask.models import SeedQuestion
from feeds import sitemaps
from knowledge.publications import respond, shelf

SEEDS_SHOWN = 12


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, questions to begin with, and where the data lives."""
    seeds = SeedQuestion.objects.answered()[:SEEDS_SHOWN]
    return render(request, "feeds/home.html", {"seeds": seeds, "counts": sitemaps.unit_counts()})


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    return respond(request, shelf.get(sitemaps.SITEMAP.name))
