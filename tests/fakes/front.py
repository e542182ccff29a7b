"""The front door's part in asking: a request whose response names a scope is sent again once that scope was told."""

from collections.abc import Callable
from typing import Any

from knowledge.publications.keeping import WAIT_HEADER

ATTEMPTS = 10


def through_front(send: Callable[[], Any], told: Callable[[str], None]) -> Any:
    """The response that a client of the front gets. ``told`` is what happens until the scope it is given is told."""
    for _ in range(ATTEMPTS):
        response = send()
        if WAIT_HEADER not in response.headers:
            return response
        told(response.headers[WAIT_HEADER])
    raise AssertionError("the response names what to wait for again and again")
