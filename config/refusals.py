"""What a view outside DRF raises to refuse, and what no view could read, as an answer that helps.

Without this such a view would be a 500 with a trace in the log for each request of an outage, and DEBUG's own page
would show the inside of the machine.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from config.errors import page, status_of
from knowledge.errors import Refusal

FORM = "application/x-www-form-urlencoded"


class Refusals:
    """Refusals and a store that is away, in the form of the address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_unreadable_form(request):
            return page(request, 415 if request.path_info.startswith("/api/") else 400)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        status = status_of(exception)
        if isinstance(exception, Refusal) or status == 503:
            return page(request, status or 500, exception)
        return None


def is_unreadable_form(request: HttpRequest) -> bool:
    """A form in another encoding than UTF-8: reading it raises, for DEBUG's page about that error as well."""
    return request.content_type == FORM and (request.encoding or "utf-8").lower() != "utf-8"
