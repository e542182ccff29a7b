"""``/api/changes.json``: what changed in the indexes since a number, oldest first."""

from urllib.parse import urlencode

import orjson
from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.views import APIView

from knowledge.errors import InvalidParameter
from knowledge.publications import keep, revalidated
from knowledge.publications.delivery import CACHE_CONTROL
from knowledge.publications.keeping import variant_of
from knowledge.queries.changes import changes_after
from knowledge.queries.parameters import changes_limit, since_of

PARAMETERS = frozenset({"since", "limit"})
SCOPES = frozenset({"entity", "topic", "event"})


class ChangesView(APIView):
    """Changes of public units with a higher ``seq`` than ``since``, in pages of 1 to 1,000."""

    def get(self, request: Request) -> HttpResponse:
        parameters = request.GET
        _refuse_unknown(parameters)
        since, limit = since_of(parameters), changes_limit(parameters)
        changes = changes_after(since, limit, now=timezone.now())
        following = None
        if changes.following is not None:
            query = urlencode({"since": changes.following, "limit": limit})
            following = f"{reverse('changes-json')}?{query}"
        body = {
            "count": len(changes.items),
            "items": changes.items,
            "next": following,
            "newest": changes.newest,
        }
        response = HttpResponse(orjson.dumps(body), content_type="application/json")
        if following:
            response.headers["Link"] = f'<{following}>; rel="next"'
        plain = request._request
        variant = variant_of(since=since, limit=limit)
        found = revalidated(plain, response, cache_control=CACHE_CONTROL)
        return keep(plain, found, scopes=SCOPES, variant=variant)


def _refuse_unknown(parameters: QueryDict) -> None:
    for name in parameters:
        if name not in PARAMETERS:
            raise InvalidParameter(
                name[:40],
                "The parameters here are since and limit.",
                "쓸 수 있는 매개변수는 since와 limit입니다.",
            )
