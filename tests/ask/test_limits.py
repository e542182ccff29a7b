"""Five a minute, fifty a day: exact, told in headers, closed without Redis, and nobody's address in the open."""

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings as configured
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory
from pytest_django.fixtures import Settings

from ask import limits
from ask.errors import LimitsUnavailable, RateLimited
from ask.limits import Allowance, Limit, parse
from tests import processes
from tests.ask import limits_process

START = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
DEFAULT = parse("ASK_LIMITS", ["5/m", "50/d"])
DEAD_REDIS = "redis://127.0.0.1:1/0"


def allowance(address: str = "203.0.113.7", group: str = "ask") -> Allowance:
    return Allowance(group, DEFAULT, address)


def refused(one: Allowance) -> RateLimited:
    with pytest.raises(RateLimited) as caught:
        one.consume()
    return caught.value


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


def test_the_sixth_in_a_minute_is_refused_and_told_when(clock: time_machine.Traveller) -> None:
    for _ in range(5):
        allowance().consume()
    refusal = refused(allowance())
    assert refusal.retry_after is not None
    assert 1 <= refusal.retry_after <= 60
    clock.shift(refusal.retry_after + 1)
    allowance().consume()


def test_the_fifty_first_in_a_day_is_refused_until_the_day_window_ends(clock: time_machine.Traveller) -> None:
    address = early_in_its_day()
    for number in range(50):
        clock.move_to(START + timedelta(seconds=61 * number))
        allowance(address).consume()
    clock.shift(61)
    refusal = refused(allowance(address))
    assert refusal.retry_after is not None
    assert refusal.retry_after > 3600
    assert "50 a day" in refusal.english
    clock.shift(refusal.retry_after + 1)
    allowance(address).consume()


def early_in_its_day() -> str:
    """An address whose day window does not end within the next hours: each has its own start."""
    while True:
        address = uuid.uuid4().hex
        one = allowance(address, group="other")
        one.consume()
        if one.used[1].seconds_left > 3 * 3600:
            return address


def test_a_refusal_by_the_minute_costs_nothing_of_the_day(clock: time_machine.Traveller) -> None:
    for _ in range(5):
        last = allowance()
        last.consume()
    for _ in range(20):
        refused(allowance())
    clock.shift(61)
    later = allowance()
    later.consume()
    assert last.used[1].count == 5
    assert later.used[1].count == 6


def test_rest_and_mcp_count_apart(clock: time_machine.Traveller) -> None:
    for _ in range(5):
        allowance().consume()
    allowance(group="mcp-ask").consume()
    refused(allowance())


def test_each_address_has_its_own_windows(clock: time_machine.Traveller) -> None:
    for _ in range(5):
        allowance().consume()
    allowance("203.0.113.8").consume()


def test_the_headers_are_the_contracts(clock: time_machine.Traveller) -> None:
    one = allowance()
    assert one.headers() == {}
    one.consume()
    left = one.used[0].seconds_left
    assert one.headers() == {
        "RateLimit-Policy": '"minute";q=5;w=60, "day";q=50;w=86400',
        "RateLimit": f'"minute";r=4;t={left}',
    }


def test_the_headers_tell_the_window_that_binds_first(clock: time_machine.Traveller) -> None:
    one = Allowance("ask", parse("ASK_LIMITS", ["5/m", "3/d"]), "203.0.113.7")
    one.consume()
    assert one.headers()["RateLimit"].startswith('"day";r=2;t=')


def test_a_refused_question_has_none_left(clock: time_machine.Traveller) -> None:
    for _ in range(5):
        allowance().consume()
    one = allowance()
    refusal = refused(one)
    assert one.headers()["RateLimit"] == f'"minute";r=0;t={refusal.retry_after}'


def test_the_last_second_of_a_window_is_not_told_as_no_time() -> None:
    with time_machine.travel(START, tick=False) as clock:
        for _ in range(61):
            one = allowance(uuid.uuid4().hex)
            one.consume()
            assert min(usage.seconds_left for usage in one.used) >= 1
            clock.shift(1)


@pytest.mark.parametrize("lang", ["english", "korean"])
def test_a_refusal_names_limit_reset_free_way_and_contact(lang: str, clock: time_machine.Traveller) -> None:
    for _ in range(5):
        allowance().consume()
    refusal = refused(allowance())
    said = getattr(refusal, lang)
    for wanted in ("5", str(refusal.retry_after), "/api/search", configured.CONTACT_EMAIL):
        assert wanted in said


def test_without_redis_nothing_is_let_pass(settings: Settings) -> None:
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": DEAD_REDIS}
    }
    with pytest.raises(LimitsUnavailable) as caught:
        allowance().consume()
    assert caught.value.status_code == 503


@pytest.mark.usefixtures("stopped_clock")
def test_a_counter_that_got_lost_is_not_taken_for_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*args: Any, **kwargs: Any) -> int:
        raise ValueError("no such key")

    allowance().consume()
    monkeypatch.setattr(type(caches["default"]), "incr", lost)
    with pytest.raises(LimitsUnavailable):
        allowance().consume()


def test_no_key_in_redis_is_an_address_or_a_bare_hash_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    real = limits.get_usage

    def listening(*args: Any, **kwargs: Any) -> Any:
        seen.append(kwargs["key"]("ask", None))
        return real(*args, **kwargs)

    monkeypatch.setattr(limits, "get_usage", listening)
    allowance("203.0.113.7").consume()
    monkeypatch.setattr(configured, "SECRET_KEY", "another")
    allowance("203.0.113.7").consume()
    assert "203.0.113.7" not in "".join(seen)
    assert len(set(seen)) == 2
    assert "203.0.113.7" not in repr(allowance("203.0.113.7"))


def test_a_forged_header_opens_no_new_window(settings: Settings, clock: time_machine.Traveller) -> None:
    settings.TRUSTED_PROXY_COUNT = 0
    requests = [
        RequestFactory().post("/", REMOTE_ADDR="203.0.113.7", HTTP_X_FORWARDED_FOR=f"198.51.100.{number}")
        for number in range(6)
    ]
    for request in requests[:5]:
        limits.of_visitor(request).consume()
    refused(limits.of_visitor(requests[5]))


@pytest.mark.parametrize(
    ("written", "parsed"),
    [
        (["5/m", "50/d"], [("minute", 5, 60), ("day", 50, 86_400)]),
        (["100/d", " 10/m "], [("minute", 10, 60), ("day", 100, 86_400)]),
        (["1/s"], [("second", 1, 1)]),
        (["7/h"], [("hour", 7, 3600)]),
    ],
)
def test_limits_are_read_shortest_window_first(
    written: list[str], parsed: list[tuple[str, int, int]]
) -> None:
    assert [(one.name, one.quota, one.seconds) for one in parse("ASK_LIMITS", written)] == parsed


@pytest.mark.parametrize(
    "written",
    [[], [""], ["5"], ["5/x"], ["0/m"], ["-5/m"], ["5/m", "6/m"], ["5/10m"], ["5 per minute"], ["5/m;50/d"]],
)
def test_limits_that_cannot_be_read_stop_the_start_and_say_how(
    written: list[str], settings: Settings
) -> None:
    settings.MCP_ASK_LIMITS = written
    with pytest.raises(ImproperlyConfigured, match=r"MCP_ASK_LIMITS .*5/m,50/d"):
        limits.require_valid()


def test_eight_processes_let_pass_exactly_the_quota() -> None:
    quota, asks = 50, 20
    together, address = processes.barrier(8), uuid.uuid4().hex
    crowd = [processes.start(limits_process.passed, together, address, asks, quota) for _ in range(8)]
    passed = [one.result() for one in crowd]
    assert sum(passed) == quota


def test_a_limit_is_shown_as_its_policy() -> None:
    assert Limit("minute", 5, 60).policy == '"minute";q=5;w=60'
