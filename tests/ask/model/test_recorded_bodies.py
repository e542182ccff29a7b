"""What the vendor really said, replayed: every body is read, or refused in a way that has a name."""

import json
from pathlib import Path

import pytest
from django.conf import settings

from ask import audit, prices
from ask.anthropic_client import Endpoint, Received, UpstreamError, send
from ask.ledger import Outcome
from ask.model_calls import Paid
from ask.model_citations import UnusableAnswerError, draft
from ask.models import Mode
from ask.wire import Deadline
from tests.ask.model.conftest import KEY, NOON
from tests.ask.model.evidence import named, prompt
from tests.fakes.messages_api import MessagesApi, raw

FOLDER = (settings.BASE_DIR / settings.SAMPLES_DIR / "anthropic").resolve()
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no recorded bodies beside the project")

# How the documented errors were answered; their bodies alone do not say it.
STATUSES = {"13_error_404_model.json": 404, "14_error_400_effort.json": 400}


def bodies() -> list[Path]:
    paths = sorted(FOLDER.glob("*"))
    return [path for path in paths if ".request." not in path.name and path.suffix in (".json", ".sse")]


def replay(api: MessagesApi, path: Path) -> Received | UpstreamError:
    kind = "text/event-stream" if path.suffix == ".sse" else "application/json"
    api.answer(raw(path.read_bytes(), STATUSES.get(path.name, 200), content_type=kind))
    request = {"model": "claude-haiku-5-5", "max_tokens": 10, "messages": [{"role": "user", "content": "?"}]}
    try:
        return send(request, Endpoint(api.url, KEY), Deadline(10))
    except UpstreamError as error:
        return error


@pytest.mark.parametrize("path", bodies(), ids=lambda path: path.name)
def test_every_recorded_body_is_read_or_refused_in_a_defined_way(
    messages_api: MessagesApi, path: Path
) -> None:
    result = replay(messages_api, path)
    document = json.loads(path.read_bytes()) if path.suffix == ".json" else {}
    if document.get("type") == "message":
        assert isinstance(result, Received)
        assert result.usage.output_tokens == document["usage"]["output_tokens"]
        assert result.stop_reason == document["stop_reason"]
        assert (
            prices.cost("claude-haiku-5-5", result.usage.reported, reported_model=result.model, now=NOON) > 0
        )
    elif "content" in document:
        assert isinstance(result, Received)
    else:
        assert isinstance(result, UpstreamError)
        expected = Outcome.REJECTED if path.name in STATUSES else Outcome.UNREADABLE
        assert result.outcome == expected


def test_recorded_web_searches_show_what_was_retrieved_and_cited(messages_api: MessagesApi) -> None:
    result = replay(messages_api, FOLDER / "04_web_search_cited.json")
    assert isinstance(result, Received)
    cited, retrieved = set(audit.cited_urls(result.content)), set(audit.retrieved_urls(result.content))
    assert cited
    assert cited <= retrieved
    assert any(audit.is_ours(url, {"ruby-lang.org"}) for url in cited)


def test_a_recorded_search_that_found_nothing_is_read(messages_api: MessagesApi) -> None:
    result = replay(messages_api, FOLDER / "16_web_search_vercel.json")
    assert isinstance(result, Received)
    assert result.usage.web_searches == 2
    assert list(audit.retrieved_urls(result.content))


@pytest.mark.parametrize("path", bodies(), ids=lambda path: path.name)
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_no_recorded_body_is_an_answer_to_another_question(
    messages_api: MessagesApi, path: Path, lang: str
) -> None:
    result = replay(messages_api, path)
    if isinstance(result, Received):
        assert ending(result, lang) in (Mode.NONE, "no citation", "stop_reason", "too long")


def ending(received: Received, lang: str) -> str:
    """The mode of the answer, or the rule that the body breaks."""
    try:
        return draft(Paid(received, "claude-haiku-5-5", 42), prompt(lang), named).mode
    except UnusableAnswerError as rule:
        return str(rule)
