"""Drafts, candidates and retracted units appear nowhere."""

import json

import pytest
from django.test import Client

from knowledge.models import (
    Alias,
    EventCluster,
    EventUnit,
    Persona,
    PersonaPost,
    Status,
    Unit,
    UnitType,
)
from knowledge.search import indexing
from tests.factories.knowledge import NOON
from tests.factories.world import World
from tests.feeds.surfaces import rebuild, texts
from tests.mcpserver import wire

pytestmark = pytest.mark.django_db
KINDS = [UnitType.ASSET, UnitType.COMPANY, UnitType.CREATOR, UnitType.TOPIC, UnitType.EVENT]
HIDDEN = 200
ASKED = 40  # every type in both states, four times; `make soak` asks for all of them


def hide(world: World) -> list[Unit]:
    """Two hundred units that nobody may see, half of them withdrawn, all tied to a public asset."""
    units = [
        Unit(
            slug=f"secret-{number}",
            label=f"감춘이름{number}호",
            summary=f"감춘내용{number}호",
            type=KINDS[number % len(KINDS)],
            status=Status.DRAFT if number % 2 else Status.RETRACTED,
            occurred_at=NOON if KINDS[number % len(KINDS)] == UnitType.EVENT else None,
        )
        for number in range(HIDDEN)
    ]
    for unit in units:
        unit.save()
    for unit in units:
        Alias.objects.create(unit=unit, surface=f"감춘별칭{unit.slug}")
    EventUnit.objects.bulk_create(
        EventUnit(event=unit, unit=world.asset) for unit in units if unit.type == UnitType.EVENT
    )
    EventUnit.objects.bulk_create(
        EventUnit(event=world.event, unit=unit) for unit in units if unit.type != UnitType.EVENT
    )
    while indexing.refresh():
        pass
    rebuild()
    return units


@pytest.mark.slow
@pytest.mark.parametrize("asked", [ASKED, pytest.param(HIDDEN, marks=pytest.mark.soak)])
def test_two_hundred_hidden_units_appear_on_no_surface(client: Client, world: World, asked: int) -> None:
    units = hide(world)
    searches = (
        "/search?q=감춘이름1호",
        "/api/search?q=감춘별칭secret-1&limit=50",
        "/api/resolve?q=감춘별칭secret-1",
    )
    pages = (world.asset.get_absolute_url(), world.event.get_absolute_url(), world.answer)
    twins = tuple(f"{page}.md" for page in pages[:2])
    for path, text in texts(client, *searches, *pages, *twins).items():
        said = text.replace("감춘이름1호", "", 3) if path.startswith(("/search", "/api/search")) else text
        assert "secret-" not in said.replace("감춘별칭secret-1", ""), path
        assert "감춘내용" not in said, path
        assert "감춘이름" not in said, path
    for unit in units[:asked]:
        expected = 410 if unit.status == Status.RETRACTED else 404
        address = unit.get_absolute_url()
        for path in (address, f"{address}.md"):
            response = client.get(path)
            assert response.status_code == expected, path
            assert "감춘" not in response.content.decode(), path
        told = json.dumps(wire.call("fetch", id=unit.public_id), ensure_ascii=False)
        assert "감춘" not in told, unit.public_id


def test_no_tool_no_answer_and_no_description_knows_what_is_hidden(client: Client, world: World) -> None:
    units = hide(world)
    EventCluster.objects.bulk_create(
        EventCluster(label=f"감춘묶음{number}호", first_document_at=NOON, last_document_at=NOON)
        for number in range(HIDDEN)
    )
    PersonaPost.objects.create(
        persona=Persona.objects.get(),
        slug="draft",
        body="감춘글 마루코인",
        status=Status.DRAFT,
        published_at=NOON,
    )
    rebuild()
    said = [
        wire.call("search", query="감춘"),
        wire.call("search", query="마루코인"),
        wire.call("fetch", id=world.asset.public_id),
        wire.call("fetch", id=world.event.public_id),
        wire.call("fetch", id=world.persona.public_id),
        client.post("/api/ask", {"question": "마루코인 이야기는?"}, content_type="application/json").json(),
    ]
    told = json.dumps(said, ensure_ascii=False)
    told += "".join(
        texts(client, "/openapi.json", "/docs", "/status", "/about", "/search?q=마루코인").values()
    )
    told += client.get(world.persona.get_absolute_url()).content.decode()
    for number in ("감춘이름", "감춘내용", "감춘별칭", "감춘묶음", "감춘글", "secret-"):
        assert number not in told, number
    for path, status in (
        ("/admin/knowledge/topic/", 302),
        ("/preview/none", 404),
        (f"/preview/{units[0].slug}", 404),
    ):
        response = client.get(path)
        assert response.status_code == status, path
        assert "감춘" not in response.content.decode()


def test_an_unknown_address_suggests_only_what_is_public(client: Client, world: World) -> None:
    Alias.objects.create(unit=world.asset, surface="maru")
    draft = Unit.objects.create(slug="maru", label="감춘초안", type=UnitType.COMPANY)
    response = client.get("/asset/maru")
    page = response.content.decode()
    assert response.status_code == 404
    assert world.asset.get_absolute_url() in page
    assert draft.label not in page


def test_a_merged_unit_leads_to_its_survivor_on_page_and_twin(client: Client, world: World) -> None:
    Unit.objects.create(
        slug="maru-old",
        label="옛 마루",
        type=UnitType.ASSET,
        status=Status.PUBLISHED,
        merged_into=world.asset,
    )
    for suffix in ("", ".md"):
        response = client.get(f"/asset/maru-old{suffix}")
        assert response.status_code == 308
        assert response["Location"] == f"/asset/marucoin{suffix}"
