"""The process that answers questions beside a web process: what it is handed, and what is said when it ends."""

import os
import signal
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any

import orjson
import pytest
from django.conf import settings

from ask.models import Answer
from config import metrics
from config.front import beside
from config.front.beside import AskProcess, Beside
from config.front.bridge import Environ, environ_of
from config.front.memory import FrontResponse
from tests.ask.records import KOREAN, maru
from tests.database import address_of_test_database

ECHO = "tests.config.echo_process"


def request(path: str, body: bytes = b"", *, method: str = "POST", length: int | None = None) -> Environ:
    """As the bridge has it of the event loop."""
    scope: Any = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        "http_version": "1.1",
        "scheme": "http",
        "client": ("192.0.2.7", 4711),
        "server": ("127.0.0.1", 8000),
    }
    return environ_of(scope, body, len(body) if length is None else length)


def here(_environ: Environ, start_response: Any) -> Iterable[bytes]:
    start_response("200 OK", [])
    return [b"here"]


def refused(status: int, path: str) -> FrontResponse:
    return FrontResponse(status, [(b"Retry-After", b"1")], path.encode())


def said(application: Beside, environ: Environ) -> tuple[str, dict[str, str], bytes]:
    started: list[Any] = []
    body = b"".join(application(environ, lambda *given: started.extend(given)))
    return started[0], dict(started[1]), body


@pytest.fixture
def echo() -> Iterator[AskProcess]:
    process = AskProcess([ECHO])
    assert process.becomes_ready()
    yield process
    process.let_go()
    assert process.await_end() == 0


def applied(process: AskProcess | None) -> Beside:
    application = Beside(here, ["/api/ask"], lambda: AskProcess([ECHO]), refused)
    application.process = process
    return application


def test_questions_are_handed_over_whole_and_nothing_else_is(echo: AskProcess) -> None:
    application = applied(echo)
    status, headers, body = said(application, request("/api/ask", b"{}"))
    assert (status, headers["X-Client"]) == ("202 Accepted", "192.0.2.7")
    assert body == b"{}" * 2
    for other in (request("/api/ask", method="GET"), request("/api/mcp", b"{}")):
        assert said(application, other)[2] == b"here"
    # What the loop did not read to its end is refused by Django, who knows in which words.
    assert said(application, request("/api/ask", b"{}", length=5))[2] == b"here"


def test_without_the_process_questions_are_answered_here() -> None:
    assert said(applied(None), request("/api/ask", b"{}"))[2] == b"here"


def test_who_asked_a_process_that_ended_is_told_to_come_again(echo: AskProcess) -> None:
    application = applied(echo)
    assert said(application, request("/api/ask", b"end"))[0] == "503 Service Unavailable"
    assert said(application, request("/api/ask", b"{}"))[1] == {"Retry-After": "1"}


def test_another_is_started_when_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "RESTART_SECONDS", 0.0)
    started: list[AskProcess] = []
    failures = [OSError("no memory for a process")]

    class EnoughError(Exception):
        """The fourth is not wanted."""

    def start() -> AskProcess:
        if failures:
            raise failures.pop()
        if len(started) == 3:
            raise EnoughError
        # The second one ends before it is ready.
        started.append(AskProcess([ECHO, *(["never"] if len(started) == 1 else [])]))
        return started[-1]

    application = Beside(here, ["/api/ask"], start, refused)
    ready = AskProcess.becomes_ready

    def ask_once(process: AskProcess) -> bool:
        is_ready = ready(process)
        if is_ready:
            assert process.ask({}, b"{}").body == b"{}{}"
            process.let_go()
        return is_ready

    monkeypatch.setattr(AskProcess, "becomes_ready", ask_once)
    with pytest.raises(EnoughError):
        application.keep()
    assert application.process is None


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_it_answers_from_the_records_outlives_signals_and_ends_with_its_web_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    maru()
    monkeypatch.setenv("DATABASE_URL", address_of_test_database())
    monkeypatch.setenv("DEBUG", "true")
    monkeypatch.setenv("METRICS_TOKEN", "of this test")
    turns = os.open(os.devnull, os.O_RDWR)
    process = AskProcess(["config.ask_process", str(turns), str(os.getpid())], inherited=[turns])
    try:
        assert process.becomes_ready()
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            os.kill(process.pid, each)
        response = process.ask(*handed_over(request("/api/ask", orjson.dumps({"question": KOREAN}))))
        assert response.status == 200
        answer = orjson.loads(response.body)
        assert answer["citations"]
        assert Answer.objects.get().pk == answer["questionHash"]
        counted = settings.VAR_DIR / "metrics" / metrics.family_of(os.getpid())
        assert list(counted.glob(f"*_{process.pid}.db"))
        assert os.getpriority(os.PRIO_PROCESS, process.pid) > os.getpriority(os.PRIO_PROCESS, 0)
    finally:
        os.close(turns)
        process.let_go()
    assert process.await_end() == 0


def handed_over(environ: Environ) -> tuple[Environ, bytes]:
    body = environ["wsgi.input"]
    assert isinstance(body, BytesIO)
    return {name: each for name, each in environ.items() if not name.startswith("wsgi.")}, body.getvalue()
