"""The archive's own addresses, whatever else the service has."""

from django.urls import include, path

urlpatterns = [path("", include("archive.urls"))]

handler400 = "config.errors.bad_request"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
