"""One error body for everything under /api/, proved by one assertion on every error path."""

from typing import Any

import pytest
from django.test import Client

from tests.problems import problem_of


@pytest.mark.parametrize(
    "path", ["/api/", "/api/nothing", "/api/canonical/", "/api/canonical/people.json", "/api/ask/x"]
)
def test_an_unknown_path_under_api_is_a_problem(client: Client, path: str) -> None:
    body = problem_of(client.get(path), 404)
    assert body["code"] == "not_found"
    assert body["instance"] == path


@pytest.mark.parametrize("path", ["/api/health", "/api/canonical/entities.json", "/api/pulse/active.json"])
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_a_wrong_method_is_a_problem_that_names_the_right_ones(
    client: Client, path: str, method: str
) -> None:
    response = getattr(client, method)(path)
    assert problem_of(response, 405)["code"] == "method_not_allowed"
    assert "GET" in response.headers["Allow"]


@pytest.mark.parametrize(
    ("header", "korean"),
    [
        ("ko", True),
        ("ko-KR,ko;q=0.9,en;q=0.8", True),
        ("en-US,en;q=0.9,ko;q=0.8", False),
        ("", False),
        ("fr", False),
    ],
)
def test_the_detail_speaks_the_readers_language(client: Client, header: str, korean: bool) -> None:
    response = client.get("/api/nothing", headers={"accept-language": header})
    detail = problem_of(response, 404)["detail"]
    assert any("가" <= letter <= "힣" for letter in detail) is korean
    assert "Accept-Language" in response.headers["Vary"]


def test_a_host_that_is_not_ours_is_a_problem(client: Client) -> None:
    problem_of(client.get("/api/health", headers={"host": "evil.example"}), 400)


@pytest.mark.parametrize("debug", [True, False])
def test_a_host_that_is_not_ours_is_told_in_json_rpc_by_the_mcp_endpoint(
    client: Client, settings: Any, debug: bool
) -> None:
    settings.DEBUG = debug
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"host": "evil.example"}
    response = client.post("/api/mcp", ping, content_type="application/json", headers=headers)
    assert response.status_code == 400
    assert response.headers["Content-Type"] == "application/json"
    assert response.json()["jsonrpc"] == "2.0"
    assert response.json()["error"]["code"] == -32600


def test_an_unforeseen_error_is_a_problem_without_its_details(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash() -> int:
        raise RuntimeError("the inside of the machine")

    monkeypatch.setattr("feeds.sitemaps.page_count", crash)
    client.raise_request_exception = False
    response = client.get("/api/health")
    assert problem_of(response, 500)["code"] == "internal_error"
    assert b"inside of the machine" not in response.content


def test_a_preflight_before_an_ask_is_answered_without_the_view(client: Client) -> None:
    response = client.options(
        "/api/ask", headers={"access-control-request-method": "POST", "origin": "https://a.example"}
    )
    assert response.status_code == 204
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    assert "Content-Type" in response.headers["Access-Control-Allow-Headers"]
