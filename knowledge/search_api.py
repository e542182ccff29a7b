"""``GET /api/search?q=&kind=&limit=&cursor=``."""

from __future__ import annotations

import re

from django.http import QueryDict
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledge import searching
from knowledge.catalogue.cursors import CursorError
from knowledge.errors import InvalidParameter
from knowledge.models import PassageKind

QUERY_MAX_LENGTH = 200
LIMIT_DEFAULT, LIMIT_MAX = 10, 50
WHOLE_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)


class SearchView(APIView):
    """Records that answer a query, best first, those of exactly that name foremost.

    No key, no limit of its own; at most 100 in pages of 1 to 50.
    """

    def get(self, request: Request) -> Response:
        parameters = request.query_params
        query, kinds = query_of(parameters), kinds_of(parameters)
        try:
            page = searching.find(
                query,
                now=timezone.now(),
                kinds=kinds,
                limit=limit_of(parameters),
                cursor=parameters.get("cursor", ""),
            )
        except CursorError:
            raise InvalidParameter(
                "cursor",
                "cursor must be the nextCursor of the page before; leave it out for the first page.",
                "cursor는 앞 페이지의 nextCursor여야 합니다. 첫 페이지에는 넣지 마세요.",
            ) from None
        body = {
            "query": query,
            "count": len(page.rows),
            "items": page.rows,
            "nextCursor": page.next_cursor or None,
        }
        return Response(body, headers={"Cache-Control": "public, max-age=30"})


def query_of(parameters: QueryDict) -> str:
    query = " ".join(parameters.get("q", "").replace("\x00", " ").split())
    if not any(map(str.isalnum, query)) or len(query) > QUERY_MAX_LENGTH:
        raise InvalidParameter(
            "q",
            f"q must hold a word to look for, at most {QUERY_MAX_LENGTH} characters, as in ?q=김치 프리미엄.",
            f"q에는 찾을 말이 있어야 하고 {QUERY_MAX_LENGTH}자를 넘을 수 없습니다. 예: ?q=김치 프리미엄",
        )
    return query


def kinds_of(parameters: QueryDict) -> list[str] | None:
    """The kinds asked for, from ``kind=`` once or several times or with commas; None for all."""
    wanted = [kind for value in parameters.getlist("kind") for kind in value.split(",") if kind]
    known = ", ".join(PassageKind.values)
    if any(kind not in PassageKind.values for kind in wanted):
        raise InvalidParameter(
            "kind", f"kind must be one of {known}.", f"kind는 다음 가운데 하나여야 합니다: {known}."
        )
    return wanted or None


def limit_of(parameters: QueryDict) -> int:
    values = parameters.getlist("limit")
    if not values:
        return LIMIT_DEFAULT
    limit = int(values[0]) if len(values) == 1 and WHOLE_NUMBER.fullmatch(values[0]) else 0
    if not 1 <= limit <= LIMIT_MAX:
        raise InvalidParameter(
            "limit",
            f"limit must be a whole number, 1 to {LIMIT_MAX}.",
            f"limit는 1부터 {LIMIT_MAX}까지의 정수여야 합니다.",
        )
    return limit
