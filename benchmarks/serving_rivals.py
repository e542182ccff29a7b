"""Other ways to serve the same index, behind the same middleware as ours."""

import os
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.views import APIView

from knowledge.api.indexes import EntitiesView, SeriesIndexView
from knowledge.models import Entity, Unit
from knowledge.publications import publication_cache


@cache
def ready_bytes() -> bytes:
    return publication_cache.get("entities").contents["gzip"]


def bare_django(request: HttpRequest) -> HttpResponse:
    """The least that Django can do: these bytes, no validators, no choice of encoding."""
    return HttpResponse(ready_bytes(), content_type="application/json", headers={"Content-Encoding": "gzip"})


class BareApiView(APIView):
    """The least that DRF can do."""

    def get(self, request: Request) -> HttpResponse:
        return bare_django(request._request)


class EntitySerializer(serializers.ModelSerializer[Unit]):
    """The index's own fields, in the usual way."""

    id = serializers.CharField(source="public_id")
    aliases: Any = serializers.SlugRelatedField(slug_field="surface", many=True, read_only=True)
    videoCount = serializers.IntegerField(source="video_count")  # noqa: N815  the contract's name
    updatedAt = serializers.DateTimeField(source="updated_at")  # noqa: N815

    class Meta:
        model = Unit
        fields = ("id", "label", "aliases", "type", "videoCount", "updatedAt", "summary")


class SerializedList(ListAPIView[Unit]):
    """What a DRF project starts with: a ModelSerializer over a prefetched queryset."""

    serializer_class = EntitySerializer
    pagination_class = None

    def get_queryset(self) -> Any:
        return Entity.objects.published().prefetch_related("aliases").order_by("prefix", "slug")


def probe(request: HttpRequest) -> JsonResponse:
    """Which process answers, and what it shows."""
    return JsonResponse({"pid": os.getpid(), "etag": publication_cache.get("entities").etag})


urlpatterns = [
    path("ours", EntitiesView.as_view()),
    path("series", SeriesIndexView.as_view()),
    path("bare-django", bare_django),
    path("bare-apiview", BareApiView.as_view()),
    path("serialized", SerializedList.as_view()),
    path("probe", probe),
]
