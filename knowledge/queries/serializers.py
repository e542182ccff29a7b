"""The records of units and documents in the public JSON, member by member in their order: their types and schemas."""

from typing import Annotated, Any, NotRequired, TypedDict

from rest_framework import fields, serializers

from knowledge.models import (
    Category,
    ChangeKind,
    InverseKind,
    PassageKind,
    RelationKind,
    SourceKind,
    UnitType,
)
from knowledge.queries.record_fields import (
    Count,
    IndexSerializer,
    LabelEn,
    Page,
    SomeText,
    Text,
    Time,
    record_field,
    records_field,
    serializer_of,
    texts,
)
from knowledge.queries.series_serializers import PulseRecord, SeriesRecord
from knowledge.search.exact_names import MATCHES

UpdatedAt = Annotated[
    str, fields.DateTimeField(help_text="the last change of what this record says, counts aside")
]
ShownSeries = Annotated[
    list[str],
    texts(
        "ids of the series that it shows: those that it holds, the headline first, and of an asset its kimchi premium"
    ),
]
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
        list[str], texts("other names, those of merged units included; never the label itself")
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
    entities: Annotated[list[str], texts("ids of published entities")]
    topics: Annotated[list[str], texts("ids of published topics")]
    documentCount: Count
    videoCount: Count
    updatedAt: UpdatedAt
    url: Page
    category: CategoryValue
    country: CountryCode
    labelEn: LabelEn
    summaryEn: SummaryEn
    sourceUrls: SourceUrls


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
    units: Annotated[list[str], texts("ids of the published units that it speaks of")]


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
    entities: NotRequired[Annotated[list[str], texts("ids of published entities", required=False)]]
    topics: NotRequired[Annotated[list[str], texts("ids of published topics", required=False)]]
    isAiPersona: NotRequired[Annotated[bool, fields.BooleanField(required=False)]]
    glyph: NotRequired[SomeText]
    disclosure: NotRequired[SomeText]
    mergedIds: Annotated[list[str], texts("ids that were merged into it")]
    references: Annotated[
        list[UnitReference],
        records_field(UnitReference, "units named with it; of an event those it is about"),
    ]
    events: Annotated[list[EventReference], records_field(EventReference, "events about it")]
    before: NotRequired[Annotated[EventReference | None, record_field(EventReference, required=False)]]
    after: NotRequired[Annotated[EventReference | None, record_field(EventReference, required=False)]]
    pulses: Annotated[list[PulseRecord], records_field(PulseRecord, "price pulses of an asset")]
    documents: Annotated[
        list[DocumentReference],
        records_field(DocumentReference, "the newest; of an event in order of publication"),
    ]
    posts: Annotated[list[PostRecord], records_field(PostRecord, "of AI personas, about it or by it")]
    series: Annotated[
        list[SeriesRecord],
        records_field(SeriesRecord, "what the series that it shows say, the headline first"),
    ]
    relations: Annotated[
        list[RelationRecord], records_field(RelationRecord, "who founded, runs, owns or issues what")
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


UnitSerializer = serializer_of(UnitRecord)
EntityRecordSerializer = serializer_of(EntityRecord, UnitSerializer)
TopicRecordSerializer = serializer_of(TopicRecord, UnitSerializer)
EventRecordSerializer = serializer_of(EventRecord, UnitSerializer)
DocumentRecordSerializer = serializer_of(DocumentRecord)
UnitChangeSerializer = serializer_of(UnitChangeRecord)
ProfileRecordSerializer = serializer_of(ProfileRecord, UnitSerializer)
FoundRecordSerializer = serializer_of(FoundRecord)
MendRecordSerializer = serializer_of(MendRecord)
CandidateRecordSerializer = serializer_of(CandidateRecord)
UnitReferenceSerializer = serializer_of(UnitReference)


class EntityIndexSerializer(IndexSerializer):
    """Every public entity."""

    entities = EntityRecordSerializer(many=True)


class TopicIndexSerializer(IndexSerializer):
    """Every public topic."""

    topics = TopicRecordSerializer(many=True)


class EventIndexSerializer(IndexSerializer):
    """Every public event."""

    events = EventRecordSerializer(many=True)


class ChangesSerializer(serializers.Serializer[dict[str, Any]]):
    """A page of changes, oldest first."""

    count = serializers.IntegerField(help_text="of the items here")
    items = UnitChangeSerializer(many=True)
    next = serializers.CharField(
        allow_null=True, help_text="address of the next page; null after the last change"
    )
    newest = serializers.IntegerField(help_text="`seq` of the newest change that there is")
