"""Every address of the service."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from config import errors, health, metrics

urlpatterns = [
    path("api/health", health.HealthView.as_view(), name="health"),
    path("metrics", metrics.page, name="metrics"),
    path("", include("knowledge.urls")),
    path("", include("ask.urls")),
    path("", include("archive.urls")),
    path("", include("bulk.urls")),
    path("", include("mcpserver.urls")),
    path("", include("feeds.urls")),
    path("admin", RedirectView.as_view(url="/admin/", http_method_names=["get", "head"])),
    path("admin/", admin.site.urls),
    re_path("", errors.unknown),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
