"""Settings refuse nonsense with a sentence that names the variable, before anything is served by it."""

import runpy
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

SETTINGS = Path(__file__).resolve().parents[2] / "config" / "settings"
WHERE = {
    "ANTHROPIC_BASE_URL": "model",
    "LLM_DAILY_CAP_USD": "model",
    "ASK_LIMITS": "model",
    "MCP_ALLOWED_ORIGINS": "model",
    "BASE_URL": "service",
    "CITY_URL": "service",
    "PORT": "service",
    "WEB_CONCURRENCY": "operations",
    "WEB_THREADS": "operations",
    "CELERY_CONCURRENCY": "operations",
    "REDIS_URL": "data",
    "LOG_LEVEL": "logs",
}
PRODUCTION = {
    "SECRET_KEY": "x" * 60,
    "ALLOWED_HOSTS": "madang.example",
    "BASE_URL": "https://madang.example",
    "TRUSTED_PROXY_COUNT": "1",
}


class Read:
    """Settings as one module of them reads an environment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.patch = monkeypatch
        self.debug(False)
        for name in (*WHERE, *PRODUCTION):
            monkeypatch.delenv(name, raising=False)
        for name, value in PRODUCTION.items():
            monkeypatch.setenv(name, value)

    def debug(self, on: bool) -> None:
        self.patch.setattr("config.settings.environment.DEBUG", on)

    def __call__(self, name: str, value: str | None) -> dict[str, Any]:
        if value is None:
            self.patch.delenv(name, raising=False)
        else:
            self.patch.setenv(name, value)
        return runpy.run_path(str(SETTINGS / f"{WHERE.get(name, 'security')}.py"))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    return Read(monkeypatch)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("TRUSTED_PROXY_COUNT", [None, "", "-1", "one", "1.5", "10"]),
        ("LLM_DAILY_CAP_USD", ["nan", "inf", "-1", "five", "1e400"]),
        (
            "ANTHROPIC_BASE_URL",
            ["http://gateway.example", "gateway.example", "ftp://gateway.example", "http://["],
        ),
        ("SECRET_KEY", [None, "x", "x" * 31]),
        ("ALLOWED_HOSTS", [None, " , ", "https://madang.example", "madang.example www.madang.example"]),
        ("BASE_URL", ["https://me@madang.example", "https://madang.example?x", "https:// madang.example"]),
        ("CITY_URL", ["https://madang.example:city", "https://madang.example/city", "madang.example"]),
        ("PORT", ["0", "-8000", "http", "65536"]),
        ("WEB_CONCURRENCY", ["0", "-2", "two"]),
        ("WEB_THREADS", ["0", "6 4", "²"]),
        ("CELERY_CONCURRENCY", ["0", "2.0"]),
        ("LOG_LEVEL", ["loud", "10"]),
    ],
)
def test_nonsense_in_production_is_a_sentence_that_names_the_variable(
    read: Read, name: str, values: list[str | None]
) -> None:
    for value in values:
        with pytest.raises(ImproperlyConfigured, match=f"^{name} "):
            read(name, value)


def test_blanks_around_the_commas_of_a_list_belong_to_no_value(read: Read) -> None:
    assert read("ALLOWED_HOSTS", "a.example, b.example,,")["ALLOWED_HOSTS"] == ["a.example", "b.example"]
    assert read("ASK_LIMITS", "5/m, 50/d")["ASK_LIMITS"] == ["5/m", "50/d"]
    found = read("MCP_ALLOWED_ORIGINS", "https://a.example, https://b.example")
    assert found["MCP_ALLOWED_ORIGINS"] == ["https://a.example", "https://b.example"]


def test_no_proxy_at_all_has_to_be_said_in_production_only(read: Read) -> None:
    assert "SECURE_PROXY_SSL_HEADER" not in read("TRUSTED_PROXY_COUNT", "0")
    assert "SECURE_PROXY_SSL_HEADER" in read("TRUSTED_PROXY_COUNT", "1")
    read.debug(True)
    assert read("TRUSTED_PROXY_COUNT", None)["TRUSTED_PROXY_COUNT"] == 0


def test_a_gateway_on_this_machine_may_speak_plain_http(read: Read) -> None:
    for address in ("", "http://127.0.0.1:8080", "http://[::1]:8080/v1", "https://gateway.example/v1"):
        assert read("ANTHROPIC_BASE_URL", address)["ANTHROPIC_BASE_URL"] == address


def test_the_promise_of_https_binds_other_sites_only_when_asked_to(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HSTS_SUBDOMAINS", raising=False)
    said = read("HSTS_PRELOAD", None)
    assert said["SECURE_HSTS_SECONDS"] > 0
    assert not said["SECURE_HSTS_INCLUDE_SUBDOMAINS"]
    assert not said["SECURE_HSTS_PRELOAD"]
    monkeypatch.setenv("HSTS_SUBDOMAINS", "true")
    asked = read("HSTS_PRELOAD", "true")
    assert asked["SECURE_HSTS_INCLUDE_SUBDOMAINS"]
    assert asked["SECURE_HSTS_PRELOAD"]


@pytest.mark.parametrize(
    ("written", "used"),
    [
        ("rediss://cache.example:6379/0", "rediss://cache.example:6379/0?ssl_cert_reqs=required"),
        ("rediss://cache.example/0?db=1", "rediss://cache.example/0?db=1&ssl_cert_reqs=required"),
        ("rediss://cache.example/0?ssl_cert_reqs=none", "rediss://cache.example/0?ssl_cert_reqs=none"),
        ("redis://cache.example/0", "redis://cache.example/0"),
    ],
)
def test_an_encrypted_broker_proves_who_it_is(read: Read, written: str, used: str) -> None:
    assert read("REDIS_URL", written)["REDIS_URL"] == used


@pytest.mark.parametrize(
    ("level", "told"),
    [
        (None, {"requests": True, "knowledge.series": True, "urllib3": True}),
        ("WARNING", {"requests": False, "tasks": False, "knowledge.series": False}),
        ("debug", {"requests": True, "urllib3": True}),
    ],
)
def test_a_level_says_which_lines_are_written(read: Read, level: str | None, told: dict[str, bool]) -> None:
    logging = read("LOG_LEVEL", level)["LOGGING"]
    levels = {name: options["level"] for name, options in logging["loggers"].items()}
    root = logging["root"]["level"]
    assert {name: levels.get(name.partition(".")[0], root) in ("DEBUG", "INFO") for name in told} == told
    # Of what libraries say for their makers nothing, at any level.
    assert root != "DEBUG"
