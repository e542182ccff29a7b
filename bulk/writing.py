"""Writing the files of a night: all of one moment, each whole before it has its name, the list last."""

import gzip
import hashlib
import io
import logging
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import IO

import orjson
from django.db import connection, transaction
from django.urls import reverse

from archive.lock import held
from bulk import files, shelf
from bulk.catalogue import catalogue
from bulk.files import FILES, BulkFile
from bulk.nights import due_day, oldest_kept
from knowledge.queries.changes import newest_seq
from knowledge.series.values import json_number
from knowledge.times import iso_kst

logger = logging.getLogger(__name__)

BULK_LOCK = 0x62756C6B  # "bulk": a key of this database's advisory locks
GZIP_LEVEL = 6
BUFFER_BYTES = 64 * 1024
TOLD_EVERY = 50_000  # records

Tell = Callable[[str], None]


class NotWritten(Exception):  # noqa: N818 - a refusal, in a sentence
    """These files are not written, and need not or must not be."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A file that is ready: ``content`` is a temporary one, without a name."""

    file: BulkFile
    content: io.BufferedRandom
    count: int
    size: int
    sha256: str


def write_due(*, now: datetime, tell: Tell = logger.debug) -> None:
    """Write the files of the night that is due, unless they are there, and remove those that are too old."""
    day = due_day(now)
    try:
        if not shelf.is_listed(day):
            write(day, now=now, tell=tell)
    except NotWritten as refusal:
        logger.info("%s", refusal)  # another process is at it, or was faster
    finally:  # also where the storage is full: what is too old makes room
        prune(now=now)


def write(day: date, *, now: datetime, tell: Tell) -> None:
    """Write the files of ``day`` from what is public at ``now``; ``tell`` hears how far it is.

    Raises NotWritten for a day that has files, is not due or would not be kept, and while another process writes.
    """
    if not oldest_kept(now) <= day <= due_day(now):
        raise NotWritten(
            f"Files can be dated from {oldest_kept(now)} to {due_day(now)}, not {day}: they are due at 04:00 in Seoul "
            "and kept for 35 days."
        )
    with _alone(), ExitStack() as temporary:
        if shelf.is_listed(day):
            raise NotWritten(f"{day} has its files already; what is written once is never written again.")
        shelf.remove_files(day)  # what a killed run left, of which nobody was told
        seq, left_out, made = _made_at_once(temporary, now, tell)
        for one in made:
            shelf.keep_file(day, one.file.name, one.content)
        items = [_item(one, day, seq, now) for one in made]
        gaps = [
            shelf.BulkGap(name=name, date=day.isoformat(), reason=reason) for name, reason in left_out.items()
        ]
        shelf.keep_list(day, shelf.NightList(items=items, gaps=gaps))
    catalogue.forget()
    logger.info("bulk files of %s: %d bytes", day, sum(one.size for one in made))


def prune(*, now: datetime) -> None:
    """Remove what is older than 35 days: the list first, then what it named. Nothing while another process writes."""
    oldest = oldest_kept(now)
    if any(day < oldest for day in (*shelf.listed_days(), *shelf.stored_days())):
        # A night that was still kept when its writing began may be too old by now, and has no list yet.
        with suppress(NotWritten), _alone():
            _remove_before(oldest)


def _remove_before(oldest: date) -> None:
    for day in shelf.listed_days():
        if day < oldest:
            shelf.remove_list(day)
    catalogue.forget()
    for day in shelf.stored_days():
        if day < oldest:
            shelf.remove_files(day)


@contextmanager
def _alone() -> Iterator[None]:
    with held(BULK_LOCK, "madang bulk", wait_seconds=0) as ours:
        if not ours:
            raise NotWritten("Another process is writing bulk files; try again when it has finished.")
        yield


def _made_at_once(temporary: ExitStack, now: datetime, tell: Tell) -> tuple[int, dict[str, str], list[_Made]]:
    """The number of the newest change, what is left out, and the files: of one moment, as they name each other."""
    with _one_view():
        seq = newest_seq()
        made = [_made(file, temporary.enter_context(_nameless()), now, tell) for file in FILES]
        return seq, files.left_out(), made


def _nameless() -> io.BufferedRandom:
    """A file that is gone when it is closed, or its process killed."""
    return tempfile.TemporaryFile()


@contextmanager
def _one_view() -> Iterator[None]:
    """A transaction that sees the database as it is at its first statement; a caller's own stays as it is."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _made(file: BulkFile, content: io.BufferedRandom, now: datetime, tell: Tell) -> _Made:
    count = 0
    with _packed(content) as lines:
        for record in file.records(now):
            lines.write(orjson.dumps(record, default=json_number, option=orjson.OPT_APPEND_NEWLINE))
            count += 1
            if count % TOLD_EVERY == 0:
                tell(f"{file.name}: {count:,} records …")
    size = content.tell()
    content.seek(0)
    made = _Made(file, content, count, size, hashlib.file_digest(content, "sha256").hexdigest())
    tell(f"{file.name}: {count:,} records, {size:,} bytes")
    return made


@contextmanager
def _packed(content: io.BufferedRandom) -> Iterator[IO[bytes]]:
    """Without a name or a time of its own, so that equal records give equal bytes."""
    packed = gzip.GzipFile(filename="", mode="wb", compresslevel=GZIP_LEVEL, fileobj=content, mtime=0)
    with packed, io.BufferedWriter(packed, BUFFER_BYTES) as lines:
        yield lines


def _item(made: _Made, day: date, seq: int, now: datetime) -> shelf.BulkItem:
    name = made.file.name
    return {
        "name": name,
        "date": day.isoformat(),
        "url": reverse("bulk-file", args=[day.isoformat(), name]),
        "bytes": made.size,
        "sha256": made.sha256,
        "count": made.count,
        "schema": reverse("bulk-schema", args=[name]),
        "licence": made.file.licence,
        "seq": seq,
        "writtenAt": iso_kst(now),
    }
