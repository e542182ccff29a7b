"""``GET /api/bulk`` and its files, from outside."""

import gzip
import hashlib
import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from archive.days import ONE_DAY
from bulk import shelf
from bulk.catalogue import Catalogue, catalogue
from bulk.errors import BulkUnreadable
from bulk.files import NAMES
from tests.bulk.conftest import DAY
from tests.factories.knowledge import NOON, make_unit
from tests.problems import problem_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stopped_at_noon")]
Written = Callable[..., dict[str, Any]]


def content_of(response: Any) -> bytes:
    return b"".join(response.streaming_content)


@pytest.fixture
def item(written: Written) -> dict[str, Any]:
    """The file of entities."""
    make_unit()
    found: dict[str, Any] = written()["entities"]
    return found


def test_an_empty_list_is_a_list(client: Client) -> None:
    body = client.get("/api/bulk").json()
    assert (body["count"], body["items"], body["gaps"]) == (0, [], [])


def test_the_list_says_of_each_file_what_it_is_newest_first(client: Client, written: Written) -> None:
    written(NOON - ONE_DAY)
    written()
    response = client.get("/api/bulk")
    body = response.json()
    assert body["count"] == len(body["items"]) == 2 * len(NAMES)
    assert [(item["date"], item["name"]) for item in body["items"]] == [
        (day, name) for day in ("2026-11-20", "2026-11-19") for name in NAMES
    ]
    first = body["items"][0]
    assert first["url"] == "/api/bulk/2026-11-20/entities.jsonl.gz"
    assert first["schema"] == "/api/bulk/schemas/entities.json"
    assert first["writtenAt"] == body["generated_at"] == "2026-11-20T12:00:00+09:00"
    assert body["licence"] == first["licence"] == "CC BY 4.0"
    assert client.get("/api/bulk", headers={"If-None-Match": response["ETag"]}).status_code == 304


def test_a_night_that_was_missed_is_a_gap(client: Client, written: Written) -> None:
    written(NOON - 3 * ONE_DAY)
    written(NOON - ONE_DAY)
    gaps = client.get("/api/bulk").json()["gaps"]
    assert {gap["date"] for gap in gaps} == {"2026-11-20", "2026-11-18"}
    assert gaps[0]["date"] == "2026-11-20"
    assert {gap["name"] for gap in gaps} == set(NAMES)
    assert all(gap["reason"] for gap in gaps)


def test_what_is_being_written_is_not_missing_yet(client: Client, written: Written) -> None:
    written(NOON - ONE_DAY)
    with time_machine.travel(NOON - timedelta(hours=7, minutes=1), tick=False):
        assert client.get("/api/bulk").json()["gaps"] == []


def test_a_file_is_given_whole_and_for_ever(client: Client, item: dict[str, Any]) -> None:
    response = client.get(item["url"])
    content = content_of(response)
    assert response.status_code == 200
    assert hashlib.sha256(content).hexdigest() == item["sha256"]
    assert len(content) == item["bytes"] == int(response["Content-Length"])
    assert response["ETag"] == f'"{item["sha256"]}"'
    assert response["Content-Type"] == "application/octet-stream"
    assert "Content-Encoding" not in response
    assert response["Cache-Control"] == "public, max-age=3024000, immutable"
    assert response["Accept-Ranges"] == "bytes"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert gzip.decompress(content).count(b"\n") == item["count"] == 1


def test_a_file_is_confirmed_without_its_bytes(client: Client, item: dict[str, Any]) -> None:
    asked = {"If-None-Match": f'"{item["sha256"]}"', "Range": "bytes=0-9"}
    response = client.get(item["url"], headers=asked)
    assert response.status_code == 304
    assert response["ETag"] == asked["If-None-Match"]
    head = client.head(item["url"], headers={"Range": "bytes=0-9"})
    assert (head.status_code, head.content) == (200, b"")
    assert int(head["Content-Length"]) == item["bytes"]


def test_a_range_is_a_part_of_the_same_bytes(client: Client, item: dict[str, Any]) -> None:
    whole = content_of(client.get(item["url"]))
    for asked, part in {
        "bytes=0-9": whole[:10],
        "bytes=10-": whole[10:],
        "bytes=-5": whole[-5:],
        "bytes=3-999999999": whole[3:],
        "bytes=-999999999": whole,
    }.items():
        response = client.get(item["url"], headers={"Range": asked})
        assert (response.status_code, content_of(response)) == (206, part), asked
        first = whole.index(part)
        assert response["Content-Range"] == f"bytes {first}-{first + len(part) - 1}/{len(whole)}"
        assert int(response["Content-Length"]) == len(part)


def test_what_is_no_single_range_gets_the_whole(client: Client, item: dict[str, Any]) -> None:
    for asked in ("bytes=9-3", "bytes=0-1,5-6", "bytes=x-", "bytes=-", "pages=1-2", ""):
        response = client.get(item["url"], headers={"Range": asked})
        assert response.status_code == 200, asked
        assert len(content_of(response)) == item["bytes"], asked


def test_a_range_behind_the_end_is_refused(client: Client, item: dict[str, Any]) -> None:
    for asked in (f"bytes={item['bytes']}-", "bytes=999999999-", "bytes=-0"):
        response = client.get(item["url"], headers={"Range": asked})
        assert problem_of(response, 416)["code"] == "range_not_satisfiable", asked
        assert response["Content-Range"] == f"bytes */{item['bytes']}"


def test_a_range_of_another_version_gets_the_whole(client: Client, item: dict[str, Any]) -> None:
    asked = {"Range": "bytes=0-9", "If-Range": '"another"'}
    assert client.get(item["url"], headers=asked).status_code == 200
    assert client.get(item["url"], headers=asked | {"If-Range": f'"{item["sha256"]}"'}).status_code == 206


def test_what_no_list_names_is_404_with_what_is_near(client: Client, item: dict[str, Any]) -> None:
    days = ("2001-01-01", "yesterday", "2026-13-01", "list")
    for path in (*(f"{day}/entities" for day in days), "2026-11-20/prices"):
        body = problem_of(client.get(f"/api/bulk/{path}.jsonl.gz"), 404)
        assert body["code"] == "no_such_bulk_file"
        assert "2026-11-20" in body["detail"]


def test_a_file_that_no_list_names_yet_is_not_given(client: Client) -> None:
    shelf.keep_file(DAY, "entities", io.BytesIO(b"x"))
    problem_of(client.get("/api/bulk/2026-11-20/entities.jsonl.gz"), 404)


def test_a_file_that_the_storage_lost_is_503(client: Client, item: dict[str, Any]) -> None:
    shelf.remove_files(DAY)
    assert problem_of(client.get(item["url"]), 503)["code"] == "bulk_unreadable"


def test_a_storage_that_is_away_costs_nothing_that_is_known(
    client: Client, item: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise OSError("away")

    known = catalogue.nights()
    monkeypatch.setattr(shelf, "listed_days", away)
    monkeypatch.setattr(catalogue, "_looked_at", -100.0)
    assert catalogue.nights() is known
    with pytest.raises(BulkUnreadable):
        Catalogue().nights()


def test_an_unknown_schema_is_404(client: Client) -> None:
    assert problem_of(client.get("/api/bulk/schemas/prices.json"), 404)["code"] == "no_such_bulk_schema"


def test_the_list_and_the_files_ask_the_database_nothing(
    client: Client, item: dict[str, Any], django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        client.get("/api/bulk")
        content_of(client.get(item["url"]))
