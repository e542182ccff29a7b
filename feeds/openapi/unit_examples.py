"""What the address of one unit answers, by example; the figures are invented."""

from typing import Any

from drf_spectacular.utils import OpenApiExample

from feeds.openapi.series_examples import RECORD

_TOPIC: dict[str, Any] = {
    "version": "v1",
    "site": "https://madang.example",
    "kind": "topic",
    "type": "topic",
    "id": "topic:bok-rate",
    "label": "한국은행 기준금리",
    "aliases": ["기준금리", "BOK base rate"],
    "documentCount": 12,
    "videoCount": 1,
    "updatedAt": "2026-11-20T09:00:00+09:00",
    "url": "/topic/bok-rate",
    "summary": "한국은행 금융통화위원회가 정하는 정책 금리이다.",
    "category": None,
    "country": None,
    "labelEn": "Bank of Korea base rate",
    "summaryEn": "The policy rate that the Bank of Korea's monetary policy board sets.",
    "sourceUrls": ["https://bank.example/base-rate"],
    "mergedIds": [],
    "references": [{"id": "entity:bok", "label": "한국은행", "url": "/entity/bok"}],
    "events": [
        {
            "id": "event:2025-05-bok-cut",
            "label": "기준금리 인하",
            "url": "/event/2025-05-bok-cut",
            "occurredAt": "2025-05-29T10:00:00+09:00",
        }
    ],
    "pulses": [],
    "documents": [
        {
            "id": "document:12",
            "kind": "news",
            "title": "기준금리 동결",
            "url": "https://news.example/1",
            "source": "새벽경제",
            "publishedAt": "2026-11-19T10:00:00+09:00",
        }
    ],
    "posts": [],
    "series": [RECORD],
    "relations": [],
}
UNIT = [OpenApiExample("A topic that holds a series", _TOPIC, status_codes=["200"], response_only=True)]
