"""The shape of ``/api/bulk``, for the description."""

# ruff: noqa: N815  the names are those of the public JSON

from typing import Any

from rest_framework import serializers

from bulk.files import NAMES


class BulkItemSerializer(serializers.Serializer[Any]):
    """One file."""

    name = serializers.ChoiceField(choices=NAMES)
    date = serializers.DateField(help_text="the morning in Asia/Seoul at whose 04:00 it was due")
    url = serializers.CharField(help_text="site-relative; JSON Lines, gzip")
    bytes = serializers.IntegerField(min_value=1)
    sha256 = serializers.CharField(help_text="of the file as it is sent; also its ETag")
    count = serializers.IntegerField(min_value=0, help_text="lines")
    schema = serializers.CharField(help_text="site-relative address of the JSON Schema that each line meets")
    licence = serializers.CharField()
    seq = serializers.IntegerField(
        allow_null=True, help_text="the newest change in it: read /api/changes.json on from here"
    )
    writtenAt = serializers.DateTimeField(help_text="all files of a day say what was public at this moment")


class BulkGapSerializer(serializers.Serializer[Any]):
    """What is in no file."""

    name = serializers.ChoiceField(choices=NAMES)
    date = serializers.DateField()
    reason = serializers.CharField()


class BulkListSerializer(serializers.Serializer[Any]):
    """``GET /api/bulk``: the files of the last 35 days, newest first, and what they leave out."""

    count = serializers.IntegerField(min_value=0)
    licence = serializers.CharField(help_text="where an item does not say another")
    generated_at = serializers.DateTimeField()
    items = BulkItemSerializer(many=True)
    gaps = BulkGapSerializer(many=True)
