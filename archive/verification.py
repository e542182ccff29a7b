"""Proving the archive: every byte against its hash, every hash against the chain, every state against the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from archive import storage
from archive.canonical import sha256_hex, sha256_of
from archive.city import RULES_VERSION, derive
from archive.city_inputs import inputs_of
from archive.day_file import parse, row_of, state_of
from archive.models import Signal, Snapshot
from archive.signals import raw_of

# The rules of every version that ever sealed a day stay here, so that old days can be proved.
RULES = {RULES_VERSION: derive}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not hold."""

    day: date
    revision: int
    what: str

    def __str__(self) -> str:
        return f"{self.day} r{self.revision}: {self.what}"


def verify(only: date | None = None) -> Iterator[list[Finding]]:
    """For each file, oldest first, what is wrong with it: an empty list where all holds.

    Checks the file's hash, size and form against its row; every field the row repeats; the derived state by running
    the rules again; the signals against what was received; the link to the file before and to the revision that it
    supersedes. A file without a row, and a row without a file, are findings too. Raises OSError when there is no
    storage to look into.
    """
    rows = {(row.day, row.revision): row for row in Snapshot.objects.all()}
    if rows and storage.folder_is_missing():
        raise FileNotFoundError("the folder of the day files is missing: mount it, or correct ARCHIVE_ROOT")
    hashes = {key: row.sha256 for key, row in rows.items()}
    keys = sorted(rows.keys() | set(storage.stored_files()))
    for key in keys:
        if only is None or key[0] == only:
            yield [Finding(*key, what) for what in _wrong(key, rows.get(key), hashes)]


def _wrong(key: tuple[date, int], row: Snapshot | None, hashes: dict[tuple[date, int], str]) -> Iterator[str]:
    if row is None:
        yield "a file without a row (seal the day again to take it over)"
        return
    try:
        content = storage.read(*key)
    except FileNotFoundError:
        yield "the file is missing"
        return
    except OSError as error:
        yield f"the file cannot be read: {error}"
        return
    if sha256_hex(content) != row.sha256:
        yield "sha256 differs from the row: the file was changed"
    try:
        document = parse(content)
        yield from _differences(content, row)
        yield from _state(document)
        yield from _links(document, hashes)
        yield from _signals(document)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        yield f"not a day file: {type(error).__name__}: {error}"


def _differences(content: bytes, row: Snapshot) -> Iterator[str]:
    document, fields = parse(content), row_of(content)
    if (document["date"], document["revision"]) != (row.day.isoformat(), row.revision):
        yield "date or revision differ from the row"
    for name, value in fields.items():
        if name != "sha256" and getattr(row, name) != value:
            yield f"{name} differs from the row"


def _state(document: dict[str, Any]) -> Iterator[str]:
    stated = document["integrity"]["stateSha256"]
    if sha256_of(state_of(document)) != stated:
        yield "stateSha256 is not the hash of the state in the file"
    rules = RULES.get(document["rulesVersion"])
    if rules is None:
        yield f"no rules {document['rulesVersion']} to run again"
    elif sha256_of(rules(inputs_of(document))) != stated:
        yield "the rules give another state from the same inputs"


def _links(document: dict[str, Any], hashes: dict[tuple[date, int], str]) -> Iterator[str]:
    integrity, supersedes = document["integrity"], document.get("supersedes")
    if integrity["prevDate"] is not None:
        previous = date.fromisoformat(integrity["prevDate"])
        if previous.isoformat() >= document["date"]:
            yield "prevDate is not before the day"
        if hashes.get((previous, 1)) != integrity["prevSha256"]:
            yield f"prevSha256 is not the hash of {previous}: the chain is broken"
    elif integrity["prevSha256"] is not None:
        yield "prevSha256 without prevDate"
    if (supersedes is not None) != (document["revision"] > 1):
        yield "supersedes belongs to later revisions, and to them always"
    if supersedes is not None:
        former = hashes.get((date.fromisoformat(document["date"]), supersedes["revision"]))
        if former != supersedes["sha256"]:
            yield "supersedes is not the hash of the former revision"


def _signals(document: dict[str, Any]) -> Iterator[str]:
    """What the file quotes must be what was received, as far as it is still kept."""
    for entry in document["signals"]:
        if entry["raw"] is None:
            continue
        rows = Signal.objects.filter(
            service__slug=entry["service"], sha256=entry["sha256"], rehearsal=document["rehearsal"]
        )
        received = rows.first()
        if received is None:
            yield f"the signal of {entry['service']} is not among those received"
        elif sha256_hex(bytes(received.body)) != received.sha256 or raw_of(received) != entry["raw"]:
            yield f"the signal of {entry['service']} differs from the one received"
