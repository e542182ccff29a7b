"""The project's addresses, and beside them other ways to serve its index, behind the same middleware."""

import os
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.views import APIView

from config import urls
from knowledge.models import Entity, Unit
from knowledge.publications import publication_cache
from knowledge.publications.hearing import hearing


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
    """Which process answers, what it shows, for how long it heard nothing."""
    silent = min(hearing.seconds_silent(), 1e9)  # JSON has no infinity
    return JsonResponse(
        {"pid": os.getpid(), "etag": publication_cache.get("entities").etag, "silent": silent}
    )


def pid(request: HttpRequest) -> HttpResponse:
    return HttpResponse(os.getpid())


urlpatterns = [
    path("bench/bare-django", bare_django),
    path("bench/bare-apiview", BareApiView.as_view()),
    path("bench/serialized", SerializedList.as_view()),
    path("bench/probe", probe),
    path("bench/probe/pid", pid),
    path("", include("config.urls")),
]
handler400, handler403, handler404, handler500 = (
    urls.handler400, urls.handler403, urls.handler404, urls.handler500,
)  # fmt: skip
