"""R9: the counters' server stops under a running service, and comes back."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from config.embedded.engines import find_valkey
from tests.ask.records import KOREAN, maru

RECOVERY_SECONDS = 5.0


class Counters:
    """A Valkey of this test's own, at one port."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self._process = subprocess.Popen([str(find_valkey().path), *options], stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()


@pytest.fixture
def counters(settings: Settings) -> Iterator[Counters]:
    server = Counters()
    server.start()
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": f"redis://127.0.0.1:{server.port}/0",
            "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
        }
    }
    yield server
    server.stop()


def ask(client: Client, text: str) -> tuple[int, str]:
    """The status, and the problem's code or whether the answer was stored."""
    response = client.post("/api/ask", json.dumps({"question": text}), content_type="application/json")
    body = response.json()
    return response.status_code, body.get("code") or ("cached" if body["cached"] else "new")


def until_answered(client: Client, text: str) -> tuple[int, str]:
    """A new question is asked again and again, for as long as an outage may outlast itself."""
    deadline = time.monotonic() + RECOVERY_SECONDS
    while True:
        outcome = ask(client, text)
        if outcome[0] == 200 or time.monotonic() > deadline:
            return outcome
        time.sleep(0.1)


@pytest.mark.django_db
@pytest.mark.parametrize("seconds", [0.5, pytest.param(60.0, marks=pytest.mark.soak)])
def test_an_outage_stops_new_answers_only_and_ends_by_itself(
    client: Client, counters: Counters, seconds: float
) -> None:
    maru()
    assert until_answered(client, KOREAN) == (200, "new")
    counters.stop()
    over = time.monotonic() + seconds
    refused = 0
    while refused == 0 or time.monotonic() < over:
        assert client.get("/api/health").status_code == 200
        assert client.get("/api/search?q=maru").status_code == 200
        assert ask(client, KOREAN) == (200, "cached")
        assert ask(client, f"마루가 뭐야 {refused}") == (503, "limits_unavailable")
        refused += 1
        time.sleep(min(1.0, seconds / 4))
    counters.start()
    assert until_answered(client, "마루는 어디에 쓰여?") == (200, "new")
