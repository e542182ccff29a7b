"""What the addresses of series answer, by example; the figures are invented."""

from typing import Any

from drf_spectacular.utils import OpenApiExample

from knowledge.licence import LICENCE_OF_SERIES

_SOURCE = {
    "label": "한국은행 경제통계시스템",
    "labelEn": "Bank of Korea, Economic Statistics System",
    "url": "https://ecos.bok.or.kr/",
}
_LICENCE = {
    "licence": "한국은행 경제통계시스템 이용 조건(출처 표시)",
    "licenceEn": "Terms of the Bank of Korea Economic Statistics System (attribution)",
}
RECORD: dict[str, Any] = {
    "id": "series:bok-base-rate",
    "label": "한국은행 기준금리",
    "labelEn": "Bank of Korea base rate",
    "aliases": ["기준금리", "base rate"],
    "unit": "%",
    "cadence": "monthly",
    "holder": "topic:bok-rate",
    "latest": {"at": "2026-10-01T00:00:00+09:00", "period": "2026-10", "value": 2.5, "stale": False},
    "changes": {
        "previous": {"since": "2026-09-01T00:00:00+09:00", "points": 0},
        "day": None,
        "week": None,
        "year": {"since": "2025-10-01T00:00:00+09:00", "points": -0.75},
    },
    "source": _SOURCE,
    **_LICENCE,
    "redistributable": True,
    "updatedAt": "2026-11-20T09:10:00+09:00",
    "url": "/number/bok-base-rate",
}
_INDEX = {
    "version": "v1",
    "count": 1,
    "generated_at": "2026-11-20T09:10:02+09:00",
    "site": "https://madang.example",
    "licence": LICENCE_OF_SERIES,
    "series": [RECORD],
}
_POINTS = {
    "id": RECORD["id"],
    "label": RECORD["label"],
    "labelEn": RECORD["labelEn"],
    "unit": "%",
    "cadence": "monthly",
    "source": _SOURCE,
    **_LICENCE,
    "count": 2,
    "points": [
        {"at": "2026-09-01T00:00:00+09:00", "period": "2026-09", "value": 2.5, "revision": 1},
        {"at": "2026-10-01T00:00:00+09:00", "period": "2026-10", "value": 2.5, "revision": 1},
    ],
    "next": None,
}
_TABLE = (
    "at,period,value\r\n2026-09-01T00:00:00+09:00,2026-09,2.5\r\n2026-10-01T00:00:00+09:00,2026-10,2.5\r\n"
)

INDEX = [OpenApiExample("One series", _INDEX, status_codes=["200"], response_only=True)]
POINTS = [OpenApiExample("Two months", _POINTS, status_codes=["200"], response_only=True)]
TABLE = [OpenApiExample("Two months", _TABLE)]
