"""The manifest: what ``GET /api/archive`` hands out, as a publication, and as the look-up of every other read.

It lies in the memory of each process, so that finding a day costs no query, with the database up or down.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import orjson
from django.conf import settings

from archive.day_file import SCHEMA_VERSION
from archive.days import days_between
from archive.models import Snapshot
from knowledge.licence import LICENCE, attribution
from knowledge.publications import Definition, StoredBody, index_scope, publication_cache
from knowledge.publications.registry import Records
from knowledge.times import iso_kst

DAYS_MAX = 60


def items(_now: datetime) -> Records:
    """One record a day that has a file, newest first, each of its newest revision."""
    rows = Snapshot.objects.published().defer("facts")
    return [
        {
            "date": row.day.isoformat(),
            "status": row.status,
            "late": row.late,
            "rehearsal": row.rehearsal,
            "url": f"{settings.CITY_URL}/api/archive?date={row.day.isoformat()}",
            "bytes": row.size,
            "sha256": row.sha256,
            "revision": row.revision,
            "sealedAt": iso_kst(row.sealed_at),
        }
        for row in rows
    ]


def gaps(days: Sequence[date]) -> list[date]:
    """The days between the first and the last of ``days`` that are not among them, newest first."""
    if not days:
        return []
    return sorted(set(days_between(min(days), max(days))) - set(days), reverse=True)


def span(days: Sequence[date]) -> dict[str, str | None]:
    """The first and the last of ``days``, as bodies say them; null where there is none."""
    first, last = (min(days), max(days)) if days else (None, None)
    return {
        "firstDate": first.isoformat() if first else None,
        "lastDate": last.isoformat() if last else None,
    }


def manifest(records: Records, _built_at: datetime) -> bytes:
    """The body of ``GET /api/archive``."""
    days = [date.fromisoformat(item["date"]) for item in records]
    return orjson.dumps(
        {
            "schemaVersion": SCHEMA_VERSION,
            "site": settings.CITY_URL,
            "license": LICENCE,
            "description": "One file a day of a virtual city, sealed at midnight Asia/Seoul: the raw signals of six "
            "sister services, the state derived from them, and a reflection in Korean.",
            "attribution": attribution(f"{settings.CITY_URL}/city"),
            "count": len(records),
            "items": list(records),
            "gaps": [day.isoformat() for day in gaps(days)],
            "methods": {
                "manifest": "GET /api/archive",
                "daySnapshot": "GET /api/archive?date=YYYY-MM-DD",
                "bulk": f"GET /api/archive?days=14 (max {DAYS_MAX})",
            },
            **span(days),
        }
    )


ARCHIVE = Definition(name="archive", scopes=frozenset({"archive"}), records=items, body=manifest, revision=2)
# What tells that something made from days may be another: their rows, and the manifest by which files are found.
SCOPES = frozenset({"archive", index_scope(ARCHIVE.name)})


@dataclass(frozen=True, slots=True)
class ManifestDay:
    """A day as the manifest has it."""

    day: date
    status: str
    late: bool
    rehearsal: bool
    size: int
    sha256: str
    revision: int
    sealed_at: datetime


@dataclass(frozen=True)
class Calendar:
    """The manifest of one version, to look things up in: ``items`` newest first."""

    source: StoredBody
    items: tuple[ManifestDay, ...]
    by_day: dict[date, ManifestDay]

    @property
    def gaps(self) -> list[date]:
        return gaps(list(self.by_day))

    def nearest(self, day: date) -> list[date]:
        """The days with a file around ``day``: the newest before it and the oldest after it."""
        before = max((known for known in self.by_day if known < day), default=None)
        after = min((known for known in self.by_day if known > day), default=None)
        return [known for known in (before, after) if known is not None]


class Calendars:
    """The current Calendar, parsed once for each version of the manifest."""

    def __init__(self) -> None:
        self._current: Calendar | None = None
        self._parsing = threading.Lock()

    def get(self) -> Calendar:
        """Raises what ``publication_cache.get`` raises."""
        source = publication_cache.get(ARCHIVE.name)
        current = self._current
        if current is None or current.source is not source:
            with self._parsing:
                current = self._current = _calendar(source)
        return current


def _calendar(source: StoredBody) -> Calendar:
    records = orjson.loads(source.plain)["items"]
    found = tuple(_item(record) for record in records)
    return Calendar(source, found, {item.day: item for item in found})


def _item(record: dict[str, Any]) -> ManifestDay:
    return ManifestDay(
        day=date.fromisoformat(record["date"]),
        status=record["status"],
        late=record["late"],
        rehearsal=record["rehearsal"],
        size=record["bytes"],
        sha256=record["sha256"],
        revision=record["revision"],
        sealed_at=datetime.fromisoformat(record["sealedAt"]),
    )


calendars = Calendars()
