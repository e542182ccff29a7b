"""/metrics: closed without a token, one figure for all workers, honest when the store is away."""

import http.client
import os
import re
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from redis import Redis

from config import metrics
from tests.config.web_processes import serving
from tests.factories.health import store_verdicts
from tests.factories.knowledge import NOON
from tests.factories.world import make_world

TOKEN = "a token of some length"


@pytest.fixture
def token(settings: Any) -> str:
    settings.METRICS_TOKEN = TOKEN
    return TOKEN


def figures(text: str) -> dict[str, float]:
    """``name{labels}`` to value."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return {name: float(value) for name, _space, value in (line.rpartition(" ") for line in lines)}


def scrape(client: Client) -> dict[str, float]:
    response = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert response.headers["Cache-Control"] == "no-store"
    return figures(response.content.decode())


def test_without_a_token_there_is_no_such_page(client: Client, db: None) -> None:
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        (None, 401),
        ("", 401),
        ("Basic YTpi", 401),
        (TOKEN, 401),
        ("Bearer wrong", 403),
        ("Bearer ", 403),
        (f"Bearer {TOKEN}x", 403),
        ("Bearer 토큰".encode().decode("latin-1"), 403),
    ],
)
def test_another_token_or_none_reads_nothing(
    client: Client, token: str, authorization: str | None, status: int
) -> None:
    headers = {} if authorization is None else {"authorization": authorization}
    response = client.get("/metrics", headers=headers)
    assert response.status_code == status
    assert b"http_requests" not in response.content
    assert ("WWW-Authenticate" in response.headers) is (status == 401)


@pytest.mark.django_db
def test_requests_are_counted_by_route_and_status(client: Client, token: str) -> None:
    before = scrape(client)
    for path in ("/robots.txt", "/robots.txt", "/nowhere/at-all", "/asset/none"):
        client.get(path)
    client.generic("BREW", "/robots.txt")
    after = scrape(client)

    def more(labels: str) -> float:
        name = f"http_requests_total{{{labels}}}"
        return after[name] - before.get(name, 0)

    assert more('method="GET",status="200",view="robots"') == 2
    assert more('method="GET",status="404",view=""') == 1
    assert more('method="GET",status="404",view="asset-page"') == 1
    assert more('method="OTHER",status="405",view="robots"') == 1
    seconds = 'http_request_seconds_count{view="robots"}'
    assert after[seconds] - before.get(seconds, 0) == 3
    assert "nowhere" not in str(after)


@pytest.mark.django_db
def test_the_stores_figures_are_those_of_health(client: Client, token: str) -> None:
    make_world(NOON)
    yesterday = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    store_verdicts("search", yesterday, ["ok"] * 24)
    client.get("/sitemap.xml")
    health = client.get("/api/health?detail=1").json()
    told = scrape(client)
    assert told["sitemap_pages"] == health["seo_pages"] > 0
    assert told["database_up"] == told["broker_up"] == 1
    assert told["model_cap_usd"] == 5
    assert told["tasks_waiting"] >= 0
    levels = {"ok": 0, "warn": 1, "fail": 2}
    for name, row in health["subsystems"].items():
        assert told[f'subsystem_status{{subsystem="{name}"}}'] == levels[row["status"]]
    assert told["service_days_met_share"] == told['subsystem_days_met_share{subsystem="search"}'] == 1
    # Of what was never measured there is no figure.
    assert 'subsystem_days_met_share{subsystem="archive"}' not in told


def test_a_store_that_is_away_is_said_and_no_figure_made_up(
    client: Client, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("feeds.status.subsystems", away)
    monkeypatch.setattr(Redis, "llen", lambda *_: (_ for _ in ()).throw(OSError()))
    told = scrape(client)
    assert told["database_up"] == told["broker_up"] == 0
    assert not any(name.startswith(("subsystem", "model", "tasks")) for name in told)


@pytest.mark.django_db
def test_tasks_of_every_queue_are_counted(
    client: Client, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Redis, "llen", lambda _, queue: {"celery": 2, "model": 3}[queue])
    assert scrape(client)["tasks_waiting"] == 5


def test_what_an_ended_gunicorn_counted_is_forgotten(tmp_path: Any) -> None:
    own = tmp_path / metrics.family_of(os.getpid())
    for directory in (own, tmp_path / "1-999999999999", tmp_path / f"{os.getpid()}-1", tmp_path / "x-y"):
        directory.mkdir()
    metrics.remove_stale(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [own.name]


def fetched(port: int, path: str) -> str:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
        return connection.getresponse().read().decode()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_two_workers_count_together(tmp_path: Path) -> None:
    asked = 40
    log = tmp_path / "log"
    with serving(log, settings={"DEBUG": "true", "METRICS_TOKEN": TOKEN}) as served:
        for _ in range(asked):
            fetched(served.port, "/robots.txt")
        name = 'http_requests_total{method="GET",status="200",view="robots"}'
        # Whichever worker is met, it speaks for both.
        assert {figures(fetched(served.port, "/metrics"))[name] for _ in range(6)} == {asked}
    assert re.search(r'requests request .*"view":"robots"', log.read_text())
