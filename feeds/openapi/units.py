"""What the address of one unit takes and gives."""

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from feeds.openapi import unit_examples as examples
from feeds.openapi.problems import problems
from feeds.openapi.views import ETAG, IF_NONE_MATCH, NOT_MODIFIED, RETRY_AFTER, Description
from knowledge.queries.serializers import ProfileRecordSerializer

ID = OpenApiParameter(
    "id",
    {"type": "string", "pattern": "^[a-z]+:[a-z0-9-]+$", "maxLength": 113},
    OpenApiParameter.PATH,
    description="the id of an asset, entity, creator, topic or event, such as `asset:btc`",
)
LOCATION = OpenApiParameter(
    "Location", str, OpenApiParameter.HEADER, response=[308], description="of its survivor"
)


class UnitProfile(Description):
    target_class = "knowledge.api.units.UnitView"
    operation = extend_schema(
        operation_id="readUnit",
        tags=["canonical"],
        summary="The whole public record of one unit",
        description=(
            "The record of its index with what belongs to it: events, pulses, documents, posts, series, relations. "
            "Codes: `no_such_unit` (404; `errors[0].nearest` has the three nearest ids), `gone` (410; retracted). "
            "To try a client: `asset:matic` of the starter canon was merged, 308 to `asset:pol`."
        ),
        parameters=[ID, IF_NONE_MATCH, ETAG, RETRY_AFTER, LOCATION],
        responses={
            200: ProfileRecordSerializer,
            **NOT_MODIFIED,
            308: OpenApiResponse(description="It was merged; `Location` is its survivor's."),
            **problems(404, 405, 410, 500, 503),
        },
        examples=examples.UNIT,
    )
