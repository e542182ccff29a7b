"""The shapes of ``/api/archive``, for the schema; the bytes themselves come from files."""

# ruff: noqa: N815  the names are those of the public JSON

from typing import Any

from rest_framework import serializers

from archive.day_serializers import LATE, REHEARSAL, DaySerializer
from archive.models import Completeness


class ManifestItemSerializer(serializers.Serializer[Any]):
    """One day in the manifest."""

    date = serializers.DateField(help_text="the day in Asia/Seoul")
    status = serializers.ChoiceField(
        choices=Completeness.values, help_text="how many of the six signals came"
    )
    late = serializers.BooleanField(help_text=LATE)
    rehearsal = serializers.BooleanField(help_text=REHEARSAL)
    url = serializers.URLField()
    bytes = serializers.IntegerField(min_value=1)
    sha256 = serializers.CharField(
        help_text="of the file's bytes before any coding; its ETag, with `-gz` or `-br` behind it where it is sent "
        "in that coding"
    )
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
    gaps = serializers.ListField(
        child=serializers.DateField(), help_text="days between the first and the last that have no file"
    )
    methods = MethodsSerializer()
    firstDate = serializers.DateField(allow_null=True, help_text="the oldest day that has a file")
    lastDate = serializers.DateField(allow_null=True, help_text="the newest day that has a file")


class DaysSerializer(serializers.Serializer[Any]):
    """`GET /api/archive?days=`: the newest days, newest first."""

    schemaVersion = serializers.IntegerField()
    site = serializers.URLField()
    license = serializers.CharField()
    count = serializers.IntegerField(
        min_value=0, help_text="of the days here; below `requested` these are all that there are"
    )
    days = DaySerializer(many=True)
    requested = serializers.IntegerField(min_value=1, help_text="how many were asked for")
    firstDate = serializers.DateField(allow_null=True, help_text="the oldest of the days here")
    lastDate = serializers.DateField(allow_null=True, help_text="the newest of the days here")
    gaps = serializers.ListField(
        child=serializers.DateField(), help_text="days between these two that have no file"
    )
