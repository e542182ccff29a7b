"""GET /api/search: public records in pages, and a clear problem for everything else."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from knowledge import bulkhead, curation
from knowledge.models import Persona, PersonaPost, Status, UnitType
from knowledge.retrieval import indexing
from tests.config.test_errors import problem_of
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db


def search(client: Client, **parameters: Any) -> dict[str, Any]:
    response = client.get("/api/search", parameters)
    assert response.status_code == 200, response.content
    body: dict[str, Any] = response.json()
    return body


def test_a_unit_is_found_with_a_snippet_and_its_page(client: Client) -> None:
    unit = make_unit(
        "kimp", "김치 프리미엄", type=UnitType.TOPIC, summary="한국 거래소 가격이 해외보다 비싼 정도이다."
    )
    indexing.index_unit(unit)
    body = search(client, q="해외보다 비싼 거래소 가격")
    assert body["count"] == 1
    assert body["nextCursor"] is None
    found = body["items"][0]
    assert (found["id"], found["url"]) == ("topic:kimp", "/topic/kimp")
    assert "비싼 정도" in found["snippet"]


def test_drafts_and_retracted_units_are_never_found(client: Client) -> None:
    draft = make_unit("draft", "초안코인", status=Status.DRAFT, summary="초안코인은 아직 아무도 모른다.")
    gone = make_unit("gone", "철회코인", summary="철회코인은 사라졌다.")
    indexing.index_units([draft.pk, gone.pk])
    curation.retract(gone)
    assert search(client, q="초안코인")["items"] == []
    assert search(client, q="철회코인")["items"] == []


def test_pages_follow_one_another_without_a_gap_or_a_double(client: Client) -> None:
    source = make_source()
    documents = [make_document(source, str(n), title=f"반감기 소식 {n}번째 이야기") for n in range(7)]
    indexing.index_documents([document.pk for document in documents])
    seen: list[str] = []
    cursor = ""
    while True:
        body = search(client, q="반감기 소식", limit=3, cursor=cursor)
        seen += [item["id"] for item in body["items"]]
        cursor = body["nextCursor"]
        if cursor is None:
            break
    assert sorted(seen) == sorted(f"document:{document.pk}" for document in documents)


def test_a_document_without_a_page_of_ours_leads_to_its_original(client: Client) -> None:
    document = make_document(make_source(), title="아무 단위도 말하지 않는 반감기 기사")
    indexing.index_document(document)
    found = search(client, q="반감기 기사", kind="news")["items"][0]
    assert found["url"] == found["originalUrl"] == document.url


def test_an_ai_persona_says_so_in_its_result(client: Client) -> None:
    creator = make_unit("doldari", "돌다리", type=UnitType.CREATOR)
    persona = Persona.objects.create(
        entity_id=creator.pk,
        glyph="◎",
        voice="차분하게",
        disclosure="AI 페르소나입니다.",
        disclosure_en="An AI persona.",
    )
    post = PersonaPost.objects.create(
        persona=persona, slug="one", body="반감기를 두드려 본다.", status=Status.PUBLISHED, published_at=NOON
    )
    indexing.index_post(post)
    found = search(client, q="반감기", kind="post")["items"][0]
    assert found["isAiPersona"] is True
    assert found["glyph"] == "◎"
    assert found["disclosure"]
    assert "AI persona" in found["source"]


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({}, "q"),
        ({"q": "   "}, "q"),
        ({"q": "?!"}, "q"),
        ({"q": "가" * 201}, "q"),
        ({"q": "코인", "kind": "people"}, "kind"),
        ({"q": "코인", "limit": "0"}, "limit"),
        ({"q": "코인", "limit": "51"}, "limit"),
        ({"q": "코인", "limit": "ten"}, "limit"),
        ({"q": "코인", "cursor": "nonsense"}, "cursor"),
        ({"q": "코인", "cursor": "!!!"}, "cursor"),
    ],
)
def test_a_bad_parameter_is_named(client: Client, parameters: dict[str, str], name: str) -> None:
    body = problem_of(client.get("/api/search", parameters), 400)
    assert body["code"] == "invalid_parameter"
    assert body["errors"][0]["parameter"] == name


@pytest.mark.parametrize(
    "query", ["\x00코인", "' OR 1=1 --", "§asset:btc", "a" * 200, "🚀 코인", "\\':* & | !코인"]
)
def test_hostile_queries_are_only_words(client: Client, query: str) -> None:
    search(client, q=query)


def test_more_searches_than_places_are_told_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = bulkhead.Bulkhead(1, retry_after=1)
    monkeypatch.setattr("knowledge.searching.SEARCHES", full)
    with full.place():
        response = client.get("/api/search", {"q": "코인"})
    assert problem_of(response, 503)["code"] == "busy"
    assert response.headers["Retry-After"] == "1"
    assert search(client, q="코인")["count"] == 0
