"""What the city archive answers, by example: the manifest, a day that has no file, both parameters at once."""

from drf_spectacular.utils import OpenApiExample

from knowledge.licence import LICENCE

_ITEM = {
    "date": "2026-11-20",
    "status": "complete",
    "late": False,
    "rehearsal": False,
    "url": "https://madang.example/api/archive?date=2026-11-20",
    "bytes": 7884,
    "sha256": "03b166305071d0336b1ce8f1d2a4f1a7b0c3c77a0d55c2f7a1e4e7b6f1b0a9c2",
    "revision": 1,
    "sealedAt": "2026-11-21T00:00:02+09:00",
}
_MANIFEST = {
    "schemaVersion": 1,
    "site": "https://madang.example",
    "license": LICENCE,
    "description": "One file a day of a virtual city.",
    "attribution": f"Madang, https://madang.example/city, {LICENCE}",
    "count": 1,
    "items": [_ITEM],
    "gaps": ["2026-11-18"],
    "methods": {
        "manifest": "GET /api/archive",
        "daySnapshot": "GET /api/archive?date=YYYY-MM-DD",
        "bulk": "GET /api/archive?days=14 (max 60)",
    },
    "firstDate": "2026-11-17",
    "lastDate": "2026-11-20",
}

DATES = [OpenApiExample("A day", "2026-11-20")]
DAYS = [OpenApiExample("A fortnight", 14)]


def _problem(name: str, status: int, title: str, code: str, detail: str) -> OpenApiExample:
    body = {
        "type": f"https://madang.example/docs#problem-{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "instance": "/api/archive",
        "code": code,
    }
    return OpenApiExample(
        name, body, status_codes=[str(status)], media_type="application/problem+json", response_only=True
    )


RESPONSES = [
    OpenApiExample("The manifest", _MANIFEST, status_codes=["200"], response_only=True),
    OpenApiExample(
        "An archive without a day yet",
        {**_MANIFEST, "count": 0, "items": [], "gaps": [], "firstDate": None, "lastDate": None},
        status_codes=["200"],
        response_only=True,
    ),
    _problem(
        "Both at once",
        400,
        "Bad Request",
        "invalid_parameter",
        "Give either date or days, not both.",
    ),
    _problem(
        "A day without a file",
        404,
        "Not Found",
        "no_such_day",
        "There is no file for 2026-11-18. The nearest days that have one: 2026-11-17, 2026-11-19.",
    ),
]
