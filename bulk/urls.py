"""Addresses of the bulk files."""

from django.urls import path

from bulk import api

urlpatterns = [
    path("api/bulk", api.BulkListView.as_view(), name="bulk-list"),
    path("api/bulk/<str:day>/<str:name>.jsonl.gz", api.BulkFileView.as_view(), name="bulk-file"),
]
