"""The shapes of ``/api/archive``, for the schema; the bytes themselves come from files."""

# ruff: noqa: N815  the names are those of the public JSON

from typing import Any

from rest_framework import serializers

from archive.models import Completeness


class ItemSerializer(serializers.Serializer[Any]):
    """One day in the manifest."""

    date = serializers.DateField(help_text="the day in Asia/Seoul")
    status = serializers.ChoiceField(
        choices=Completeness.values, help_text="how many of the six signals came"
    )
    late = serializers.BooleanField(help_text="sealed after its own midnight's half hour")
    rehearsal = serializers.BooleanField(help_text="played by the bundled generator, not a real day")
    url = serializers.URLField()
    bytes = serializers.IntegerField(min_value=1)
    sha256 = serializers.CharField(help_text="of the file; also its ETag")
    revision = serializers.IntegerField(min_value=1)
    sealedAt = serializers.DateTimeField()


class MethodsSerializer(serializers.Serializer[Any]):
    manifest = serializers.CharField()
    daySnapshot = serializers.CharField()
    bulk = serializers.CharField()


class ManifestSerializer(serializers.Serializer[Any]):
    """``GET /api/archive``: every day that has a file, newest first, and the gaps between them."""

    schemaVersion = serializers.IntegerField()
    site = serializers.URLField()
    license = serializers.CharField()
    description = serializers.CharField()
    attribution = serializers.CharField()
    count = serializers.IntegerField(min_value=0)
    items = ItemSerializer(many=True)
    gaps = serializers.ListField(child=serializers.DateField())
    methods = MethodsSerializer()


class SignalEntrySerializer(serializers.Serializer[Any]):
    service = serializers.CharField()
    state = serializers.ChoiceField(choices=["ok", "stale", "missing"])
    revision = serializers.IntegerField(allow_null=True)
    sha256 = serializers.CharField(allow_null=True, help_text="of the body as it was signed")
    raw = serializers.JSONField(allow_null=True, help_text="the signal as the service sent it")


class ReflectionSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    lang = serializers.CharField()
    source = serializers.ChoiceField(choices=["model", "template"])  # type: ignore[assignment]
    model = serializers.CharField(allow_null=True)
    promptVersion = serializers.CharField()
    costUsd = serializers.FloatField(min_value=0)


class IntegritySerializer(serializers.Serializer[Any]):
    stateSha256 = serializers.CharField(
        help_text="of rulesVersion, date, city, districts and delta in canonical JSON"
    )
    prevDate = serializers.DateField(allow_null=True)
    prevSha256 = serializers.CharField(allow_null=True, help_text="of the first revision of prevDate's file")


class DaySerializer(serializers.Serializer[Any]):
    """``GET /api/archive?date=``: one sealed file."""

    schemaVersion = serializers.IntegerField()
    rulesVersion = serializers.CharField()
    date = serializers.DateField()
    revision = serializers.IntegerField(min_value=1)
    supersedes = serializers.JSONField(required=False, help_text="only in a later revision")
    sealedAt = serializers.DateTimeField()
    status = serializers.ChoiceField(choices=Completeness.values)
    late = serializers.BooleanField()
    rehearsal = serializers.BooleanField()
    site = serializers.URLField()
    license = serializers.CharField()
    attribution = serializers.CharField()
    signals = SignalEntrySerializer(many=True)
    inputs = serializers.JSONField(help_text="norms and yesterday: what the rules read beside the signals")
    context = serializers.JSONField()  # type: ignore[assignment]
    city = serializers.JSONField()
    districts = serializers.ListField(child=serializers.JSONField())
    notable = serializers.ListField(child=serializers.JSONField())
    delta = serializers.JSONField()
    reflection = ReflectionSerializer()
    integrity = IntegritySerializer()


class BulkSerializer(serializers.Serializer[Any]):
    """``GET /api/archive?days=``: the newest days, newest first."""

    schemaVersion = serializers.IntegerField()
    site = serializers.URLField()
    license = serializers.CharField()
    count = serializers.IntegerField(min_value=0)
    days = DaySerializer(many=True)
