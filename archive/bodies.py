"""Day files on their way out: kept ready while they are small and asked for, streamed from storage when they are not.

A process keeps at most 32 MB of them, least recently used out first. Nothing here asks the database.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from functools import partial

import orjson
from django.conf import settings

from archive import storage
from archive.canonical import sha256_hex
from archive.day_file import LICENSE, SCHEMA_VERSION
from archive.errors import DayUnreadable
from archive.published import Calendar, Item
from knowledge.publications import ReadyBody
from knowledge.publications.bodies import compressed, ready_body

KEPT_BYTES = 32 * 1024 * 1024
READY_MAX_BYTES = (
    4 * 1024 * 1024
)  # a longer bulk is streamed: sixty days of a megabyte must not lie in memory
CHUNK_BYTES = 64 * 1024
CONTENT_TYPE = "application/json"


class KeptBodies:
    """Ready bodies by key, within a budget of bytes."""

    def __init__(self, budget: int = KEPT_BYTES) -> None:
        self._bodies: OrderedDict[str, ReadyBody] = OrderedDict()
        self._budget = budget
        self._held = 0
        self._lock = threading.Lock()

    def get(self, key: str, make: Callable[[], ReadyBody]) -> ReadyBody:
        with self._lock:
            found = self._bodies.get(key)
            if found is not None:
                self._bodies.move_to_end(key)
                return found
        made = make()
        with self._lock:
            self._keep(key, made)
        return made

    def clear(self) -> None:
        with self._lock:
            self._bodies.clear()
            self._held = 0

    def _keep(self, key: str, body: ReadyBody) -> None:
        if key in self._bodies or _weight(body) > self._budget // 4:
            return
        self._bodies[key] = body
        self._held += _weight(body)
        while self._held > self._budget:
            _key, dropped = self._bodies.popitem(last=False)
            self._held -= _weight(dropped)


def _weight(body: ReadyBody) -> int:
    return sum(len(variant.content) for variant in body.variants.values())


kept = KeptBodies()


def day_body(item: Item) -> ReadyBody:
    """A day of the manifest, byte for byte; its ETag is its sha256. Raises DayUnreadable."""
    key = f"{item.day}.{item.revision}.{item.sha256}"
    return kept.get(key, partial(_read_ready, item.day, item.revision, item.sealed_at))


def revision_body(day: date, revision: int, *, sealed_at: datetime) -> ReadyBody | None:
    """An older revision of a day; None when there is none. ``sealed_at`` dates the day."""
    key = f"{day}.{revision}"
    if not _is_there(day, revision):
        return None
    return kept.get(key, partial(_read_ready, day, revision, sealed_at))


def _is_there(day: date, revision: int) -> bool:
    try:
        return storage.exists(day, revision)
    except OSError as error:
        raise DayUnreadable(day) from error


def read_day(day: date, revision: int) -> bytes:
    """A file's bytes; DayUnreadable (503) when the storage does not give them."""
    try:
        return storage.read(day, revision)
    except OSError as error:
        raise DayUnreadable(day) from error


def _read_ready(day: date, revision: int, built_at: datetime) -> ReadyBody:
    content = read_day(day, revision)
    return _ready(str(day), 1, content, sha256_hex(content), built_at)


def _ready(name: str, count: int, content: bytes, etag: str, built_at: datetime) -> ReadyBody:
    gz, br = compressed(content)
    contents = {"identity": content, "gzip": gz, "br": br}
    return ready_body(name, 1, CONTENT_TYPE, count, etag, built_at, contents)


class Bulk:
    """The N newest days as one body: ``{schemaVersion, site, license, count, days: [<day file> …]}``."""

    def __init__(self, calendar: Calendar, days: int) -> None:
        self.items: Sequence[Item] = calendar.items[:days]
        head = orjson.dumps(
            {
                "schemaVersion": SCHEMA_VERSION,
                "site": settings.CITY_URL,
                "license": LICENSE,
                "count": len(self.items),
            }
        )
        self.head = head[:-1] + b',"days":['
        self.size = (
            len(self.head) + sum(item.size for item in self.items) + max(len(self.items) - 1, 0) + len(b"]}")
        )
        parts = "|".join(item.sha256 for item in self.items)
        self.etag = hashlib.sha256(self.head + parts.encode()).hexdigest()
        self.built_at = max((item.sealed_at for item in self.items), default=calendar.source.built_at)

    @property
    def is_small(self) -> bool:
        return self.size <= READY_MAX_BYTES

    def ready(self) -> ReadyBody:
        return kept.get(f"bulk.{self.etag}", self._assembled)

    def _assembled(self) -> ReadyBody:
        content = b"".join(self.pieces())
        return _ready("bulk", len(self.items), content, self.etag, self.built_at)

    def pieces(self) -> Iterator[bytes]:
        """The body, a chunk at a time: never more of it in memory. Raises DayUnreadable."""
        yield self.head
        for at, item in enumerate(self.items):
            if at:
                yield b","
            yield from _checked(item)
        yield b"]}"


def _checked(item: Item) -> Iterator[bytes]:
    """A day's bytes; a file that is not as long as the manifest says would tear the body, so it ends it."""
    sent = 0
    try:
        for chunk in storage.chunks(item.day, item.revision, CHUNK_BYTES):
            sent += len(chunk)
            yield chunk
    except OSError as error:
        raise DayUnreadable(item.day) from error
    if sent != item.size:
        raise DayUnreadable(item.day)
