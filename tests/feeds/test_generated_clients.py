"""What a developer generates from ``/openapi.json``: no warning, typed, and true of every JSON body of the service."""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from copy import deepcopy
from enum import Enum
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType, UnionType
from typing import Any, get_args

import httpx
import pytest
from datamodel_code_generator import DataModelType, InputFileType, PythonVersion
from datamodel_code_generator import generate as generate_models
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.test import Client
from django.utils import timezone
from openapi_python_client import generate as generate_client
from openapi_python_client.config import Config, ConfigFile, MetaType
from pydantic import BaseModel, RootModel, ValidationError
from pytest_django.plugin import DjangoDbBlocker

from archive.capture import revise
from archive.days import yesterday
from archive.models import Snapshot
from archive.rehearsal import rehearse
from bulk import writing
from bulk.nights import due_day
from feeds.openapi import described
from knowledge.models import Category, Relation, RelationKind, UnitType
from knowledge.publications import build, publication_cache
from tests.factories.knowledge import make_unit
from tests.factories.world import QUESTION, World, make_world
from tests.shared import Shared, shared

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_transaction")]

# Every address that answers JSON, with what it is asked, and which of its members hold something in the world.
BODIES: list[tuple[str, str, str, set[str]]] = [
    ("/api/canonical/entities.json", "/api/canonical/entities.json", "", {"entities"}),
    ("/api/canonical/topics.json", "/api/canonical/topics.json", "", {"topics"}),
    ("/api/canonical/events.json", "/api/canonical/events.json", "", {"events"}),
    ("/api/series.json", "/api/series.json", "", {"series"}),
    ("/api/series/{slug}.json", "/api/series/maru-rate.json", "", {"points"}),
    ("/api/series/{slug}.json", "/api/series/price-maru.json", "?limit=2&revisions=1", {"points"}),
    (
        "/api/units/{id}.json",
        "/api/units/asset:marucoin.json",
        "",
        {"events", "pulses", "documents", "posts", "series", "relations"},
    ),
    ("/api/units/{id}.json", "/api/units/creator:maru-ledger.json", "", {"posts"}),
    ("/api/units/{id}.json", "/api/units/topic:maru-premium.json", "", {"series"}),
    ("/api/units/{id}.json", "/api/units/event:2026-03-maru-listing.json", "", {"references"}),
    ("/api/units/{id}.json", "/api/units/entity:dawn-exchange.json", "", {"relations"}),
    ("/api/changes.json", "/api/changes.json", "?limit=1000", {"items"}),
    ("/api/pulse/active.json", "/api/pulse/active.json", "?hours=168", {"pulses"}),
    ("/api/archive", "/api/archive", "", {"items"}),
    ("/api/archive", "/api/archive", "?date=DAY", {"signals", "districts", "supersedes"}),
    ("/api/archive", "/api/archive", "?date=DAY&revision=1", {"signals"}),
    ("/api/archive", "/api/archive", "?days=3", {"days"}),
    ("/api/bulk", "/api/bulk", "", {"items", "gaps"}),
    ("/api/search", "/api/search", "?q=마루코인&limit=50", {"items"}),
    ("/api/search", "/api/search", "?q=마루코잉", {"items", "mended"}),
    ("/api/search", "/api/search", "?q=수수료 김치찌개", {"heldWords"}),
    ("/api/search", "/api/search", "?q=MARUY", {"meant"}),
    ("/api/search", "/api/search", "?q=거래량&kind=post", {"items"}),
    ("/api/resolve", "/api/resolve", "?q=마루&limit=20", {"candidates"}),
    ("/api/health", "/api/health", "", set()),
    ("/api/health", "/api/health", "?detail=1", set()),
    ("/oembed", "/oembed", f"?url={settings.BASE_URL}/number/maru-rate", set()),
]
# What anybody may put there: of any shape.
OPEN = {"/openapi.json", "/api/bulk/schemas/{name}.json"}
REFUSED = [
    "/api/search",
    "/api/pulse/active.json?hours=0",
    "/api/units/asset:marukoin.json",
    "/api/series/maru-rat.json",
    "/api/archive?date=1999-01-01",
    "/api/archive?date=DAY&revision=7",
    "/api/changes.json?since=x",
    "/api/nowhere",
]
DAYS = 3


def make_full_world() -> World:
    """The world of the other tests, with what only some addresses show."""
    now = timezone.now()
    world = make_world(now)
    exchange = make_unit(
        "dawn-exchange", "새벽거래소", type=UnitType.COMPANY, category=Category.EXCHANGE, country="KR"
    )
    Relation.objects.create(
        subject=exchange,
        kind=RelationKind.ISSUES,
        object=world.asset,
        started="2026-03",
        reference="https://dawn.example/",
    )
    *_former, newest = rehearse(DAYS, until=yesterday(now))
    revise(newest.day, now=now, compose=None, reason="다시 센다")
    build(now=now, force=True)
    publication_cache.clear()
    writing.write(due_day(now), now=now, tell=lambda line: None)
    return world


@pytest.fixture(scope="module")
def shared_world(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared[World]]:
    folder = tmp_path_factory.mktemp("world") / "archive"
    with shared(make_full_world, django_db_blocker, folder) as world:
        yield world


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return described.document()


def closed(document: dict[str, Any]) -> dict[str, Any]:
    """The description of today's bodies: within a version members are added, so that the published one is open."""
    copy = deepcopy(document)
    for schema in copy["components"]["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return copy


@pytest.fixture(scope="module")
def models(document: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Pydantic models of all components. Any warning of the generator is an error of the test."""
    file = tmp_path_factory.mktemp("models") / "madang_models.py"
    generate_models(
        json.dumps(closed(document)),
        input_file_type=InputFileType.OpenAPI,
        output=file,
        output_model_type=DataModelType.PydanticV2BaseModel,
        target_python_version=PythonVersion.PY_311,
        formatters=[],
    )
    spec = spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # Annotations are looked up in the module by its name.
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def package(document: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a client that was generated without a warning, and can be imported."""
    folder = tmp_path_factory.mktemp("client")
    source = folder / "openapi.json"
    source.write_text(json.dumps(document), encoding="utf-8")
    told = generate_client(
        config=Config.from_sources(
            ConfigFile(post_hooks=[]),
            MetaType.NONE,
            document_source=source,
            file_encoding="utf-8",
            overwrite=False,
            output_path=folder / "madang_client",
        )
    )
    assert [(each.header, each.detail) for each in told] == []
    sys.path.insert(0, str(folder))
    yield "madang_client"
    sys.path.remove(str(folder))


def json_reads(document: dict[str, Any]) -> dict[str, str]:
    """``{path: name of the schema}`` of every address that answers JSON."""
    found = {}
    for path, methods in document["paths"].items():
        for media_type, content in (
            methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {}).items()
        ):
            if media_type.endswith("json"):
                found[path] = content["schema"]["$ref"].rpartition("/")[2]
    return found


def asked(client: Client, address: str) -> bytes:
    day = Snapshot.objects.latest("day").day.isoformat()
    response = client.get(address.replace("DAY", day))
    return response.getvalue()


# ---- what the generators make


def test_every_address_that_answers_json_is_tried(document: dict[str, Any]) -> None:
    assert {path for path, *_rest in BODIES} == set(json_reads(document)) - OPEN


@pytest.mark.parametrize(("path", "address", "query", "filled"), BODIES)
def test_bodies_have_every_described_member_and_no_other(
    client: Client,
    world: World,
    document: dict[str, Any],
    models: ModuleType,
    path: str,
    address: str,
    query: str,
    filled: set[str],
) -> None:
    body = asked(client, address + query)
    model: type[BaseModel] = getattr(models, json_reads(document)[path])
    model.model_validate_json(body, strict=True)
    assert {name for name in filled if not json.loads(body)[name]} == set()


def test_a_member_that_nobody_described_and_one_that_is_missing_are_found(
    client: Client, world: World, models: ModuleType
) -> None:
    body = json.loads(asked(client, "/api/canonical/entities.json"))
    more, less = deepcopy(body), deepcopy(body)
    more["entities"][0]["colour"] = "red"
    del less["entities"][0]["country"]
    for wrong in (more, less):
        with pytest.raises(ValidationError):
            models.EntityIndex.model_validate_json(json.dumps(wrong), strict=True)


@pytest.mark.parametrize("address", REFUSED)
def test_refusals_are_problems_as_described(
    client: Client, world: World, models: ModuleType, address: str
) -> None:
    problem = models.Problem.model_validate_json(asked(client, address), strict=True)
    assert problem.status in (400, 404)


def test_answers_are_as_described(client: Client, world: World, models: ModuleType) -> None:
    response = client.post("/api/ask", {"question": QUESTION}, content_type="application/json")
    answer = models.Answer.model_validate_json(response.content, strict=True)
    assert answer.citations


def test_nothing_is_of_any_type_and_every_choice_has_a_name(models: ModuleType) -> None:
    described_models = {
        name: each
        for name, each in vars(models).items()
        if isinstance(each, type) and each.__module__ == models.__name__
    }
    assert len(described_models) > 60
    assert {name for name in described_models if re.search(r"\d$", name)} == set()
    untyped = {
        f"{name}.{member}"
        for name, each in described_models.items()
        if issubclass(each, BaseModel)
        for member, field in each.model_fields.items()
        if Any in _parts(field.annotation)
    }
    assert untyped == set()
    city = models.Day.model_fields["city"].annotation
    assert set(city.model_fields) >= {"population", "mood", "economy", "energy", "weather"}
    assert issubclass(models.CityWeather, Enum)
    assert issubclass(models.ArchiveResponse, RootModel)


def _parts(annotation: Any) -> set[Any]:
    """A type, and those that it is put together from."""
    found = {annotation} if not isinstance(annotation, UnionType) else set()
    return found.union(*(_parts(part) for part in get_args(annotation)))


# ---- the client at work


def called(package: str, document: dict[str, Any], path: str, **arguments: Any) -> Any:
    """What the generated client answers for an address of the running application."""
    method, operation = next(iter(document["paths"][path].items()))
    assert method in ("get", "post")
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", operation["operationId"]).lower()
    function = importlib.import_module(f"{package}.api.{operation['tags'][0]}.{name}")
    client = importlib.import_module(package).Client(base_url="http://localhost")
    client.set_httpx_client(
        httpx.Client(transport=httpx.WSGITransport(get_wsgi_application()), base_url="http://localhost")
    )
    return function.sync_detailed(client=client, **arguments)


def test_the_client_reads_every_address_that_needs_nothing(
    world: World, document: dict[str, Any], package: str
) -> None:
    plain = [
        path
        for path, methods in document["paths"].items()
        if "get" in methods and not any(each.get("required") for each in methods["get"].get("parameters", ()))
    ]
    assert len(plain) > 12
    for path in plain:
        response = called(package, document, path)
        assert response.status_code == 200, path
        if isinstance(response.parsed, str):
            assert response.parsed == response.content.decode(), path
        else:
            assert response.parsed.to_dict() == json.loads(response.content), path


def test_the_client_reads_a_unit_a_day_and_a_file(
    world: World, document: dict[str, Any], package: str
) -> None:
    models = importlib.import_module(f"{package}.models")
    unit = called(package, document, "/api/units/{id}.json", id="asset:marucoin").parsed
    assert unit.type_ is models.UnitType.ASSET
    assert unit.relations[0].kind is models.RelationKind.ISSUED_BY
    day = called(
        package, document, "/api/archive", date=Snapshot.objects.latest("day").day.isoformat()
    ).parsed
    assert isinstance(day, models.Day)
    assert isinstance(day.city.weather.condition, models.CityWeather)
    assert {district.id for district in day.districts} == set(models.CityService)
    item = called(package, document, "/api/bulk").parsed.items[0]
    file = called(package, document, "/api/bulk/{day}/{name}.jsonl.gz", day=item.date, name=item.name).parsed
    assert sha256(file.payload.read()).hexdigest() == item.sha256
    table = called(package, document, "/api/series/{slug}.csv", slug="maru-rate").parsed
    assert table.startswith("at,period,value")


def test_the_client_is_told_what_was_wrong_and_what_is_near(
    world: World, document: dict[str, Any], package: str
) -> None:
    refused = called(package, document, "/api/units/{id}.json", id="asset:marukoin")
    assert refused.status_code == 404
    assert refused.parsed.code == "no_such_unit"
    assert refused.parsed.errors[0].nearest[0] == "asset:marucoin"


def test_the_client_asks(world: World, document: dict[str, Any], package: str) -> None:
    models = importlib.import_module(f"{package}.models")
    question = models.QuestionRequest(question=QUESTION)
    answer = called(package, document, "/api/ask", body=question).parsed
    assert answer.mode is models.AnswerMode.EXTRACTIVE
    assert answer.citations[0].type_ is models.CitationType.ASSET


# ---- what is said of them in words and in headers


ADDRESSES = {
    "/api/series/{slug}.json": "/api/series/maru-rate.json",
    "/api/series/{slug}.csv": "/api/series/maru-rate.csv",
    "/api/units/{id}.json": "/api/units/asset:marucoin.json",
    "/api/search": "/api/search?q=마루코인",
    "/api/resolve": "/api/resolve?q=마루코인",
    "/api/bulk/{day}/{name}.jsonl.gz": "/api/bulk/BULK/entities.jsonl.gz",
    "/api/bulk/schemas/{name}.json": "/api/bulk/schemas/entities.json",
    "/asset/{slug}.md": "/asset/marucoin.md",
    "/entity/{slug}.md": "/entity/do-yeonwoo.md",
    "/creator/{slug}.md": "/creator/maru-ledger.md",
    "/topic/{slug}.md": "/topic/maru-premium.md",
    "/event/{slug}.md": "/event/2026-03-maru-listing.md",
    "/number/{slug}.md": "/number/maru-rate.md",
    "/oembed": f"/oembed?url={settings.BASE_URL}/number/maru-rate",
}


def test_reads_have_the_type_the_headers_and_the_validators_that_they_are_described_with(
    client: Client, world: World, document: dict[str, Any]
) -> None:
    night = json.loads(asked(client, "/api/bulk"))["items"][0]["date"]
    for path, methods in document["paths"].items():
        if "get" not in methods:
            continue
        responses = methods["get"]["responses"]
        address = ADDRESSES.get(path, path).replace("BULK", night)
        response = client.get(address)
        assert response.status_code == 200, path
        assert response["Content-Type"].split(";")[0] in responses["200"]["content"], path
        assert response["Access-Control-Allow-Origin"] == "*", path
        head = client.head(address)
        assert (head.status_code, head.getvalue()) == (200, b""), path
        tagged = "ETag" in responses["200"].get("headers", {})
        assert response.has_header("ETag") == tagged == ("304" in responses), path
        if tagged:
            assert not response["ETag"].startswith("W/"), path
            again = client.get(address, headers={"If-None-Match": response["ETag"]})
            assert again.status_code == 304, path
            assert again["ETag"] == response["ETag"], path


def test_the_hash_of_a_day_is_its_etag_where_it_is_not_compressed(client: Client, world: World) -> None:
    item = json.loads(asked(client, "/api/archive"))["items"][0]
    address = f"/api/archive?date={item['date']}"
    assert client.get(address)["ETag"] == f'"{item["sha256"]}"'
    assert client.get(address, headers={"Accept-Encoding": "gzip"})["ETag"] == f'"{item["sha256"]}-gz"'
