"""``/api/units/<id>.json``: the whole public record of one unit."""

import re
from http import HTTPStatus

import orjson
from django.http import HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from rest_framework import status
from rest_framework.request import Request
from rest_framework.views import APIView

from knowledge.errors import Gone, Refusal
from knowledge.models import Unit
from knowledge.publications import keep, revalidated
from knowledge.publications.delivery import CACHE_CONTROL
from knowledge.publications.keeping import UNTOLD_SECONDS
from knowledge.queries.names import nearest_ids
from knowledge.queries.profiles import profile_of, whole_record
from knowledge.queries.sheets import SCOPES
from knowledge.series.values import json_number

_ID = re.compile(r"[a-z]{1,16}:[a-z0-9-]{1,96}", re.ASCII)


class NoSuchUnit(Refusal):
    """404: no public unit has this id."""

    status_code = status.HTTP_404_NOT_FOUND
    default_code = "no_such_unit"

    def __init__(self, public_id: str, nearest: list[str]) -> None:
        named = ", ".join(nearest) or "none yet"
        super().__init__(
            f"There is no unit {public_id[:120]}. The nearest: {named}. /api/canonical/entities.json, topics.json and"
            " events.json beside it list all.",
            f"{public_id[:120]}라는 항목은 없습니다. 가까운 것: {named}. 전체 목록은 /api/canonical/entities.json과"
            " 그 옆의 topics.json, events.json에 있습니다.",
            errors=[{"parameter": "id", "nearest": nearest}],
        )


class UnitView(APIView):
    """One unit with all that belongs to it: 308 to its survivor when merged, 410 when retracted."""

    def get(self, request: Request, id: str) -> HttpResponseBase:
        unit = Unit.objects.find(id) if _ID.fullmatch(id) else None
        standing = unit.public_status if unit else HTTPStatus.NOT_FOUND
        if unit is None or standing is HTTPStatus.NOT_FOUND:
            raise NoSuchUnit(id, nearest_ids(id))
        if standing is HTTPStatus.GONE:
            raise Gone
        if standing is HTTPStatus.PERMANENT_REDIRECT:
            survivor = reverse("unit-json", args=[unit.survivor.public_id])
            moved = HttpResponsePermanentRedirect(survivor, preserve_request=True)
            moved.headers["Cache-Control"] = CACHE_CONTROL
            return moved
        response = revalidated(request._request, _whole(unit), cache_control=CACHE_CONTROL)
        return keep(request._request, response, scopes=SCOPES, seconds=UNTOLD_SECONDS, variant="")


def _whole(unit: Unit) -> HttpResponse:
    record = whole_record(profile_of(unit, now=timezone.now()))
    return HttpResponse(orjson.dumps(record, default=json_number), content_type="application/json")
