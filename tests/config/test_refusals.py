"""While Postgres is away every page says so at once, in a form that helps, and costs one line in the log."""

import logging
import re
from typing import Any

import pytest
from django.core.signals import got_request_exception
from django.db import OperationalError
from django.test import Client

pytestmark = pytest.mark.django_db

PAGES = ("/", "/ask", "/search?q=비트코인", "/city", "/status", "/asset/btc", "/asset/btc.md")
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture
def visitor() -> Client:
    return Client(raise_request_exception=False)


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("django.db.backends.utils.CursorWrapper.execute", refuse)


def is_helpful(response: Any) -> str:
    """The text of a 503 page, after everything that each of them promises was checked."""
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Content-Type"].startswith("text/html")
    text: str = response.content.decode()
    main = text[text.index("<main") :]
    english = '<html lang="en">' in text
    assert ("This cannot be shown at the moment" if english else "지금은 보여 드릴 수 없습니다") in main
    return main


@pytest.mark.parametrize(("debug", "pages"), [(False, PAGES), (True, PAGES[:1])])
def test_every_page_is_a_503_that_helps_and_one_line_in_the_log(
    visitor: Client,
    away: None,
    settings: Any,
    debug: bool,
    pages: tuple[str, ...],
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings.DEBUG = debug
    for path in pages:
        caplog.clear()
        assert "몇 초 뒤에" in is_helpful(visitor.get(path)), path
        said = [record.levelno for record in caplog.records if record.levelno >= logging.WARNING]
        assert said == [logging.WARNING], path
    is_helpful(visitor.post("/ask", {"question": "비트코인이 뭐야?"}))
    assert not re.search("[가-힣]", is_helpful(visitor.get("/en/topic/kimchi-premium")))
    is_helpful(visitor.post("/admin/login/", {"username": "mina", "password": "x"}))


def test_an_outage_is_reported_nowhere_as_a_defect(visitor: Client, away: None) -> None:
    reported: list[object] = []

    def report(**event: object) -> None:
        reported.append(event)

    got_request_exception.connect(report)
    try:
        visitor.get("/asset/btc")
    finally:
        got_request_exception.disconnect(report)
    assert not reported


def test_a_session_that_cannot_be_kept_is_an_outage_too(
    visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("django.contrib.sessions.middleware.SessionMiddleware.process_response", lost)
    is_helpful(visitor.get("/about"))


def test_mcp_and_the_api_keep_their_own_forms(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("mcpserver.views.post", refuse)
    monkeypatch.setattr("knowledge.queries.search.results", refuse)
    said = visitor.post("/api/mcp", PING, content_type="application/json")
    assert (said.status_code, said.headers["Retry-After"]) == (503, "5")
    assert said.json()["jsonrpc"] == "2.0"
    problem = visitor.get("/api/search", {"q": "x"})
    assert (problem.status_code, problem.headers["Retry-After"]) == (503, "5")
    assert problem.json()["code"] == "unavailable"


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(("path", "status"), [("/ask", 400), ("/admin/login/", 400), ("/api/ask", 415)])
@pytest.mark.parametrize("host", ["testserver", "evil.example"])
def test_a_form_that_cannot_be_read_is_refused_and_shows_nothing_of_the_inside(
    visitor: Client, settings: Any, debug: bool, path: str, status: int, host: str
) -> None:
    settings.DEBUG = debug
    kind = "application/x-www-form-urlencoded; charset=utf-7"
    response = visitor.generic("POST", path, b"question=x", content_type=kind, headers={"host": host})
    assert response.status_code == status
    assert "Traceback" not in response.content.decode()
