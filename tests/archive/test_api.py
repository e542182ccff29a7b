"""``GET /api/archive``: contract A2 to A8."""

import gzip
import hashlib
import json
import os
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.conf import settings as service
from django.test import Client

from archive import bodies, capture
from archive.days import ONE_DAY
from archive.published import ARCHIVE, calendars
from knowledge.publications import StoredBody, build
from tests.archive.made import DAY, MIDNIGHT, SLUGS, say, sealed, sealed_days

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.archive.urls")]
MANIFEST = "/api/archive"


def published() -> None:
    """What the listener does in a web process."""
    from django.db import connection

    from knowledge.publications import publication_cache

    build(now=MIDNIGHT, names=[ARCHIVE.name])
    with connection.cursor() as cursor:
        publication_cache.refresh(cursor, [ARCHIVE.name])


def problem(response: Any, status: int) -> dict[str, Any]:
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert set(body) >= {"type", "title", "status", "detail", "instance", "code"}
    assert body["status"] == status
    return body


def test_an_empty_archive_is_an_empty_manifest(client: Client, settings: Any) -> None:
    settings.CITY_URL = "https://city.example"
    body = client.get(MANIFEST).json()
    assert body["schemaVersion"] == 1
    assert body["site"] == "https://city.example"
    assert body["license"] == "CC BY 4.0"
    assert body["description"]
    assert (body["count"], body["items"], body["gaps"]) == (0, [], [])
    assert (body["firstDate"], body["lastDate"]) == (None, None)
    assert body["methods"] == {
        "manifest": "GET /api/archive",
        "daySnapshot": "GET /api/archive?date=YYYY-MM-DD",
        "bulk": "GET /api/archive?days=14 (max 60)",
    }


def test_the_manifest_lists_the_days_newest_first_with_what_the_file_is(client: Client, root: Path) -> None:
    sealed_days(3)
    body = client.get(MANIFEST).json()
    assert body["count"] == len(body["items"]) == 3
    assert [item["date"] for item in body["items"]] == ["2026-11-20", "2026-11-19", "2026-11-18"]
    item = body["items"][0]
    content = (root / "2026" / "2026-11-20.json").read_bytes()
    assert set(item) == {
        "date", "status", "late", "rehearsal", "url", "bytes", "sha256", "revision", "sealedAt",
    }  # fmt: skip
    assert item["sha256"] == hashlib.sha256(content).hexdigest()
    assert item["bytes"] == len(content)
    assert (item["status"], item["late"], item["rehearsal"], item["revision"]) == (
        "complete",
        False,
        False,
        1,
    )
    assert item["sealedAt"] == "2026-11-21T00:00:03+09:00"
    assert item["url"].endswith("/api/archive?date=2026-11-20")


def test_the_form_that_the_docs_define_has_the_bytes_of_a_file(root: Path) -> None:
    sealed()
    content = (root / "2026" / "2026-11-20.json").read_bytes()
    docs = (service.BASE_DIR / "docs" / "archive.md").read_text()
    (snippet,) = re.findall(r"```python\n(.*?)```", docs.partition("## Proving a file")[2], re.DOTALL)[:1]
    names: dict[str, Any] = {"value": json.loads(content)}
    exec(snippet, names)
    assert names["canonical"] == content
    assert names["sha256"] == hashlib.sha256(content).hexdigest()


def test_the_manifest_states_its_gaps(client: Client) -> None:
    for back in (0, 1, 4):
        sealed(DAY - back * ONE_DAY)
    body = client.get(MANIFEST).json()
    assert body["gaps"] == ["2026-11-18", "2026-11-17"]
    assert (body["firstDate"], body["lastDate"]) == ("2026-11-16", "2026-11-20")


def test_a_day_is_served_byte_for_byte_with_its_sha256_as_etag(client: Client, root: Path) -> None:
    row = sealed()
    response = client.get(MANIFEST, {"date": "2026-11-20"})
    assert response.content == (root / "2026" / "2026-11-20.json").read_bytes()
    assert response["ETag"] == f'"{row.sha256}"'
    assert response["Content-Type"] == "application/json"
    assert "max-age=3600" in response["Cache-Control"]
    assert response["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("query", ["?date=2026-11-20", "?days=2", ""])
def test_compression_changes_the_wire_and_not_the_bytes(client: Client, query: str) -> None:
    sealed_days(3)
    plain = client.get(MANIFEST + query)
    packed = client.get(MANIFEST + query, headers={"accept-encoding": "gzip"})
    assert gzip.decompress(packed.content) == plain.content
    other = client.get(MANIFEST + query, headers={"accept-encoding": "br"})
    assert brotli.decompress(other.content) == plain.content
    assert len({plain["ETag"], packed["ETag"], other["ETag"]}) == 3


@pytest.mark.parametrize("query", ["?date=2026-11-20", "?days=2", ""])
def test_who_has_the_bytes_is_sent_none(client: Client, query: str) -> None:
    sealed_days(3)
    etag = client.get(MANIFEST + query)["ETag"]
    again = client.get(MANIFEST + query, headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert "Content-Length" not in again.headers
    head = client.head(MANIFEST + query)
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", etag)
    assert head["Content-Length"] == str(len(client.get(MANIFEST + query).content))


@pytest.mark.parametrize("query", ["?date=2026-11-20", "?days=2", "", "?date=2026-11-20&revision=1"])
def test_a_hot_read_runs_no_query(client: Client, query: str, django_assert_num_queries: Any) -> None:
    sealed_days(3)
    client.get(MANIFEST)
    with django_assert_num_queries(0):
        assert client.get(MANIFEST + query).status_code == 200
        assert client.head(MANIFEST + query).status_code == 200


def test_the_newest_revision_is_the_day_and_the_older_ones_stay(client: Client) -> None:
    first = sealed(slugs=SLUGS[:5])
    say("infra", at=MIDNIGHT + timedelta(hours=1))
    second = capture.revise(DAY, now=MIDNIGHT + timedelta(hours=2), compose=None, reason="늦은 신호")
    url = f"{MANIFEST}?date=2026-11-20"
    assert client.get(url)["ETag"] == f'"{second.sha256}"'
    assert client.get(f"{url}&revision=2")["ETag"] == f'"{second.sha256}"'
    assert client.get(f"{url}&revision=1")["ETag"] == f'"{first.sha256}"'
    manifest = client.get(MANIFEST).json()
    assert [(item["date"], item["revision"]) for item in manifest["items"]] == [("2026-11-20", 2)]
    body = problem(client.get(f"{url}&revision=3"), 404)
    assert (body["code"], body["errors"][0]["newest"]) == ("no_such_revision", 2)


def test_a_new_revision_reaches_readers_without_a_restart(client: Client) -> None:
    sealed(slugs=SLUGS[:5])
    before = client.get(f"{MANIFEST}?date=2026-11-20")["ETag"]
    bulk = client.get(f"{MANIFEST}?days=5")["ETag"]
    capture.revise(DAY, now=MIDNIGHT + timedelta(hours=2), compose=None, reason="다시")
    published()
    assert client.get(f"{MANIFEST}?date=2026-11-20")["ETag"] != before
    assert client.get(f"{MANIFEST}?days=5")["ETag"] != bulk


def test_bulk_gives_the_newest_days_as_they_are(client: Client) -> None:
    sealed_days(4)
    body = client.get(f"{MANIFEST}?days=3").json()
    assert list(body)[:5] == ["schemaVersion", "site", "license", "count", "days"]
    assert body["count"] == 3
    assert [day["date"] for day in body["days"]] == ["2026-11-20", "2026-11-19", "2026-11-18"]
    assert body["days"][0] == client.get(f"{MANIFEST}?date=2026-11-20").json()


def test_bulk_of_more_days_than_there_are_gives_those_there_are(client: Client) -> None:
    for back in (0, 2):
        sealed(DAY - back * ONE_DAY)
    body = client.get(f"{MANIFEST}?days=60").json()
    assert (body["requested"], body["count"]) == (60, 2)
    assert (body["firstDate"], body["lastDate"], body["gaps"]) == ("2026-11-18", "2026-11-20", ["2026-11-19"])
    newest = client.get(f"{MANIFEST}?days=1").json()
    assert (newest["requested"], newest["count"], newest["gaps"]) == (1, 1, [])
    assert (newest["firstDate"], newest["lastDate"]) == ("2026-11-20", "2026-11-20")


def test_bulk_of_an_empty_archive_is_empty(client: Client) -> None:
    body = client.get(f"{MANIFEST}?days=7").json()
    assert (body["count"], body["days"]) == (0, [])
    assert (body["requested"], body["firstDate"], body["lastDate"], body["gaps"]) == (7, None, None, [])


def test_a_large_bulk_is_streamed_and_is_the_same_body(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed_days(4)
    whole = client.get(f"{MANIFEST}?days=4")
    monkeypatch.setattr(bodies, "READY_MAX_BYTES", 1000)
    response = client.get(f"{MANIFEST}?days=4")
    assert response.streaming
    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert content == whole.content
    assert response["Content-Length"] == str(len(content))
    assert response["ETag"] == whole["ETag"]
    head = client.head(f"{MANIFEST}?days=4")
    assert (head.content, head["Content-Length"]) == (b"", str(len(content)))
    again = client.get(f"{MANIFEST}?days=4", headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "Content-Length" not in again.headers


@pytest.mark.parametrize(
    "query",
    [
        "date=", "date=2026-1-05", "date=20261120", "date=2026-02-29", "date=2026-11-20T00:00", "date=x",
        "date=2026-11-20&date=2026-11-19", "date=%00", "days=0", "days=61", "days=-1", "days=1.5", "days=", "days=x",
        "days=1e1", "days=%EF%BC%91", "days=14&days=14", "days=999999999999999999999", "date=2026-11-20&days=14",
        "revision=1", "days=14&revision=1", "date=2026-11-20&revision=0", "date=2026-11-20&revision=x",
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_a_400_that_names_the_parameter(client: Client, query: str) -> None:
    sealed()
    body = problem(client.get(f"{MANIFEST}?{query}"), 400)
    assert body["code"] == "invalid_parameter"
    assert body["errors"][0]["parameter"] in ("date", "days", "revision")


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("2026-11-19", ["2026-11-18", "2026-11-20"]),
        ("2026-11-21", ["2026-11-20"]),
        ("1999-01-01", ["2026-11-18"]),
        ("9999-12-31", ["2026-11-20"]),
    ],
)
def test_a_day_without_a_file_is_a_404_that_names_the_nearest_days(
    client: Client, asked: str, nearest: list[str]
) -> None:
    sealed(DAY - 2 * ONE_DAY)
    sealed()
    body = problem(client.get(f"{MANIFEST}?date={asked}"), 404)
    assert body["code"] == "no_such_day"
    assert body["errors"] == [{"parameter": "date", "nearest": nearest}]
    assert all(day in body["detail"] for day in nearest)


def test_a_404_of_an_empty_archive_says_that_it_is_empty(client: Client) -> None:
    assert "no day yet" in problem(client.get(f"{MANIFEST}?date=2026-11-20"), 404)["detail"]


def test_the_fix_is_told_in_korean_to_those_who_prefer_it(client: Client) -> None:
    response = client.get(f"{MANIFEST}?days=61", headers={"accept-language": "ko"})
    assert "60까지" in problem(response, 400)["detail"]


def test_unknown_parameters_are_ignored(client: Client) -> None:
    sealed()
    assert client.get(f"{MANIFEST}?x=1&format=xml").content == client.get(MANIFEST).content


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_the_archive_is_for_reading(client: Client, method: str) -> None:
    body = problem(client.generic(method, MANIFEST), 405)
    assert body["code"] == "method_not_allowed"


def test_a_file_that_the_storage_does_not_give_is_a_503_and_other_days_answer(
    client: Client, root: Path
) -> None:
    sealed_days(2)
    (root / "2026" / "2026-11-20.json").unlink()
    body = problem(client.get(f"{MANIFEST}?date=2026-11-20"), 503)
    assert (body["code"], body["retryAfter"]) == ("day_unreadable", 60)
    assert client.get(f"{MANIFEST}?date=2026-11-19").status_code == 200
    assert client.get(MANIFEST).status_code == 200


def damage(root: Path, name: str = "2026-11-20") -> Path:
    """Change one byte of a file, and neither its length nor its form."""
    path = root / "2026" / f"{name}.json"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b'"schemaVersion":1', b'"schemaVersion":2', 1))
    return path


@pytest.mark.parametrize(
    "query", ["?date=2026-11-20", "?days=2", "?date=2026-11-20&revision=1", "?date=2026-11-20&revision=2"]
)
def test_a_damaged_file_is_a_503_that_names_the_day_until_the_sealed_one_is_back(
    client: Client, root: Path, query: str, caplog: pytest.LogCaptureFixture
) -> None:
    sealed(DAY - ONE_DAY)
    sealed(slugs=SLUGS[:5])
    capture.revise(DAY, now=MIDNIGHT + timedelta(hours=2), compose=None, reason="다시")
    paths = [root / "2026" / "2026-11-20.json", root / "2026" / "2026-11-20.r2.json"]
    whole = [path.read_bytes() for path in paths]
    damage(root), damage(root, "2026-11-20.r2")
    for _asked in range(2):
        body = problem(client.get(MANIFEST + query), 503)
        assert (body["code"], body["retryAfter"]) == ("day_unreadable", 60)
        assert "2026-11-20" in body["detail"]
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert len([record for record in errors if record.name.startswith("archive")]) == 1
    assert client.get(f"{MANIFEST}?date=2026-11-19").status_code == 200
    for path, content in zip(paths, whole, strict=True):
        path.write_bytes(content)
    assert client.get(MANIFEST + query).status_code == 200


def test_an_older_revision_is_proved_by_the_one_that_superseded_it(client: Client, root: Path) -> None:
    first = sealed(slugs=SLUGS[:5])
    for hours in (2, 3):
        capture.revise(DAY, now=MIDNIGHT + timedelta(hours=hours), compose=None, reason="다시")
    url = f"{MANIFEST}?date=2026-11-20&revision="
    assert client.get(f"{url}1")["ETag"] == f'"{first.sha256}"'
    bodies.kept.clear()
    damage(root)
    assert client.get(f"{url}2").status_code == 200
    problem(client.get(f"{url}1"), 503)


def test_a_large_bulk_with_a_damaged_day_is_refused_before_its_first_byte(
    client: Client, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed_days(3)
    monkeypatch.setattr(bodies, "READY_MAX_BYTES", 1000)
    assert client.get(f"{MANIFEST}?days=3").streaming
    os.utime(damage(root, "2026-11-19"), (1, 1))
    assert "2026-11-19" in problem(client.get(f"{MANIFEST}?days=3"), 503)["detail"]
    assert client.get(f"{MANIFEST}?days=1").status_code == 200


def test_a_day_that_is_kept_is_not_hashed_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    sealed()
    assert client.get(f"{MANIFEST}?date=2026-11-20").status_code == 200
    monkeypatch.setattr(bodies, "sha256_hex", None)  # to hash again would fail
    assert client.get(f"{MANIFEST}?date=2026-11-20").status_code == 200


def test_the_manifest_s_shape_is_the_declared_one(client: Client) -> None:
    from archive.day_serializers import DaySerializer
    from archive.serializers import DaysSerializer, ManifestSerializer

    sealed()
    manifest, day = client.get(MANIFEST).json(), client.get(f"{MANIFEST}?date=2026-11-20").json()
    assert list(manifest) == list(ManifestSerializer().fields)
    assert list(manifest["items"][0]) == list(ManifestSerializer().fields["items"].child.fields)  # type: ignore[attr-defined]
    assert set(day) == set(DaySerializer().fields) - {"supersedes"}
    assert list(client.get(f"{MANIFEST}?days=1").json()) == list(DaysSerializer().fields)


def test_kept_bodies_stay_within_their_budget() -> None:
    megabyte = bytes(2**20)
    for number in range(50):
        bodies.kept[number] = StoredBody("", str(number), MIDNIGHT, {"identity": megabyte})
    assert bodies.kept.currsize == bodies.KEPT_BYTES
    assert bodies.kept[49].etag == "49"
    assert 0 not in bodies.kept


def test_a_body_that_would_push_most_others_out_is_given_and_not_kept(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed()
    made = replace(bodies.day_body(calendars.get().items[0]), contents={"identity": bytes(9 * 2**20)})
    bodies.kept.clear()
    monkeypatch.setattr(bodies, "_ready", lambda *_: made)
    assert bodies.day_body(calendars.get().items[0]) is made
    assert not bodies.kept
