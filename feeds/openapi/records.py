"""Shapes of bodies whose views build them as dictionaries."""

# ruff: noqa: N815  the names are those of the public JSON

from typing import Any

from rest_framework import serializers

from knowledge.ingestion.health.freshness import FAIL, OK, WARN
from knowledge.ingestion.health.service_level import (
    DAYS_SHOWN,
    MET,
    MISSED,
    NOT_MEASURED,
    UNFINISHED,
)
from knowledge.models import Cadence
from knowledge.queries.serializers import (
    CandidateRecordSerializer,
    FoundRecordSerializer,
    MendRecordSerializer,
    UnitReferenceSerializer,
)
from knowledge.queries.series_serializers import SeriesSourceSerializer


class SearchResultsSerializer(serializers.Serializer[Any]):
    """A page of search results."""

    query = serializers.CharField()
    count = serializers.IntegerField(min_value=0, help_text="of the items here")
    items = FoundRecordSerializer(many=True)
    nextCursor = serializers.CharField(allow_null=True, help_text="null on the last page")
    mended = MendRecordSerializer(many=True, help_text="mistyped names, and for what they were taken")
    meant = UnitReferenceSerializer(
        many=True, help_text="units that may have been meant; empty where anything was found"
    )
    heldWords = serializers.ListField(
        child=serializers.CharField(),
        help_text="words of the query by each of which something is found; empty where anything was found by all",
    )


class CandidatesSerializer(serializers.Serializer[Any]):
    """The units that a name may mean."""

    version = serializers.CharField(help_text="v1; within it fields are added, never removed")
    count = serializers.IntegerField(min_value=0)
    candidates = CandidateRecordSerializer(many=True, help_text="likeliest first")


class PointSerializer(serializers.Serializer[Any]):
    """One value of a series."""

    at = serializers.DateTimeField(help_text="the moment that the value is about")
    period = serializers.CharField(allow_null=True, help_text="the calendar day or month, where it is of one")
    value = serializers.FloatField()
    revision = serializers.IntegerField(min_value=1)
    fetchedAt = serializers.DateTimeField(required=False, help_text="with `revisions=1`")


class SeriesPointsSerializer(serializers.Serializer[Any]):
    """A page of the points of a series."""

    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a member's name
    labelEn = serializers.CharField()
    unit = serializers.CharField(help_text="ISO 4217 or UCUM-like code")
    cadence = serializers.ChoiceField(choices=Cadence.choices)
    source = SeriesSourceSerializer(allow_null=True, help_text="null while it has no value")  # type: ignore[assignment]
    licence = serializers.CharField()
    licenceEn = serializers.CharField()
    count = serializers.IntegerField(min_value=0, help_text="of the points here")
    points = PointSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="site-relative address of the next page")


class SubsystemSerializer(serializers.Serializer[Any]):
    """The freshness of one subsystem."""

    status = serializers.ChoiceField(choices=[OK, WARN, FAIL])
    lastSuccess = serializers.DateTimeField(allow_null=True, help_text="null while there was none")
    ageSeconds = serializers.IntegerField(
        allow_null=True,
        help_text="null while there was no success: then `warn`, and `fail` once `failAfterSeconds` have passed since "
        "the installation; `ok` where it only waits for a key of an outside service",
    )
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


class LevelDaySerializer(serializers.Serializer[Any]):
    """A day of the service level."""

    date = serializers.DateField(help_text="in Seoul")
    status = serializers.ChoiceField(
        choices=[MET, MISSED, NOT_MEASURED, UNFINISHED],
        help_text="`missed`: at least one of the day's verdicts was a failure; `not_measured`: fewer verdicts "
        "than `minVerdicts` were stored; `unfinished`: today, which does not count",
    )


class LevelSerializer(serializers.Serializer[Any]):
    """How many days of the last ninety were met."""

    share = serializers.FloatField(
        allow_null=True,
        min_value=0,
        max_value=1,
        help_text="`daysMet` of `daysMeasured`, 4 places; null where no day was measured",
    )
    holds = serializers.BooleanField(allow_null=True, help_text="whether `share` reaches the objective")
    daysMet = serializers.IntegerField(min_value=0)
    daysMeasured = serializers.IntegerField(min_value=0, help_text="met or missed")
    days = serializers.ListField(
        child=LevelDaySerializer(),
        min_length=DAYS_SHOWN,
        max_length=DAYS_SHOWN,
        help_text="oldest first; the last is today",
    )


class ServiceLevelSerializer(LevelSerializer):
    """The last ninety days against the objective: of the whole service, which meets a day when every subsystem that was
    looked at does, and of each subsystem."""

    objective = serializers.FloatField(help_text="the share of days that is promised")
    minVerdicts = serializers.IntegerField(help_text="a day with fewer hourly verdicts is not measured")
    timeZone = serializers.CharField()
    to = serializers.DateField()
    subsystems = serializers.DictField(child=LevelSerializer())

    def get_fields(self) -> dict[str, Any]:
        # The name is a keyword of Python.
        return {**super().get_fields(), "from": serializers.DateField()}


class HealthSerializer(serializers.Serializer[Any]):
    """The state of the service; `subsystems`, `audit` and `serviceLevel` with `detail=1`."""

    status = serializers.ChoiceField(choices=[OK, "degraded"])
    service = serializers.CharField()
    db = serializers.ChoiceField(choices=[OK, FAIL])
    seo_pages = serializers.IntegerField(min_value=0, help_text="URLs in the sitemap")
    ts = serializers.DateTimeField()
    worst_status = serializers.ChoiceField(choices=[OK, WARN, FAIL, "not_evaluated"])
    subsystems = serializers.DictField(child=SubsystemSerializer(), required=False)
    audit = AuditSerializer(required=False)
    serviceLevel = ServiceLevelSerializer(
        required=False, allow_null=True, help_text="null while the store is out of reach"
    )
