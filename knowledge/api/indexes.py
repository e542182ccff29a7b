"""The canonical indexes, the pulses and search, as JSON."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledge.errors import InvalidParameter
from knowledge.publications import index_scope, keep, publication_cache, respond
from knowledge.publications.indexes import PULSES, pulses_until, pulses_within
from knowledge.publications.keeping import variant_of
from knowledge.queries import search
from knowledge.queries.cursors import CursorError
from knowledge.queries.parameters import kinds_of, limit_of, query_of, window_hours
from knowledge.queries.profiles import unit_reference


class ReadyView(APIView):
    """A GET, a HEAD or a 304 from the bytes in memory: no query, no serialiser."""

    http_method_names = ["get", "head", "options"]
    format_kwarg = None  # no address here ends in a format to choose
    publication: ClassVar[str]

    def get(self, request: Request) -> HttpResponse:
        # The plain request: every look-up through DRF's wrapper costs a failed attribute access first.
        plain = request._request
        response = respond(plain, publication_cache.get(self.publication))
        return keep(plain, response, scopes=[index_scope(self.publication)], variant="")

    head = get

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Nothing to authenticate, permit, throttle or version; the renderer is for errors."""
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)

    @property
    def default_response_headers(self) -> dict[str, str]:
        return {}  # `Allow` belongs to 405 and OPTIONS; `Vary` is set where the variant is chosen


class EntitiesView(ReadyView):
    """All published entities, sorted by id."""

    publication = "entities"


class TopicsView(ReadyView):
    """All published topics, sorted by id."""

    publication = "topics"


class EventsView(ReadyView):
    """All published events, sorted by id."""

    publication = "events"


class SeriesIndexView(ReadyView):
    """All public series with what they say now, sorted by id."""

    publication = "series"


class PulsesView(ReadyView):
    """Published pulses detected in the last ``hours`` (1 to 168, 72 unless told), newest first."""

    publication = PULSES.name

    def get(self, request: Request) -> HttpResponse:
        plain, hours, now = request._request, window_hours(request.GET), timezone.now()
        return keep(
            plain,
            respond(plain, pulses_within(hours, now=now)),
            scopes=[index_scope(self.publication)],
            seconds=pulses_until(hours, now=now).total_seconds(),
            variant=variant_of(hours=hours),
        )

    head = get


class SearchView(APIView):
    """Records that answer a query, best first, those of exactly that name foremost. None, where no record holds enough
    of it: then the units that may have been meant, and the words by which something is found.

    No key, no limit of its own; at most 100 in pages of 1 to 50.
    """

    def get(self, request: Request) -> Response:
        parameters = request.query_params
        query, kinds = query_of(parameters), kinds_of(parameters)
        try:
            page = search.results(
                query,
                now=timezone.now(),
                kinds=kinds,
                limit=limit_of(parameters),
                cursor=parameters.get("cursor", ""),
            )
        except CursorError:
            raise InvalidParameter(
                "cursor",
                "cursor must be the nextCursor of the page before, with q and kind unchanged;"
                " leave it out for the first page.",
                "cursor는 q와 kind가 같은 앞 페이지의 nextCursor여야 합니다. 첫 페이지에는 넣지 마세요.",
            ) from None
        body = {
            "query": query,
            "count": len(page.rows),
            "items": page.rows,
            "nextCursor": page.next_cursor or None,
            "mended": [one._asdict() for one in page.mended],
            "meant": list(map(unit_reference, page.meant)),
            "heldWords": page.held_words,
        }
        return Response(body, headers={"Cache-Control": "public, max-age=30"})
