"""What a rehearsed world says of itself: a band on pages, a key in JSON, a header on everything; and whom it asks."""

import gzip
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client

from config.rehearsal import labelled, with_mark
from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import http_client
from mcpserver import identity

ROOT = Path(__file__).resolve().parents[2]
REAL = {"SECRET_KEY": "x" * 60, "REDIS_URL": "redis://127.0.0.1:1/0", "DEBUG": "true"}


@pytest.fixture
def rehearsal(settings: Any) -> Iterator[Client]:
    """A client of a service whose records are invented."""
    settings.REHEARSAL = True
    identity.instructions.cache_clear()
    yield Client(raise_request_exception=False)
    identity.instructions.cache_clear()


@pytest.mark.parametrize(
    "path", ["/api/health", "/api/nothing", "/api/canonical/entities.json", "/api/series.json?x=1"]
)
@pytest.mark.django_db
def test_every_json_object_says_that_it_is_rehearsed(rehearsal: Client, path: str) -> None:
    response = rehearsal.get(path)
    assert response.json()["rehearsal"] is True
    assert response["X-Robots-Tag"] == "noindex"


@pytest.mark.django_db
def test_the_real_service_says_nothing_of_it(client: Client) -> None:
    response = client.get("/api/health")
    assert "rehearsal" not in response.json()
    assert "X-Robots-Tag" not in response
    assert b'class="invented"' not in client.get("/about").content


@pytest.mark.django_db
def test_a_head_states_the_length_of_what_a_get_brings(rehearsal: Client) -> None:
    assert rehearsal.head("/openapi.json")["Content-Length"] == str(
        len(rehearsal.get("/openapi.json").content)
    )


@pytest.mark.django_db
def test_a_description_of_the_api_keeps_to_the_keys_that_it_may_have(rehearsal: Client) -> None:
    document = rehearsal.get("/openapi.json").json()
    assert document["x-rehearsal"] is True
    assert "rehearsal" not in document


@pytest.mark.parametrize(
    ("path", "words"), [("/about", "지어낸"), ("/nothing-here", "지어낸"), ("/admin/login/", "지어낸")]
)
@pytest.mark.django_db
def test_every_page_has_the_band(rehearsal: Client, path: str, words: str) -> None:
    text = rehearsal.get(path, headers={"Accept-Language": "ko"}).content.decode()
    band = text.index('<aside class="invented"')
    assert text.index("<body") < band < text.index(words, band)


def test_an_english_page_has_an_english_band() -> None:
    page = HttpResponse('<html lang="en"><body class="x"><main></main></body></html>')
    assert b"Rehearsal data" in labelled(page, "/en/").content


def test_a_compressed_body_is_labelled_and_compressed_again() -> None:
    body = HttpResponse(gzip.compress(b'{"count": 1}'), content_type="application/json")
    body["Content-Encoding"] = "gzip"
    assert orjson.loads(gzip.decompress(labelled(body, "/api/x").content)) == {"rehearsal": True, "count": 1}


def test_a_stream_is_labelled_at_its_beginning() -> None:
    body = StreamingHttpResponse(
        iter([b'{"count":2,"days":[', b"1,2", b"]}"]), content_type="application/json"
    )
    found = labelled(body, "/api/archive")  # type: ignore[arg-type]
    assert orjson.loads(b"".join(found)) == {"rehearsal": True, "count": 2, "days": [1, 2]}


def test_a_sealed_day_keeps_its_bytes() -> None:
    day = b'{"date":"2026-11-20","rehearsal":true}'
    assert with_mark(day) == day
    assert orjson.loads(with_mark(b"{}")) == {"rehearsal": True}
    assert with_mark(b"[1]") == b"[1]"


@pytest.mark.django_db
def test_agents_are_told_in_the_instructions(rehearsal: Client) -> None:
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    response = rehearsal.post(
        "/api/mcp", message, "application/json", headers={"Accept": "application/json, text/event-stream"}
    )
    assert "REHEARSAL" in response.json()["result"]["instructions"]


@pytest.mark.usefixtures("rehearsal")
def test_a_rehearsal_asks_nobody_outside() -> None:
    with pytest.raises(SourceError, match="asks nobody"):
        http_client().get("https://paper.example/rss")


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"REHEARSAL": "true", "DATABASE_URL": "postgres://u@127.0.0.1:1/madang"}, "is no rehearsal's"),
        ({"DATABASE_URL": "postgres://u@127.0.0.1:1/madang_rehearsal"}, "invented records"),
        (
            {
                "REHEARSAL": "true",
                "DATABASE_URL": "postgres://u@127.0.0.1:1/madang_rehearsal",
                "DEBUG": "false",
            },
            "refused in production",
        ),
    ],
)
def test_invented_and_real_records_are_never_mixed(variables: dict[str, str], said: str) -> None:
    code = "import environ; environ.Env.read_env = classmethod(lambda *a, **k: None); import config.settings"
    environment = {"PATH": os.environ["PATH"], **REAL, **variables}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert said in done.stderr
