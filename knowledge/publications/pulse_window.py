"""The pulses of the last H hours. They leave a window without any write, so it is cut when asked for."""

from __future__ import annotations

import threading
from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import orjson

from knowledge.models import WINDOW_HOURS_MAX
from knowledge.publications.bodies import StoredBody, compressed, etag_of, stored_body
from knowledge.publications.cache import publication_cache
from knowledge.publications.indexes import PULSES, VERSION
from knowledge.times import iso_kst


@dataclass(frozen=True, slots=True)
class Cut:
    """One window's body and the slice of records it shows."""

    start: int
    stop: int
    body: StoredBody


@dataclass(frozen=True)
class PulseList:
    """The records of one version of the publication, newest first, and the windows cut from them so far."""

    source: StoredBody
    records: list[dict[str, Any]]
    moments: list[datetime]  # of detection, oldest first: the order that bisect needs
    cuts: dict[int, Cut] = field(default_factory=dict)

    def window(self, hours: int, *, now: datetime) -> StoredBody:
        """The body of the last ``hours`` hours; the same object for as long as none enters or leaves."""
        size = len(self.records)
        start = size - bisect_right(self.moments, now)
        stop = size - bisect_right(self.moments, now - timedelta(hours=hours))
        cut = self.cuts.get(hours)
        if cut is None or (cut.start, cut.stop) != (start, stop):
            cut = self.cuts[hours] = Cut(start, stop, self._body(hours, start, stop))
        return cut.body

    def _body(self, hours: int, start: int, stop: int) -> StoredBody:
        pulses = self.records[start:stop]
        built_at = self._came_to_be(hours, start, stop)
        body = orjson.dumps(
            {
                "version": VERSION,
                "generated_at": iso_kst(built_at),
                "window_hours": hours,
                "count": len(pulses),
                "pulses": pulses,
            }
        )
        gz, br = compressed(body)
        contents = {"identity": body, "gzip": gz, "br": br}
        source = self.source
        return stored_body(
            source.name, source.version, source.content_type, len(pulses), etag_of(body), built_at, contents
        )

    def _came_to_be(self, hours: int, start: int, stop: int) -> datetime:
        """When the window came to hold these pulses: the latest of the build, the newest entry and the last exit.

        Every process must give the same bytes for the same ETag, so this is not the moment at which one of
        them happened to be asked.
        """
        candidates = [self.source.built_at]
        newest_first = self.moments[::-1]
        if start < stop:
            candidates.append(newest_first[start])
        if stop < len(newest_first):
            candidates.append(newest_first[stop] + timedelta(hours=hours))
        return max(candidates)


class PulseWindows:
    """The current PulseList, parsed once for each version of the publication."""

    def __init__(self) -> None:
        self._current: PulseList | None = None
        self._parsing = threading.Lock()

    def get(self, hours: int, *, now: datetime) -> StoredBody:
        """Published pulses detected in the last ``hours`` (1 to 168); raises what ``publication_cache.get`` raises."""
        if not 1 <= hours <= WINDOW_HOURS_MAX:
            raise ValueError(f"hours must be 1 to {WINDOW_HOURS_MAX}, not {hours}")
        source = publication_cache.get(PULSES.name)
        current = self._current
        if current is None or current.source is not source:
            with self._parsing:
                current = self._current = pulse_list(source)
        return current.window(hours, now=now)


def pulse_list(source: StoredBody) -> PulseList:
    records = orjson.loads(source.variants["identity"].content)[PULSES.name]
    moments = [datetime.fromisoformat(record["detectedAt"]) for record in reversed(records)]
    return PulseList(source, records, moments)


pulse_windows = PulseWindows()
