"""What leaves for Sentry: what failed and where; nobody's words, address, body or secret. No network: a recorder."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import sentry_sdk
from django.test import Client
from sentry_sdk.transport import Transport

from config import error_reports
from config.celery import app

WORDS = "비밀스러운마루코인질문"
ADDRESS = "203.0.113.77"
SENT: list[dict[str, Any]] = []


class Recorder(Transport):
    """Keeps what would be sent."""

    def capture_envelope(self, envelope: Any) -> None:
        SENT.extend(item.payload.json for item in envelope.items if item.type == "event")


@pytest.fixture
def reports() -> Iterator[list[dict[str, Any]]]:
    SENT.clear()
    error_reports.start("https://key@reports.example/1", transport=Recorder)
    yield SENT
    sentry_sdk.get_client().close()
    sentry_sdk.init(dsn=None, default_integrations=False)


def crash(*_: object, **__: object) -> None:
    question = WORDS  # a local variable that must stay here
    raise RuntimeError(f"could not read {question}")


def test_nothing_is_started_without_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentry_sdk, "init", crash)
    error_reports.start("")


def test_a_failed_request_is_reported_under_its_id(
    client: Client, db: None, reports: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feeds.sitemaps.page_count", crash)
    client.raise_request_exception = False
    headers = {"x-forwarded-for": ADDRESS, "cookie": f"a={ADDRESS}", "user-agent": ADDRESS}
    response = client.get("/api/health", {"note": ADDRESS}, headers=headers)
    assert response.status_code == 500
    (event,) = reports
    assert event["tags"] == {"request_id": response.headers["X-Request-Id"]}
    failure = event["exception"]["values"][-1]
    assert (failure["type"], failure["value"]) == ("RuntimeError", f"could not read {WORDS}")
    assert any(frame["function"] == "crash" for frame in failure["stacktrace"]["frames"])
    assert "vars" not in json.dumps(event)
    assert ADDRESS not in json.dumps(event)
    assert not event.keys() & {"request", "user", "breadcrumbs", "extra", "contexts", "server_name"}


@pytest.mark.parametrize("path", ["/api/ask", "/ask", "/api/mcp"])
def test_no_word_of_a_question_leaves(
    client: Client, db: None, reports: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr("ask.answering.ask", crash)
    client.raise_request_exception = False
    call = {"name": "ask_madang", "arguments": {"question": WORDS}}
    rpc = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    body = {"/api/mcp": json.dumps(rpc), "/api/ask": json.dumps({"question": WORDS})}.get(path)
    if body:
        client.post(path, body, content_type="application/json")
    else:
        client.post(path, {"question": WORDS})
    assert reports
    assert {event["exception"]["values"][-1]["type"] for event in reports} == {"RuntimeError"}
    assert WORDS not in json.dumps(reports, ensure_ascii=False)


def test_a_failed_task_is_reported_without_its_arguments(reports: list[dict[str, Any]]) -> None:
    @app.task(name="ask.tasks.failing")
    def failing(question: str) -> None:
        crash(question)

    failing.apply(args=[WORDS])
    (event,) = reports
    assert event["exception"]["values"][-1]["type"] == "RuntimeError"
    assert event["tags"]["task_id"]
    assert WORDS not in json.dumps(event, ensure_ascii=False)
