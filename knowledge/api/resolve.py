"""``/api/resolve``: a name to the ids of units."""

from django.http import QueryDict
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledge.publications.indexes import VERSION
from knowledge.queries.parameters import candidates_limit, name_of, types_of
from knowledge.queries.resolving import candidate_record, resolved


class ResolveView(APIView):
    """The units that a name, ticker, alias, id or page address may mean, likeliest first.

    No key, no limit of its own.
    """

    def get(self, request: Request) -> Response:
        parameters: QueryDict = request.query_params
        found = resolved(name_of(parameters), types=types_of(parameters), limit=candidates_limit(parameters))
        body = {"version": VERSION, "count": len(found), "candidates": list(map(candidate_record, found))}
        return Response(body, headers={"Cache-Control": "public, max-age=30"})
