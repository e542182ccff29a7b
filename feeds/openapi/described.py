"""``/openapi.json``: OpenAPI 3.1, made once a process from the routes, the views and their serialisers."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

import orjson
from django.conf import settings

_making = threading.Lock()
VERSION = "1.0.0"
DESCRIPTION = (
    "Korean crypto knowledge linked to its sources, and the daily archive of a virtual city. Free, without a key; "
    "reads have no limit. Every read answers GET and HEAD, carries a strong ETag and may be fetched from any "
    "origin. Within a version fields are added, never removed or renamed."
)
TAGS = {
    "canonical": "The indexes of everything that is published",
    "pulses": "Sudden moves of assets",
    "search": "Records by words",
    "ask": "Questions, answered with citations; limited by address",
    "archive": "One sealed file a day of a virtual city, CC BY 4.0",
    "operations": "The state of the service",
    "files": "Feeds and files for crawlers, readers and agents",
    "mcp": "The same for agents, as tools",
}


def document() -> dict[str, Any]:
    """The description as a value. Heavy to make and to import, so that happens with the first request for it."""
    with _making:
        return _document()


@cache
def _document() -> dict[str, Any]:
    from feeds.openapi.generation import generate

    return generate()


@cache
def body() -> bytes:
    return orjson.dumps(document(), option=orjson.OPT_INDENT_2)


def head() -> dict[str, Any]:
    """What stands above the paths."""
    return {
        "TITLE": settings.SERVICE_NAME,
        "VERSION": VERSION,
        "DESCRIPTION": DESCRIPTION,
        "OAS_VERSION": "3.1.0",
        "CONTACT": {"name": settings.SERVICE_NAME, "email": settings.CONTACT_EMAIL},
        "LICENSE": {
            "name": "Free quotation with an inline link; the city archive is CC BY 4.0",
            "url": f"{settings.BASE_URL}/about",
        },
        "TOS": f"{settings.BASE_URL}/about",
        "EXTERNAL_DOCS": {"description": "Documentation", "url": f"{settings.BASE_URL}/docs"},
        "SERVERS": [{"url": settings.BASE_URL}],
        "TAGS": [{"name": name, "description": text} for name, text in TAGS.items()],
    }
