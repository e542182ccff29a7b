"""``/openapi.json`` is valid OpenAPI 3.1 and says what the code does."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from rest_framework.views import APIView

from config.errors import GENERIC
from feeds import problem_codes
from feeds.openapi import described
from feeds.openapi.enums import NAMES
from tests.factories.world import QUESTION, World
from tests.feeds.surfaces import text_of

# What stands for the parameters of a path: records of the world.
PLACES = {"day": "2026-11-20", "name": "entities", "slug": "maru-rate", "id": "asset:marucoin"}
NEEDED = {
    "/api/search": {"q": "마루"},
    "/api/resolve": {"q": "마루"},
    "/oembed": {"url": f"{settings.BASE_URL}/number/maru-rate"},
}
SCHEMA_OF_ENUM = re.compile(r"/components/schemas/\w+")
PLACE = re.compile(r"<(?:\w+:)?(\w+)>")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return described.document()


def routes(
    resolver: URLResolver | None = None, prefix: str = "/"
) -> Iterator[tuple[str, type[APIView] | None]]:
    for entry in (resolver or get_resolver()).url_patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from routes(entry, path)
        elif isinstance(entry, URLPattern):
            yield (
                PLACE.sub(r"{\1}", path),
                getattr(entry.callback, "view_class", None) or getattr(entry.callback, "cls", None),
            )


def address(path: str) -> str:
    return path.format_map(PLACES)


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_the_document_is_valid_openapi_3_1(document: dict[str, Any]) -> None:
    validate(document)
    assert document["openapi"].startswith("3.1")
    assert document["info"]["contact"]["email"]
    assert document["info"]["license"]["name"]


def test_every_api_route_is_described_and_every_description_is_a_route(document: dict[str, Any]) -> None:
    served = {path for path, _view in routes() if path.startswith("/api/")} - {"/api/mcp/"}
    written = {path for path in document["paths"] if path.startswith("/api/")}
    assert served <= written
    # The MCP endpoint has no JSON view of ours to be described by; it is wired by its own app.
    assert written - served <= {"/api/mcp"}


def test_each_route_takes_exactly_the_described_methods(
    client: Client, db: None, document: dict[str, Any]
) -> None:
    for path, methods in document["paths"].items():
        if not path.startswith("/api/") or path == "/api/mcp":
            continue
        allowed = client.options(address(path))["Allow"].split(", ")
        assert {method.lower() for method in allowed} - {"head", "options"} == set(methods), path
        refused = client.delete(address(path))
        assert refused.status_code == 405
        assert "405" in next(iter(methods.values()))["responses"], path


def test_described_bounds_are_the_enforced_ones(
    client: Client, world: World, document: dict[str, Any]
) -> None:
    checked = 0
    for path, method, operation in operations(document):
        for parameter in operation.get("parameters", ()):
            schema = parameter["schema"]
            if method != "get" or parameter["in"] != "query" or "maximum" not in schema:
                continue
            name, least, most = parameter["name"], schema["minimum"], schema["maximum"]
            needed = NEEDED.get(path, {})
            wrong = [least - 1, *([] if name == "revision" else [most + 1]), "x", "1.5"]
            for value in wrong:
                assert client.get(address(path), {**needed, name: value}).status_code == 400, (
                    path,
                    name,
                    value,
                )
            if name != "revision":
                for value in (least, most):
                    assert client.get(address(path), {**needed, name: value}).status_code == 200, (path, name)
            assert "400" in operation["responses"]
            checked += 1
    assert checked >= 5


def resolved(document: dict[str, Any], path: str, method: str, status: int) -> Draft202012Validator:
    content = document["paths"][path][method]["responses"][str(status)]["content"]
    schema = next(iter(content.values()))["schema"]
    return Draft202012Validator({**schema, "components": document["components"]})


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/api/canonical/entities.json", ""),
        ("/api/canonical/topics.json", ""),
        ("/api/canonical/events.json", ""),
        ("/api/series.json", ""),
        ("/api/series/{slug}.json", ""),
        ("/api/series/{slug}.json", "?limit=2&revisions=1"),
        ("/api/units/{id}.json", ""),
        ("/oembed", f"?url={settings.BASE_URL}/number/maru-rate&maxwidth=300&format=json"),
        ("/api/pulse/active.json", "?hours=168"),
        ("/api/bulk", ""),
        ("/api/changes.json", "?limit=1000"),
        ("/api/search", "?q=마루코인&limit=50"),
        ("/api/search", "?q=마루코잉"),
        ("/api/resolve", "?q=마루"),
        ("/api/resolve", "?q=marucion&type=asset"),
        ("/api/health", "?detail=1"),
    ],
)
def test_bodies_are_what_the_document_says(
    client: Client, world: World, document: dict[str, Any], path: str, query: str
) -> None:
    response = client.get(address(path) + query)
    resolved(document, path, "get", 200).validate(response.json())


def test_problems_and_answers_are_what_the_document_says(
    client: Client, world: World, document: dict[str, Any]
) -> None:
    problem = resolved(document, "/api/search", "get", 400)
    problem.validate(client.get("/api/search").json())
    problem.validate(client.get("/api/pulse/active.json?hours=0").json())
    asked = client.post("/api/ask", {"question": QUESTION}, content_type="application/json")
    assert asked.status_code == 200
    resolved(document, "/api/ask", "post", 200).validate(asked.json())


def test_examples_are_what_the_document_says(document: dict[str, Any]) -> None:
    checked = 0
    for path, method, operation in operations(document):
        for status, response in operation["responses"].items():
            for content in response.get("content", {}).values():
                for example in content.get("examples", {}).values():
                    resolved(document, path, method, int(status)).validate(example["value"])
                    checked += 1
    assert checked >= 4


def test_no_text_names_our_code_and_all_are_markdown(document: dict[str, Any]) -> None:
    whole = json.dumps(document, ensure_ascii=False)
    apps = "ask|knowledge|archive|bulk|mcpserver|feeds|desk|config|rehearsal"
    assert re.findall(rf"\b(?:{apps})\.[a-z_]+", whole) == []
    assert "``" not in whole
    assert "x-spec" not in whole


def test_the_number_of_tools_is_that_of_the_mcp_server(client: Client, document: dict[str, Any]) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    listed = client.post("/api/mcp", asked, content_type="application/json", headers={"Accept": "*/*"})
    tools = listed.json()["result"]["tools"]
    assert f": {len(tools)} tools" in document["paths"]["/api/mcp"]["post"]["summary"]


def test_every_choice_of_words_has_a_name(document: dict[str, Any]) -> None:
    assert [
        path for path, words in choices(document) if len(words) > 1 and not SCHEMA_OF_ENUM.fullmatch(path)
    ] == []
    named = [path for path, _words in choices(document) if SCHEMA_OF_ENUM.fullmatch(path)]
    assert len(named) > 20
    assert {name for name in NAMES if f"/components/schemas/{name}" not in named} == set()


def choices(value: Any, path: str = "") -> Iterator[tuple[str, list[Any]]]:
    if isinstance(value, dict):
        if isinstance(value.get("enum"), list):
            yield path, value["enum"]
        for name, each in value.items():
            yield from choices(each, f"{path}/{name}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from choices(each, f"{path}/{number}")


def test_every_record_is_described_in_words(document: dict[str, Any]) -> None:
    silent = {
        name
        for name, schema in document["components"]["schemas"].items()
        if "properties" in schema and not schema.get("description")
    }
    assert silent == set()


def test_every_problem_code_has_its_place_in_the_docs(client: Client, db: None) -> None:
    page = text_of(client, "/docs")
    for status, (code, _english, _korean) in GENERIC.items():
        assert f'id="problem-{code}"' in page, code
        assert problem_codes.GENERIC.get(code, (status,))[0] == status
    for each in problem_codes.all_codes():
        assert page.count(f'id="problem-{each.code}"') == 1
        assert each.english
        assert each.korean


def test_the_docs_show_every_operation(client: Client, db: None, document: dict[str, Any]) -> None:
    page = text_of(client, "/docs")
    for path, method, _operation in operations(document):
        if path.startswith("/api/"):
            assert f"<code>{method.upper()} {path}</code>" in page
    for name in ("SearchKind", "Switch"):  # a choice that is a reference is shown by its words
        assert ", ".join(document["components"]["schemas"][name]["enum"]) in page


def test_the_file_is_revalidated(client: Client, db: None) -> None:
    response = client.get("/openapi.json")
    assert response["Access-Control-Allow-Origin"] == "*"
    assert client.get("/openapi.json", headers={"if-none-match": response["ETag"]}).status_code == 304


def test_two_first_readers_have_the_document_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    class Overtaken:
        """A lock that another first reader gets just before."""

        def __init__(self) -> None:
            self.others = iter((described.document,))

        def __enter__(self) -> None:
            for other in self.others:
                other()

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr("feeds.openapi.generation.generate", lambda: made.append(1) or {})
    monkeypatch.setattr(described, "_document", cache(described._document.__wrapped__))
    monkeypatch.setattr(described, "_making", Overtaken())
    described.document()
    assert made == [1]
