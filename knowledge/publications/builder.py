"""Publications are built by one builder of a group at a time, in one snapshot for all of the group.

The indexes that programs poll are one group, the files for crawlers the other: a large sitemap takes seconds, which no
edit shall wait for. The order matters. The lock comes before the snapshot, so that a builder sees all that its
predecessor did; the changes are read in the snapshot of the rows, so that whatever commits later stays noted for the
next one.
"""

import hashlib
import logging
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial

import orjson
import psycopg
from django.conf import settings
from django.db import connection, transaction

from knowledge.models import OutboxEntry, Publication
from knowledge.publications.bodies import encoded, etag_of
from knowledge.publications.registry import Definition, PublicationGroup, Records, registered
from knowledge.series.values import json_number

logger = logging.getLogger(__name__)

PUBLICATION_CHANNEL = "madang_publication"
# Counts move with every ingested document; anything an editor does is published at once.
COUNTS_INTERVAL = timedelta(seconds=30)
# "madang" and one more: keys of this database's advisory locks.
BUILD_LOCKS = {PublicationGroup.INDEXES: 0x6D6164616E67, PublicationGroup.CRAWLERS: 0x6D6164616E68}
STATEMENT_TIMEOUT = "60s"  # ends a build whose database hangs, and with it the lock
WORK_MEMORY = "64MB"  # in less than 10 the rows of 20,000 units are sorted on disk
STORE_SQL = """
INSERT INTO knowledge_publication AS stored (name, version, records_sha256, etag, content_type, count, built_at,
    last_modified, gz, br)
VALUES (%(name)s, 1, %(records_sha256)s, %(etag)s, %(content_type)s, %(count)s, %(built_at)s,
    %(last_modified)s, %(gz)b, %(br)b)
ON CONFLICT (name) DO UPDATE SET version = stored.version + 1, records_sha256 = EXCLUDED.records_sha256,
    etag = EXCLUDED.etag, content_type = EXCLUDED.content_type, count = EXCLUDED.count,
    built_at = EXCLUDED.built_at, last_modified = EXCLUDED.last_modified, gz = EXCLUDED.gz, br = EXCLUDED.br
WHERE stored.version = %(former_version)s
"""


def build(
    *,
    now: datetime,
    names: Collection[str] | None = None,
    groups: Collection[PublicationGroup] = tuple(PublicationGroup),
    force: bool = False,
    aged: bool = False,
) -> list[str]:
    """Rebuild the publications that changed; gives the names of those that have a new body.

    ``names`` and ``groups`` limit the work to these; ``force`` looks at the records again even when no change is noted,
    ``aged`` at those that time alone changes. Records equal to the stored ones keep body, version, ETag and
    ``generated_at``. Another builder of a group at work means that nothing of it is done here. What one publication
    raises stops no other: it comes out at the end as an ExceptionGroup, and its changes stay noted.
    """
    work, definitions = _Build(now, force, aged), registered(names)
    for group in groups:
        with _alone(group) as alone:
            if alone:
                work.build(group, [each for each in definitions if each.group == group])
    if work.errors:
        raise ExceptionGroup("some publications could not be built", work.errors)
    return work.built


@contextmanager
def _alone(group: PublicationGroup) -> Iterator[bool]:
    """Whether this is the only builder of a group. The session holds the lock, taken before there is a snapshot."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [BUILD_LOCKS[group]])
        alone: bool = cursor.fetchone()[0]
    try:
        yield alone
    finally:
        # A connection that broke has taken its lock with it.
        if alone and connection.connection is not None and not connection.connection.closed:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [BUILD_LOCKS[group]])


@contextmanager
def _snapshot() -> Iterator[None]:
    """One REPEATABLE READ transaction. Inside a caller's transaction its isolation holds instead."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                cursor.execute(f"SET LOCAL statement_timeout = '{STATEMENT_TIMEOUT}'")
                cursor.execute(f"SET LOCAL work_mem = '{WORK_MEMORY}'")
        yield


class _Build:
    """One run of the builder over the groups."""

    def __init__(self, now: datetime, force: bool, aged: bool) -> None:
        self.built: list[str] = []
        self.errors: list[Exception] = []
        self._now = now
        self._force = force
        self._aged = aged

    def build(self, group: PublicationGroup, definitions: Sequence[Definition]) -> None:
        """Build those of a group's ``definitions`` that are stale, in one snapshot."""
        with _snapshot():
            pending = list(OutboxEntry.objects.filter(**{group.value: True}))
            stored = {row.name: row for row in Publication.objects.defer("gz", "br")}
            due = [each for each in definitions if self._is_due(each, stored.get(each.name), pending)]
            made = {each.name for each in due if self._make(each, stored.get(each.name))}
        if shown := [change for change in pending if _is_shown(change, group, made)]:
            _note_shown(group, shown)

    def _is_due(
        self, definition: Definition, former: Publication | None, pending: Sequence[OutboxEntry]
    ) -> bool:
        unasked = self._force or (self._aged and definition.ages)
        return unasked or former is None or _stale(definition, former, pending, self._now)

    def _make(self, definition: Definition, former: Publication | None) -> bool:
        """Whether the publication now shows what this snapshot holds."""
        try:
            with transaction.atomic():
                if _publish(definition, former, self._now):
                    self.built.append(definition.name)
        except Exception as error:  # a defect of one app's records must not keep the others from the public
            error.add_note(f"while building the publication {definition.name!r}")
            self.errors.append(error)
            return False
        return True


def _is_shown(change: OutboxEntry, group: PublicationGroup, made: Collection[str]) -> bool:
    """Whether every publication of a group that a change shows in has just been made."""
    return all(each.name in made for each in registered() if each.group == group and each.shows(change))


def _note_shown(group: PublicationGroup, changes: Sequence[OutboxEntry]) -> None:
    """Take a group's mark off these changes, and off the outbox those that no group has to show any more.

    Outside the snapshot and in the order of their keys: the other group's builder takes its mark off the same rows.
    """
    with transaction.atomic():
        noted = OutboxEntry.objects.filter(pk__in=[change.pk for change in changes])
        list(noted.order_by("pk").select_for_update().values_list("pk"))
        noted.update(**{group.value: False})
        noted.filter(**{each.value: False for each in PublicationGroup}).delete()


def _stale(
    definition: Definition, former: Publication, pending: Sequence[OutboxEntry], now: datetime
) -> bool:
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
    with ThreadPoolExecutor(2) as encoders:  # neither of them holds the interpreter
        gz, br = encoders.map(partial(encoded, body), ("gzip", "br"))
    row = {
        "name": definition.name,
        "former_version": former.version if former else None,
        "records_sha256": digest,
        "etag": etag_of(body),
        "content_type": definition.content_type,
        "count": len(records),
        "built_at": now,
        "last_modified": now.replace(microsecond=0),
        "gz": gz,
        "br": br,
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
