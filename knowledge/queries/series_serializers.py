"""The records of series and pulses in the public JSON, member by member in their order: their types and schemas."""

from decimal import Decimal
from typing import Annotated, Any, NotRequired, TypedDict

from rest_framework import fields, serializers

from knowledge.models import Cadence, Direction, PulseKind
from knowledge.queries.record_fields import (
    IndexSerializer,
    Number,
    Page,
    Text,
    Time,
    number,
    record_field,
    records_field,
    serializer_of,
    texts,
)


class LatestRecord(TypedDict):
    """The newest value of a series."""

    at: Time
    period: Annotated[
        str | None,
        fields.CharField(allow_null=True, help_text="the calendar day or month that the value is about"),
    ]
    value: Number
    stale: Annotated[bool, fields.BooleanField(help_text="older than its cadence allows")]


class ChangeRecord(TypedDict):
    """Against a former point. What is measured in per cent moves by percentage `points`; the rest has `absolute` and
    `percent`, which is null where the former value was 0."""

    since: Time
    absolute: NotRequired[Annotated[Decimal, number(required=False)]]
    percent: NotRequired[Annotated[Decimal | None, fields.FloatField(required=False, allow_null=True)]]
    points: NotRequired[Annotated[Decimal, number(required=False)]]


class SeriesSource(TypedDict):
    """Who publishes a series."""

    label: Text
    labelEn: Text
    url: Text


class SeriesRecord(TypedDict):
    """A number that is followed over time, with what it says now."""

    id: Annotated[str, fields.CharField(help_text="`series:slug`, for ever the same")]
    label: Text
    labelEn: Text
    aliases: Annotated[list[str], texts("other names")]
    unit: Annotated[str, fields.CharField(help_text="ISO 4217 or UCUM-like code")]
    cadence: Annotated[str, fields.ChoiceField(choices=Cadence.choices)]
    holder: Annotated[str, fields.CharField(help_text="id of the unit that it is about")]
    latest: Annotated[LatestRecord | None, record_field(LatestRecord)]
    changes: Annotated[
        dict[str, ChangeRecord | None],
        fields.DictField(
            child=record_field(ChangeRecord), help_text="against `previous`, `day`, `week`, `year`"
        ),
    ]
    source: Annotated[SeriesSource | None, record_field(SeriesSource)]
    licence: Text
    licenceEn: Text
    redistributable: Annotated[bool, fields.BooleanField(help_text="whether its history may be passed on")]
    updatedAt: Annotated[str | None, fields.DateTimeField(allow_null=True, help_text="when it was fetched")]
    url: Page


class PointRecord(TypedDict):
    """A value of a series, in its newest revision."""

    series: Annotated[str, fields.CharField(help_text="id of the series")]
    at: Time
    period: Annotated[
        str | None,
        fields.CharField(allow_null=True, help_text="the calendar day or month that the value is about"),
    ]
    value: Number
    revision: Annotated[int, fields.IntegerField(min_value=1)]


class PulseSource(TypedDict):
    """Where a pulse can be seen."""

    url: Text


class PulseRecord(TypedDict):
    """A sudden move of an asset."""

    id: Text
    asset: Annotated[str, fields.CharField(help_text="id of the asset, as in entities.json")]
    direction: Annotated[str, fields.ChoiceField(choices=Direction.choices)]
    magnitudePct: Annotated[
        float,
        fields.FloatField(
            help_text="per cent; negative for a fall; of a premium percentage points off its 30-day median"
        ),
    ]
    detectedAt: Time
    summary: Text
    confidence: Annotated[float, fields.FloatField(min_value=0, max_value=1)]
    sources: Annotated[list[PulseSource], records_field(PulseSource, "markets or documents that show it")]
    url: Annotated[str, fields.CharField(help_text="site-relative page of the asset")]
    assetLabel: Text
    symbol: Text
    kind: Annotated[
        str,
        fields.ChoiceField(
            choices=PulseKind.choices,
            help_text="what moved: the price, the price as many documents tell, the kimchi premium",
        ),
    ]
    startedAt: Time
    endedAt: Annotated[
        str | None, fields.DateTimeField(allow_null=True, help_text="null while the move goes on")
    ]
    horizonHours: Annotated[int, fields.IntegerField(help_text="over how many hours it was measured")]
    summaryEn: Text


SeriesSourceSerializer = serializer_of(SeriesSource)
SeriesRecordSerializer = serializer_of(SeriesRecord)
PointRecordSerializer = serializer_of(PointRecord)
PulseRecordSerializer = serializer_of(PulseRecord)


class SeriesIndexSerializer(IndexSerializer):
    """Every public series, with what it says now."""

    series = SeriesRecordSerializer(many=True)


class PulseIndexSerializer(serializers.Serializer[dict[str, Any]]):
    """The pulses of a window of hours, newest first."""

    version = fields.CharField()
    generated_at = fields.DateTimeField()
    window_hours = fields.IntegerField(min_value=1, max_value=168)
    count = fields.IntegerField()
    site = fields.CharField(help_text="the origin that site-relative addresses are relative to")
    licence = fields.CharField(help_text="under which the records may be used")
    pulses = PulseRecordSerializer(many=True)
