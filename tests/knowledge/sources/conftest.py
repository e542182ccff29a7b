"""A replay server, doors with short limits, and the recorded payloads beside the project where they are
present.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from knowledge.sources.http.client import Fetched, HttpClient
from tests.fakes.replay import replay_server

__all__ = ["replay_server"]

NOW = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)
RECORDED = Path(__file__).resolve().parents[2] / "recorded"


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def recorded() -> Callable[[str], bytes]:
    """The bytes of a hand-written payload, such as ``recorded("rss/blog.xml")``."""
    return lambda name: (RECORDED / name).read_bytes()


@pytest.fixture
def make_http() -> Callable[..., HttpClient]:
    """A door to loopback whose limits are short and whose clock stands still; keywords override."""

    def make(**overrides: Any) -> HttpClient:
        options: dict[str, Any] = {
            "allow_private": True,
            "user_agent": "Madang-Test/1.0 (+https://madang.example/about; hello@madang.example)",
            "connect_seconds": 1.0,
            "total_seconds": 2.0,
            "interval_seconds": 0.0,
            "now": lambda: NOW,
        }
        return HttpClient(**(options | overrides))

    return make


@pytest.fixture
def make_fetched() -> Callable[..., Fetched]:
    """An answer as the door gives it, without a http."""

    def make(body: bytes, **overrides: Any) -> Fetched:
        options: dict[str, Any] = {
            "status": 200,
            "headers": {},
            "asked": "https://x.example/a",
            "url": "https://x.example/a",
            "fetched_at": NOW,
        }
        return Fetched(body=body, **(options | overrides))

    return make
