"""The canonical indexes and the pulses, as JSON."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from knowledge import serializers
from knowledge.errors import InvalidParameter
from knowledge.models import WINDOW_HOURS_MAX
from knowledge.publications import ReadyBody, respond, shelf
from knowledge.publications.pulse_window import pulse_windows

WINDOW_HOURS_DEFAULT = 72
WHOLE_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)


class ReadyView(APIView):
    """A GET, a HEAD or a 304 from the bytes in memory: no query, no serialiser.

    ``serializer_class`` says what the body holds, for the schema.
    """

    http_method_names = ["get", "head", "options"]
    serializer_class: ClassVar[type[BaseSerializer[Any]]]
    format_kwarg = None  # no address here ends in a format to choose

    def ready(self, request: HttpRequest) -> ReadyBody:
        raise NotImplementedError

    def get(self, request: Request) -> HttpResponse:
        # The plain request: every look-up through DRF's wrapper costs a failed attribute access first.
        plain = request._request
        return respond(plain, self.ready(plain))

    head = get

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Nothing to authenticate, permit, throttle or version; the renderer is for errors."""
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)

    @property
    def default_response_headers(self) -> dict[str, str]:
        return {}  # `Allow` belongs to 405 and OPTIONS; `Vary` is set where the variant is chosen


class EntitiesView(ReadyView):
    """All published entities, sorted by id."""

    serializer_class = serializers.EntityIndexSerializer

    def ready(self, request: HttpRequest) -> ReadyBody:
        return shelf.get("entities")


class TopicsView(ReadyView):
    """All published topics, sorted by id."""

    serializer_class = serializers.TopicIndexSerializer

    def ready(self, request: HttpRequest) -> ReadyBody:
        return shelf.get("topics")


class EventsView(ReadyView):
    """All published events, sorted by id."""

    serializer_class = serializers.EventIndexSerializer

    def ready(self, request: HttpRequest) -> ReadyBody:
        return shelf.get("events")


class PulsesView(ReadyView):
    """Published pulses detected in the last ``hours`` (1 to 168, 72 unless told), newest first."""

    serializer_class = serializers.PulseIndexSerializer

    def ready(self, request: HttpRequest) -> ReadyBody:
        return pulse_windows.get(window_hours(request.GET), now=timezone.now())


def window_hours(parameters: QueryDict) -> int:
    """``hours`` of a query string; raises InvalidParameter (400) rather than guess what else was meant."""
    values = parameters.getlist("hours")
    if not values:
        return WINDOW_HOURS_DEFAULT
    hours = int(values[0]) if len(values) == 1 and WHOLE_NUMBER.fullmatch(values[0]) else 0
    if not 1 <= hours <= WINDOW_HOURS_MAX:
        raise InvalidParameter(
            "hours",
            f"hours must be one whole number, 1 to {WINDOW_HOURS_MAX}, as in ?hours={WINDOW_HOURS_DEFAULT}.",
            f"hours는 1부터 {WINDOW_HOURS_MAX}까지의 정수 하나여야 합니다. 예: ?hours={WINDOW_HOURS_DEFAULT}",
        )
    return hours
