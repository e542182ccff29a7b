"""The knowledge base's own publications: entities, topics, events, series, and the pulses of the longest window.

Pulses leave a shorter window without any write, so it is cut from the longest when asked for.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import orjson
from django.conf import settings

from knowledge.licence import LICENCE, LICENCE_OF_SERIES
from knowledge.models import WINDOW_HOURS_MAX
from knowledge.publications.bodies import StoredBody, ready_body
from knowledge.publications.cache import publication_cache
from knowledge.publications.registry import Definition, Records
from knowledge.queries import records, series
from knowledge.series.values import json_number
from knowledge.times import iso_kst

VERSION = "v1"
REVISION = 2  # of what is made of the same records


def _index(
    name: str,
    rows: Callable[[datetime], Iterable[Mapping[str, Any]]],
    scopes: Collection[str],
    counts: Collection[str] = (),
    *,
    ages: bool = False,
    licence: str = LICENCE,
) -> Definition:
    """The publication of ``{version, count, generated_at, site, licence, <name>: [...]}``."""

    def written(now: datetime) -> list[orjson.Fragment]:
        # As dictionaries, 20,000 of them would have the collector look through all that the process holds.
        return [orjson.Fragment(orjson.dumps(row, default=json_number)) for row in rows(now)]

    def body(rows: Records, built_at: datetime) -> bytes:
        index = {
            "version": VERSION,
            "count": len(rows),
            "generated_at": iso_kst(built_at),
            "site": settings.BASE_URL,
            "licence": licence,
            name: rows,
        }
        return orjson.dumps(index)

    return Definition(
        name, frozenset(scopes), written, body, counts=frozenset(counts), ages=ages, revision=REVISION
    )


PULSES = _index("pulses", records.pulses, ["pulse", "entity"])
OWN = (
    _index("entities", records.entities, ["entity"], counts=["entity"]),
    _index("topics", records.topics, ["topic"], counts=["topic"]),
    # Its records name entities and topics, which come and go.
    _index("events", records.events, ["event", "entity", "topic"], counts=["event"]),
    PULSES,
    # A series is public with its holder.
    _index(
        "series",
        series.records,
        ["series", "entity", "topic"],
        ages=True,
        licence=LICENCE_OF_SERIES,
    ),
)


def pulses_within(hours: int, *, now: datetime) -> StoredBody:
    """Published pulses detected in the last ``hours`` (1 to 168); raises what ``publication_cache.get`` raises.

    The same object for as long as none enters or leaves.
    """
    if not 1 <= hours <= WINDOW_HOURS_MAX:
        raise ValueError(f"hours must be 1 to {WINDOW_HOURS_MAX}, not {hours}")
    return window_of(publication_cache.get(PULSES.name), hours, now=now)


def pulses_until(hours: int, *, now: datetime) -> timedelta:
    """For how long after ``now`` the window stays what it is, unless a pulse is published; at most its own length."""
    moments = _parsed(publication_cache.get(PULSES.name))[1]
    window = timedelta(hours=hours)
    entry, exit = bisect_right(moments, now), bisect_right(moments, now - window)
    enters = moments[entry] - now if entry < len(moments) else window
    leaves = moments[exit] + window - now if exit < len(moments) else window
    return min(enters, leaves)


def window_of(source: StoredBody, hours: int, *, now: datetime) -> StoredBody:
    moments = _parsed(source)[1]
    start = len(moments) - bisect_right(moments, now)
    stop = len(moments) - bisect_right(moments, now - timedelta(hours=hours))
    return _window(source, hours, start, stop)


@lru_cache(maxsize=1)
def _parsed(source: StoredBody) -> tuple[list[dict[str, Any]], list[datetime]]:
    """The records, newest first, and the moments of detection, oldest first: the order that bisect needs."""
    _window.cache_clear()  # those of the version before, each of which would keep its source in memory
    pulses = orjson.loads(source.plain)[PULSES.name]
    return pulses, [datetime.fromisoformat(pulse["detectedAt"]) for pulse in reversed(pulses)]


@lru_cache(maxsize=WINDOW_HOURS_MAX)
def _window(source: StoredBody, hours: int, start: int, stop: int) -> StoredBody:
    """The body of the records from ``start`` to ``stop``.

    It came to be with the latest of the build, the newest entry and the last exit. Every process must give the same
    bytes for the same ETag, so this is not the moment at which one of them happened to be asked.
    """
    pulses, moments = _parsed(source)
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
        "site": settings.BASE_URL,
        "licence": LICENCE,
        "pulses": pulses[start:stop],
    }
    return ready_body(orjson.dumps(body), content_type=source.content_type, built_at=built_at)
