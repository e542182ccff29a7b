"""Addresses of the city: its data, and its pages."""

from django.urls import path, re_path

from archive import api, views

# Pages with an English twin (``config.urls``).
twinned = [
    path("city", views.city_page, name="city"),
    re_path(r"^city/(?P<text>[0-9]{4}-[0-9]{2}-[0-9]{2})$", views.day_page, name="city-day"),
]

urlpatterns = [path("api/archive", api.ArchiveView.as_view(), name="archive-json"), *twinned]
