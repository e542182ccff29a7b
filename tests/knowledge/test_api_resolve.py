"""GET /api/resolve: a name to ids."""

from typing import Any

import pytest
from django.test import Client

from knowledge import curation
from knowledge.models import Category, Status, UnitType
from knowledge.search.bulkhead import Bulkhead
from knowledge.search.exact_names import NAME_MAX_LENGTH
from tests.factories.knowledge import NOON, make_unit
from tests.problems import problem_of

pytestmark = pytest.mark.django_db


def candidates(client: Client, name: str, **parameters: Any) -> list[dict[str, Any]]:
    response = client.get("/api/resolve", {"q": name, **parameters})
    assert response.status_code == 200, response.content
    body = response.json()
    assert (body["version"], body["count"]) == ("v1", len(body["candidates"]))
    found: list[dict[str, Any]] = body["candidates"]
    return found


def test_a_name_resolves_to_the_record_of_its_unit(client: Client) -> None:
    make_unit(
        symbol="BTC",
        label_en="Bitcoin",
        category=Category.CHAIN,
        summary="처음 나온 가상자산이다.",
        summary_en="The first virtual asset.",
        aliases=["Bitcoin"],
    )
    [found] = candidates(client, "비트 코인")
    assert found == {
        "id": "asset:btc",
        "label": "비트코인",
        "labelEn": "Bitcoin",
        "type": "asset",
        "category": "chain",
        "url": "/asset/btc",
        "confidence": 1.0,
        "matchedOn": "label",
        "disambiguation": "asset · BTC · 처음 나온 가상자산이다.",
        "disambiguationEn": "asset · BTC · The first virtual asset.",
    }
    for name, matched in (
        ("btc", "symbol"),
        ("bit-coin", "alias"),
        ("asset:btc", "id"),
        ("/asset/btc", "id"),
    ):
        assert [(one["id"], one["matchedOn"]) for one in candidates(client, name)] == [("asset:btc", matched)]


def test_types_narrow_and_a_limit_cuts_the_candidates(client: Client) -> None:
    asset = make_unit("moon", "달빛")
    company = make_unit("moon", "달빛", type=UnitType.COMPANY)
    topic = make_unit("moon", "달빛", type=UnitType.TOPIC)
    assert {one["id"] for one in candidates(client, "달빛")} == {
        one.public_id for one in (asset, company, topic)
    }
    assert [one["id"] for one in candidates(client, "달빛", type="company")] == ["entity:moon"]
    assert {one["id"] for one in candidates(client, "달빛", type="company,topic")} == {
        "entity:moon",
        "topic:moon",
    }
    assert len(candidates(client, "달빛", limit=2)) == 2


def test_drafts_and_withdrawn_units_are_no_candidates_and_merged_ones_are_their_survivors(
    client: Client,
) -> None:
    make_unit("draft", "초안코인", status=Status.DRAFT)
    make_unit("gone", "철회코인", status=Status.RETRACTED)
    survivor, former = make_unit("new", "새이름코인"), make_unit("old", "옛이름코인")
    curation.merge(former, survivor, now=NOON)
    for name in ("초안코인", "asset:draft", "철회코인", "asset:gone"):
        assert candidates(client, name) == []
    for name in ("옛이름코인", "asset:old"):
        assert [one["id"] for one in candidates(client, name)] == ["asset:new"]


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({}, "q"),
        ({"q": "  "}, "q"),
        ({"q": "?!"}, "q"),
        ({"q": "가" * (NAME_MAX_LENGTH + 1)}, "q"),
        ({"q": ["비트코인", "이더리움"]}, "q"),
        ({"q": "코인", "type": "people"}, "type"),
        ({"q": "코인", "limit": "0"}, "limit"),
        ({"q": "코인", "limit": "21"}, "limit"),
        ({"q": "코인", "limit": "five"}, "limit"),
    ],
)
def test_a_bad_parameter_is_named(client: Client, parameters: dict[str, Any], name: str) -> None:
    body = problem_of(client.get("/api/resolve", parameters), 400)
    assert body["code"] == "invalid_parameter"
    assert body["errors"][0]["parameter"] == name
    if name == "type":
        assert all(kind in body["detail"] for kind in UnitType.values)


@pytest.mark.parametrize(
    "name", ["\x00코인", "' OR 1=1 --", "asset:", "//[a", "/asset/%00", "\u202e코인", "🚀 코인"]
)
def test_hostile_names_are_only_names(client: Client, name: str) -> None:
    candidates(client, name)


def test_more_names_than_places_are_told_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = Bulkhead(1, retry_after=1)
    monkeypatch.setattr("knowledge.queries.resolving.SEARCHES", full)
    with full:
        response = client.get("/api/resolve", {"q": "코인"})
    assert problem_of(response, 503)["code"] == "busy"
    assert response.headers["Retry-After"] == "1"


def test_a_copy_may_be_kept_for_half_a_minute_and_read_from_any_origin(client: Client) -> None:
    response = client.get("/api/resolve", {"q": "코인"})
    assert response.headers["Cache-Control"] == "public, max-age=30"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert client.head("/api/resolve", {"q": "코인"}).status_code == 200
    assert client.post("/api/resolve").status_code == 405
