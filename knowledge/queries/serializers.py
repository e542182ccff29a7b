"""The records of the public JSON, member by member in their order: their types, and the schema in ``/openapi.json``."""

from copy import deepcopy
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, NotRequired, TypedDict, get_args, get_origin, get_type_hints

from rest_framework import fields, serializers

from knowledge.models import (
    Cadence,
    Category,
    ChangeKind,
    Direction,
    InverseKind,
    PassageKind,
    PulseKind,
    RelationKind,
    SourceKind,
    UnitType,
)
from knowledge.search.exact_names import MATCHES
from knowledge.times import iso_kst


class Rfc3339Field(fields.DateTimeField):
    """An RFC 3339 time with offset, in whole seconds."""

    def to_representation(self, value: datetime) -> str:
        return iso_kst(value)


@cache
def _serializer_of(record: type, base: type = serializers.Serializer) -> type[serializers.Serializer[Any]]:
    """The fields that a record's members are annotated with, copied: DRF orders them by when they were made."""
    members: dict[str, Any] = {"__doc__": record.__doc__}
    for name, hint in get_type_hints(record, include_extras=True).items():
        annotated = get_args(hint)[0] if get_origin(hint) is NotRequired else hint
        members[name] = deepcopy(annotated.__metadata__[0])
    return type(f"{record.__name__}Serializer", (base,), members)


def _record_field(record: type, **options: Any) -> serializers.Serializer[Any]:
    """A member that is a record itself, or null."""
    return _serializer_of(record)(allow_null=True, **options)


def _records_field(record: type, help_text: str) -> serializers.Serializer[Any]:
    """A member that is a list of records."""
    return _serializer_of(record)(many=True, help_text=help_text)


def _number(**options: Any) -> fields.DecimalField:
    # Without its digits: as bounds they would leave the 64 bits that JSON's writer takes.
    return fields.DecimalField(max_digits=None, decimal_places=None, coerce_to_string=False, **options)


def _texts(help_text: str, **options: Any) -> fields.ListField:
    return fields.ListField(child=fields.CharField(), help_text=help_text, **options)


Text = Annotated[str, fields.CharField()]
SomeText = Annotated[str, fields.CharField(required=False)]
Count = Annotated[int, fields.IntegerField(min_value=0)]
Number = Annotated[Decimal, _number()]
Time = Annotated[str, fields.DateTimeField()]
UpdatedAt = Annotated[
    str, fields.DateTimeField(help_text="the last change of what this record says, counts aside")
]
ShownSeries = Annotated[
    list[str],
    _texts(
        "ids of the series that it shows: those that it holds, the headline first, and of an asset its kimchi premium"
    ),
]
Page = Annotated[str, fields.CharField(help_text="site-relative address of the page")]


CategoryValue = Annotated[
    str | None,
    fields.ChoiceField(
        choices=Category.choices,
        allow_null=True,
        help_text="what kind of thing it is; null where nobody has said, and of topics and events",
    ),
]
CountryCode = Annotated[
    str | None,
    fields.CharField(
        allow_null=True,
        min_length=2,
        max_length=2,
        help_text="ISO 3166-1 alpha-2: where an organisation is based or for which it acts, a person's nationality,"
        " where an asset is developed; null where that is not plain, and of topics and events",
    ),
]


LabelEn = Annotated[
    str | None, fields.CharField(allow_null=True, help_text="its English title; null where it has none")
]
SummaryEn = Annotated[
    str | None,
    fields.CharField(allow_null=True, help_text="the summary in English; null where there is none"),
]
SourceUrls = Annotated[
    list[str],
    fields.ListField(
        child=fields.URLField(),
        help_text="pages and papers that its facts come from, the most telling first; empty where nobody has named one",
    ),
]


class UnitRecord(TypedDict):
    """What every unit's record begins with."""

    id: Annotated[str, fields.CharField(help_text="`prefix:slug`, for ever the same")]
    label: Text
    aliases: Annotated[
        list[str], _texts("other names, those of merged units included; never the label itself")
    ]


class EntityRecord(UnitRecord):
    """An entity. An AI persona adds ``isAiPersona``, ``glyph`` and ``disclosure``, which others lack."""

    type: Annotated[str, fields.ChoiceField(choices=UnitType.choices)]
    videoCount: Count
    updatedAt: UpdatedAt
    documentCount: Count
    url: Page
    summary: Text
    series: ShownSeries
    category: CategoryValue
    country: CountryCode
    labelEn: LabelEn
    summaryEn: SummaryEn
    sourceUrls: SourceUrls
    symbol: NotRequired[Annotated[str, fields.CharField(help_text="of an asset; absent where there is none")]]
    website: NotRequired[Annotated[str, fields.URLField(help_text="absent where none is known")]]
    isAiPersona: NotRequired[Annotated[bool, fields.BooleanField(help_text="true, or absent")]]
    glyph: NotRequired[Text]
    disclosure: NotRequired[Text]


class TopicRecord(UnitRecord):
    """A topic."""

    documentCount: Count
    videoCount: Count
    updatedAt: UpdatedAt
    url: Page
    summary: Text
    series: ShownSeries
    category: CategoryValue
    country: CountryCode
    labelEn: LabelEn
    summaryEn: SummaryEn
    sourceUrls: SourceUrls


class EventRecord(UnitRecord):
    """An event, with what it is about."""

    occurredAt: Annotated[str | None, fields.DateTimeField(allow_null=True)]
    summary: Text
    entities: Annotated[list[str], _texts("ids of published entities")]
    topics: Annotated[list[str], _texts("ids of published topics")]
    documentCount: Count
    videoCount: Count
    updatedAt: UpdatedAt
    url: Page
    category: CategoryValue
    country: CountryCode
    labelEn: LabelEn
    summaryEn: SummaryEn
    sourceUrls: SourceUrls


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
    absolute: NotRequired[Annotated[Decimal, _number(required=False)]]
    percent: NotRequired[Annotated[Decimal | None, fields.FloatField(required=False, allow_null=True)]]
    points: NotRequired[Annotated[Decimal, _number(required=False)]]


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
    aliases: Annotated[list[str], _texts("other names")]
    unit: Annotated[str, fields.CharField(help_text="ISO 4217 or UCUM-like code")]
    cadence: Annotated[str, fields.ChoiceField(choices=Cadence.choices)]
    holder: Annotated[str, fields.CharField(help_text="id of the unit that it is about")]
    latest: Annotated[LatestRecord | None, _record_field(LatestRecord)]
    changes: Annotated[
        dict[str, ChangeRecord | None],
        fields.DictField(
            child=_record_field(ChangeRecord), help_text="against `previous`, `day`, `week`, `year`"
        ),
    ]
    source: Annotated[SeriesSource | None, _record_field(SeriesSource)]
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


class DocumentRecord(TypedDict):
    """Where something was published, without its text."""

    id: Annotated[str, fields.CharField(help_text="`document:n`")]
    kind: Annotated[str, fields.ChoiceField(choices=SourceKind.choices)]
    lang: Text
    title: Text
    url: Annotated[str, fields.CharField(help_text="the original")]
    publishedAt: Annotated[
        str | None, fields.DateTimeField(allow_null=True, help_text="null where the outlet does not say")
    ]
    source: Annotated[str, fields.CharField(help_text="the outlet")]
    units: Annotated[list[str], _texts("ids of the published units that it speaks of")]


class UnitChangeRecord(TypedDict):
    """One change of a public unit."""

    seq: Annotated[int, fields.IntegerField(min_value=1, help_text="rises with every change")]
    id: Annotated[str, fields.CharField(help_text="of the unit, as in its index")]
    kind: Annotated[str, fields.ChoiceField(choices=ChangeKind.choices)]
    mergedInto: Annotated[
        str | None,
        fields.CharField(allow_null=True, help_text="id of the unit that answers for it since"),
    ]
    at: Time
    record: Annotated[
        UnitRecord | None,
        fields.DictField(
            allow_null=True,
            help_text="the record of its index as it stands now, whatever changed since; null where it is gone",
        ),
    ]


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
    sources: Annotated[list[PulseSource], _records_field(PulseSource, "markets or documents that show it")]
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


class UnitReference(TypedDict):
    """Another public unit."""

    id: Text
    label: Text
    url: Page


# By a call, for ``from`` is a word of Python.
RelationRecord = TypedDict(
    "RelationRecord",
    {
        "kind": Annotated[
            str,
            fields.ChoiceField(
                choices=[*RelationKind.choices, *InverseKind.choices],
                help_text="how the unit stands to `id`: each kind has another for the other end",
            ),
        ],
        "id": Text,
        "label": Text,
        "labelEn": LabelEn,
        "url": Page,
        "from": Annotated[
            str | None,
            fields.CharField(
                allow_null=True, help_text="a year, a month or a day, as exactly as it is known"
            ),
        ],
        "to": Annotated[str | None, fields.CharField(allow_null=True, help_text="null while it lasts")],
        "reference": Annotated[str | None, fields.URLField(allow_null=True, help_text="where that is said")],
    },
)
RelationRecord.__doc__ = "How a unit stands to another public one."


class EventReference(UnitReference):
    """Another public event."""

    occurredAt: Annotated[str | None, fields.DateTimeField(allow_null=True)]


class DocumentReference(TypedDict):
    """Where something was published, as a record of a unit names it."""

    id: Annotated[str, fields.CharField(help_text="`document:n`")]
    kind: Annotated[str, fields.ChoiceField(choices=SourceKind.choices)]
    title: Text
    url: Annotated[str, fields.CharField(help_text="where it was published")]
    source: Text
    publishedAt: Annotated[str | None, fields.DateTimeField(allow_null=True)]


class PostRecord(TypedDict):
    """What an AI persona wrote: an opinion, never without what it is."""

    id: Annotated[str, fields.CharField(help_text="`post:n`")]
    url: Annotated[str, fields.CharField(help_text="site-relative, its place on the persona's page")]
    persona: Annotated[str, fields.CharField(help_text="id of the creator that it is")]
    isAiPersona: Annotated[bool, fields.BooleanField()]
    glyph: Text
    disclosure: Text
    body: Text
    publishedAt: Time


class ProfileRecord(UnitRecord):
    """All that is public of one unit: the record of its index with what belongs to it, the newest first.

    An event has ``occurredAt``, ``entities``, ``topics``, ``before`` and ``after``; an entity may have ``symbol``,
    ``website``, ``isAiPersona``, ``glyph`` and ``disclosure``.
    """

    version: Annotated[str, fields.CharField(help_text="v1; within it fields are added, never removed")]
    site: Annotated[str, fields.CharField(help_text="what site-relative addresses are relative to")]
    kind: Annotated[str, fields.ChoiceField(choices=["entity", "topic", "event"])]
    type: Annotated[str, fields.ChoiceField(choices=UnitType.choices)]
    documentCount: Count
    videoCount: Count
    updatedAt: UpdatedAt
    url: Page
    summary: Text
    category: CategoryValue
    country: CountryCode
    labelEn: LabelEn
    summaryEn: SummaryEn
    sourceUrls: SourceUrls
    symbol: NotRequired[SomeText]
    website: NotRequired[Annotated[str, fields.URLField(required=False)]]
    occurredAt: NotRequired[Annotated[str | None, fields.DateTimeField(required=False, allow_null=True)]]
    entities: NotRequired[Annotated[list[str], _texts("ids of published entities", required=False)]]
    topics: NotRequired[Annotated[list[str], _texts("ids of published topics", required=False)]]
    isAiPersona: NotRequired[Annotated[bool, fields.BooleanField(required=False)]]
    glyph: NotRequired[SomeText]
    disclosure: NotRequired[SomeText]
    mergedIds: Annotated[list[str], _texts("ids that were merged into it")]
    references: Annotated[
        list[UnitReference],
        _records_field(UnitReference, "units named with it; of an event those it is about"),
    ]
    events: Annotated[list[EventReference], _records_field(EventReference, "events about it")]
    before: NotRequired[Annotated[EventReference | None, _record_field(EventReference, required=False)]]
    after: NotRequired[Annotated[EventReference | None, _record_field(EventReference, required=False)]]
    pulses: Annotated[list[PulseRecord], _records_field(PulseRecord, "price pulses of an asset")]
    documents: Annotated[
        list[DocumentReference],
        _records_field(DocumentReference, "the newest; of an event in order of publication"),
    ]
    posts: Annotated[list[PostRecord], _records_field(PostRecord, "of AI personas, about it or by it")]
    series: Annotated[
        list[SeriesRecord],
        _records_field(SeriesRecord, "what the series that it shows say, the headline first"),
    ]
    relations: Annotated[
        list[RelationRecord], _records_field(RelationRecord, "who founded, runs, owns or issues what")
    ]


class FoundRecord(TypedDict):
    """One record that search found."""

    id: Annotated[str, fields.CharField(help_text="`prefix:slug`, `document:n` or `post:n`")]
    kind: Annotated[str, fields.ChoiceField(choices=PassageKind.values)]
    title: Text
    snippet: Annotated[str, fields.CharField(allow_blank=True)]
    url: Annotated[
        str, fields.CharField(help_text="site-relative, or the original where no page here carries it")
    ]
    publishedAt: Annotated[str | None, fields.DateTimeField(allow_null=True)]
    score: Annotated[float, fields.FloatField()]
    source: NotRequired[SomeText]
    originalUrl: NotRequired[Annotated[str, fields.URLField(required=False)]]
    isAiPersona: NotRequired[Annotated[bool, fields.BooleanField(required=False)]]
    glyph: NotRequired[SomeText]
    disclosure: NotRequired[SomeText]


class MendRecord(TypedDict):
    """A mistyped name and the one that was searched for in its place."""

    written: Annotated[str, fields.CharField(help_text="as it stands in the query, without its particle")]
    taken: Annotated[str, fields.CharField(help_text="a name of a public unit, or a word of one")]


class CandidateRecord(TypedDict):
    """A unit that a name may mean."""

    id: Text
    label: Text
    labelEn: LabelEn
    type: Annotated[str, fields.ChoiceField(choices=UnitType.choices)]
    category: CategoryValue
    url: Page
    confidence: Annotated[
        float, fields.FloatField(min_value=0, max_value=1, help_text="below 0.7 it is a guess")
    ]
    matchedOn: Annotated[
        str,
        fields.ChoiceField(
            choices=MATCHES,
            help_text="`phrase`: people ask for it by that; `mention`: its name stands in what was asked; `part`: its "
            "name begins with or holds that; `spelling`: its name is written nearly so",
        ),
    ]
    disambiguation: Annotated[
        str, fields.CharField(help_text="type, ticker and summary, to tell it from others")
    ]
    disambiguationEn: Text


UnitSerializer = _serializer_of(UnitRecord)
EntityRecordSerializer = _serializer_of(EntityRecord, UnitSerializer)
TopicRecordSerializer = _serializer_of(TopicRecord, UnitSerializer)
EventRecordSerializer = _serializer_of(EventRecord, UnitSerializer)
SeriesSourceSerializer = _serializer_of(SeriesSource)
SeriesRecordSerializer = _serializer_of(SeriesRecord)
PointRecordSerializer = _serializer_of(PointRecord)
DocumentRecordSerializer = _serializer_of(DocumentRecord)
UnitChangeSerializer = _serializer_of(UnitChangeRecord)
PulseRecordSerializer = _serializer_of(PulseRecord)
ProfileRecordSerializer = _serializer_of(ProfileRecord, UnitSerializer)
FoundRecordSerializer = _serializer_of(FoundRecord)
MendRecordSerializer = _serializer_of(MendRecord)
CandidateRecordSerializer = _serializer_of(CandidateRecord)


class IndexSerializer(serializers.Serializer[dict[str, Any]]):
    """The envelope of the canonical indexes."""

    version = fields.CharField(help_text="v1; within it fields are added, never removed")
    count = fields.IntegerField()
    generated_at = fields.DateTimeField(
        help_text="when this body was built; it moves only when the records do"
    )
    site = fields.CharField(help_text="the origin that site-relative addresses are relative to")
    licence = fields.CharField(help_text="under which the records may be used; series state their own")


class EntityIndexSerializer(IndexSerializer):
    """Every public entity."""

    entities = EntityRecordSerializer(many=True)


class TopicIndexSerializer(IndexSerializer):
    """Every public topic."""

    topics = TopicRecordSerializer(many=True)


class EventIndexSerializer(IndexSerializer):
    """Every public event."""

    events = EventRecordSerializer(many=True)


class SeriesIndexSerializer(IndexSerializer):
    """Every public series, with what it says now."""

    series = SeriesRecordSerializer(many=True)


class ChangesSerializer(serializers.Serializer[dict[str, Any]]):
    """A page of changes, oldest first."""

    count = serializers.IntegerField(help_text="of the items here")
    items = UnitChangeSerializer(many=True)
    next = serializers.CharField(
        allow_null=True, help_text="address of the next page; null after the last change"
    )
    newest = serializers.IntegerField(help_text="`seq` of the newest change that there is")


class PulseIndexSerializer(serializers.Serializer[dict[str, Any]]):
    """The pulses of a window of hours, newest first."""

    version = fields.CharField()
    generated_at = fields.DateTimeField()
    window_hours = fields.IntegerField(min_value=1, max_value=168)
    count = fields.IntegerField()
    site = fields.CharField(help_text="the origin that site-relative addresses are relative to")
    licence = fields.CharField(help_text="under which the records may be used")
    pulses = PulseRecordSerializer(many=True)
