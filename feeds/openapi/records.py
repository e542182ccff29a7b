"""Shapes of bodies whose views build them as dictionaries."""

# ruff: noqa: N815  the names are those of the public JSON

from typing import Any

from rest_framework import serializers

from knowledge.ingestion.health.freshness import FAIL, OK, WARN
from knowledge.queries.serializers import FoundRecordSerializer


class SearchResultsSerializer(serializers.Serializer[Any]):
    """A page of search results."""

    query = serializers.CharField()
    count = serializers.IntegerField(min_value=0, help_text="of the items here")
    items = FoundRecordSerializer(many=True)
    nextCursor = serializers.CharField(allow_null=True, help_text="null on the last page")


class SubsystemSerializer(serializers.Serializer[Any]):
    """The freshness of one subsystem."""

    status = serializers.ChoiceField(choices=[OK, WARN, FAIL])
    lastSuccess = serializers.DateTimeField(allow_null=True)
    ageSeconds = serializers.IntegerField(allow_null=True)
    warnAfterSeconds = serializers.IntegerField(allow_null=True)
    failAfterSeconds = serializers.IntegerField(allow_null=True)
    note = serializers.CharField(allow_blank=True)


class AuditRunSerializer(serializers.Serializer[Any]):
    """One run of the citation check."""

    date = serializers.DateField()
    queries = serializers.IntegerField(min_value=0)
    cited = serializers.IntegerField(min_value=0)
    distinct_cited = serializers.IntegerField(min_value=0)


class AuditSerializer(serializers.Serializer[Any]):
    """The trend of citation checks; null and empty while none was made."""

    latest_date = serializers.DateField(allow_null=True)
    latest_rate = serializers.FloatField(allow_null=True, min_value=0, max_value=1)
    runs = AuditRunSerializer(many=True)


class HealthSerializer(serializers.Serializer[Any]):
    """The state of the service; `subsystems` and `audit` with `detail=1`."""

    status = serializers.ChoiceField(choices=[OK, "degraded"])
    service = serializers.CharField()
    db = serializers.ChoiceField(choices=[OK, FAIL])
    seo_pages = serializers.IntegerField(min_value=0, help_text="URLs in the sitemap")
    ts = serializers.DateTimeField()
    worst_status = serializers.ChoiceField(choices=[OK, WARN, FAIL, "not_evaluated"])
    subsystems = serializers.DictField(child=SubsystemSerializer(), required=False)
    audit = AuditSerializer(required=False)
