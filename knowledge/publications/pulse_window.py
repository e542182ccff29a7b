"""The pulses of the last H hours. They leave a window without any write, so it is cut when asked for."""

from bisect import bisect_right
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import orjson

from knowledge.models import WINDOW_HOURS_MAX
from knowledge.publications.bodies import StoredBody, ready_body
from knowledge.publications.cache import publication_cache
from knowledge.publications.indexes import PULSES, VERSION
from knowledge.times import iso_kst


def pulses_within(hours: int, *, now: datetime) -> StoredBody:
    """Published pulses detected in the last ``hours`` (1 to 168); raises what ``publication_cache.get`` raises.

    The same object for as long as none enters or leaves.
    """
    if not 1 <= hours <= WINDOW_HOURS_MAX:
        raise ValueError(f"hours must be 1 to {WINDOW_HOURS_MAX}, not {hours}")
    return window_of(publication_cache.get(PULSES.name), hours, now=now)


def window_of(source: StoredBody, hours: int, *, now: datetime) -> StoredBody:
    records, moments = _parsed(source)
    start = len(records) - bisect_right(moments, now)
    stop = len(records) - bisect_right(moments, now - timedelta(hours=hours))
    return _window(source, hours, start, stop)


@lru_cache(maxsize=1)
def _parsed(source: StoredBody) -> tuple[list[dict[str, Any]], list[datetime]]:
    """The records, newest first, and the moments of detection, oldest first: the order that bisect needs."""
    _window.cache_clear()  # those of the version before, each of which would keep its source in memory
    records = orjson.loads(source.plain)[PULSES.name]
    return records, [datetime.fromisoformat(record["detectedAt"]) for record in reversed(records)]


@lru_cache(maxsize=WINDOW_HOURS_MAX)
def _window(source: StoredBody, hours: int, start: int, stop: int) -> StoredBody:
    """The body of the records from ``start`` to ``stop``.

    It came to be with the latest of the build, the newest entry and the last exit. Every process must give the same
    bytes for the same ETag, so this is not the moment at which one of them happened to be asked.
    """
    records, moments = _parsed(source)
    candidates = [source.built_at]
    if start < stop:
        candidates.append(moments[-1 - start])
    if stop < len(moments):
        candidates.append(moments[-1 - stop] + timedelta(hours=hours))
    built_at = max(candidates)
    body = {
        "version": VERSION,
        "generated_at": iso_kst(built_at),
        "window_hours": hours,
        "count": stop - start,
        "pulses": records[start:stop],
    }
    return ready_body(orjson.dumps(body), content_type=source.content_type, built_at=built_at)
