"""Day files on their way out: kept ready while they are small and asked for, streamed from storage when they are not.

A process keeps at most 32 MB of them, least recently used out first. Nothing here asks the database.
Every file is compared with its hash when it is read, so that a damaged one is refused and not handed out.
"""

import hashlib
import json
import logging
import threading
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from operator import attrgetter

import orjson
from cachetools import LRUCache, cached
from django.conf import settings

from archive import storage
from archive.canonical import sha256_hex
from archive.day_file import SCHEMA_VERSION
from archive.errors import DayUnreadable
from archive.inspection import inspector
from archive.published import Calendar, ManifestDay, gaps, span
from knowledge.licence import LICENCE
from knowledge.publications import StoredBody
from knowledge.publications.bodies import ready_body, weight_within

logger = logging.getLogger(__name__)

KEPT_BYTES = 32 * 1024 * 1024
READY_MAX_BYTES = (
    4 * 1024 * 1024
)  # a longer bulk is streamed: sixty days of a megabyte must not lie in memory
CHUNK_BYTES = 64 * 1024
CONTENT_TYPE = "application/json"
NOT_SEALED = "it is not the file that was sealed"


kept: LRUCache[Hashable, StoredBody] = LRUCache(KEPT_BYTES, getsizeof=weight_within(KEPT_BYTES))
_lock = threading.Lock()
# Files whose failure stands in the log already: a popular day would fill it.
_logged: set[tuple[date, int]] = set()


def day_body(item: ManifestDay) -> StoredBody:
    """A day of the manifest, byte for byte; its ETag is its sha256. Raises DayUnreadable."""
    return _sealed_body(item.day, item.revision, item.sha256, item.sealed_at)


def revision_body(item: ManifestDay, revision: int) -> StoredBody:
    """An older revision of a day of the manifest, proved by those that supersede it. Raises DayUnreadable."""
    body = day_body(item)
    for older in range(item.revision - 1, revision - 1, -1):
        superseded = json.loads(body.plain)["supersedes"]["sha256"]
        body = _sealed_body(item.day, older, superseded, item.sealed_at)
    return body


@cached(kept, lock=_lock)
def _sealed_body(day: date, revision: int, sha256: str, built_at: datetime) -> StoredBody:
    """The file of this hash; ``built_at`` dates it."""
    with _sealed_file(day, revision):
        content = storage.read(day, revision)
        if sha256_hex(content) != sha256:
            raise OSError(NOT_SEALED)
    return _ready(content, sha256, built_at)


@contextmanager
def _sealed_file(day: date, revision: int) -> Iterator[None]:
    """DayUnreadable (503) for what the storage cannot give, logged once until it can."""
    try:
        yield
    except OSError as error:
        if (day, revision) not in _logged:
            _logged.add((day, revision))
            logger.error("the file of %s r%d cannot be given: %s", day, revision, error)
        raise DayUnreadable(day) from error
    _logged.discard((day, revision))


def _ready(content: bytes, etag: str, built_at: datetime) -> StoredBody:
    return ready_body(content, content_type=CONTENT_TYPE, built_at=built_at, etag=etag)


class DaysBody:
    """The N newest days as one body: ``{schemaVersion, site, license, count, days: [<day file> …], requested,
    firstDate, lastDate, gaps}``, of which the last four say what it holds against what was asked."""

    def __init__(self, calendar: Calendar, days: int) -> None:
        self.items: Sequence[ManifestDay] = calendar.items[:days]
        head = orjson.dumps(
            {
                "schemaVersion": SCHEMA_VERSION,
                "site": settings.CITY_URL,
                "license": LICENCE,
                "count": len(self.items),
            }
        )
        self.head = head[:-1] + b',"days":['
        held = [item.day for item in self.items]
        tail = {"requested": days, **span(held), "gaps": [day.isoformat() for day in gaps(held)]}
        self.tail = b"]," + orjson.dumps(tail)[1:]
        between = max(len(self.items) - 1, 0)
        self.size = len(self.head) + sum(item.size for item in self.items) + between + len(self.tail)
        parts = "|".join(item.sha256 for item in self.items)
        self.etag = hashlib.sha256(self.head + parts.encode() + self.tail).hexdigest()
        self.built_at = max((item.sealed_at for item in self.items), default=calendar.source.built_at)

    @property
    def is_small(self) -> bool:
        return self.size <= READY_MAX_BYTES

    def require_whole(self) -> None:
        """Raises DayUnreadable for the newest day that is not what was sealed: a stream cannot be taken back."""
        for damaged in inspector.damaged(self.items):
            raise DayUnreadable(damaged.day)

    @cached(kept, key=attrgetter("etag"), lock=_lock)
    def ready(self) -> StoredBody:
        return _ready(b"".join(self.pieces()), self.etag, self.built_at)

    def pieces(self) -> Iterator[bytes]:
        """The body, a chunk at a time: never more of it in memory. Raises DayUnreadable."""
        yield self.head
        for at, item in enumerate(self.items):
            if at:
                yield b","
            yield from _checked(item)
        yield self.tail


def _checked(item: ManifestDay) -> Iterator[bytes]:
    """A day's bytes; a file that is not the sealed one would make the body another, so it ends it."""
    hashed = hashlib.sha256()
    with _sealed_file(item.day, item.revision):
        for chunk in storage.chunks(item.day, item.revision, CHUNK_BYTES):
            hashed.update(chunk)
            yield chunk
        if hashed.hexdigest() != item.sha256:
            raise OSError(NOT_SEALED)
