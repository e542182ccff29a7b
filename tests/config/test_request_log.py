"""One line a request, under one id everywhere; nobody's words and nobody's secrets in any line."""

import json
import logging
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from config import celery
from config.log_lines import JsonLines, TextLines, Work, current
from tests.factories.knowledge import NOON
from tests.factories.world import World, make_world

WORDS = "비밀스러운마루코인질문"
ADDRESS = "203.0.113.77"
KEY = "canary-7f3a-key-that-nobody-may-read"


class Lines(logging.Handler):
    """What stderr would show, as production and as a developer's terminal see it."""

    def __init__(self) -> None:
        super().__init__(level=logging.DEBUG)
        self.json: list[str] = []
        self.text: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.json.append(JsonLines().format(record))
        # A formatter keeps the traceback it made on the record, for the next one to repeat.
        record.exc_text = None
        self.text.append(TextLines("%(levelname)s %(name)s %(message)s").format(record))
        record.exc_text = None

    @property
    def requests(self) -> list[dict[str, Any]]:
        read = [json.loads(line) for line in self.json]
        return [line for line in read if line["logger"] == "requests"]

    @property
    def everything(self) -> str:
        return "\n".join([*self.json, *self.text])


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler = Lines()
    logging.getLogger().addHandler(handler)
    yield handler
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def world(db: None) -> World:
    return make_world(NOON)


def test_each_request_has_one_line_under_the_id_of_its_response(client: Client, lines: Lines) -> None:
    response = client.get("/robots.txt")
    (line,) = lines.requests
    assert line["request"] == response.headers["X-Request-Id"]
    assert re.fullmatch("[0-9a-f]{16}", line["request"])
    assert (line["method"], line["view"], line["path"], line["status"]) == (
        "GET",
        "robots",
        "/robots.txt",
        200,
    )
    assert line["bytes"] == len(response.content)
    assert line["ms"] > 0
    assert client.get("/robots.txt").headers["X-Request-Id"] != line["request"]


@pytest.mark.parametrize(
    ("hops", "given", "believed"),
    [
        (1, "0b7c9f1e-2f44-4a53-9d0e-6e4a2c1d3b5f", True),
        (0, "0b7c9f1e-2f44-4a53-9d0e-6e4a2c1d3b5f", False),
        (1, 'x" , "admin": true', False),
        (1, "a" * 65, False),
    ],
)
def test_only_a_proxy_may_bring_its_own_id(
    client: Client, settings: Any, hops: int, given: str, believed: bool
) -> None:
    settings.TRUSTED_PROXY_COUNT = hops
    response = client.get("/robots.txt", headers={"x-request-id": given})
    assert (response.headers["X-Request-Id"] == given) is believed


def test_a_path_that_no_route_knows_is_not_written(client: Client, lines: Lines, db: None) -> None:
    for path in (f"/{WORDS}", f"/admin/{WORDS}", f"/ask/q/{WORDS}", f"/api/{WORDS}"):
        client.get(path)
    assert [(line["path"], line["view"]) for line in lines.requests] == [("", "")] * 4
    assert WORDS not in lines.everything


SECRET = "eyJ1bml0IjoxfQ:1vK2zQ:a-link-that-lets-its-holder-in"


def test_a_link_that_lets_its_holder_in_is_told_by_its_route(
    client: Client, lines: Lines, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.get(f"/preview/{SECRET}")
    (line,) = lines.requests
    assert (line["view"], line["path"]) == ("preview", "/preview/<str:token>")

    def crash(*_: object) -> None:
        raise RuntimeError("no store")

    monkeypatch.setattr("knowledge.curation.signed_links.unit_of", crash)
    client.raise_request_exception = False
    assert client.get(f"/preview/{SECRET}").status_code == 500
    assert "no store" in lines.everything
    assert SECRET not in lines.everything


def test_questions_and_addresses_are_in_no_line(
    client: Client, world: World, lines: Lines, settings: Any
) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    client.defaults["HTTP_X_FORWARDED_FOR"] = ADDRESS
    client.defaults["HTTP_USER_AGENT"] = f"reader {WORDS}"
    client.post("/api/ask", {"question": f"{WORDS} 뭐야?"}, content_type="application/json")
    client.post("/ask", {"question": f"{WORDS} 뭐야?"})
    client.get("/ask", {"question": WORDS})
    client.get("/search", {"q": WORDS})
    client.get("/api/search", {"q": WORDS})
    client.get("/api/resolve", {"q": WORDS})
    client.get("/asset/marucoin", {"utm": WORDS})
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    for name, arguments in (("ask_madang", {"question": WORDS}), ("search", {"query": WORDS})):
        body = {**call, "params": {"name": name, "arguments": arguments}}
        client.post("/api/mcp", body, content_type="application/json")
    assert len(lines.requests) == 9
    assert WORDS not in lines.everything
    assert ADDRESS not in lines.everything


def test_the_message_of_a_failure_is_kept_but_where_questions_are_handled(
    client: Client, db: None, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object, **__: object) -> None:
        raise RuntimeError(f"could not read {WORDS}") from ValueError(WORDS)

    monkeypatch.setattr("feeds.sitemaps.page_count", crash)
    client.raise_request_exception = False
    assert client.get("/api/health").status_code == 500
    assert WORDS in lines.everything
    failed = [json.loads(line) for line in lines.json if "trace" in line][-1]
    assert failed["error"].startswith("RuntimeError: could not")
    assert any("health.py" in frame for frame in failed["trace"])
    lines.json.clear()
    lines.text.clear()
    monkeypatch.setattr("knowledge.queries.search.results", crash)
    assert client.get("/api/search", {"q": "x"}).status_code == 500
    failed = [json.loads(line) for line in lines.json if "trace" in line][-1]
    assert failed["error"] == "RuntimeError"
    assert "ValueError" in failed["trace"]
    assert WORDS not in lines.everything


def test_no_secret_of_the_settings_reaches_a_line(lines: Lines, settings: Any) -> None:
    names = (
        "SECRET_KEY",
        "ANTHROPIC_API_KEY",
        "ECOS_API_KEY",
        "FRED_API_KEY",
        "METRICS_TOKEN",
        "SENTRY_DSN",
    )
    secrets = [f"{KEY}-{name}" for name in names]
    for name, secret in zip(names, secrets, strict=True):
        setattr(settings, name, secret)
    settings.REDIS_URL = f"redis://user:{KEY}-redis@cache.example:6379/0"
    settings.DATABASES["default"]["PASSWORD"], former = (
        f"{KEY}-pg",
        settings.DATABASES["default"]["PASSWORD"],
    )
    log = logging.getLogger("somewhere")
    try:
        for secret in [*secrets, f"{KEY}-redis", f"{KEY}-pg"]:
            log.warning("fetching https://api.example/?key=%s failed", secret)
            try:
                raise ValueError(f"bad key {secret}")
            except ValueError:
                log.exception("and again")
    finally:
        settings.DATABASES["default"]["PASSWORD"] = former
    assert len(lines.json) == 16
    assert KEY not in lines.everything
    assert "***" in lines.everything


@given(st.text(), st.text())
def test_any_text_is_one_line_of_json(message: str, name: str) -> None:
    record = logging.LogRecord(name, logging.INFO, "f", 1, "%s", (message + "\ud800\n",), None)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert json.loads(line).keys() >= {"at", "level", "message"}
    line.encode()


def test_a_failure_outside_any_request_still_says_where() -> None:
    try:
        raise KeyError("marker")
    except KeyError:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "oh", None, sys.exc_info())
    line = json.loads(JsonLines().format(record))
    assert line["error"] == "KeyError: 'marker'"
    assert "test_request_log.py" in line["trace"][-1]
    assert "request" not in line


def test_a_task_carries_the_id_of_the_request_that_sent_it(lines: Lines) -> None:
    @celery.app.task(name="tests.noted")
    def noted() -> None:
        logging.getLogger("inside").info("at work")

    token = current.set(Work(request="feedc0de"))
    headers: dict[str, Any] = {}
    celery.name_origin(headers=headers)
    current.reset(token)
    assert headers == {celery.ORIGIN: "feedc0de"}
    # What a worker does with the message: the headers become attributes of the task's request.
    noted.push_request(**headers, id="t1")
    celery.take_up("t1", noted)
    noted.run()
    celery.put_down("t1", noted, state="SUCCESS")
    noted.pop_request()
    inside, done = (json.loads(line) for line in lines.json[-2:])
    assert (inside["request"], inside["task"]) == ("feedc0de", "t1")
    assert (done["name"], done["state"], done["request"]) == ("tests.noted", "SUCCESS", "feedc0de")
    assert current.get() == Work()
