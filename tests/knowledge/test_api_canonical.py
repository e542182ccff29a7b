"""The canonical indexes over HTTP."""

import gzip
import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from knowledge.models import Status, Unit, UnitType
from knowledge.publications import build, publication_cache
from tests.factories.knowledge import NOON, make_unit

pytestmark = pytest.mark.django_db

INDEXES = ["entities", "topics", "events"]
PATHS = [*(f"/api/canonical/{name}.json" for name in INDEXES), "/api/pulse/active.json"]


@pytest.mark.parametrize("name", INDEXES)
def test_an_index_is_the_envelope_of_the_contract(client: Client, name: str) -> None:
    kind = {"entities": UnitType.COMPANY, "topics": UnitType.TOPIC, "events": UnitType.EVENT}[name]
    make_unit("x", "엑스", type=kind)
    make_unit("hidden", "초안", type=kind, status=Status.DRAFT)
    response = client.get(f"/api/canonical/{name}.json")
    body = response.json()
    assert response["Content-Type"] == "application/json"
    assert list(body) == ["version", "count", "generated_at", "site", "licence", name]
    assert (body["site"], body["licence"]) == ("http://localhost:8000", "CC BY 4.0")
    assert (body["version"], body["count"]) == ("v1", 1)
    assert [record["label"] for record in body[name]] == ["엑스"]
    assert "엑스".encode() in response.content


@pytest.mark.parametrize("path", PATHS)
def test_a_hot_read_runs_no_query(client: Client, path: str, django_assert_num_queries: Any) -> None:
    etag = client.get(path)["ETag"]
    with django_assert_num_queries(0):
        assert client.get(path).status_code == 200
        assert client.head(path).status_code == 200
        assert client.get(path, headers={"accept-encoding": "br"}).status_code == 200
        assert client.get(path, headers={"if-none-match": etag}).status_code == 304


@pytest.mark.parametrize("path", PATHS)
def test_a_read_sets_no_cookie_and_may_be_shared(client: Client, path: str) -> None:
    response = client.get(path)
    assert not response.cookies
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Vary"] == "Accept-Encoding"
    assert response["Cache-Control"] == "public, max-age=30, stale-while-revalidate=300, stale-if-error=86400"
    assert "Allow" not in response


@pytest.mark.parametrize("path", PATHS)
def test_a_head_measures_what_a_get_would_send(client: Client, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert head.content == b""
    assert head["Content-Length"] == str(len(get.content))
    assert head["ETag"] == get["ETag"]


@pytest.mark.parametrize("path", PATHS)
def test_an_encoded_body_is_the_same_body(client: Client, path: str) -> None:
    plain = client.get(path)
    response = client.get(path, headers={"accept-encoding": "gzip"})
    assert response["Content-Encoding"] == "gzip"
    assert gzip.decompress(response.content) == plain.content
    assert response["ETag"] != plain["ETag"]


@pytest.mark.parametrize("query", ["?x=1", "?format=xml", "?format=api", "?%FF=%00", "?count=&count="])
@pytest.mark.parametrize("path", PATHS)
def test_unknown_parameters_are_ignored(client: Client, path: str, query: str) -> None:
    assert client.get(path + query).content == client.get(path).content


@pytest.mark.parametrize("accept", ["text/html", "application/xml;q=0.9", "image/*", "nonsense", ""])
def test_whatever_is_accepted_it_is_json(client: Client, accept: str) -> None:
    response = client.get(PATHS[0], headers={"accept": accept})
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "NONSENSE"])
@pytest.mark.parametrize("path", PATHS)
def test_another_method_is_a_405_that_names_the_right_ones(client: Client, path: str, method: str) -> None:
    response = client.generic(method, path, b"{", content_type="application/json")
    assert response.status_code == 405
    assert response["Content-Type"] == "application/problem+json"
    assert {name.strip() for name in response["Allow"].split(",")} == {"GET", "HEAD", "OPTIONS"}
    assert json.loads(response.content)["status"] == 405


def test_options_names_the_methods(client: Client) -> None:
    response = client.options(PATHS[0])
    assert (response.status_code, response.content) == (204, b"")
    assert {name.strip() for name in response["Allow"].split(",")} == {"GET", "HEAD", "OPTIONS"}


def test_a_client_that_refuses_every_coding_is_told_so(client: Client) -> None:
    response = client.get(PATHS[0], headers={"accept-encoding": "*;q=0"})
    assert response.status_code == 406
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "encoding_not_acceptable"


def test_a_published_edit_changes_body_and_etag(client: Client) -> None:
    make_unit()
    before = client.get(PATHS[0])
    Unit.objects.update(label="새 이름")
    build(now=NOON + timedelta(days=300))
    publication_cache.clear()
    after = client.get(PATHS[0], headers={"if-none-match": before["ETag"]})
    assert after.status_code == 200
    assert after.json()["entities"][0]["label"] == "새 이름"
    assert after["ETag"] != before["ETag"]


@pytest.mark.parametrize("path", PATHS)
def test_with_the_store_down_the_last_bytes_are_served_and_a_first_read_is_a_503(
    client: Client, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = client.get(path).content

    def refuse(*_arguments: object) -> None:
        raise OperationalError("the store is down")

    monkeypatch.setattr("django.db.backends.utils.CursorWrapper.execute", refuse)
    assert client.get(path).content == body
    publication_cache.clear()
    response = client.get(path)
    assert response.status_code == 503
    assert response["Content-Type"] == "application/problem+json"
    assert int(response["Retry-After"]) > 0
