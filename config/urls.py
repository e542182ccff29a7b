"""Every address of the service."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

import archive.urls
import ask.urls
import feeds.urls
import knowledge.urls
from config import errors, health, metrics
from knowledge.languages import NAMESPACE

# The same views at the addresses of the English twins, which the middleware has speak English.
twins = [*knowledge.urls.twinned, *ask.urls.twinned, *archive.urls.twinned, *feeds.urls.twinned]

urlpatterns = [
    path("api/health", health.HealthView.as_view(), name="health"),
    path("metrics", metrics.page, name="metrics"),
    path("", include("knowledge.urls")),
    path("", include("ask.urls")),
    path("", include("archive.urls")),
    path("", include("bulk.urls")),
    path("", include("mcpserver.urls")),
    path("", include("feeds.urls")),
    path("en/", include((twins, NAMESPACE))),
    path("en", RedirectView.as_view(url="/en/", permanent=True, http_method_names=["get", "head"])),
    path("admin", RedirectView.as_view(url="/admin/", http_method_names=["get", "head"])),
    path("admin/", admin.site.urls),
    re_path("", errors.unknown),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
