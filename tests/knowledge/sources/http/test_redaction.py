"""One masking for log lines, error reports, forms and stored refusals."""

import logging
from typing import Any

import pytest
from django.test import override_settings

from config.error_reports import scrubbed
from config.log_lines import JsonLines, TextLines
from knowledge.admin.masked_addresses import MaskedAddressField
from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient
from knowledge.sources.http.redaction import redacted
from tests.fakes.replay import Replay

NAMES = (
    "key",
    "API_KEY",
    "x-api-key",
    "token",
    "access_token",
    "secret",
    "client_secret",
    "auth",
    "sig",
    "X-Amz-Signature",
    "password",
    "passwd",
    "pwd",
    "code",
    "X-Amz-Credential",
    "session",
    "sessionId",
    "appid",
)


def everywhere(address: str) -> list[str]:
    """What of an address stands in log lines, a report and a form."""
    record = logging.LogRecord("x", logging.WARNING, "f", 1, "reading %s failed", (address,), None)
    report: Any = scrubbed({"exception": {"values": [{"value": f"no answer from {address}"}]}}, {})
    return [
        JsonLines().format(record),
        TextLines().format(record),
        report["exception"]["values"][0]["value"],
        MaskedAddressField().prepare_value(address),
    ]


def door_says(address: str) -> str:
    with pytest.raises(SourceError) as caught:
        HttpClient(allow_private=True, user_agent="x").get(address)
    return str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_a_parameter_that_is_named_like_a_secret_is_masked_everywhere(name: str, replay: Replay) -> None:
    address = replay.url(f"/gone?day=2026-11-20&{name}=hush47!x&page=2")
    for shown in [*everywhere(address), door_says(address)]:
        assert f"day=2026-11-20&{name}=***&page=2" in shown


def test_a_user_and_a_password_in_an_address_are_masked_everywhere() -> None:
    for shown in everywhere("rediss://anna:hu@sh47@cache.example/1"):
        assert "rediss://***@cache.example/1" in shown


@override_settings(METRICS_TOKEN="hush/47+11 hush", REDIS_URL="redis://:hush-redis-47@cache.example:6379/0")
def test_a_secret_of_the_settings_is_masked_everywhere_also_as_it_stands_in_an_address(
    replay: Replay,
) -> None:
    for secret in ("hush%2F47%2B11%20hush", "hush%2F47%2B11+hush", "hush-redis-47"):
        address = replay.url(f"/{secret}/rows")
        for shown in [*everywhere(address), door_says(address)]:
            assert "/***/rows" in shown


@pytest.mark.parametrize(
    "text",
    [
        "https://medium.com/@author/post?author=kim&keyword=btc&tokens=3&design=2",
        "Key (slug)=(btc) already exists",
        "monkey business; the code is 404; auth failed",
    ],
)
def test_what_is_no_secret_stays_readable(text: str) -> None:
    assert redacted(text) == text


def test_hiding_takes_a_hostile_text_in_linear_time() -> None:
    for flood in ("a." * 20_000, "//" * 20_000, "key" * 14_000, "?k-" * 14_000 + "="):
        assert redacted(flood) == flood
