"""``POST /api/ask``: a question as JSON, an answer with citations."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils import timezone
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ask import answering, limits
from ask.errors import BODY_MAX_BYTES, BodyTooLarge, InvalidBody
from ask.limits import Allowance
from ask.serializers import AnswerSerializer, QuestionSerializer


class SmallJsonParser(BaseParser):
    """One JSON object of at most 4 KB in UTF-8.

    Stricter than DRF's own, which reads any size, lets nesting exhaust the stack and takes NaN and repeated keys.
    """

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        body = stream.read(BODY_MAX_BYTES + 1)
        if len(body) > BODY_MAX_BYTES:
            raise BodyTooLarge
        try:
            parsed = json.loads(
                body.decode("utf-8-sig"), object_pairs_hook=_without_repeats, parse_constant=_refuse_constant
            )
        except (ValueError, RecursionError) as error:
            raise InvalidBody from error
        if not isinstance(parsed, dict):
            raise InvalidBody
        return parsed


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


class AskView(APIView):
    """Ask a question in Korean or English; the answer cites canonical pages and stays at ``/ask/q/<questionHash>``."""

    http_method_names = ["post", "options"]
    parser_classes = (SmallJsonParser,)
    serializer_class = AnswerSerializer
    request_serializer_class = QuestionSerializer

    allowance: Allowance | None = None

    def post(self, request: Request) -> Response:
        asked: dict[str, Any] = request.data  # type: ignore[assignment]  # the parser lets nothing else through
        self.allowance = limits.of_visitor(request._request)
        reply = answering.ask(asked.get("question"), now=timezone.now(), allowance=self.allowance)
        return Response(AnswerSerializer(reply).data)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Whatever became of a question that was counted, its windows are told."""
        final = super().finalize_response(request, response, *args, **kwargs)
        counted = self.allowance.headers() if self.allowance is not None else {}
        for name, value in {"Cache-Control": "no-store", "X-Robots-Tag": "noindex", **counted}.items():
            final.headers[name] = value
        return final
