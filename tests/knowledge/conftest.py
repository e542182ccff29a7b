"""A replay server, and a door to it whose clock stands still."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from celery import current_app

from knowledge.sources.http.client import HttpClient
from tests.factories.knowledge import NOON
from tests.fakes.replay import replay_server

__all__ = ["replay_server"]

RECORDED = Path(__file__).parents[1] / "recorded"


@pytest.fixture
def recorded() -> Callable[[str], bytes]:
    """The bytes of a hand-written payload, such as ``recorded("rss/blog.xml")``."""
    return lambda name: (RECORDED / name).read_bytes()


@pytest.fixture
def free_worker() -> Iterator[None]:
    """Tasks that are sent run at once, as if a worker had waited for them."""
    current_app.conf.task_always_eager = True
    yield
    current_app.conf.task_always_eager = False


@pytest.fixture
def http() -> HttpClient:
    """Reaches loopback, waits for nobody, and takes it to be noon in Seoul."""
    return HttpClient(
        allow_private=True,
        user_agent="Madang-Test/1.0 (+https://madang.example/about; hello@madang.example)",
        connect_seconds=1.0,
        total_seconds=2.0,
        interval_seconds=0.0,
        now=lambda: NOON,
    )
