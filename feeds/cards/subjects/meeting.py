"""What a reader meets at the address of a page."""

from collections.abc import Collection
from http import HTTPStatus
from typing import NamedTuple

UNKNOWN, GONE = HTTPStatus.NOT_FOUND, HTTPStatus.GONE


class Meeting(NamedTuple):
    """``path`` is where a moved page stands now; ``scopes`` tell that any of it may be another."""

    status: HTTPStatus
    scopes: Collection[str] = ()
    path: str = ""
