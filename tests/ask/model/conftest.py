"""A model on a loopback socket, a clock, and evidence that needs no database."""

from datetime import UTC, datetime

import anthropic  # noqa: F401  loading it takes two seconds, which belong to no test's deadline
import pytest
from pytest_django.fixtures import Settings

from ask import model_calls
from tests.fakes.messages_api import MessagesApi, messages_api_server

__all__ = ["messages_api_server"]

NOON = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)  # 12:00 in Seoul
KEY = "sk-ant-canary-7f3a9b"


@pytest.fixture
def now() -> datetime:
    return NOON


@pytest.fixture
def model(messages_api: MessagesApi, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> MessagesApi:
    """The service, set up with a key and with a model that answers what a test says."""
    settings.ANTHROPIC_API_KEY = KEY
    settings.ANTHROPIC_BASE_URL = messages_api.url
    settings.ASK_MODEL = "claude-haiku-5-5"
    settings.LLM_DAILY_CAP_USD = 5.0
    settings.FAKE_LLM = False
    # The real 25 s would make a test of every slow fault take as long.
    monkeypatch.setattr(model_calls, "DEADLINE_SECONDS", 1.5)
    monkeypatch.setattr(model_calls, "RETRY_NEEDS_SECONDS", 0.6)
    monkeypatch.setattr(model_calls, "RETRY_AFTER_SECONDS", 0.05)
    return messages_api
