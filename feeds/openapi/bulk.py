"""What the addresses of bulk files take and give."""

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from bulk.api import CONTENT_TYPE
from bulk.files import NAMES
from bulk.serializers import BulkListSerializer
from feeds.openapi.problems import problems
from feeds.openapi.views import (
    ETAG,
    IF_NONE_MATCH,
    NOT_MODIFIED,
    READ_PROBLEMS,
    RETRY_AFTER,
    Description,
    read,
)


class BulkList(Description):
    target_class = "bulk.api.BulkListView"
    operation = read(
        "listBulk",
        "bulk",
        "The files of the last 35 nights, newest first, and what is in none",
        BulkListSerializer,
    )


BULK_NAME = OpenApiParameter(
    "name", {"type": "string", "enum": list(NAMES)}, OpenApiParameter.PATH, description="what it holds"
)


class BulkFileBytes(Description):
    target_class = "bulk.api.BulkFileView"
    parameters = (
        OpenApiParameter(
            "day",
            {"type": "string", "format": "date"},
            OpenApiParameter.PATH,
            description="a day of the list",
        ),
        BULK_NAME,
        OpenApiParameter(
            "Range", str, OpenApiParameter.HEADER, description="one range of bytes, as in `bytes=1000-`"
        ),
        OpenApiParameter(
            "If-Range", str, OpenApiParameter.HEADER, description="the ETag of what came before the range"
        ),
        IF_NONE_MATCH,
        ETAG,
        RETRY_AFTER,
    )
    operation = extend_schema(
        operation_id="readBulkFile",
        tags=["bulk"],
        summary="One file: JSON Lines, gzip; it never changes, and its ETag is its sha256",
        parameters=list(parameters),
        responses={
            (200, CONTENT_TYPE): OpenApiResponse(bytes, description="the whole file"),
            (206, CONTENT_TYPE): OpenApiResponse(bytes, description="the range; see `Content-Range`"),
            **NOT_MODIFIED,
            **problems(404, 405, 416, 500, 503),
        },
    )


class LineSchema(Description):
    target_class = "feeds.bulk_schemas.LineSchemaView"
    operation = extend_schema(
        operation_id="readBulkSchema",
        tags=["bulk"],
        summary="The JSON Schema that each line of a bulk file meets",
        parameters=[BULK_NAME, IF_NONE_MATCH, ETAG, RETRY_AFTER],
        responses={
            (200, "application/schema+json"): OpenApiResponse(
                {"$ref": "#/components/schemas/JsonSchema"}, description="JSON Schema 2020-12"
            ),
            **NOT_MODIFIED,
            **problems(404, *READ_PROBLEMS),
        },
    )
