"""What the addresses of series take and give."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from feeds.openapi import series_examples as examples
from feeds.openapi.problems import problems
from feeds.openapi.records import SeriesPointsSerializer
from feeds.openapi.views import (
    ETAG,
    IF_NONE_MATCH,
    NEXT_PAGE,
    NOT_MODIFIED,
    RETRY_AFTER,
    Description,
    bounded,
    query,
    read,
)
from knowledge.api.series import LIMIT_DEFAULT
from knowledge.queries.series_serializers import SeriesIndexSerializer
from knowledge.series.values import POINTS_MAX

SLUG = OpenApiParameter(
    "slug",
    {"type": "string", "pattern": "^[a-z0-9-]+$", "maxLength": 80},
    OpenApiParameter.PATH,
    description="the id without `series:`, such as `usd-krw`",
)
SPAN = (
    query("from", description="first day (Seoul) YYYY-MM-DD, or RFC 3339 time; included"),
    query("to", description="last day (Seoul) YYYY-MM-DD, or RFC 3339 time; included"),
)
TERMS = OpenApiParameter(
    "Link",
    str,
    OpenApiParameter.HEADER,
    response=[200],
    description='the licence (`rel="license"`) and the source (`rel="via"`)',
)
# As for pages, a reader who refuses every coding gets the plain body: there is no 406.
OWN_PROBLEMS = (400, 404, 405, 410, 500, 503)


class SeriesIndex(Description):
    target_class = "knowledge.api.indexes.SeriesIndexView"
    operation = read(
        "listSeries",
        "series",
        "All public series with latest value, changes and source",
        SeriesIndexSerializer,
        examples=examples.INDEX,
    )


class SeriesPoints(Description):
    target_class = "knowledge.api.series.SeriesPointsView"
    operation = extend_schema(
        operation_id="readSeries",
        tags=["series"],
        summary="The points of one series, oldest first",
        description=(
            "What a source does not let pass on (prices of exchanges) is given as day closes of the last 400 days, in "
            "their newest revision. Elsewhere a corrected value is a new revision: the newest is given, all of them "
            "with `revisions=1`. Codes: `invalid_parameter` (400; the query holds what is not "
            "named here, twice, or out of bounds), `no_such_series` (404; `errors[0].nearest` has the three nearest), "
            "`gone` (410; what it is about was retracted)."
        ),
        parameters=[
            SLUG,
            *SPAN,
            bounded("limit", 1, POINTS_MAX, LIMIT_DEFAULT, "points a page"),
            query("cursor", description="as in `next` of the page before, with `from` and `to` unchanged"),
            query("revisions", description="`1` gives all revisions, with `fetchedAt`", enum=["1"]),
            IF_NONE_MATCH,
            ETAG,
            NEXT_PAGE,
            RETRY_AFTER,
        ],
        responses={200: SeriesPointsSerializer, **NOT_MODIFIED, **problems(*OWN_PROBLEMS)},
        examples=examples.POINTS,
    )


class SeriesTable(Description):
    target_class = "knowledge.api.series.SeriesTableView"
    table: Any = OpenApiResponse(
        str,
        description="Columns `at,period,value`; `Link` names source and licence.",
        examples=examples.TABLE,
    )
    operation = extend_schema(
        operation_id="readSeriesTable",
        tags=["series"],
        summary="The points of one series as CSV, all at once",
        description=(
            "Codes: `invalid_parameter` (400), `no_such_series` (404; `errors[0].nearest` has the three nearest), "
            "`not_redistributable` (404; terms of the source: only the JSON address answers), `gone` (410)."
        ),
        parameters=[SLUG, *SPAN, IF_NONE_MATCH, ETAG, TERMS, RETRY_AFTER],
        responses={(200, "text/csv"): table, **NOT_MODIFIED, **problems(*OWN_PROBLEMS)},
    )
