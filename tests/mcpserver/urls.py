"""The MCP endpoint alone."""

from django.urls import include, path

urlpatterns = [path("", include("mcpserver.urls"))]
