"""What each view of the API takes and gives, beside the serialisers that the views name themselves.

Descriptions live up here so that the apps below know nothing of OpenAPI. Importing this registers them.
"""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.extensions import OpenApiViewExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    PolymorphicProxySerializer,
    extend_schema,
)
from rest_framework.views import APIView

from archive.day_serializers import DaySerializer
from archive.published import DAYS_MAX
from archive.serializers import DaysSerializer, ManifestSerializer
from ask.serializers import AnswerSerializer, QuestionSerializer
from feeds.openapi import archive_examples, changes_examples
from feeds.openapi.problems import problems
from feeds.openapi.records import CandidatesSerializer, HealthSerializer, SearchResultsSerializer
from knowledge.models import SEARCH_KINDS, WINDOW_HOURS_MAX, UnitType
from knowledge.queries.parameters import (
    CANDIDATES_DEFAULT,
    CANDIDATES_MAX,
    CHANGES_DEFAULT,
    CHANGES_MAX,
    LIMIT_DEFAULT,
    LIMIT_MAX,
    QUERY_MAX_LENGTH,
    SWITCHED,
    WINDOW_HOURS_DEFAULT,
)
from knowledge.queries.serializers import (
    ChangesSerializer,
    EntityIndexSerializer,
    EventIndexSerializer,
    TopicIndexSerializer,
)
from knowledge.queries.series_serializers import PulseIndexSerializer
from knowledge.search.exact_names import NAME_MAX_LENGTH

READ_PROBLEMS = (405, 406, 500, 503)
NOT_MODIFIED = {304: OpenApiResponse(description="The copy named by `If-None-Match` is still right.")}
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="an ETag of an earlier response"
)
RETRY_AFTER = OpenApiParameter(
    "Retry-After", int, OpenApiParameter.HEADER, response=[429, 503], description="seconds"
)
ETAG = OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=[200, 304], description="strong")
NEXT_PAGE = OpenApiParameter(
    "Link",
    str,
    OpenApiParameter.HEADER,
    response=[200],
    description='the next page (`rel="next"`), absent on the last',
)
RATE_LIMITS = tuple(
    OpenApiParameter(name, str, OpenApiParameter.HEADER, response=[200, 429], description=text)
    for name, text in (
        (
            "RateLimit-Policy",
            'what an address may ask: `"minute";q=5;w=60, "day";q=50;w=86400`; as `RateLimit`, on no cached answer',
        ),
        (
            "RateLimit",
            'what is left of the tightest window: `"minute";r=4;t=30`; only where the request counted',
        ),
    )
)


def query(name: str, kind: type = str, **rest: Any) -> OpenApiParameter:
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, **rest)


def bounded(
    name: str, low: int, high: int, default: int | None, text: str, examples: Sequence[OpenApiExample] = ()
) -> OpenApiParameter:
    """An integer parameter with its bounds; another value is refused, never clamped."""
    schema: dict[str, Any] = {"type": "integer", "minimum": low, "maximum": high}
    if default is not None:
        schema["default"] = default
    return OpenApiParameter(name, schema, OpenApiParameter.QUERY, description=text, examples=examples)


def read(
    operation: str,
    tag: str,
    summary: str,
    serializer: Any,
    parameters: Sequence[OpenApiParameter] = (),
    *more: int,
    examples: Sequence[OpenApiExample] = (),
) -> Any:
    """The description of a GET from ready bytes; ``more`` are its problems beside those of every read."""
    return extend_schema(
        operation_id=operation,
        tags=[tag],
        summary=summary,
        parameters=[*parameters, IF_NONE_MATCH, ETAG, RETRY_AFTER],
        responses={200: serializer, **NOT_MODIFIED, **problems(*more, *READ_PROBLEMS)},
        examples=examples,
    )


def words(text: str, longest: int) -> OpenApiParameter:
    """What is looked for, in at most ``longest`` characters."""
    schema = {"type": "string", "minLength": 1, "maxLength": longest}
    return OpenApiParameter("q", schema, OpenApiParameter.QUERY, required=True, description=text)


def look_up(operation: str, summary: str, serializer: Any, *parameters: OpenApiParameter) -> Any:
    """The description of a GET that is answered anew each time."""
    return extend_schema(
        operation_id=operation,
        tags=["search"],
        summary=summary,
        parameters=[*parameters, RETRY_AFTER],
        responses={200: serializer, **problems(400, 405, 500, 503)},
    )


class Description(OpenApiViewExtension):
    """A view with its description, an ``extend_schema`` of its only method."""

    operation: Any

    def view_replacement(self) -> type[APIView]:
        # Decorating the class rather than the method leaves the project's default schema class alone.
        original = self.target_class
        assert isinstance(original, type)
        copy = type(original.__name__, (original,), {"schema": AutoSchema()})
        view: type[APIView] = type(self).operation(copy)
        return view


class Entities(Description):
    target_class = "knowledge.api.indexes.EntitiesView"
    operation = read("listEntities", "canonical", "All published entities", EntityIndexSerializer)


class Topics(Description):
    target_class = "knowledge.api.indexes.TopicsView"
    operation = read("listTopics", "canonical", "All published topics", TopicIndexSerializer)


class Events(Description):
    target_class = "knowledge.api.indexes.EventsView"
    operation = read("listEvents", "canonical", "All published events", EventIndexSerializer)


class ChangesSince(Description):
    target_class = "knowledge.api.changes.ChangesView"
    parameters = (
        OpenApiParameter(
            "since",
            {"type": "integer", "minimum": 0, "default": 0},
            OpenApiParameter.QUERY,
            description="`seq` of the last change that you have, or that a bulk item states; 0 for all that are kept",
        ),
        bounded("limit", 1, CHANGES_MAX, CHANGES_DEFAULT, "how many changes"),
        NEXT_PAGE,
    )
    operation = read(
        "listChanges",
        "canonical",
        "What changed in the indexes since a number, oldest first: a mirror that follows `next` misses nothing",
        ChangesSerializer,
        parameters,
        400,
        410,
        examples=changes_examples.RESPONSES,
    )


class Pulses(Description):
    target_class = "knowledge.api.indexes.PulsesView"
    hours = bounded("hours", 1, WINDOW_HOURS_MAX, WINDOW_HOURS_DEFAULT, "how far back to look")
    operation = read(
        "listPulses",
        "pulses",
        "Pulses of the last hours: prices, bursts of documents, kimchi premiums",
        PulseIndexSerializer,
        [hours],
        400,
    )


class Archive(Description):
    target_class = "archive.api.ArchiveView"
    parameters = (
        query(
            "date",
            description="a day, YYYY-MM-DD: its file, byte for byte; not together with `days`",
            examples=archive_examples.DATES,
        ),
        bounded("revision", 1, 999, None, "with `date`: an older revision of the file"),
        bounded(
            "days",
            1,
            DAYS_MAX,
            None,
            "the newest days that have a file; not together with `date`",
            examples=archive_examples.DAYS,
        ),
    )
    body = PolymorphicProxySerializer(
        "ArchiveResponse", [ManifestSerializer, DaySerializer, DaysSerializer], resource_type_field_name=None
    )
    operation = read(
        "readArchive",
        "archive",
        "The city archive: manifest, one day, or the newest days",
        body,
        parameters,
        400,
        404,
        examples=archive_examples.RESPONSES,
    )


class Search(Description):
    target_class = "knowledge.api.indexes.SearchView"
    operation = look_up(
        "search",
        "Records that answer a query, best first",
        SearchResultsSerializer,
        words("words in Korean or English, with at least one letter or digit", QUERY_MAX_LENGTH),
        query(
            "kind",
            many=True,
            enum=SEARCH_KINDS,
            description="only these; repeat or use commas. `asset` and `creator` are entities of that prefix, "
            "`entity` is every entity",
        ),
        bounded("limit", 1, LIMIT_MAX, LIMIT_DEFAULT, "how many records"),
        query("cursor", description="`nextCursor` of the page before"),
    )


class Resolve(Description):
    target_class = "knowledge.api.resolve.ResolveView"
    operation = look_up(
        "resolve",
        "The units that a name, ticker, alias, id or page address may mean, likeliest first",
        CandidatesSerializer,
        words("in Korean or English, in any spacing and case; nearly so written will do", NAME_MAX_LENGTH),
        query("type", many=True, enum=UnitType.values, description="only these; repeat or use commas"),
        bounded("limit", 1, CANDIDATES_MAX, CANDIDATES_DEFAULT, "how many candidates"),
    )


class Ask(Description):
    target_class = "ask.api.AskView"
    operation = extend_schema(
        operation_id="ask",
        tags=["ask"],
        summary="Ask a question; the answer cites canonical pages",
        request={"application/json": QuestionSerializer},
        parameters=[RETRY_AFTER, *RATE_LIMITS],
        responses={200: AnswerSerializer, **problems(400, 405, 410, 413, 415, 429, 500, 503)},
        examples=[
            OpenApiExample("Korean", {"question": "김치 프리미엄이 뭐야?"}, request_only=True),
            OpenApiExample("English", {"question": "What is the kimchi premium?"}, request_only=True),
        ],
    )


class Health(Description):
    target_class = "config.health.HealthView"
    operation = extend_schema(
        operation_id="readHealth",
        tags=["operations"],
        summary="The state of the service",
        parameters=[
            query(
                "detail",
                description="`1` judges the subsystems and shows each, and adds the audit and the service level; "
                "upper and lower case are the same",
                enum=list(SWITCHED),
            ),
            query(
                "strict",
                description="`1` judges the subsystems too: 503 when one failed; upper and lower case are the same. "
                "A slip such as `stirct` is refused, other names are let pass.",
                enum=list(SWITCHED),
            ),
        ],
        responses={
            200: HealthSerializer,
            503: OpenApiResponse(HealthSerializer, description="Only with `strict`: something failed."),
            **problems(400, 405, 500),
        },
    )
