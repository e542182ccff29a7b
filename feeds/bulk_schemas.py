"""``/api/bulk/schemas/<name>.json``: what each line of a bulk file looks like."""

from datetime import UTC, datetime
from functools import cache

from django.http import HttpResponse
from rest_framework.request import Request

from bulk.errors import NoSuchBulkSchema
from bulk.files import NAMES
from feeds.openapi import described
from knowledge.api.indexes import ReadyView
from knowledge.publications import StoredBody, keep, respond
from knowledge.publications.bodies import ready_body

CACHE_CONTROL = "public, max-age=3600"
# It is as old as the program.
BUILT_AT = datetime(2026, 11, 1, tzinfo=UTC)


class LineSchemaView(ReadyView):
    """The JSON Schema of the lines of one bulk file."""

    def get(self, request: Request, name: str) -> HttpResponse:  # type: ignore[override]
        if name not in NAMES:
            raise NoSuchBulkSchema
        plain = request._request
        return keep(plain, respond(plain, _ready(name), cache_control=CACHE_CONTROL), scopes=(), variant="")

    head = get  # type: ignore[assignment]


@cache
def _ready(name: str) -> StoredBody:
    return ready_body(
        described.line_schema_body(name), content_type="application/schema+json", built_at=BUILT_AT
    )
