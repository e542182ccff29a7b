"""Addresses of the canon: its JSON, and a page for each unit."""

from django.urls import path

from knowledge import views
from knowledge.api import changes, indexes, resolve, series, units
from knowledge.models import PREFIXES

# Pages with an English twin (``config.urls``).
twinned = [
    path(f"{prefix}/<slug:slug>", views.unit_page, {"prefix": prefix}, name=f"{prefix}-page")
    for prefix in PREFIXES
]

urlpatterns = [
    path("api/canonical/entities.json", indexes.EntitiesView.as_view(), name="entities-json"),
    path("api/canonical/topics.json", indexes.TopicsView.as_view(), name="topics-json"),
    path("api/canonical/events.json", indexes.EventsView.as_view(), name="events-json"),
    path("api/series.json", indexes.SeriesIndexView.as_view(), name="series-index-json"),
    path("api/series/<slug:slug>.json", series.SeriesPointsView.as_view(), name="series-points-json"),
    path("api/series/<slug:slug>.csv", series.SeriesTableView.as_view(), name="series-points-csv"),
    path("api/units/<str:id>.json", units.UnitView.as_view(), name="unit-json"),
    path("api/changes.json", changes.ChangesView.as_view(), name="changes-json"),
    path("api/search", indexes.SearchView.as_view(), name="search-json"),
    path("api/resolve", resolve.ResolveView.as_view(), name="resolve-json"),
    path("api/pulse/active.json", indexes.PulsesView.as_view(), name="pulses-json"),
    *twinned,
]
