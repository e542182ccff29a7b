"""What every error under /api/ promises."""

import json
from typing import Any

MEMBERS = {"type", "title", "status", "detail", "instance", "code"}


def problem_of(response: Any, status: int) -> dict[str, Any]:
    """The problem body of ``response``, after everything that every problem promises was checked."""
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Cache-Control"] == "no-store"
    assert not response.cookies
    body: dict[str, Any] = json.loads(response.content)
    assert set(body) >= MEMBERS
    assert body["status"] == status
    assert body["detail"]
    return body
