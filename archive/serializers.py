"""The shapes of ``/api/archive``, for the schema; the bytes themselves come from files."""

# ruff: noqa: N815  the names are those of the public JSON

from typing import Any

from rest_framework import serializers

from archive.day_serializers import DaySerializer
from archive.models import Completeness


class ManifestItemSerializer(serializers.Serializer[Any]):
    """One day in the manifest."""

    date = serializers.DateField(help_text="the day in Asia/Seoul")
    status = serializers.ChoiceField(
        choices=Completeness.values, help_text="how many of the six signals came"
    )
    late = serializers.BooleanField(help_text="sealed more than 35 minutes after its midnight")
    rehearsal = serializers.BooleanField(help_text="played by the bundled generator, not a real day")
    url = serializers.URLField()
    bytes = serializers.IntegerField(min_value=1)
    sha256 = serializers.CharField(help_text="of the file; its ETag too, where it is not sent compressed")
    revision = serializers.IntegerField(min_value=1)
    sealedAt = serializers.DateTimeField()


class MethodsSerializer(serializers.Serializer[Any]):
    """The other reads of the archive, in words."""

    manifest = serializers.CharField()
    daySnapshot = serializers.CharField()
    bulk = serializers.CharField()


class ManifestSerializer(serializers.Serializer[Any]):
    """`GET /api/archive`: every day that has a file, newest first, and the gaps between them."""

    schemaVersion = serializers.IntegerField()
    site = serializers.URLField()
    license = serializers.CharField()
    description = serializers.CharField()
    attribution = serializers.CharField()
    count = serializers.IntegerField(min_value=0)
    items = ManifestItemSerializer(many=True)
    gaps = serializers.ListField(child=serializers.DateField())
    methods = MethodsSerializer()


class DaysSerializer(serializers.Serializer[Any]):
    """`GET /api/archive?days=`: the newest days, newest first."""

    schemaVersion = serializers.IntegerField()
    site = serializers.URLField()
    license = serializers.CharField()
    count = serializers.IntegerField(min_value=0)
    days = DaySerializer(many=True)
