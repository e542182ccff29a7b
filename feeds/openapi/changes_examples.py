"""What ``/api/changes.json`` answers, by example: an edit, a merge, and a number that is too old."""

from drf_spectacular.utils import OpenApiExample

_AT = "2026-11-20T12:00:00+09:00"
_RECORD = {
    "id": "topic:kimchi-premium",
    "label": "김치 프리미엄",
    "aliases": ["김프"],
    "documentCount": 120,
    "videoCount": 3,
    "updatedAt": _AT,
    "url": "/topic/kimchi-premium",
    "summary": "한국 거래소의 가격이 해외보다 높은 정도입니다.",
    "series": ["series:kimchi-premium"],
    "category": None,
    "country": None,
    "labelEn": "Kimchi premium",
    "summaryEn": "By how much the price on Korean exchanges exceeds the price abroad.",
    "sourceUrls": ["https://paper.example/kimchi-premium.pdf"],
}
_PAGE = {
    "count": 2,
    "items": [
        {
            "seq": 41,
            "id": "topic:kimchi-premium",
            "kind": "edited",
            "mergedInto": None,
            "at": _AT,
            "record": _RECORD,
        },
        {
            "seq": 42,
            "id": "topic:kimp",
            "kind": "merged",
            "mergedInto": "topic:kimchi-premium",
            "at": _AT,
            "record": None,
        },
    ],
    "next": "/api/changes.json?since=42&limit=2",
    "newest": 57,
}
_EXPIRED = {
    "type": "https://madang.example/docs#problem-cursor_expired",
    "title": "Gone",
    "status": 410,
    "detail": (
        "Changes are kept for 90 days, and those after 12 are older. Load the bulk files entities, topics and events"
        " listed at /api/bulk, then go on from the seq that they state."
    ),
    "instance": "/api/changes.json",
    "code": "cursor_expired",
    "errors": [{"parameter": "since", "oldest": 40, "bulk": "/api/bulk"}],
}

RESPONSES = [
    OpenApiExample("An edit and a merge", _PAGE, response_only=True, status_codes=["200"]),
    OpenApiExample(
        "A number that is too old",
        _EXPIRED,
        response_only=True,
        status_codes=["410"],
        media_type="application/problem+json",
    ),
]
