"""The one error body, and which statuses an operation answers with it."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers

PROBLEM_JSON = "application/problem+json"
MEANINGS = {
    400: "A parameter or the body cannot be read; `detail` names the fix.",
    404: "There is no such record; `detail` says what there is.",
    405: "The address does not take that method; see `Allow`.",
    406: "`Accept-Encoding` refuses every coding there is.",
    410: "It was withdrawn, or is no longer kept, and does not come back.",
    413: "The body is larger than this address takes.",
    415: "The body is not `application/json`.",
    416: "The range begins behind the end; `Content-Range` says how long the file is.",
    429: "The limit of this address is used up; `Retry-After` says for how long.",
    500: "A defect of the service.",
    503: "Not at the moment; `code` says why, `Retry-After` when to ask again.",
}


class ProblemErrorSerializer(serializers.Serializer[Any]):
    """What was wrong with one parameter or field; what else it says depends on `code`."""

    parameter = serializers.CharField(required=False)
    field = serializers.CharField(required=False)
    detail = serializers.CharField(required=False)
    nearest = serializers.ListField(child=serializers.CharField(), required=False, help_text="with a 404")
    newest = serializers.IntegerField(required=False, help_text="with `no_such_revision`")
    oldest = serializers.IntegerField(
        required=False, help_text="with `cursor_expired`: the first change that is kept"
    )
    bulk = serializers.CharField(required=False, help_text="with `cursor_expired`: where to load everything")


class ProblemSerializer(serializers.Serializer[Any]):
    """An RFC 9457 problem. Errors under /api/ have this shape; MCP answers JSON-RPC errors instead."""

    type = serializers.URLField(help_text="where the documentation explains `code`")
    title = serializers.CharField(help_text="the status in words")
    status = serializers.IntegerField(min_value=400, max_value=599)
    detail = serializers.CharField(help_text="names the fix; in Korean where Accept-Language prefers it")
    instance = serializers.CharField(help_text="the path that was asked")
    code = serializers.CharField(help_text="stable; see /docs")
    retryAfter = serializers.IntegerField(required=False, min_value=0, help_text="seconds")  # noqa: N815
    errors = ProblemErrorSerializer(many=True, required=False)  # type: ignore[assignment]  # a member's name


def problems(*statuses: int) -> dict[tuple[int, str], OpenApiResponse]:
    """Responses of an operation that are problems."""
    return {
        (status, PROBLEM_JSON): OpenApiResponse(ProblemSerializer, description=MEANINGS[status])
        for status in statuses
    }
