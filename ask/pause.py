"""A pause after upstream trouble: five failures within 60 seconds stop calls to the model for 30.

This lives in Redis, which may forget or be away: then nothing is paused, and money is guarded elsewhere.
"""

import logging
from datetime import datetime, timedelta

from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

FAILURES = 5
WINDOW = timedelta(seconds=60)
LASTS = timedelta(seconds=30)

_COUNT = "ask:model:failures"
_PAUSED_UNTIL = "ask:model:paused-until"


def seconds_left(now: datetime) -> int:
    """How long the model stays paused; 0 when it is not."""
    try:
        until = cache.get(_PAUSED_UNTIL, 0.0)
    except (RedisError, OSError, ValueError):
        return 0
    left = float(until) - now.timestamp()
    return int(left) + 1 if left > 0 else 0


def note_failure(now: datetime) -> None:
    """Count an upstream failure, and pause when it is the fifth within the window."""
    try:
        earlier = _remember(now.timestamp())
        if earlier is not None and now.timestamp() - earlier < WINDOW.total_seconds():
            cache.set(_PAUSED_UNTIL, (now + LASTS).timestamp(), timeout=LASTS.total_seconds())
            logger.warning("the model is paused for %d s after %d failures", LASTS.total_seconds(), FAILURES)
    except (RedisError, OSError, ValueError) as error:  # ValueError: a counter that was flushed meanwhile
        logger.warning("failures of the model are not counted: %s", type(error).__name__)


def _remember(moment: float) -> float | None:
    """Keep a failure's time in a ring of four; what stood in its place is the failure four before it."""
    cache.add(_COUNT, 0, timeout=None)
    place = f"{_COUNT}:{cache.incr(_COUNT) % (FAILURES - 1)}"
    earlier: float | None = cache.get(place)
    cache.set(place, moment, timeout=WINDOW.total_seconds())
    return earlier
