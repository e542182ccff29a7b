"""The whole public record of one unit, and what is answered where there is none."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from knowledge import curation
from knowledge.models import EventUnit, Mention, Status, Unit, UnitType
from tests.factories.knowledge import (
    NOON,
    make_document,
    make_event,
    make_persona,
    make_pulse,
    make_source,
    make_unit,
)
from tests.factories.series import make_series, observe
from tests.problems import problem_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def maru() -> Unit:
    """An asset with one of everything."""
    unit = make_unit(
        "maru",
        "마루코인",
        symbol="MARU",
        summary="결제용이다.",
        summary_en="For payments.",
        aliases=["Marucoin"],
    )
    curation.merge(make_unit("old-maru", "옛마루"), unit, now=NOON)
    make_event("crash", 20, unit)
    make_pulse(unit, "new", NOON - timedelta(hours=1))
    document = make_document(make_source("paper", name="새벽경제"), "1", title="마루코인이 오르다")
    Mention.objects.create(document=document, unit=unit, start=0, end=4, surface="마루코인")
    persona = make_persona(make_unit("sage", "현자", type=UnitType.CREATOR))
    persona.posts.create(slug="a", body="마루를 본다", status="published", published_at=NOON).units.add(unit)
    make_series("price-maru", holder=unit, label="마루코인 원화 가격", unit="KRW", cadence="live", decimals=8)
    observe("price-maru", NOON, 0.00000012)
    unit.refresh_from_db()
    return unit


def get(client: Client, public_id: str) -> Any:
    return client.get(f"/api/units/{public_id}.json")


def test_a_record_holds_all_that_belongs_to_the_unit(client: Client, maru: Unit) -> None:
    answer = get(client, "asset:maru")
    body = answer.json()
    assert (body["id"], body["kind"], body["label"], body["symbol"]) == (
        "asset:maru",
        "entity",
        "마루코인",
        "MARU",
    )
    assert (body["summary"], body["summaryEn"]) == ("결제용이다.", "For payments.")
    assert body["aliases"] == ["Marucoin", "옛마루"]
    assert body["mergedIds"] == ["asset:old-maru"]
    assert [one["id"] for one in body["events"]] == ["event:crash"]
    assert [one["id"] for one in body["pulses"]] == ["pulse:new"]
    assert [(one["title"], one["source"]) for one in body["documents"]] == [("마루코인이 오르다", "새벽경제")]
    assert [(one["body"], one["isAiPersona"]) for one in body["posts"]] == [("마루를 본다", True)]
    assert body["posts"][0]["url"] == "/creator/sage#post-a"
    assert [(one["id"], one["latest"]["value"]) for one in body["series"]] == [("series:price-maru", 1.2e-07)]
    assert b'"value":0.00000012,' in answer.content


def test_an_event_names_its_subjects_and_its_neighbours(client: Client, maru: Unit) -> None:
    later = make_event("rise", 10, maru, make_unit("premium", "프리미엄", type=UnitType.TOPIC))
    body = get(client, later.public_id).json()
    assert (body["entities"], body["topics"]) == (["asset:maru"], ["topic:premium"])
    assert [one["id"] for one in body["references"]] == ["asset:maru", "topic:premium"]
    assert (body["before"]["id"], body["after"], body["events"]) == ("event:crash", None, [])


def test_an_unchanged_record_is_not_sent_again(client: Client, maru: Unit) -> None:
    answer = get(client, "asset:maru")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Cache-Control"].startswith("public")
    etag = answer.headers["ETag"]
    assert client.get("/api/units/asset:maru.json", headers={"if-none-match": etag}).status_code == 304
    maru.summary = "송금용이다."
    maru.save()
    assert client.get("/api/units/asset:maru.json", headers={"if-none-match": etag}).status_code == 200


def test_a_merged_id_leads_to_its_survivor(client: Client, maru: Unit) -> None:
    moved = get(client, "asset:old-maru")
    assert (moved.status_code, moved["Location"]) == (308, "/api/units/asset:maru.json")


def test_a_retracted_unit_is_gone_and_a_draft_never_was(client: Client, maru: Unit) -> None:
    make_unit("bad", "거둔것", status=Status.RETRACTED)
    make_unit("draft", "초안", status=Status.DRAFT)
    assert problem_of(get(client, "asset:bad"), 410)["code"] == "gone"
    assert "초안" not in str(problem_of(get(client, "asset:draft"), 404))


@pytest.mark.parametrize(
    "public_id",
    ["asset:marru", "marucoin", "topic:maru", "asset:%00", "asset:MARU", "asset:no-such-asset", "%20"],
)
def test_an_unknown_id_names_the_nearest_three(public_id: str, client: Client, maru: Unit) -> None:
    for slug in ("maro", "marx", "zebra"):
        make_unit(slug, slug, type=UnitType.ASSET)
    for slug in ("a", "b", "c"):
        make_unit(slug, slug, type=UnitType.TOPIC)
    body = problem_of(get(client, public_id), 404)
    assert body["code"] == "no_such_unit"
    nearest = body["errors"][0]["nearest"]
    assert len(nearest) == 3
    if public_id not in ("%20", "asset:%00", "asset:no-such-asset"):
        assert "asset:maru" in nearest


def test_a_series_of_a_merged_unit_is_its_survivors(client: Client, maru: Unit) -> None:
    other = make_unit("hana", "하나코인")
    make_series("price-hana", holder=other)
    EventUnit.objects.all().delete()
    curation.merge(other, maru, now=NOON)
    held = get(client, "asset:maru").json()["series"]
    assert [(one["id"], one["holder"]) for one in held] == [
        ("series:price-hana", "asset:maru"),
        ("series:price-maru", "asset:maru"),
    ]
