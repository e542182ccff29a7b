"""Five failures within a minute pause the model for half of one; without Redis nothing is paused."""

from datetime import datetime, timedelta

import pytest
from django.core.cache.backends.locmem import LocMemCache
from pytest_django import Settings

from ask import pause


def fail(now: datetime, *seconds: float) -> None:
    for second in seconds:
        pause.note_failure(now + timedelta(seconds=second))


def test_five_failures_within_a_minute_pause_for_half_a_minute(now: datetime) -> None:
    fail(now, 0, 10, 20, 30)
    assert pause.seconds_left(now + timedelta(seconds=30)) == 0
    fail(now, 59)
    assert 29 <= pause.seconds_left(now + timedelta(seconds=60)) <= 30
    assert pause.seconds_left(now + timedelta(seconds=89)) == 0


def test_five_failures_in_more_than_a_minute_pause_nothing(now: datetime) -> None:
    fail(now, 0, 20, 40, 50, 60)
    assert pause.seconds_left(now + timedelta(seconds=60)) == 0


def test_the_minute_may_begin_with_any_failure(now: datetime) -> None:
    fail(now, 0, 55, 58, 61, 64)
    assert pause.seconds_left(now + timedelta(seconds=64)) == 0
    fail(now, 67)
    assert pause.seconds_left(now + timedelta(seconds=67)) > 0


def test_without_redis_nothing_is_paused_and_nothing_fails(now: datetime, settings: Settings) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:9/0",
        }
    }
    fail(now, 0, 1, 2, 3, 4)
    assert pause.seconds_left(now) == 0


def test_a_cache_that_was_emptied_in_between_pauses_nothing(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LocMemCache, "add", lambda *_, **__: True)
    fail(now, 0)
    assert pause.seconds_left(now) == 0
