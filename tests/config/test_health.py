"""GET /api/health: contract B."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from config import health
from feeds import status
from knowledge.ingestion.health import freshness
from knowledge.models import Source
from knowledge.postgres import own
from knowledge.postgres.probe import Probe
from knowledge.publications import build, publication_cache
from tests.factories.health import store_verdicts
from tests.factories.knowledge import make_source, make_unit

pytestmark = pytest.mark.django_db


def ask(client: Client, query: str = "", status: int = 200) -> dict[str, Any]:
    response = client.get(f"/api/health{query}")
    assert response.status_code == status
    assert response.headers["Cache-Control"] == "no-store"
    body: dict[str, Any] = response.json()
    return body


def only_sources(monkeypatch: pytest.MonkeyPatch, installed_at: datetime) -> None:
    """Leave the other subsystems out, which an empty test database lacks."""
    monkeypatch.setattr(status, "SUBSYSTEMS", (freshness.sources,))
    monkeypatch.setattr(status, "installed_at", lambda: installed_at)


@pytest.fixture(autouse=True)
def own_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test saw of the database is no other's."""
    monkeypatch.setattr(health, "probe", Probe())


@pytest.fixture(params=["refused", "silent"])
def database_down(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Postgres gone in two ways: nobody listens, or somebody does and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if request.param == "silent":
            server.listen()
        address = {"host": "127.0.0.1", "port": server.getsockname()[1], "user": "nobody", "dbname": "none"}
        monkeypatch.setattr(own, "parameters", lambda _application: address)
        monkeypatch.setattr("knowledge.postgres.probe.DEADLINE_SECONDS", 0.1)
        yield


def test_a_plain_look_says_that_all_is_well_and_evaluates_nothing(client: Client) -> None:
    body = ask(client)
    assert set(body) == {"status", "service", "db", "seo_pages", "ts", "worst_status"}
    assert (body["status"], body["db"], body["service"]) == ("ok", "ok", "madang")
    assert body["worst_status"] == "not_evaluated"
    assert datetime.fromisoformat(body["ts"]).utcoffset() == timedelta(hours=9)


def test_with_the_database_down_it_still_answers_200(client: Client, database_down: None) -> None:
    body = ask(client)
    assert body["db"] == "fail"
    assert body["status"] != "ok"
    assert body["worst_status"] == "not_evaluated"


def test_strict_is_503_when_the_database_is_down(client: Client, database_down: None) -> None:
    assert ask(client, "?strict=1", status=503)["worst_status"] == "fail"


@pytest.mark.parametrize("value", ["1", "true", "TRUE", "yes", "On"])
def test_strict_and_detail_are_switched_on_by_any_word_for_yes(
    client: Client, database_down: None, value: str
) -> None:
    assert ask(client, f"?strict={value}", status=503)["worst_status"] == "fail"
    assert "subsystems" in ask(client, f"?detail={value}")


@pytest.mark.parametrize("value", ["0", "false", "No", "off"])
def test_strict_and_detail_stay_off_by_any_word_for_no(
    client: Client, database_down: None, value: str
) -> None:
    body = ask(client, f"?strict={value}&detail={value}")
    assert body["worst_status"] == "not_evaluated"
    assert "subsystems" not in body


@pytest.mark.parametrize("query", ["strict=maybe", "detail=", "strict=2", "strict=1&strict=0"])
def test_another_word_is_refused_with_those_that_are_taken(client: Client, query: str) -> None:
    response = client.get(f"/api/health?{query}")
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")
    assert "1, true, yes, on, 0, false, no, off" in response.json()["detail"]


@pytest.mark.parametrize("slip", ["stirct", "Strict", "details", "stric"])
def test_a_slip_in_a_name_does_not_leave_a_monitor_blind(client: Client, slip: str) -> None:
    response = client.get(f"/api/health?{slip}=1")
    assert response.status_code == 400
    assert response.json()["errors"][0]["parameter"] == slip
    assert "detail and strict" in response.json()["detail"]


def test_detail_adds_freshness_and_an_audit_that_makes_nothing_up(client: Client) -> None:
    make_source()
    body = ask(client, "?detail=1")
    news = body["subsystems"]["sources.news"]
    assert set(news) == {
        "status",
        "lastSuccess",
        "ageSeconds",
        "warnAfterSeconds",
        "failAfterSeconds",
        "note",
    }
    assert news["lastSuccess"] is None
    assert body["audit"] == {"latest_date": None, "latest_rate": None, "runs": []}


def test_detail_adds_the_service_level_and_makes_no_share_up(client: Client) -> None:
    now = timezone.localtime()
    yesterday = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    store_verdicts("archive", yesterday, ["ok"] * 24)
    level = ask(client, "?detail=1")["serviceLevel"]
    assert (level["objective"], level["minVerdicts"], level["timeZone"]) == (0.95, 20, "Asia/Seoul")
    assert (level["share"], level["holds"], level["daysMet"], level["daysMeasured"]) == (1.0, True, 1, 1)
    assert (level["from"], level["to"]) == (level["days"][0]["date"], level["days"][-1]["date"])
    assert level["days"][-2:] == [
        {"date": yesterday.date().isoformat(), "status": "met"},
        {"date": level["to"], "status": "unfinished"},
    ]
    search = level["subsystems"]["search"]
    assert (search["share"], search["holds"], search["daysMeasured"], len(search["days"])) == (
        None,
        None,
        0,
        90,
    )
    assert "serviceLevel" not in ask(client)
    assert "serviceLevel" not in ask(client, "?strict=1")


@pytest.mark.parametrize(("age", "verdict"), [(5, "ok"), (90, "warn"), (500, "fail")])
def test_detail_says_the_worst_of_the_subsystems_and_stays_200(
    client: Client, monkeypatch: pytest.MonkeyPatch, age: int, verdict: str
) -> None:
    now = timezone.now()
    only_sources(monkeypatch, installed_at=now - timedelta(days=9))
    make_source(last_success_at=now - timedelta(minutes=age))
    assert ask(client, "?detail=1")["worst_status"] == verdict


def test_detail_with_the_database_down_is_200_and_says_that_it_failed(
    client: Client, database_down: None
) -> None:
    body = ask(client, "?detail=1")
    assert (body["db"], body["worst_status"], body["subsystems"]) == ("fail", "fail", {})
    assert body["serviceLevel"] is None


def test_subsystems_that_cannot_be_read_have_failed_and_health_still_speaks(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(_now: datetime) -> None:
        raise OperationalError("the pool is empty")

    monkeypatch.setattr(status, "subsystems", busy)
    body = ask(client, "?detail=1")
    assert (body["db"], body["worst_status"]) == ("ok", "fail")
    assert ask(client, "?strict=1", status=503)["db"] == "ok"


def test_the_options_of_the_databases_address_hold_for_health_too(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, Any] = {}

    def connect(**parameters: Any) -> None:
        seen.update(parameters)
        raise psycopg.OperationalError

    tls = {"sslmode": "verify-full", "sslrootcert": "/etc/ssl/db.pem", "options": "-c search_path=madang"}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", tls)
    monkeypatch.setattr(psycopg, "connect", connect)
    assert ask(client)["db"] == "fail"
    assert tls.items() <= seen.items()


def test_however_many_ask_one_connection_looks_for_all_of_them(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = threading.Barrier(31)
    looks: list[int] = []

    class Connection:
        def __enter__(self) -> "Connection":
            return self

        def __exit__(self, *_: object) -> None: ...

        def execute(self, _statement: str) -> None: ...

    def connect(**_: Any) -> Connection:
        looks.append(1)
        return Connection()

    def one(_: int) -> str:
        asked.wait()
        return str(Client().get("/api/health").json()["db"])

    monkeypatch.setattr(psycopg, "connect", connect)
    # A busy machine takes more than a second for all of them.
    monkeypatch.setattr("knowledge.postgres.probe.SHARED_SECONDS", 60.0)
    with ThreadPoolExecutor(31) as visitors:
        told = list(visitors.map(one, range(31)))
    assert told == ["ok"] * 31
    assert len(looks) == 1


@pytest.mark.parametrize(
    ("age", "since_installation", "verdict"),
    [
        (None, timedelta(minutes=1), "warn"),
        (None, timedelta(days=1), "fail"),
        (timedelta(minutes=1), timedelta(days=9), "ok"),
        (timedelta(hours=2), timedelta(days=9), "warn"),
        (timedelta(hours=7), timedelta(days=9), "fail"),
    ],
)
def test_strict_judges_the_age_of_the_last_success(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    age: timedelta | None,
    since_installation: timedelta,
    verdict: str,
) -> None:
    now = timezone.now()
    source = make_source()
    Source.objects.filter(pk=source.pk).update(last_success_at=now - age if age is not None else None)
    only_sources(monkeypatch, installed_at=now - since_installation)
    body = ask(client, "?strict=1&detail=1", status=503 if verdict == "fail" else 200)
    assert body["worst_status"] == verdict
    assert body["subsystems"]["sources.news"]["status"] == verdict


def test_a_source_that_waits_for_a_key_is_well_and_says_so(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_sources(monkeypatch, installed_at=timezone.now() - timedelta(days=30))
    make_source("ecos", kind="macro", adapter="ecos", needs_key=True)
    row = ask(client, "?strict=1&detail=1")["subsystems"]["sources.macro"]
    assert row["status"] == "ok"
    assert "ecos" in row["note"]


def test_seo_pages_is_the_number_of_urls_in_the_sitemap(client: Client) -> None:
    make_unit()
    build(now=timezone.now())
    sitemap = client.get("/sitemap.xml")
    assert "sitemap" in publication_cache
    assert b"/asset/btc</loc>" in sitemap.content
    assert ask(client)["seo_pages"] == sitemap.content.count(b"<loc>")


def test_head_and_what_a_monitor_appends_against_caches_are_fine(client: Client) -> None:
    assert client.head("/api/health").status_code == 200
    assert ask(client, "?t=1764000000&_=abc&cache=no&x=1")["worst_status"] == "not_evaluated"
