"""Addresses of the canon: its JSON, and a page for each unit."""

from django.urls import path

from knowledge import api, changes_api, series_api, units_api, views
from knowledge.models import PREFIXES

urlpatterns = [
    path("api/canonical/entities.json", api.EntitiesView.as_view(), name="entities-json"),
    path("api/canonical/topics.json", api.TopicsView.as_view(), name="topics-json"),
    path("api/canonical/events.json", api.EventsView.as_view(), name="events-json"),
    path("api/series.json", api.SeriesIndexView.as_view(), name="series-index-json"),
    path("api/series/<slug:slug>.json", series_api.SeriesPointsView.as_view(), name="series-points-json"),
    path("api/series/<slug:slug>.csv", series_api.SeriesTableView.as_view(), name="series-points-csv"),
    path("api/units/<str:id>.json", units_api.UnitView.as_view(), name="unit-json"),
    path("api/changes.json", changes_api.ChangesView.as_view(), name="changes-json"),
    path("api/search", api.SearchView.as_view(), name="search-json"),
    path("api/pulse/active.json", api.PulsesView.as_view(), name="pulses-json"),
    *(
        path(f"{prefix}/<slug:slug>", views.unit_page, {"prefix": prefix}, name=f"{prefix}-page")
        for prefix in PREFIXES
    ),
]
