"""Every address of the service."""

from django.contrib import admin
from django.urls import include, path

from config import health

urlpatterns = [
    path("api/health", health.HealthView.as_view(), name="health"),
    path("", include("knowledge.urls")),
    path("", include("ask.urls")),
    path("", include("archive.urls")),
    path("", include("mcpserver.urls")),
    path("", include("feeds.urls")),
    path("admin/", admin.site.urls),
]

handler400 = "config.errors.bad_request"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
