"""Content negotiation of the JSON surfaces: there is one representation, so nobody is asked what they accept.

Browsers send ``Accept: text/html``, some agents ``application/*``, feed readers anything. A 406 would help
none of them, and reading the header would cost more than handing out the ready bytes.
"""

from collections.abc import Iterable

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class AlwaysJson(DefaultContentNegotiation):
    """The view's first renderer, whatever ``Accept`` or ``?format=`` say. Parsers go by Content-Type."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)
