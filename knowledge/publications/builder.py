"""Publications are built by one builder at a time, in one snapshot for all indexes, then one for each crawlers' file.

The order matters. The lock comes before the snapshot, so that a builder sees all that its predecessor did; the changes
are read in the snapshot of the rows, so that whatever commits later stays noted for the next one. A large sitemap takes
seconds, which no edit shall wait for: before each crawlers' file the indexes are looked at again.
"""

import hashlib
import logging
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

import orjson
import psycopg
from django.conf import settings
from django.db import connection, transaction

from knowledge.models import OutboxEntry, Publication
from knowledge.publications.bodies import encoded, etag_of
from knowledge.publications.registry import Definition, Records, registered
from knowledge.series.values import json_number

logger = logging.getLogger(__name__)

PUBLICATION_CHANNEL = "madang_publication"
# Counts move with every ingested document; anything an editor does is published at once.
COUNTS_INTERVAL = timedelta(seconds=30)
BUILD_LOCK = 0x6D6164616E67  # "madang": a key of this database's advisory locks
STATEMENT_TIMEOUT = "60s"  # ends a build whose database hangs, and with it the lock
STORE_SQL = """
INSERT INTO knowledge_publication AS stored (name, version, records_sha256, etag, content_type, count, built_at,
    last_modified, body, gz, br)
VALUES (%(name)s, 1, %(records_sha256)s, %(etag)s, %(content_type)s, %(count)s, %(built_at)s,
    %(last_modified)s, %(body)b, %(gz)b, %(br)b)
ON CONFLICT (name) DO UPDATE SET version = stored.version + 1, records_sha256 = EXCLUDED.records_sha256,
    etag = EXCLUDED.etag, content_type = EXCLUDED.content_type, count = EXCLUDED.count,
    built_at = EXCLUDED.built_at, last_modified = EXCLUDED.last_modified, body = EXCLUDED.body, gz = EXCLUDED.gz,
    br = EXCLUDED.br
WHERE stored.version = %(former_version)s
"""


def build(
    *,
    now: datetime,
    names: Collection[str] | None = None,
    force: bool = False,
    aged: bool = False,
) -> list[str]:
    """Rebuild the publications that changed; gives the names of those that have a new body.

    ``names`` limits the work to these; ``force`` looks at the records again even when no change is noted, ``aged`` at
    those that time alone changes. Records equal to the stored ones keep body, version, ETag and ``generated_at``.
    Another builder at work means that nothing is done here. What one publication raises stops no other: it comes out at
    the end as an ExceptionGroup, and its changes stay noted.
    """
    work, definitions = _Build(now, force, aged), registered(names)
    indexes = [definition for definition in definitions if not definition.for_crawlers]
    with _alone() as alone:
        if alone:
            work.stage(indexes)
            for definition in work.due([one for one in definitions if one.for_crawlers]):
                work.stage([definition])
                work.stage(indexes)
    if work.errors:
        raise ExceptionGroup("some publications could not be built", work.errors)
    return work.built


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether this is the only builder. The session holds the lock, taken before there is a snapshot."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [BUILD_LOCK])
        alone: bool = cursor.fetchone()[0]
    try:
        yield alone
    finally:
        # A connection that broke has taken its lock with it.
        if alone and connection.connection is not None and not connection.connection.closed:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [BUILD_LOCK])


@contextmanager
def _snapshot() -> Iterator[None]:
    """One REPEATABLE READ transaction. Inside a caller's transaction its isolation holds instead."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                cursor.execute(f"SET LOCAL statement_timeout = '{STATEMENT_TIMEOUT}'")
        yield


class _Build:
    """One run of the builder over several snapshots."""

    def __init__(self, now: datetime, force: bool, aged: bool) -> None:
        self.built: list[str] = []
        self.errors: list[Exception] = []
        self._now = now
        self._force = force
        self._aged = aged
        self._pending: list[OutboxEntry] = []
        self._stored: dict[str, Publication] = {}
        self._tried: set[str] = set()
        # By noted change: the publications made in a snapshot that saw it.
        self._taken_in: defaultdict[int, set[str]] = defaultdict(set)

    def stage(self, definitions: Sequence[Definition]) -> None:
        """Build those of ``definitions`` that are stale, in one snapshot."""
        with _snapshot():
            self._pending = list(OutboxEntry.objects.defer("at"))
            self._stored = {row.name: row for row in Publication.objects.defer("body", "gz", "br")}
            made = {definition.name for definition in self.due(definitions) if self._make(definition)}
            for change in self._pending:
                self._taken_in[change.pk] |= made
            done = [change.pk for change in self._pending if self._is_done(change)]
            OutboxEntry.objects.filter(pk__in=done).delete()

    def due(self, definitions: Sequence[Definition]) -> list[Definition]:
        """Those of ``definitions`` that, as the latest snapshot shows them, are to be made."""
        return [definition for definition in definitions if self._is_due(definition)]

    def _is_due(self, definition: Definition) -> bool:
        former = self._stored.get(definition.name)
        if definition.name not in self._tried:
            unasked = self._force or (self._aged and definition.ages)
            return unasked or former is None or _stale(definition, former, self._pending, self._now)
        unseen = [change for change in self._pending if change.pk not in self._taken_in]
        return former is not None and _stale(definition, former, unseen, self._now)

    def _make(self, definition: Definition) -> bool:
        """Whether the publication now shows what this snapshot holds."""
        self._tried.add(definition.name)
        try:
            with transaction.atomic():
                if _publish(definition, self._stored.get(definition.name), self._now):
                    self.built.append(definition.name)
        except Exception as error:  # a defect of one app's records must not keep the others from the public
            error.add_note(f"while building the publication {definition.name!r}")
            self.errors.append(error)
            return False
        return True

    def _is_done(self, change: OutboxEntry) -> bool:
        """Whether every publication that a change shows in has taken it in."""
        return self._taken_in[change.pk].issuperset(
            definition.name for definition in registered() if definition.shows(change)
        )


def _stale(definition: Definition, former: Publication, pending: list[OutboxEntry], now: datetime) -> bool:
    shown = [change for change in pending if definition.shows(change)]
    return any(not change.counts_only for change in shown) or (
        bool(shown) and now - former.built_at >= COUNTS_INTERVAL
    )


def _digest(definition: Definition, records: Records) -> str:
    """Of all that a body is made of: its records, the code that renders them, and how settings name the service."""
    named = (settings.SERVICE_NAME, settings.BASE_URL, settings.CITY_URL, settings.CONTACT_EMAIL)
    said = orjson.dumps([definition.revision, named, records], default=json_number)
    return hashlib.sha256(said).hexdigest()


def _publish(definition: Definition, former: Publication | None, now: datetime) -> bool:
    """Store a new body when the records differ from those of the stored one."""
    records = definition.records(now)
    digest = _digest(definition, records)
    if former is not None and former.records_sha256 == digest:
        return False
    body = definition.body(records, now)
    row = {
        "name": definition.name,
        "former_version": former.version if former else None,
        "records_sha256": digest,
        "etag": etag_of(body),
        "content_type": definition.content_type,
        "count": len(records),
        "built_at": now,
        "last_modified": now.replace(microsecond=0),
        "body": body,
        "gz": encoded(body, "gzip"),
        "br": encoded(body, "br"),
    }
    # Django writes bytes into the statement as hexadecimal text, which takes a third of a large index's build;
    # psycopg's own cursor sends them as they are, on the same connection and in the same transaction.
    connection.ensure_connection()
    with psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(STORE_SQL, row)
        if cursor.rowcount == 0:
            return False  # somebody's newer body is there; this snapshot is older
        cursor.execute("SELECT pg_notify(%s, %s)", [PUBLICATION_CHANNEL, definition.name])
    logger.info("published %s: %d records, %d bytes", definition.name, len(records), len(body))
    return True
